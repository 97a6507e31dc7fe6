import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { ClusterTrace } from '../../kubelet/trace.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { inferredMove } from './inferred-flow.ts'
import type { Conclusion } from './seen-trace.ts'
import { SeenTrace } from './seen-trace.ts'

const startAt = Date.UTC(2026, 10, 24, 12)
const at = (seconds: number): string => new Date(startAt + seconds * 1000).toISOString()

function pod(part: {
  readonly phase?: 'Pending' | 'Running'
  readonly runningSince?: number
  readonly deletedAt?: number
  readonly ended?: number
}): Pod {
  const { phase = 'Running', runningSince, deletedAt, ended } = part
  const state =
    ended !== undefined
      ? { terminated: { exitCode: 1, reason: 'Error', finishedAt: at(ended) } }
      : runningSince !== undefined
        ? { running: { startedAt: at(runningSince) } }
        : { waiting: {} }
  return {
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'u1',
      creationTimestamp: at(-100),
      resourceVersion: '7',
      ...(deletedAt === undefined
        ? {}
        : { deletionTimestamp: at(deletedAt + 30), deletionGracePeriodSeconds: 30 }),
    },
    spec: { nodeName: 'n', containers: [{ name: 'c' }] },
    status: {
      phase,
      startTime: at(-99),
      containerStatuses: [
        { name: 'c', image: '', imageID: '', ready: true, restartCount: 0, state },
      ],
    },
  }
}

function world(inspected: () => Conclusion | undefined = () => undefined) {
  const clock = new VirtualClock(nodeClockHost, { startAt })
  const trace = new ClusterTrace({
    cluster: 'c',
    clock,
    onError: (error) => {
      throw error
    },
  })
  const pods = new Map<string, Pod>()
  const pod = (uid: string) => pods.get(uid)
  const seen = new SeenTrace({ trace, clock, pod, inspected })
  const writes = () =>
    trace
      .newest(100)
      .toReversed()
      .flatMap((event) =>
        event.kind === 'object.written'
          ? [`${event.data.change} ${event.data.subresource} ${event.data.user}`.trim()]
          : [],
      )
  /** What the workers are told. */
  const moves = () =>
    trace
      .newest(100)
      .toReversed()
      .map((event) => inferredMove(event))
      .filter((move) => move?.arrow === 'syncLoop-podWorkers')
      .map((move) => move?.text)
  const lines = () =>
    trace
      .newest(100)
      .toReversed()
      .map(({ kind, at: time, data }) => {
        const state =
          'state' in data ? ` ${data.state} ${'certainty' in data ? data.certainty : ''}` : ''
        return `${(time - startAt) / 1000} ${kind}${state}`
      })
  return { seen, lines, writes, moves, pods }
}

