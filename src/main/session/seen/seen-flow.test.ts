import { describe, expect, it } from 'vitest'
import type { FlowView } from '../../../shared/model/flow.ts'
import type { TraceInput } from '../../../shared/model/trace-event.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { ClusterTrace } from '../../kubelet/trace.ts'
import { inferredMove } from './inferred-flow.ts'
import { SeenFlow } from './seen-flow.ts'

const startAt = Date.UTC(2026, 10, 24, 12)
type Fact = Pick<TraceInput, 'kind' | 'data'>

const written = (part: object): Fact => ({
  kind: 'object.written',
  data: { change: 'MODIFIED', resourceVersion: '7', user: '', subresource: '', ...part },
})
const event = (reason: string, by?: string): Fact => ({
  kind: 'event.recorded',
  data: {
    type: 'Normal',
    reason,
    message: '',
    fieldPath: '',
    ...(by === undefined ? {} : { by }),
  },
})
const worker = (state: 'SyncPod' | 'TerminatingPod' | 'finished', certainty = 'certain'): Fact =>
  ({
    kind: 'worker.observed',
    data: { state, certainty, because: 'The kubelet has it.', evidence: [] },
  }) as Fact
const started: Fact = { kind: 'container.started', data: { container: 'c', containerId: 'c1' } }

function input(fact: Fact): TraceInput {
  const subject = {
    kind: 'object',
    resource: 'pods',
    namespace: 'default',
    name: 'web',
    uid: 'u1',
  } as const
  return { ...fact, subject, causes: [] } as TraceInput
}

describe('what a fact about a pod says of its kubelet', () => {
  it.each<readonly [string, Fact, string | undefined]>([
    ['a container runs', started, 'podWorkers-runtime-start StartContainer certain'],
    ['the kubelet says that it pulls', event('Pulling'), 'imageManager-runtime Pulling certain'],
    ['the kubelet says that it kills', event('Killing'), 'podWorkers-runtime-stop Killing certain'],
    ['another component says so', event('Killing', 'taint-eviction-controller'), undefined],
    ['an event of no part', event('NodeNotReady'), undefined],
    [
      'a status, by its kubelet',
      written({ user: 'system:node:n1', subresource: 'status' }),
      'statusManager-apiServer PATCH certain',
    ],
    ['a status', written({ subresource: 'status' }), 'statusManager-apiServer PATCH likely'],
    [
      'a mirror',
      written({ change: 'ADDED', user: 'system:node:n1' }),
      'mirrorClient-apiServer POST certain',
    ],
    ['a deletion', written({ change: 'DELETED' }), 'apiServer-api DELETED likely'],
    ['a worker that syncs', worker('SyncPod'), 'syncLoop-podWorkers SyncPod likely'],
    [
      'a worker by the API alone',
      worker('TerminatingPod', 'possible'),
      'syncLoop-podWorkers TerminatingPod possible',
    ],
    ['a worker that has finished', worker('finished'), undefined],
  ])('%s', (_title, fact, expected) => {
    const around = { seq: 1, at: 0, cluster: 'c', node: 'n1' }
    const move = inferredMove({ ...input(fact), ...around })
    expect(move && `${move.arrow} ${move.text} ${move.certainty}`).toBe(expected)
    expect(move?.evidence).not.toBe('')
  })
})

function world() {
  const clock = new VirtualClock(nodeClockHost, { startAt })
  const trace = new ClusterTrace({
    cluster: 'c',
    clock,
    onError: (error) => {
      throw error
    },
  })
  const flow = new SeenFlow({
    cluster: 'c',
    trace,
    podsOf: () => [],
    renewals: (node) =>
      node === 'n1' ? { times: [startAt - 70_000, startAt - 5000], count: 41 } : undefined,
    now: clock.now,
  })
  const changes: boolean[] = []
  trace.listen((one) => {
    changes.push(flow.take(one))
  })
  const say = (fact: Fact, at?: number, node = 'n1'): void => {
    trace.emit(node, input(fact), at)
  }
  return { flow, say, changes }
}

function arrowOf(view: FlowView | undefined, id: string): string {
  const found = view?.arrows.find(({ arrow }) => arrow === id)
  return `${found?.sight} ${found?.total} ${found?.lastMinute} ${found?.last?.text}`
}

describe('the flow of a node that is only looked at', () => {
  it('begins with what the trace has, and goes on with what is seen', () => {
    const { flow, say, changes } = world()
    say(started, startAt - 3_600_000)
    say(started, startAt - 20_000)
    say(started, startAt, 'n2')
    expect(arrowOf(flow.view('n1'), 'podWorkers-runtime-start')).toBe('inferred 2 1 StartContainer')
    say(event('Pulling'))
    expect(changes).toEqual([false, false, false, true])
    expect(flow.view('n1')?.recent[0]).toMatchObject({
      arrow: 'imageManager-runtime',
      podName: 'web',
      certainty: 'certain',
      evidence: 'event Pulling of the kubelet',
    })
  })

  it('counts a worker’s state once, however certain it is', () => {
    const { flow, say } = world()
    flow.view('n1')
    say(worker('SyncPod', 'possible'))
    say(worker('SyncPod'))
    expect(arrowOf(flow.view('n1'), 'syncLoop-podWorkers')).toBe('inferred 1 1 SyncPod')
    say(worker('TerminatingPod'))
    expect(arrowOf(flow.view('n1'), 'syncLoop-podWorkers')).toBe('inferred 2 2 TerminatingPod')
  })

  it('has the renewals of the lease', () => {
    const { flow } = world()
    expect(arrowOf(flow.view('n1'), 'nodeController-apiServer')).toBe('inferred 41 1 PUT')
  })

  it('says what is not known, and has no flow of a node that is not there', () => {
    const { flow } = world()
    const view = flow.view('n1')
    expect(arrowOf(view, 'pleg-syncLoop')).toBe('notKnown 0 0 undefined')
    expect(view).toMatchObject({ podManager: null, syncLoop: null, pleg: null, roots: null })
    expect(flow.view('gone')).toBeUndefined()
  })
})
