import { describe, expect, it } from 'vitest'
import type { Pod, PodSpec, PodStatus } from '../../shared/kubernetes/objects.ts'
import { FakeCluster } from './fake-cluster.ts'

function manifest(spec: Partial<PodSpec> = {}, name = 'web'): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: '', labels: { app: name } },
    spec: {
      containers: [{ name: 'c', image: 'busybox', imagePullPolicy: 'IfNotPresent' }],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      ...spec,
    },
  }
}

function patchedStatuses(cluster: FakeCluster): readonly PodStatus[] {
  return cluster
    .podCalls('patch')
    .map(({ body }) => (body as { readonly status: PodStatus }).status)
}

async function started(...manifests: Pod[]): Promise<FakeCluster> {
  const cluster = new FakeCluster()
  for (const one of manifests) cluster.manifests.set(`${one.metadata.name}.yaml`, one)
  await cluster.start()
  return cluster
}

describe('a static pod', () => {
  it('says why it has no mirror for as long as the server refuses one', async () => {
    const cluster = new FakeCluster()
    cluster.api.refuse = ({ verb, resource }) =>
      verb === 'create' && resource === 'pods'
        ? { kind: 'forbidden', message: 'exceeded quota' }
        : undefined
    cluster.manifests.set('web.yaml', manifest())
    await cluster.start()
    const { uid } = cluster.kubelet.podManager.getPodByName('default', 'web-node')?.metadata ?? {}
    expect(cluster.kubelet.mirrorReconciler.failure(uid ?? '')).toBe('exceeded quota')
    cluster.api.refuse = () => undefined
    await cluster.clock.advance(95_000)
    expect(cluster.api.pod('web-node')).toBeDefined()
    expect(cluster.kubelet.mirrorReconciler.failure(uid ?? '')).toBeUndefined()
  })

  it('gets its mirror as soon as the node is registered, while a manifest URL does not answer', async () => {
    const cluster = new FakeCluster({ sources: ['file', 'http', 'api'] })
    cluster.manifests.set('web.yaml', manifest())
    await cluster.start()
    expect(cluster.kubelet.sourcesReady.allReady()).toBe(false)
    expect(cluster.podCalls('create').map(({ name, since }) => [name, since < 1000])).toEqual([
      ['web-node', true],
    ])
  })

  it('gets a mirror after its end if the node is registered only then', async () => {
    const cluster = new FakeCluster()
    cluster.runtime.scripts.set('c', { endsAfterMs: 3000, exitCode: 1 })
    cluster.api.refuse = ({ verb }) =>
      verb === 'create' ? { kind: 'forbidden', message: 'not yet' } : undefined
    cluster.manifests.set('web.yaml', manifest({ restartPolicy: 'Never' }))
    await cluster.start()
    await cluster.clock.advance(20_000)
    expect(cluster.runtime.of('c').map(({ state }) => state)).toEqual(['exited'])
    expect(cluster.api.pod('web-node')).toBeUndefined()
    cluster.api.refuse = () => undefined
    await cluster.clock.advance(30_000)
    expect(cluster.api.pod('web-node')?.status?.phase).toBe('Failed')
  })

  it('stays down when it is killed, while its mirror stays Running', async () => {
    const cluster = await started(manifest())
    const uid = cluster.kubelet.podManager.getPodByName('default', 'web-node')?.metadata.uid ?? ''
    const mirrorUid = cluster.api.pod('web-node')?.metadata.uid ?? ''
    const killed = cluster.kubelet.manualActions.kill(mirrorUid, 5, [])
    await cluster.clock.advance(120_000)
    expect(await killed).toEqual({ ok: true, value: undefined })
    expect(cluster.runtime.of('c').some((one) => one.state === 'running')).toBe(false)
    expect(cluster.api.pod('web-node')?.status?.phase).toBe('Running')
    expect(cluster.kubelet.workerView(uid)).toMatchObject({
      state: 'finished',
      terminatingBecause: 'killed',
      gracePeriodSeconds: 5,
      statusVersion: expect.any(Number),
    })
    expect(await cluster.kubelet.manualActions.kill(uid, 5, [])).toEqual({
      ok: false,
      error: 'Its containers have stopped already.',
    })
  })

  it('never starts when it is killed while it waits', async () => {
    const cluster = await started(
      manifest({ containers: [{ name: 'stubborn', image: 'busybox' }] }),
    )
    cluster.runtime.scripts.set('stubborn', { stopsAfterMs: 'never' })
    cluster.write('web.yaml', manifest())
    await cluster.clock.advance(100)
    const uid = cluster.kubelet.podManager.getPodByName('default', 'web-node')?.metadata.uid ?? ''
    expect(await cluster.kubelet.manualActions.kill(uid, undefined, [])).toEqual({
      ok: true,
      value: undefined,
    })
    await cluster.clock.advance(100_000)
    expect(cluster.kubelet.workerView(uid)).toMatchObject({ state: 'finished', startedAt: null })
    expect(cluster.runtime.of('c')).toEqual([])
  })

  it('cannot be evicted', async () => {
    const cluster = await started(manifest())
    const uid = cluster.kubelet.podManager.getPodByName('default', 'web-node')?.metadata.uid ?? ''
    expect(await cluster.kubelet.manualActions.evict(uid, [])).toEqual({
      ok: false,
      error: 'A static pod counts as critical, whatever its priority: the kubelet never evicts it.',
    })
    expect(cluster.trace.data('eviction.refused')).toHaveLength(1)
    expect(cluster.container('c').state).toBe('running')
  })

  it('starts again under its fixed uid when its manifest is removed and restored', async () => {
    const cluster = await started()
    const fixed = { ...manifest(), metadata: { name: 'web', uid: 'fixed-uid' } }
    cluster.write('web.yaml', fixed)
    await cluster.clock.advance(5000)
    const firstContainer = cluster.container('c').id
    cluster.remove('web.yaml')
    cluster.write('web.yaml', fixed)
    await cluster.clock.advance(20_000)
    expect(cluster.container('c').id).not.toBe(firstContainer)
    expect(cluster.container('c').state).toBe('running')
    expect(cluster.kubelet.workerView('fixed-uid')?.state).toBe('SyncPod')
    expect(cluster.trace.data('worker.forgotten')).toContainEqual({ why: 'restartRequested' })
  })
})

