import { describe, expect, it } from 'vitest'
import { FakeCluster } from '../../../src/main/kubelet/fake-cluster.ts'
import {
  groupByPriority,
  nodeShutdownConfigProblems,
  shutdownGraceSeconds,
  shutdownGroups,
} from '../../../src/main/kubelet/node/node-shutdown-groups.ts'
import type { NodeShutdownConfig } from '../../../src/main/kubelet/node/node-shutdown-groups.ts'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import type { Pod, PodSpec, PodStatus } from '../../../src/shared/kubernetes/objects.ts'
import { noShutdown } from '../../../src/shared/model/node/node-shutdown-view.ts'
import type { ShutdownGroupView } from '../../../src/shared/model/node/node-shutdown-view.ts'

const critical = 2_000_000_000

/** 20 s for all, 10 s more for critical pods. */
const config: NodeShutdownConfig = {
  shutdownGracePeriodMs: 30_000,
  shutdownGracePeriodCriticalPodsMs: 10_000,
}

const terminated = 'Pod was terminated in response to imminent node shutdown.'

/** A pod whose only container has its name. */
function manifest(name: string, spec: Partial<PodSpec> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: '' },
    spec: {
      containers: [{ name, image: 'busybox', imagePullPolicy: 'IfNotPresent' }],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      ...spec,
    },
  }
}

/** A kubelet with these pods from the API, running. */
async function running(...pods: readonly Pod[]): Promise<FakeCluster> {
  const cluster = new FakeCluster()
  await cluster.start()
  for (const pod of pods) await cluster.create(pod)
  await cluster.clock.advance(15_000)
  cluster.mark()
  return cluster
}

function status(cluster: FakeCluster, name: string): PodStatus | undefined {
  return cluster.api.pod(name)?.status
}

function ready(cluster: FakeCluster): readonly [string | undefined, string | undefined] {
  const condition = cluster.node()?.status?.conditions?.find(({ type }) => type === 'Ready')
  return [condition?.status, condition?.message]
}

function groups(cluster: FakeCluster): readonly ShutdownGroupView['state'][] {
  return cluster.kubelet.shutdownManager.view().groups.map(({ state }) => state)
}

/** A container that has to be killed, after all of its grace. */
function isStubborn(cluster: FakeCluster, ...names: readonly string[]): void {
  for (const name of names) cluster.runtime.scripts.set(name, { stopsAfterMs: 'never' })
}

