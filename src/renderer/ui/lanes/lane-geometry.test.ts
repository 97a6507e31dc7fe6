import { describe, expect, it } from 'vitest'
import type { TimelineLane } from '../../../shared/model/timeline/timeline.ts'
import {
  barsOf,
  filteredPods,
  moved,
  nextMark,
  sortedPods,
  spotAt,
  ticksOf,
  zoomed,
} from './lane-geometry.ts'
import { fakeLane } from './fake-lane.ts'

const range = { from: 1000, to: 2000 }

describe('bars', () => {
  it('are cut at the ends of the range; others are left out', () => {
    const { segments } = fakeLane({})
    const bars = barsOf(segments, { from: 1500, to: 3500 })
    expect(bars.map(({ segment, from, to }) => [segment.state, from, to])).toEqual([
      ['sync', 0, 0.25],
      ['terminating', 0.25, 0.75],
      ['terminated', 0.75, 1],
    ])
  })
})

describe('the spot under a place', () => {
  const pod = fakeLane({})

  it('is a mark in reach, with the state of the worker', () => {
    expect(spotAt(pod, 2010, 20)).toMatchObject({
      line: 20,
      mark: { text: 'SyncLoop DELETE' },
      segment: { state: 'terminating' },
    })
  })

  it('is the state where no mark is in reach, with the first line that says it', () => {
    expect(spotAt(pod, 2500, 20)).toMatchObject({ line: 20, at: 2000, mark: null })
  })

  it('is nothing before the first line', () => {
    expect(spotAt(pod, 10, 20)).toBeNull()
  })

  it('goes from mark to mark', () => {
    expect(nextMark(pod, 10, false)?.line).toBe(20)
    expect(nextMark(pod, 20, true)?.line).toBe(10)
    expect(nextMark(pod, 20, false)).toBeUndefined()
  })
})

describe('the range', () => {
  const whole = { from: 0, to: 4000 }

  it('zooms about a time, and not beyond the log', () => {
    expect(zoomed({ range, whole, about: 1500 }, 0.5)).toEqual({ from: 1250, to: 1750 })
    expect(zoomed({ range, whole, about: 1500 }, 8)).toBeNull()
    expect(moved(range, whole, 0.25)).toEqual({ from: 1250, to: 2250 })
    expect(moved(range, whole, -5)).toEqual({ from: 0, to: 1000 })
  })

  it('has its day in the labels where it is longer than one', () => {
    const second = (to: number): string | undefined =>
      ticksOf({ from: 0, to }, 1000, null)[1]?.label
    expect(second(10_000)).toBe('00:00:02')
    expect(second(1000)).toBe('00:00:00.200')
    expect(second(10 * 86_400_000)).toBe('01-03 00:00')
  })

  it('has as many labels as there is room for, and none under that of a selected time', () => {
    const labels = (width: number, selected: number | null = null): readonly string[] =>
      ticksOf({ from: 0, to: 60_000 }, width, selected).map(({ label }) => label)
    expect(labels(700)).toHaveLength(6)
    expect(labels(300)).toEqual(['00:00:00', '00:00:20', '00:00:40', '00:01:00'])
    expect(labels(130)).toEqual(['00:00:00', '00:01:00'])
    expect(labels(300, 57_000)).toEqual(['00:00:00', '00:00:20', '00:00:40'])
    expect(labels(300, 30_000)).toEqual(['00:00:00', '00:01:00'])
  })
})

describe('the pods', () => {
  const calm: TimelineLane = {
    ...fakeLane({ id: '2', name: 'calm' }),
    state: 'sync',
    marks: [],
    firstLine: 1,
  }
  const ended = { ...fakeLane({ id: '1', name: 'cart' }), firstLine: 9 }

  it('that only sync come last', () => {
    expect(sortedPods([calm, ended]).map(({ name }) => name)).toEqual(['cart', 'calm'])
  })

  it('are found by words of their namespace, name and UID', () => {
    const found = (words: string): readonly string[] =>
      filteredPods([calm, ended], words).map(({ name }) => name)
    expect(found('SHOP ca')).toEqual(['calm', 'cart'])
    expect(found('shop/cart')).toEqual(['cart'])
    expect(found('uid-2')).toEqual(['calm'])
    expect(found('nothing')).toEqual([])
  })
})