describe('an ordinary pod', () => {
  const stubborn = { containers: [{ name: 'stubborn', image: 'busybox' }] }

  async function withPod(spec: Partial<PodSpec> = {}): Promise<FakeCluster> {
    const cluster = await started()
    cluster.runtime.scripts.set('stubborn', { stopsAfterMs: 'never' })
    cluster.mark()
    await cluster.create(manifest(spec))
    return cluster
  }

  it('is written as Pending first, then Running', async () => {
    const cluster = await withPod()
    await cluster.clock.advance(5000)
    const [first, second, ...more] = patchedStatuses(cluster)
    expect(more).toEqual([])
    expect(first).toMatchObject({
      observedGeneration: 1,
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: 'Ready',
          status: 'False',
          observedGeneration: 1,
          reason: 'ContainersNotReady',
          message: 'containers with unready status: [c]',
        }),
      ]),
      containerStatuses: [{ name: 'c', state: { waiting: { reason: 'ContainerCreating' } } }],
    })
    expect(second?.phase).toBe('Running')
    expect(cluster.podCalls('patch')[0]?.since).toBeLessThan(1200)
    expect(cluster.podCalls('create', 'delete')).toEqual([])
  })

  it('ends as Succeeded and goes when it is deleted and exits 0', async () => {
    const cluster = await withPod()
    await cluster.clock.advance(5000)
    const uid = cluster.api.pod('web')?.metadata.uid
    cluster.mark()
    cluster.api.deletePod('web')
    await cluster.clock.advance(5000)
    const statuses = patchedStatuses(cluster)
    expect(statuses.map((status) => [status.observedGeneration, status.phase])).toEqual([
      [2, undefined],
      [undefined, 'Succeeded'],
    ])
    expect(statuses[1]?.conditions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'Ready', status: 'False', reason: 'PodCompleted' }),
        expect.objectContaining({ type: 'ContainersReady', reason: 'PodCompleted' }),
        expect.objectContaining({ type: 'PodReadyToStartContainers', status: 'False' }),
      ]),
    )
    expect(statuses[1]?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 0,
      reason: 'Completed',
    })
    expect(cluster.podCalls('delete').map((call) => [call.body, call.outcome])).toEqual([
      [{ gracePeriodSeconds: 0, preconditions: { uid } }, 'ok'],
    ])
    expect(cluster.podCalls('delete')[0]?.since).toBeLessThan(2500)
    expect(cluster.api.pods()).toEqual([])
    expect(cluster.events()).toEqual(['Killing: Stopping container c'])
    expect(cluster.kubelet.podWorkers.recordUids()).toEqual([])
  })

  it('ends as Failed with 137 after its grace when it ignores SIGTERM', async () => {
    const cluster = await withPod({ ...stubborn, terminationGracePeriodSeconds: 5 })
    await cluster.clock.advance(5000)
    cluster.mark()
    cluster.api.deletePod('web')
    await cluster.clock.advance(4900)
    expect(cluster.api.pod('web')).toMatchObject({
      metadata: { deletionGracePeriodSeconds: 5 },
      status: { phase: 'Running' },
    })
    expect(cluster.container('stubborn').state).toBe('running')
    await cluster.clock.advance(3000)
    const last = patchedStatuses(cluster).at(-1)
    expect(last).toMatchObject({ phase: 'Failed' })
    expect(last?.conditions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'Ready', status: 'False', reason: 'PodFailed' }),
      ]),
    )
    expect(last?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 137,
      reason: 'Error',
    })
    const [deleted] = cluster.podCalls('delete')
    expect(deleted?.since).toBeGreaterThan(5000)
    expect(deleted?.since).toBeLessThan(8000)
    expect(cluster.api.pods()).toEqual([])
  })

  it('is killed by hand with a grace of its own, and its object stays', async () => {
    const cluster = await withPod(stubborn)
    await cluster.clock.advance(5000)
    const uid = cluster.api.pod('web')?.metadata.uid ?? ''
    cluster.mark()
    const killed = cluster.kubelet.manualActions.kill(uid, 5, [])
    await cluster.clock.advance(7000)
    expect(await killed).toEqual({ ok: true, value: undefined })
    expect(cluster.stops()).toEqual(['stopContainer stubborn 5'])
    expect(cluster.api.pod('web')?.status).toMatchObject({ phase: 'Failed' })
    expect(cluster.podCalls('delete')).toEqual([])
  })

  it('is evicted: Failed and Evicted when it has to be killed', async () => {
    const cluster = await withPod(stubborn)
    await cluster.clock.advance(5000)
    const uid = cluster.api.pod('web')?.metadata.uid ?? ''
    cluster.mark()
    const evicted = cluster.kubelet.manualActions.evict(uid, [])
    await cluster.clock.advance(12_000)
    expect(await evicted).toEqual({ ok: true, value: undefined })
    const message = 'Evicted by hand from Nodescope: the node is not under pressure. '
    expect(cluster.stops()).toEqual(['stopContainer stubborn 2'])
    expect(cluster.api.pod('web')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message,
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: 'DisruptionTarget',
          status: 'True',
          reason: 'TerminationByKubelet',
          message,
        }),
      ]),
    })
    expect(cluster.events()).toEqual([
      `Evicted: ${message}`,
      'Killing: Stopping container stubborn',
    ])
    expect(cluster.podCalls('delete')).toEqual([])
    expect(cluster.kubelet.workerView(uid)).toMatchObject({
      state: 'finished',
      evicted: true,
      terminatingBecause: 'evicted',
    })
    expect(await cluster.kubelet.manualActions.evict(uid, [])).toEqual({
      ok: false,
      error: 'Its containers have stopped already.',
    })
  })

  it('is evicted: Succeeded when its containers exit 0, and only DisruptionTarget shows it', async () => {
    const cluster = await withPod()
    await cluster.clock.advance(5000)
    const evicted = cluster.kubelet.manualActions.evict(
      cluster.api.pod('web')?.metadata.uid ?? '',
      [],
    )
    await cluster.clock.advance(12_000)
    expect(await evicted).toEqual({ ok: true, value: undefined })
    const status = cluster.api.pod('web')?.status
    expect([status?.phase, status?.reason, status?.message]).toEqual([
      'Succeeded',
      undefined,
      undefined,
    ])
    expect(status?.conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'TerminationByKubelet',
    })
  })

  it('is rejected when it asks for more than there is: one write, no containers', async () => {
    const cluster = await withPod({
      containers: [{ name: 'c', image: 'busybox', resources: { requests: { cpu: '500' } } }],
    })
    await cluster.clock.advance(15_000)
    const message =
      "Node didn't have enough resource: cpu, requested: 500000, used: 0, capacity: 2000"
    expect(patchedStatuses(cluster)).toHaveLength(1)
    expect(cluster.api.pod('web')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: `Pod was rejected: ${message}`,
      observedGeneration: 1,
    })
    expect(cluster.api.pod('web')?.status).not.toHaveProperty('conditions')
    expect(cluster.api.pod('web')?.status).not.toHaveProperty('containerStatuses')
    expect(cluster.events()).toEqual([`OutOfcpu: ${message}`])
    expect(cluster.runtime.created).toEqual([])
    expect(cluster.kubelet.podWorkers.recordUids()).toEqual([])
    const uid = cluster.api.pod('web')?.metadata.uid ?? ''
    expect(await cluster.kubelet.manualActions.kill(uid, 1, [])).toEqual({
      ok: false,
      error: 'It has no worker, so there is nothing to stop.',
    })
    cluster.api.deletePod('web')
    await cluster.clock.advance(5000)
    expect(cluster.api.pods()).toEqual([])
  })

  it('ends when its active deadline has passed', async () => {
    const cluster = await withPod({ activeDeadlineSeconds: 20 })
    await cluster.clock.advance(19_000)
    expect(cluster.api.pod('web')?.status?.phase).toBe('Running')
    await cluster.clock.advance(6000)
    expect(cluster.api.pod('web')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    })
    expect(cluster.container('c').state).toBe('exited')
  })

  it('is stopped with grace 1 when it is deleted by force, and nothing is written afterwards', async () => {
    const cluster = await withPod(stubborn)
    await cluster.clock.advance(5000)
    cluster.mark()
    cluster.api.deletePod('web', 0)
    await cluster.clock.advance(5000)
    expect(cluster.stops()).toEqual(['stopContainer stubborn 2'])
    expect(cluster.podCalls('patch', 'delete')).toEqual([])
    expect(cluster.runtime.of('stubborn')).toEqual([])
    expect(cluster.kubelet.podWorkers.recordUids()).toEqual([])
  })

  it('that no source has is found in the runtime and stopped', async () => {
    const cluster = await withPod(stubborn)
    await cluster.clock.advance(5000)
    cluster.kubelet.stop()
    cluster.isWatching = false
    cluster.api.deletePod('web', 0)
    await cluster.clock.advance(20)
    cluster.isWatching = true
    cluster.mark()
    await cluster.start()
    await cluster.clock.advance(5000)
    expect(cluster.stops()).toEqual(['stopContainer stubborn 2'])
    expect(cluster.runtime.of('stubborn').filter((one) => one.state === 'running')).toEqual([])
    expect(cluster.trace.data('worker.transitioned')).toContainEqual({
      to: 'terminating',
      why: 'runtime pod without config',
    })
    expect(cluster.kubelet.podWorkers.recordUids()).toEqual([])
  })

  it('refuses an unknown uid', async () => {
    const cluster = await started()
    const error = 'There is no pod with the uid unknown on this node.'
    expect(await cluster.kubelet.manualActions.kill('unknown', 1, [])).toEqual({ ok: false, error })
    expect(await cluster.kubelet.manualActions.evict('unknown', [])).toEqual({ ok: false, error })
  })
})