describe('node#graceful-shutdown: configuration', () => {
  it.each<[string, NodeShutdownConfig, readonly string[]]>([
    ['nothing', {}, []],
    ['two numbers', config, []],
    ['the list', { shutdownGracePeriodByPodPriority: [] }, []],
    [
      'more for critical pods than there is',
      { shutdownGracePeriodMs: 10_000, shutdownGracePeriodCriticalPodsMs: 90_000 },
      [
        'invalid configuration: shutdownGracePeriodCriticalPods {1m30s} must be <= shutdownGracePeriod {10s}',
      ],
    ],
    [
      'less than a second',
      { shutdownGracePeriodMs: 500, shutdownGracePeriodCriticalPodsMs: 250 },
      [
        'invalid configuration: shutdownGracePeriod {500ms} must be either zero or otherwise >= 1 sec',
        'invalid configuration: shutdownGracePeriodCriticalPods {250ms} must be either zero or otherwise >= 1 sec',
      ],
    ],
    [
      'less than nothing',
      { shutdownGracePeriodMs: 0, shutdownGracePeriodCriticalPodsMs: -1000 },
      [
        'invalid configuration: shutdownGracePeriodCriticalPods {-1s} must be either zero or otherwise >= 1 sec',
      ],
    ],
    [
      'both',
      {
        ...config,
        shutdownGracePeriodByPodPriority: [{ priority: 0, shutdownGracePeriodSeconds: 1 }],
      },
      [
        'invalid configuration: Cannot specify both shutdownGracePeriodByPodPriority and shutdownGracePeriod at the same time',
      ],
    ],
  ])('is checked: %s', (_, given, problems) => {
    expect(nodeShutdownConfigProblems(given)).toEqual(problems)
  })

  it.each<[string, NodeShutdownConfig, readonly (readonly [number, number])[]]>([
    ['nothing: the feature is off', {}, []],
    ['nothing for the whole: the feature is off', { shutdownGracePeriodMs: 0 }, []],
    ['an empty list: the feature is off', { shutdownGracePeriodByPodPriority: [] }, []],
    [
      'the two numbers',
      config,
      [
        [0, 20],
        [critical, 10],
      ],
    ],
    [
      'nothing kept for critical pods',
      { shutdownGracePeriodMs: 30_000 },
      [
        [0, 30],
        [critical, 0],
      ],
    ],
    [
      'no whole seconds',
      { shutdownGracePeriodMs: 4500, shutdownGracePeriodCriticalPodsMs: 1600 },
      [
        [0, 2],
        [critical, 1],
      ],
    ],
    [
      'a list, from low to high',
      {
        shutdownGracePeriodByPodPriority: [
          { priority: 1000, shutdownGracePeriodSeconds: 3 },
          { priority: -5, shutdownGracePeriodSeconds: 1 },
        ],
      },
      [
        [-5, 1],
        [1000, 3],
      ],
    ],
  ])('makes groups of %s', (_, given, expected) => {
    const made = shutdownGroups(given)
    expect(made.map((one) => [one.priority, one.shutdownGracePeriodSeconds])).toEqual(expected)
  })

  it.each<[priority: number | undefined, group: number]>([
    [undefined, 0],
    [0, 0],
    [-1, 0],
    [-2_000_000, -10],
    [-10, -10],
    [-11, -10],
    [999, 0],
    [1000, 1000],
    [1001, 1000],
    [critical - 1, 1000],
    [critical, critical],
    [critical + 1000, critical],
  ])('puts a pod of priority %s into the group %s', (priority, expected) => {
    const pod = fakePod({ spec: priority === undefined ? {} : { priority } })
    const all = [-10, 0, 1000, critical].map((one) => ({
      priority: one,
      shutdownGracePeriodSeconds: 1,
    }))
    const own = groupByPriority(all, [pod]).filter(({ pods }) => pods.length > 0)
    // -1 is above -10 and below 0.
    expect(own.map((group) => group.priority)).toEqual([priority === -1 ? -10 : expected])
  })

  it.each<[own: number | undefined, group: number, grace: number]>([
    [undefined, 20, 20],
    [30, 20, 20],
    [20, 20, 20],
    [5, 20, 5],
    [0, 20, 0],
    [30, 0, 0],
  ])('gives a pod with %s s of grace in a group with %s s: %s s', (own, seconds, grace) => {
    const pod = fakePod({ spec: own === undefined ? {} : { terminationGracePeriodSeconds: own } })
    const group = { priority: 0, shutdownGracePeriodSeconds: seconds }
    expect(shutdownGraceSeconds(pod, group)).toBe(grace)
  })

  it('is off by default: no shutdown begins', async () => {
    const cluster = await running(manifest('web'))
    expect(cluster.kubelet.shutdownManager.shutDown({}, [])).toEqual({
      ok: false,
      error: 'Graceful node shutdown is off: its grace periods are zero.',
    })
    expect(cluster.kubelet.shutdownManager.shutDown({ shutdownGracePeriodMs: 1 }, [])).toEqual({
      ok: false,
      error:
        'invalid configuration: shutdownGracePeriod {1ms} must be either zero or otherwise >= 1 sec',
    })
    await cluster.clock.advance(30_000)
    expect(cluster.kubelet.shutdownManager.view()).toEqual(noShutdown)
    expect(cluster.stops()).toEqual([])
  })
})

