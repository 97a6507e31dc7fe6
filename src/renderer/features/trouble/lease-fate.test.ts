import { describe, expect, it } from 'vitest'
import { fateSentence, fateX } from './lease-fate.ts'

describe('the axis of a node without its lease', () => {
  it.each([
    ['the last lease', 0, 8],
    ['40 s, to scale', 40, 176],
    ['Unknown', 50, 218],
    ['the eviction', 350, 376],
    ['what is later', 9000, 376],
    ['a lease of a clock ahead', -5, 8],
  ])('has its place for %s', (_what, seconds, x) => {
    expect(fateX(seconds)).toBeCloseTo(x)
  })

  it('goes on to the right only, past the break', () => {
    const places = Array.from({ length: 351 }, (_, second) => fateX(second))
    expect(places.every((x, index) => index === 0 || x > (places[index - 1] ?? 0))).toBe(true)
    expect(places.some((x) => x > 284 && x < 308)).toBe(false)
  })

  it.each([
    [49, 'Ready,SchedulingDisabled', 'considers the node Ready: its lease is current'],
    [49, 'NotReady', 'considers the node NotReady, its last reported status'],
    [50, 'Ready', 'considers the node Unknown'],
    [350, 'Ready', 'marked the node’s pods for deletion'],
  ])('says at %s s after %s what the cluster thinks', (seconds, status, words) => {
    expect(fateSentence(seconds, status)).toContain(words)
  })
})