describe('the crash-loop back-off', () => {
  it('of a container that ran for 400 s is forgotten by the first housekeeping 10 minutes after its start', async () => {
    const cluster = await started()
    cluster.runtime.scripts.set('c', { endsAfterMs: 1000, exitCode: 1 })
    await cluster.create({
      metadata: { name: 'web', uid: 'web-uid', namespace: 'default' },
      spec: manifest().spec,
    })
    // Waits of 10, 20, 40, 80, 160 and 300 s.
    await cluster.clock.advance(700_000)
    cluster.runtime.scripts.set('c', { endsAfterMs: 400_000, exitCode: 1 })
    await cluster.clock.advance(400_000)
    const startedAt = cluster.container('c').startedAt
    await cluster.clock.advance(700_000)
    const restartedAt = cluster.container('c').startedAt
    // Twice the longest wait after the last start, then at a housekeeping; the worker tries every 10 s to 15 s.
    expect(restartedAt - startedAt).toBeGreaterThan(600_000)
    expect(restartedAt - startedAt).toBeLessThan(600_000 + 2000 + 15_000 + 1000)
  })
})

describe('the kubelet', () => {
  it('writes nothing after it was stopped, in the middle of whatever it does', async () => {
    const cluster = await started(manifest())
    await cluster.create(manifest({}, 'other'))
    cluster.api.deletePod('web-node')
    await cluster.clock.advance(1010)
    cluster.kubelet.stop()
    // What is in the air lands; then there is silence.
    await cluster.clock.advance(10)
    cluster.mark()
    await cluster.clock.advance(200_000)
    expect(cluster.api.calls).toEqual([])
    expect(cluster.runtime.calls).toEqual([])
    expect(cluster.clock.pendingTimers).toBe(0)
  })

  it('does not go on with a pod that it was starting when it was stopped', async () => {
    const cluster = await started()
    await cluster.create(manifest())
    await cluster.clock.advance(20)
    expect(cluster.runtime.calls.map((call) => call.line).at(-1)).toBe('runPodSandbox web 0')
    cluster.kubelet.stop()
    cluster.mark()
    await cluster.clock.advance(10_000)
    expect(cluster.runtime.calls).toEqual([])
    expect(cluster.podCalls('patch')).toEqual([])
  })

  it('takes over what runs after a restart: no container and no mirror is touched', async () => {
    const cluster = await started(manifest())
    await cluster.create(manifest({}, 'other'))
    await cluster.clock.advance(5000)
    const containers = cluster.runtime.of('c').map((one) => [one.id, one.state])
    const uids = cluster.api.pods().map((pod) => pod.metadata.uid)
    cluster.kubelet.stop()
    await cluster.clock.advance(60_000)
    cluster.mark()
    await cluster.start()
    await cluster.clock.advance(30_000)
    // The file source is faster than the API's list: a mirror that is there already is found out.
    for (const call of cluster.podCalls('create', 'delete'))
      expect([call.verb, call.outcome]).toEqual(['create', 'already-exists'])
    expect(cluster.runtime.of('c').map((one) => [one.id, one.state])).toEqual(containers)
    expect(cluster.api.pods().map((pod) => pod.metadata.uid)).toEqual(uids)
    expect(cluster.api.pods().map((pod) => pod.status?.phase)).toEqual(['Running', 'Running'])
  })

  it('does not sync while the runtime is down, and continues afterwards', async () => {
    const cluster = await started()
    cluster.runtime.failures.set('status', { kind: 'unavailable', message: 'no answer' })
    cluster.runtime.failures.set('listPodSandboxes', { kind: 'unavailable', message: 'no answer' })
    await cluster.clock.advance(60_000)
    cluster.write('web.yaml', manifest())
    await cluster.clock.advance(60_000)
    expect(cluster.runtime.of('c')).toEqual([])
    expect(cluster.node()?.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe(
      'False',
    )
    cluster.runtime.failures.clear()
    await cluster.clock.advance(20_000)
    expect(cluster.container('c').state).toBe('running')
    expect(cluster.node()?.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe(
      'True',
    )
  })

  it('gives the same trace from the same seed', async () => {
    const run = async () => {
      const cluster = new FakeCluster({ seed: 7 })
      cluster.manifests.set('web.yaml', manifest())
      await cluster.start()
      await cluster.create(manifest({}, 'other'))
      await cluster.clock.advance(5000)
      cluster.api.deletePod('other')
      cluster.write('web.yaml', manifest({ hostNetwork: true }))
      await cluster.clock.advance(100_000)
      return cluster.trace.events
    }
    expect(await run()).toEqual(await run())
  })
})