describe('node#graceful-shutdown: PrepareForShutdown(true)', () => {
  it('records an event of the node, which is not Ready at once', async () => {
    const cluster = await running(manifest('web'))
    expect(cluster.kubelet.shutdownManager.shutDown(config, [])).toEqual({
      ok: true,
      value: undefined,
    })
    await cluster.clock.advance(100)
    expect(cluster.events()).toEqual([
      'Shutdown: Shutdown manager detected shutdown event',
      'NodeNotReady: Node node status is now: NodeNotReady',
      'Killing: Stopping container web',
    ])
    expect(ready(cluster)).toEqual(['False', 'node is shutting down'])
  })

  it('rejects new pods, from the API and from manifests', async () => {
    const cluster = await running()
    cluster.kubelet.shutdownManager.shutDown(config, [])
    await cluster.create(manifest('late'))
    cluster.write('later.yaml', manifest('later'))
    await cluster.clock.advance(15_000)
    const rejected = {
      phase: 'Failed',
      reason: 'NodeShutdown',
      message: 'Pod was rejected: Pod was rejected as the node is shutting down.',
    }
    expect(status(cluster, 'late')).toMatchObject(rejected)
    const [later] = cluster.kubelet.podManager
      .getPods()
      .filter((pod) => /later/.test(pod.metadata.name))
    expect(cluster.kubelet.statusManager.getPodStatus(later?.metadata.uid ?? '')).toMatchObject(
      rejected,
    )
    expect(cluster.events()).toContain(
      'NodeShutdown: Pod was rejected as the node is shutting down.',
    )
    expect(cluster.runtime.created).toEqual([])
  })

  it('kills all pods of a group at once, each with its own grace or the group’s', async () => {
    const cluster = await running(
      manifest('a', { terminationGracePeriodSeconds: 5 }),
      manifest('b', { terminationGracePeriodSeconds: 60 }),
    )
    isStubborn(cluster, 'a', 'b')
    cluster.kubelet.shutdownManager.shutDown(config, [])
    await cluster.clock.advance(1000)
    expect(cluster.stops()).toEqual(['stopContainer a 5', 'stopContainer b 20'])
  })

  it('ends groups from low to high, each when the one before has stopped', async () => {
    const cluster = await running(
      manifest('high', { priority: critical }),
      manifest('low'),
      manifest('middle', { priority: 1000 }),
    )
    for (const name of ['low', 'middle', 'high'])
      cluster.runtime.scripts.set(name, { stopsAfterMs: 2000 })
    const shutdownGracePeriodByPodPriority = [critical, 1000, 0].map((priority) => ({
      priority,
      shutdownGracePeriodSeconds: 10,
    }))
    cluster.kubelet.shutdownManager.shutDown({ shutdownGracePeriodByPodPriority }, [])
    const seen: string[] = []
    for (let second = 0; second < 10; second++) {
      await cluster.clock.advance(1000)
      const now = groups(cluster).join(' ')
      if (seen.at(-1) !== now) seen.push(now)
    }
    expect(seen).toEqual([
      'running waiting waiting',
      'done running waiting',
      'done done running',
      'done done done',
    ])
    expect(cluster.stops()).toEqual([
      'stopContainer low 10',
      'stopContainer middle 10',
      'stopContainer high 10',
    ])
    const view = cluster.kubelet.shutdownManager.view()
    expect(view.phase).toBe('done')
    expect(view.groups.map(({ pods, stopped }) => [pods, stopped])).toEqual([
      [['default/low'], 1],
      [['default/middle'], 1],
      [['default/high'], 1],
    ])
    expect((view.endedAt ?? 0) - (view.startedAt ?? 0)).toBeLessThan(10_000)
  })

  it('continues with the next group when the time of one is over, and does not wait for an empty one', async () => {
    const cluster = await running(
      manifest('low'),
      manifest('high', { priority: critical, terminationGracePeriodSeconds: 1 }),
    )
    isStubborn(cluster, 'high')
    // Longer than the grace period that the runtime got.
    cluster.runtime.delayMs.set('stopContainer', 60_000)
    const shutdownGracePeriodByPodPriority = [0, 1000, critical].map((priority) => ({
      priority,
      shutdownGracePeriodSeconds: 4,
    }))
    const from = cluster.clock.now()
    cluster.kubelet.shutdownManager.shutDown({ shutdownGracePeriodByPodPriority }, [])
    await cluster.clock.advance(9000)
    const { phase, groups: ended } = cluster.kubelet.shutdownManager.view()
    expect([phase, ...ended.map(({ state }) => state)]).toEqual([
      'done',
      'timedOut',
      'empty',
      'timedOut',
    ])
    expect(ended.map(({ startedAt, endedAt }) => [startedAt, endedAt])).toEqual([
      [from, from + 4000],
      [null, null],
      [from + 4000, from + 8000],
    ])
    expect(cluster.trace.data('shutdown.groupEnded')).toEqual([
      { priority: 0, left: 1 },
      { priority: critical, left: 1 },
    ])
  })

  it('counts what stops after the time of its group when it stops', async () => {
    const cluster = await running(manifest('low'))
    cluster.runtime.delayMs.set('stopContainer', 6000)
    cluster.kubelet.shutdownManager.shutDown({ shutdownGracePeriodMs: 2000 }, [])
    await cluster.clock.advance(3000)
    expect(cluster.kubelet.shutdownManager.view().groups[0]).toMatchObject({
      state: 'timedOut',
      stopped: 0,
    })
    await cluster.clock.advance(5000)
    expect(cluster.kubelet.shutdownManager.view().groups[0]?.stopped).toBe(1)
    expect(cluster.trace.data('shutdown.podStopped')).toEqual([{ timedOut: false }])
  })

  it.each<[string, number, Partial<PodStatus>]>([
    // As every kill of a kubelet: what the containers say at the end has the last word.
    ['ends by itself with 0', 0, { phase: 'Succeeded' }],
    ['ends by itself with 1', 1, { phase: 'Failed', reason: 'Terminated', message: terminated }],
    ['has to be killed', 137, { phase: 'Failed', reason: 'Terminated', message: terminated }],
  ])(
    'leaves a pod whose container %s with its object, and DisruptionTarget',
    async (_, code, its) => {
      const cluster = await running(manifest('web', { terminationGracePeriodSeconds: 2 }))
      cluster.runtime.scripts.set(
        'web',
        code === 137 ? { stopsAfterMs: 'never' } : { stopsAfterMs: 100, exitCode: code },
      )
      cluster.kubelet.shutdownManager.shutDown(config, [])
      await cluster.clock.advance(30_000)
      const { phase, reason, message, conditions = [] } = status(cluster, 'web') ?? {}
      expect({ phase, reason, message }).toEqual({ reason: undefined, message: undefined, ...its })
      expect(conditions.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
        status: 'True',
        reason: 'TerminationByKubelet',
        message: terminated,
        observedGeneration: 1,
      })
      expect(cluster.podCalls('delete')).toEqual([])
    },
  )

  it('keeps the place and the time of a DisruptionTarget that was True before', async () => {
    const cluster = await running(manifest('web', { terminationGracePeriodSeconds: 1 }))
    isStubborn(cluster, 'web')
    const before = status(cluster, 'web') ?? {}
    const theirs = {
      type: 'DisruptionTarget',
      status: 'True',
      lastTransitionTime: '2025-12-31T00:00:00Z',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    } as const
    cluster.api.setPodStatus('web', {
      ...before,
      conditions: [theirs, ...(before.conditions ?? [])],
    })
    await cluster.clock.advance(15_000)
    cluster.kubelet.shutdownManager.shutDown(config, [])
    await cluster.clock.advance(30_000)
    expect(status(cluster, 'web')?.conditions?.[0]).toMatchObject({
      type: 'DisruptionTarget',
      reason: 'TerminationByKubelet',
      lastTransitionTime: '2025-12-31T00:00:00Z',
    })
  })

  it('spares no static pod: only the number counts', async () => {
    const cluster = await running(manifest('api', { priority: critical }))
    cluster.write('own.yaml', manifest('own'))
    await cluster.clock.advance(15_000)
    cluster.kubelet.shutdownManager.shutDown(config, [])
    await cluster.clock.advance(20_000)
    expect(
      cluster.kubelet.shutdownManager.view().groups.map(({ pods, priority }) => [priority, pods]),
    ).toEqual([
      [0, ['default/own-node']],
      [critical, ['default/api']],
    ])
    expect(cluster.runtime.of('own').map(({ state }) => state)).toEqual(['exited'])
  })

  it('has no terminal pod in a group', async () => {
    const cluster = await running(manifest('done', { restartPolicy: 'Never' }), manifest('web'))
    cluster.runtime.end(cluster.container('done').id, 0)
    await cluster.clock.advance(15_000)
    cluster.kubelet.shutdownManager.shutDown(config, [])
    expect(cluster.kubelet.shutdownManager.view().groups.flatMap(({ pods }) => pods)).toEqual([
      'default/web',
    ])
  })

  it('does not begin twice', async () => {
    const cluster = await running(manifest('web'))
    isStubborn(cluster, 'web')
    cluster.kubelet.shutdownManager.shutDown(config, [])
    await cluster.clock.advance(1000)
    expect(cluster.kubelet.shutdownManager.shutDown(config, [])).toEqual({
      ok: false,
      error: 'The node is shutting down already.',
    })
  })

  it('traces the causes of each step', async () => {
    const cluster = await running(manifest('web'))
    cluster.kubelet.shutdownManager.shutDown(config, [42])
    await cluster.clock.advance(5000)
    const { events } = cluster.trace
    const first = events.find(({ kind }) => kind === 'shutdown.started')
    expect(first?.causes).toEqual([42])
    expect(first?.data).toEqual({ pods: 1, seconds: 30 })
    const chain: string[] = []
    let seq = events.findLastIndex(({ kind }) => kind === 'shutdown.podStopped') + 1
    while (seq > 0 && seq !== 42) {
      const event = events[seq - 1]
      chain.push(event?.kind ?? '')
      seq = event?.causes[0] ?? 0
    }
    expect(chain).toEqual([
      'shutdown.podStopped',
      'shutdown.podKilled',
      'shutdown.groupStarted',
      'shutdown.started',
    ])
    const update = events.find(
      ({ kind, data }) =>
        kind === 'worker.updated' && 'updateType' in data && data.updateType === 'kill',
    )
    expect(events[(update?.causes[0] ?? 0) - 1]?.kind).toBe('shutdown.podKilled')
    expect(cluster.trace.data('shutdown.finished')).toHaveLength(1)
  })

  it('ends with the kubelet: no timer is left, and nothing more is traced', async () => {
    const cluster = await running(manifest('web'))
    cluster.runtime.delayMs.set('stopContainer', 6000)
    cluster.kubelet.shutdownManager.shutDown(config, [])
    await cluster.clock.advance(1000)
    cluster.kubelet.stop()
    const said = cluster.trace.kinds.length
    await cluster.clock.advance(60_000)
    expect(cluster.trace.kinds.slice(said)).toEqual([])
    expect(cluster.kubelet.shutdownManager.shutDown(config, []).ok).toBe(false)
  })
})

