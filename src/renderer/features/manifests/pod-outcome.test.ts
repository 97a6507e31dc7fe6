import { describe, expect, it } from 'vitest'
import { fakeStaticRow } from '../../bridge/fake-views.ts'
import { axisPlaces, podOutcome, placeOfNow } from './pod-outcome.ts'

const web = fakeStaticRow({ name: 'web-scope-node-1' })
const inFolder = { savedAgo: 8, isSingleFile: false }

describe('the pod of an invalid manifest', () => {
  it('keeps running until the next relist, at most 20 s after the save', () => {
    expect(podOutcome(web, inFolder)).toEqual({ kind: 'runs', savedAgo: 8, relistIn: 12 })
    expect(podOutcome(web, { ...inFolder, savedAgo: 300 })).toMatchObject({ relistIn: 0 })
  })

  it('keeps running if the source is a single file', () => {
    expect(podOutcome(web, { savedAgo: 8, isSingleFile: true })).toMatchObject({ kind: 'kept' })
  })

  it('is terminating after the relist, and then nothing runs', () => {
    const grace = { seconds: 30, startedAt: 1000, killAt: 31_000 }
    const stopping = podOutcome({ ...web, worker: 'TerminatingPod', grace }, inFolder)
    expect(stopping).toEqual({ kind: 'stopping', savedAgo: 8, grace })
    expect(podOutcome({ ...web, worker: 'finished' }, inFolder)).toEqual({ kind: 'nothing' })
    expect(podOutcome(undefined, inFolder)).toEqual({ kind: 'nothing' })
  })

  it('is placed between the right marks', () => {
    for (const savedAgo of [0, 8, 20, 100]) {
      const place = placeOfNow(podOutcome(web, { ...inFolder, savedAgo }), 0)
      expect(place).toBeGreaterThan(axisPlaces.saved)
      expect(place).toBeLessThan(axisPlaces.relist)
    }
    const grace = { seconds: 30, startedAt: 1000, killAt: 31_000 }
    const places = [1000, 16_000, 31_000].map((now) =>
      placeOfNow({ kind: 'stopping', savedAgo: 8, grace }, now),
    )
    expect(places).toEqual(places.toSorted((left, right) => left - right))
    expect(places[0]).toBeGreaterThan(axisPlaces.relist)
    expect(places[2]).toBeLessThan(axisPlaces.kill)
  })
})
