import { describe, expect, it } from 'vitest'
import type { TraceEvent, TraceInput } from '../../../shared/model/trace-event.ts'
import { flowArrows } from '../../../shared/model/flow.ts'
import { fakePod } from '../../kubelet/pod/fake-pod.ts'
import { podSubject } from '../../kubelet/pod/identity.ts'
import { FlowRecorder } from './flow-recorder.ts'

const subject = podSubject(fakePod())

function setUp() {
  const recorder = new FlowRecorder()
  let seq = 0
  const take = (at: number, input: TraceInput): boolean => {
    const event: TraceEvent = { ...input, seq: ++seq, at, cluster: 'sandbox', node: 'n' }
    return recorder.take(event)
  }
  return { recorder, take }
}

function merged(op: 'ADD' | 'RECONCILE'): TraceInput {
  return {
    kind: 'config.merged',
    subject,
    causes: [],
    data: { source: 'api', op, mirror: false },
  }
}

describe('FlowRecorder', () => {
  it('counts the movements on each arrow, in total and in the last minute', () => {
    const { recorder, take } = setUp()
    expect(take(1000, merged('ADD'))).toBe(true)
    expect(take(50_000, merged('RECONCILE'))).toBe(true)
    const arrows = recorder.arrows(70_000)
    expect(arrows.map(({ arrow }) => arrow)).toEqual(flowArrows)
    const last = {
      seq: 2,
      at: 50_000,
      text: 'RECONCILE',
      podUid: 'web-uid',
      podName: 'web',
      certainty: null,
      evidence: '',
    }
    for (const arrow of ['apiServer-api', 'api-podConfig'] as const)
      expect(arrows.find((one) => one.arrow === arrow)).toEqual({
        arrow,
        sight: 'recorded',
        total: 2,
        lastMinute: 1,
        last: { ...last, arrow },
      })
    expect(arrows.find(({ arrow }) => arrow === 'runtime-pleg')).toEqual({
      arrow: 'runtime-pleg',
      sight: 'recorded',
      total: 0,
      lastMinute: 0,
      last: null,
    })
    expect(recorder.ops(70_000)).toEqual({ ADD: 0, UPDATE: 0, REMOVE: 0, RECONCILE: 1, DELETE: 0 })
  })

  it('ignores events inside one part', () => {
    const { recorder, take } = setUp()
    expect(
      take(0, {
        kind: 'worker.started',
        subject,
        causes: [],
        data: { sinceSeenMs: 1 },
      }),
    ).toBe(false)
    expect(recorder.recent()).toEqual([])
  })

  it('keeps the newest sixty moves, newest first', () => {
    const { recorder, take } = setUp()
    for (let at = 1; at <= 150; at++) take(at, merged('ADD'))
    expect(recorder.recent().map(({ at }) => at)).toEqual(
      Array.from({ length: 60 }, (_, index) => 150 - index),
    )
  })

  it('counts the mirror client’s calls and the removed workers, and keeps the last written status', () => {
    const { recorder, take } = setUp()
    expect(recorder.mirrorCalls(0)).toEqual({ calls: 0, lastCall: null })
    expect(recorder.lastStatus).toBeNull()
    take(1000, {
      kind: 'mirror.created',
      subject,
      causes: [],
      data: { mirrorUid: 'm', why: 'missing' },
    })
    take(2000, {
      kind: 'mirror.failed',
      subject: { kind: 'object', resource: 'pods', namespace: 'default', name: 'old', uid: '' },
      causes: [],
      data: { act: 'delete', message: 'no' },
    })
    take(3000, {
      kind: 'mirror.skipped',
      subject,
      causes: [],
      data: { message: 'not created: the node is not in the API' },
    })
    take(4000, {
      kind: 'status.patched',
      subject,
      causes: [],
      data: { version: 12, phase: 'Running', reason: '' },
    })
    for (const why of ['orphan', 'restartRequested', 'runtimePod'] as const)
      take(5000, { kind: 'worker.forgotten', subject, causes: [], data: { why } })
    expect(recorder.mirrorCalls(5000)).toEqual({
      calls: 2,
      lastCall: { at: 2000, text: 'DELETE failed old' },
    })
    expect(recorder.mirrorCalls(700_000).calls).toBe(0)
    expect(recorder.lastStatus).toEqual({ at: 4000, podName: 'web', version: 12 })
    expect(recorder.forgotten).toBe(2)
  })
})