describe('node#graceful-shutdown: PrepareForShutdown(false)', () => {
  it('has nothing to cancel without a shutdown', async () => {
    const cluster = await running()
    expect(cluster.kubelet.shutdownManager.cancel([])).toEqual({
      ok: false,
      error: 'The node is not shutting down.',
    })
  })

  it('takes effect when all groups have ended: until then the node stays as it is', async () => {
    const cluster = await running(
      manifest('low', { terminationGracePeriodSeconds: 5 }),
      manifest('high', { priority: critical, terminationGracePeriodSeconds: 5 }),
    )
    isStubborn(cluster, 'low', 'high')
    cluster.kubelet.shutdownManager.shutDown(config, [])
    await cluster.clock.advance(1000)
    expect(cluster.kubelet.shutdownManager.cancel([])).toEqual({ ok: true, value: undefined })
    expect(cluster.kubelet.shutdownManager.cancel([])).toEqual({
      ok: false,
      error: 'The shutdown is to be cancelled already.',
    })
    await cluster.clock.advance(6000)
    expect(cluster.kubelet.shutdownManager.view()).toMatchObject({
      phase: 'running',
      cancelRequested: true,
    })
    expect(groups(cluster)).toEqual(['done', 'running'])
    await cluster.clock.advance(6000)
    expect(cluster.kubelet.shutdownManager.view()).toEqual(noShutdown)
    expect(cluster.stops()).toEqual(['stopContainer low 5', 'stopContainer high 5'])
    expect(cluster.trace.data('shutdown.cancelled')).toEqual([{ waits: true }, { waits: false }])
  })

  it('takes pods again, is Ready with the next status, and starts nothing that was killed', async () => {
    const cluster = await running(manifest('web'))
    cluster.kubelet.shutdownManager.shutDown(config, [])
    await cluster.clock.advance(20_000)
    expect(cluster.kubelet.shutdownManager.view().phase).toBe('done')
    expect(ready(cluster)[0]).toBe('False')
    cluster.mark()
    cluster.kubelet.shutdownManager.cancel([])
    await cluster.create(manifest('late'))
    await cluster.clock.advance(15_000)
    expect(cluster.events()).toContain('Shutdown: Shutdown manager detected shutdown cancellation')
    expect(ready(cluster)).toEqual(['True', 'kubelet is posting ready status'])
    expect(status(cluster, 'late')?.phase).toBe('Running')
    expect(status(cluster, 'web')?.phase).toBe('Succeeded')
    expect(cluster.runtime.of('web')).toHaveLength(1)
  })

  it('does not keep the node from being shut down again', async () => {
    const cluster = await running(manifest('web'))
    cluster.kubelet.shutdownManager.shutDown(config, [])
    await cluster.clock.advance(5000)
    cluster.kubelet.shutdownManager.cancel([])
    await cluster.create(manifest('late'))
    await cluster.clock.advance(5000)
    expect(cluster.kubelet.shutdownManager.shutDown(config, []).ok).toBe(true)
    expect(cluster.kubelet.shutdownManager.view().groups[0]?.pods).toEqual(['default/late'])
  })
})

