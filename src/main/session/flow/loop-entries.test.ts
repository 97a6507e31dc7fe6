import { describe, expect, it } from 'vitest'
import type { TraceEvent, TraceInput } from '../../../shared/model/trace-event.ts'
import { loopEntry } from '../../../shared/model/explanation/explanation.ts'
import { LoopRecorder } from './loop-entries.ts'

const pod = { kind: 'pod', uid: 'u', namespace: 'default', name: 'web' } as const
const node = { kind: 'node' } as const

function event(input: TraceInput): TraceEvent {
  return { ...input, seq: 7, at: 1000, cluster: 'sandbox', node: 'n' }
}

function config(pods: number, ...names: readonly string[]): TraceInput {
  return {
    kind: 'loop.config',
    subject: { kind: 'source', source: 'api' },
    causes: [],
    data: { source: 'api', op: 'ADD', pods, names },
  }
}

function housekeeping(skipped: boolean, message: string): TraceInput {
  return {
    kind: 'loop.housekeeping',
    subject: node,
    causes: [],
    data: { orphans: 0, skipped, message },
  }
}

describe('loopEntry', () => {
  it.each<readonly [string, string, TraceInput]>([
    ['config', 'ADD api default/web', config(1, 'default/web')],
    ['config', 'ADD api a, b and 3 more', config(5, 'a', 'b', 'c')],
    ['config', 'ADD api 0 pods', config(0)],
    ['config', 'ADD api 1 pod', config(1)],
    [
      'pleg',
      'PLEG ContainerDied default/web',
      {
        kind: 'loop.pleg',
        subject: pod,
        causes: [],
        data: { type: 'ContainerDied', containerId: 'c' },
      },
    ],
    [
      'pleg',
      'PLEG ContainerDied',
      {
        kind: 'loop.pleg',
        subject: node,
        causes: [],
        data: { type: 'ContainerDied', containerId: 'c' },
      },
    ],
    [
      'sync',
      'sync tick, 3 due',
      { kind: 'loop.sync', subject: node, causes: [], data: { pods: 3 } },
    ],
    ['housekeeping', 'housekeeping skipped: waits', housekeeping(true, 'waits')],
    ['housekeeping', 'housekeeping: orphans', housekeeping(false, 'orphans')],
    ['housekeeping', 'housekeeping', housekeeping(false, '')],
  ])('says of %s: %s', (input, text, from) => {
    expect(loopEntry(event(from))).toEqual({ seq: 7, at: 1000, input, text })
  })

  it('has no entry for events of other parts', () => {
    const other = event({
      kind: 'worker.started',
      subject: pod,
      causes: [],
      data: { sinceSeenMs: 0 },
    })
    expect(loopEntry(other)).toBeUndefined()
  })
})

describe('LoopRecorder', () => {
  it('keeps the newest entries first, up to its limit', () => {
    const recorder = new LoopRecorder(2)
    for (const seq of [1, 2, 3]) recorder.record({ ...event(config(1, `pod ${seq}`)), seq })
    expect(recorder.recent.map((entry) => entry.seq)).toEqual([3, 2])
  })
})