describe('the trace of a pod that is only looked at', () => {
  it('begins with the times that the API has of it', () => {
    const { seen, lines } = world()
    seen.podChanged(undefined, pod({ runningSince: -90 }))
    expect(lines()).toEqual([
      '-100 object.written',
      '-99 worker.observed SyncPod possible',
      '-90 container.started',
    ])
  })

  it('of one that is being stopped says since when', () => {
    const { seen, lines } = world()
    seen.podChanged(undefined, pod({ runningSince: -90, deletedAt: -10 }))
    expect(lines()).toEqual([
      '-100 object.written',
      '-99 worker.observed SyncPod possible',
      '-90 container.started',
      '-10 worker.observed TerminatingPod possible',
    ])
  })

  it('goes on with what changes: containers, the deletion, the end of the object', () => {
    const { seen, lines } = world()
    const steps = [
      pod({ runningSince: -90 }),
      pod({ ended: 0 }),
      pod({ runningSince: 0 }),
      pod({ runningSince: 0, deletedAt: 0 }),
    ]
    let before: Pod | undefined
    for (const after of steps) {
      seen.podChanged(before, after)
      before = after
    }
    seen.podChanged(before, undefined)
    expect(lines().slice(3)).toEqual([
      '0 object.written',
      '0 container.exited',
      '0 object.written',
      '0 container.started',
      '0 object.written',
      '0 worker.observed TerminatingPod possible',
      '0 object.written',
      '0 worker.observed null possible',
    ])
  })

  it('says who wrote a status: its kubelet if managedFields say so, else nothing', () => {
    const { seen, writes } = world()
    const wrote = (one: Pod, time: string): Pod => ({
      ...one,
      metadata: {
        ...one.metadata,
        managedFields: [{ manager: 'kubelet', subresource: 'status', time }],
      },
    })
    const steps = [
      wrote(pod({ runningSince: -90 }), at(-90)),
      wrote(pod({ runningSince: -90 }), at(0)),
      wrote(pod({ ended: 0 }), at(0)),
      wrote(pod({ ended: 0, deletedAt: 0 }), at(0)),
      wrote(pod({ ended: 0, deletedAt: 0 }), at(0)),
    ]
    for (const [index, after] of steps.entries()) seen.podChanged(steps[index - 1], after)
    expect(writes()).toEqual([
      'ADDED',
      'MODIFIED status system:node:n',
      'MODIFIED status',
      'MODIFIED',
    ])
  })

  it('knows who creates a mirror: the kubelet of its node', () => {
    const { seen, writes } = world()
    const { metadata, ...rest } = pod({ runningSince: -90 })
    const annotations = { 'kubernetes.io/config.mirror': 'abc' }
    seen.podChanged(undefined, { ...rest, metadata: { ...metadata, annotations } })
    expect(writes()).toEqual(['ADDED  system:node:n'])
  })

  it('of a static pod says with a new mirror that its worker goes on, unless the pod was started again', () => {
    const { seen, moves } = world()
    const mirror = (uid: string, one: Pod): Pod => ({
      ...one,
      metadata: { ...one.metadata, uid, annotations: { 'kubernetes.io/config.mirror': 'abc' } },
    })
    const startedAgain = (one: Pod): Pod => ({
      ...one,
      status: { ...one.status, startTime: at(50) },
    })
    const running = pod({ runningSince: -90 })
    const { status: _none, ...created } = running
    const replace = (by: string, before: Pod, after: Pod): Pod => {
      seen.podChanged(before, undefined)
      seen.podChanged(undefined, mirror(by, created))
      seen.podChanged(mirror(by, created), after)
      return after
    }
    const first = mirror('m1', running)
    seen.podChanged(undefined, first)
    const deleted = mirror('m1', pod({ runningSince: -90, deletedAt: 0 }))
    seen.podChanged(first, deleted)
    expect(moves()).toEqual(['SyncPod'])
    const second = replace('m2', deleted, mirror('m2', running))
    const third = replace('m3', second, mirror('m3', running))
    expect(moves()).toEqual(['SyncPod'])
    replace('m4', third, mirror('m4', startedAgain(running)))
    expect(moves()).toEqual(['SyncPod', 'SyncPod'])
  })

  it('takes the conclusion of the inspector while a page looks at the node, once', () => {
    let certainty: Conclusion['certainty'] = 'certain'
    const { seen, lines } = world(() => ({
      worker: 'SyncPod',
      certainty,
      because: 'The kubelet has it.',
      evidence: [],
    }))
    const one = pod({ runningSince: -90 })
    seen.podChanged(undefined, one)
    seen.conclude(one)
    certainty = 'likely'
    seen.conclude(one)
    expect(lines().slice(3)).toEqual([
      '0 worker.observed SyncPod certain',
      '0 worker.observed SyncPod likely',
    ])
  })

  it('has the API’s events of the pod, also those that came before the pod', () => {
    const { seen, lines, pods } = world()
    const event = {
      metadata: { name: 'e', namespace: 'default', uid: 'e1' },
      involvedObject: { kind: 'Pod', uid: 'u1', name: 'web', namespace: 'default' },
      reason: 'BackOff',
      lastTimestamp: at(-5),
    }
    seen.eventRecorded(event)
    const one = pod({ runningSince: -90 })
    seen.podChanged(undefined, one)
    pods.set('u1', one)
    seen.eventRecorded({ ...event, lastTimestamp: at(-1) })
    expect(lines().slice(3)).toEqual(['-5 event.recorded', '-1 event.recorded'])
  })
})