describe('node#graceful-shutdown: after the boot', () => {
  it('leaves terminal pods as they are, and gives static ones and those that were still running new sandboxes', async () => {
    const cluster = await running(
      manifest('ended', { terminationGracePeriodSeconds: 1 }),
      manifest('left', { priority: critical }),
    )
    cluster.write('own.yaml', manifest('own', { terminationGracePeriodSeconds: 1 }))
    await cluster.clock.advance(15_000)
    isStubborn(cluster, 'ended', 'left')
    cluster.kubelet.shutdownManager.shutDown(config, [])
    await cluster.clock.advance(5000)
    expect(groups(cluster)).toEqual(['done', 'running'])
    cluster.kubelet.stop()
    // The power goes: sandboxes and containers with it.
    for (const { id } of cluster.runtime.containers.values()) cluster.runtime.end(id, 255)
    for (const id of cluster.runtime.sandboxes.keys()) await cluster.runtime.stopPodSandbox(id)
    await cluster.clock.advance(30_000)
    const before = status(cluster, 'ended')
    cluster.mark()
    await cluster.start()
    await cluster.clock.advance(30_000)
    expect(cluster.kubelet.shutdownManager.view()).toEqual(noShutdown)
    expect(ready(cluster)[0]).toBe('True')
    const its = { phase: 'Failed', reason: 'Terminated', message: terminated }
    expect(before).toMatchObject(its)
    expect(status(cluster, 'ended')).toMatchObject(its)
    expect(cluster.runtime.of('ended')).toHaveLength(1)
    expect(cluster.runtime.of('own')[0]?.state).toBe('running')
    expect(status(cluster, 'own-node')?.phase).toBe('Running')
    expect(cluster.runtime.of('left').map(({ state }) => state)[0]).toBe('running')
    expect(status(cluster, 'left')?.containerStatuses?.[0]?.restartCount).toBe(1)
  })
})
