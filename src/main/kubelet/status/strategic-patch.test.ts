import { describe, expect, it } from 'vitest'
import { podStatusMergeKeys, strategicPatch } from './strategic-patch.ts'

const patchOf = (from: object, to: object) => strategicPatch(from, to, podStatusMergeKeys)

describe('strategicPatch', () => {
  it('is empty when nothing changed but emptiness', () => {
    expect(patchOf({ a: 1, b: null, c: {} }, { a: 1, d: [], e: '' })).toEqual({})
  })

  it('sets what changed and deletes what is gone', () => {
    expect(
      patchOf({ a: 1, b: 2, c: { d: 1, e: 2 } }, { a: 1, b: 3, c: { d: 1 }, f: 'new' }),
    ).toEqual({ b: 3, c: { e: null }, f: 'new' })
  })

  it('keeps a state without fields', () => {
    expect(patchOf({ state: { running: {} } }, { state: { waiting: {} } })).toEqual({
      state: { running: null, waiting: {} },
    })
  })

  it('replaces a list that has no merge key whole', () => {
    expect(
      patchOf(
        { containerStatuses: [{ name: 'a', ready: false }, { name: 'b' }] },
        { containerStatuses: [{ name: 'a', ready: true }, { name: 'b' }] },
      ),
    ).toEqual({ containerStatuses: [{ name: 'a', ready: true }, { name: 'b' }] })
  })

  it('writes a merged list whole where there was none', () => {
    expect(patchOf({}, { conditions: [{ type: 'Ready', status: 'True' }] })).toEqual({
      conditions: [{ type: 'Ready', status: 'True' }],
    })
  })

  it('carries only changed fields of changed items, and the order of all', () => {
    const before = [
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', status: 'True', reason: 'x', observedGeneration: 1 },
      { type: 'PodScheduled', status: 'True' },
    ]
    const after = [
      { type: 'Initialized', status: 'True' },
      { type: 'Ready', status: 'False', observedGeneration: 1, message: 'm' },
      { type: 'PodScheduled', status: 'True' },
      { type: 'New', status: 'True' },
    ]
    expect(patchOf({ conditions: before }, { conditions: after })).toEqual({
      '$setElementOrder/conditions': [
        { type: 'Initialized' },
        { type: 'Ready' },
        { type: 'PodScheduled' },
        { type: 'New' },
      ],
      conditions: [
        { type: 'Ready', status: 'False', reason: null, message: 'm' },
        { type: 'New', status: 'True' },
      ],
    })
  })

  it('deletes items that are gone by their key', () => {
    expect(patchOf({ podIPs: [{ ip: 'a' }, { ip: 'b' }] }, { podIPs: [{ ip: 'b' }] })).toEqual({
      '$setElementOrder/podIPs': [{ ip: 'b' }],
      podIPs: [{ $patch: 'delete', ip: 'a' }],
    })
  })

  it('has the order alone when only that changed', () => {
    expect(
      patchOf({ podIPs: [{ ip: 'a' }, { ip: 'b' }] }, { podIPs: [{ ip: 'b' }, { ip: 'a' }] }),
    ).toEqual({ '$setElementOrder/podIPs': [{ ip: 'b' }, { ip: 'a' }] })
  })

  it('deletes a merged list that is gone', () => {
    expect(patchOf({ podIPs: [{ ip: 'a' }] }, {})).toEqual({ podIPs: null })
  })
})
