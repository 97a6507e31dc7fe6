import { describe, expect, it } from 'vitest'
import { nodeSentence, timelineX } from './lease-timeline.ts'

describe('the timeline of a lease', () => {
  it.each([
    ['the last lease', 0, 8],
    ['50 s, to scale', 50, 183],
    ['Unknown', 60, 218],
    ['the deletion', 360, 376],
    ['what is later', 9000, 376],
    ['a lease of a clock ahead', -5, 8],
  ])('places %s', (_what, seconds, x) => {
    expect(timelineX(seconds)).toBeCloseTo(x)
  })

  it('places later times further right, never in the break', () => {
    const places = Array.from({ length: 361 }, (_, second) => timelineX(second))
    expect(places.every((x, index) => index === 0 || x > (places[index - 1] ?? 0))).toBe(true)
    expect(places.some((x) => x > 284 && x < 308)).toBe(false)
  })

  it.each([
    [49, 'Ready,SchedulingDisabled', 'considers the node Ready: its lease is current'],
    [49, 'NotReady', 'considers the node NotReady, its last reported status'],
    [50, 'Ready', 'at its next check, the control plane considers the node Unknown'],
    [60, 'Ready', 'considers the node Unknown and'],
    [350, 'Ready', 'is about to mark the node’s pods for deletion'],
    [360, 'Ready', 'has marked the node’s pods for deletion'],
  ])(
    'says %s s after the last lease, with status %s, how the control plane considers the node',
    (seconds, status, words) => {
      expect(nodeSentence(seconds, status)).toContain(words)
    },
  )
})
