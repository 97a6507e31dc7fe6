/** docs/kubelet/mirror-pods.md on a whole kubelet with an API server and a runtime in memory. */
import { describe, expect, it } from 'vitest'
import { FakeCluster } from '../../../src/main/kubelet/fake-cluster.ts'
import type { Pod, PodSpec, PodStatus } from '../../../src/shared/kubernetes/objects.ts'

const stubborn = { name: 'stubborn', image: 'busybox' }

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

describe('mirror-pods#reconciliation: the network', () => {
  it.each([
    ['no mirror until the network is ready', {}, 0],
    ['a mirror all the same with the host’s network', { hostNetwork: true }, 1],
  ])('%s', async (_what, spec, mirrors) => {
    const cluster = await started()
    cluster.runtime.isNetworkReady = false
    await cluster.clock.advance(10_000)
    cluster.write('web.yaml', manifest(spec))
    await cluster.clock.advance(20_000)
    expect(cluster.api.pods()).toHaveLength(mirrors)
    cluster.runtime.isNetworkReady = true
    await cluster.clock.advance(100_000)
    expect(cluster.api.pods()).toHaveLength(1)
  })
})

describe('mirror-pods#reconciliation: at start-up', () => {
  it('also of a pod that was rejected: its mirror has the reason, and no container runs', async () => {
    const cluster = await started(manifest({ nodeSelector: { disk: 'ssd' } }))
    await cluster.clock.advance(60_000)
    expect(cluster.api.pod('web-node')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'NodeAffinity',
    })
    expect(cluster.runtime.of('c')).toEqual([])
  })
})

const scenarios: readonly (readonly [string, string, () => Promise<void>])[] = [
  [
    'New manifest',
    'a mirror at once, and one status write straight to Running',
    async () => {
      const cluster = await started()
      cluster.mark()
      cluster.write('web.yaml', manifest())
      await cluster.clock.advance(5000)
      const [create, ...more] = cluster.podCalls('create')
      expect(more).toEqual([])
      const staticUid = cluster.kubelet.podManager.getPodByName('default', 'web-node')?.metadata.uid
      expect(create?.since).toBeLessThan(1100)
      expect(create?.body).toMatchObject({
        metadata: {
          name: 'web-node',
          uid: staticUid,
          labels: { app: 'web' },
          annotations: {
            'kubernetes.io/config.hash': staticUid,
            'kubernetes.io/config.mirror': staticUid,
            'kubernetes.io/config.source': 'file',
          },
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'Node',
              name: 'node',
              uid: cluster.node()?.metadata.uid,
              controller: true,
            },
          ],
        },
        spec: { nodeName: 'node', tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] },
        status: { phase: 'Pending' },
      })
      const mirror = cluster.api.pod('web-node')
      expect(mirror?.metadata.uid).not.toBe(staticUid)
      expect(mirror?.status).toMatchObject({ phase: 'Running', hostIP: '192.0.2.1' })
      expect(mirror?.status?.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
        'PodReadyToStartContainers True',
        'Initialized True',
        'Ready True',
        'ContainersReady True',
        'PodScheduled True',
      ])
      expect(patchedStatuses(cluster).map((status) => status.phase)).toEqual(['Running'])
      expect(cluster.events()).toEqual([
        'Pulling: Pulling image "busybox"',
        expect.stringMatching(/^Pulled: Successfully pulled image "busybox"/),
        expect.stringMatching(/^Created: /),
        expect.stringMatching(/^Started: /),
      ])
    },
  ],
  [
    'kubectl delete pod of the mirror',
    'deleted with grace 0 and created again; the containers are not touched',
    async () => {
      const cluster = await started(manifest())
      const before = cluster.api.pod('web-node')
      const { startedAt } = cluster.container('c')
      cluster.mark()
      cluster.api.deletePod('web-node')
      // Longer than a relist: a sync that still held the old mirror would ask for its deletion again.
      await cluster.clock.advance(3000)
      expect(
        cluster.podCalls('create', 'delete').map((call) => `${call.verb} ${call.outcome}`),
      ).toEqual(['delete ok', 'create ok'])
      expect(cluster.podCalls('delete')[0]?.body).toEqual({
        gracePeriodSeconds: 0,
        preconditions: { uid: before?.metadata.uid },
      })
      const after = cluster.api.pod('web-node')
      expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
      expect(after?.metadata.deletionTimestamp).toBeUndefined()
      expect(cluster.container('c').startedAt).toBe(startedAt)
      expect(cluster.events()).toEqual([])
      // Its status comes with the status manager's next batch.
      await cluster.clock.advance(10_000)
      expect(cluster.api.pod('web-node')?.status?.phase).toBe('Running')
      expect(cluster.podCalls('patch')).toHaveLength(1)
    },
  ],
  [
    'kubectl delete --grace-period=0 --force of the mirror',
    'nothing to delete, nothing created, until the next sync a minute later',
    async () => {
      const cluster = await started(manifest())
      await cluster.clock.advance(20_000)
      const { startedAt } = cluster.container('c')
      cluster.mark()
      cluster.api.deletePod('web-node', 0)
      await cluster.clock.advance(2000)
      const deletes = cluster.podCalls('delete')
      expect(deletes.map((call) => call.outcome)).toEqual(deletes.map(() => 'not-found'))
      expect(deletes.length).toBeGreaterThanOrEqual(1)
      expect(cluster.api.pod('web-node')).toBeUndefined()
      await cluster.clock.advance(50_000)
      expect(cluster.podCalls('create')).toEqual([])
      await cluster.clock.advance(45_000)
      const [create] = cluster.podCalls('create')
      expect(create?.since).toBeGreaterThan(59_000)
      expect(create?.since).toBeLessThan(92_000)
      expect(
        cluster.api.pod('web-node')?.metadata.annotations?.['kubernetes.io/config.mirror'],
      ).toBe(cluster.kubelet.podManager.getPodByName('default', 'web-node')?.metadata.uid)
      expect(cluster.container('c').startedAt).toBe(startedAt)
    },
  ],
  [
    'Manifest edited (UID changes)',
    'the new pod waits for the old one; its first sync replaces the mirror',
    async () => {
      const cluster = await started(manifest())
      const oldUid =
        cluster.kubelet.podManager.getPodByName('default', 'web-node')?.metadata.uid ?? ''
      const oldMirror = cluster.api.pod('web-node')
      const firstContainer = cluster.container('c').id
      cluster.mark()
      cluster.write('web.yaml', manifest({ terminationGracePeriodSeconds: 20 }))
      await cluster.clock.advance(100)
      const newUid =
        cluster.kubelet.podManager.getPodByName('default', 'web-node')?.metadata.uid ?? ''
      expect(newUid).not.toBe(oldUid)
      expect(cluster.kubelet.podWorkers.workerView(newUid)).toMatchObject({
        state: 'waiting',
        reason: `waits for ${oldUid}, which still holds the name web-node_default`,
      })
      await cluster.clock.advance(9800)
      expect(cluster.podCalls('create', 'delete')).toEqual([])
      expect(cluster.kubelet.podWorkers.workerView(oldUid)?.state ?? 'forgotten').toBe('forgotten')
      await cluster.clock.advance(8000)
      const [deleted, created] = cluster.podCalls('create', 'delete')
      expect(deleted).toMatchObject({
        verb: 'delete',
        outcome: 'ok',
        body: { gracePeriodSeconds: 0, preconditions: { uid: oldMirror?.metadata.uid } },
      })
      expect(created).toMatchObject({ verb: 'create', outcome: 'ok' })
      expect(deleted?.since).toBeGreaterThan(10_000)
      expect(deleted?.since).toBeLessThan(16_500)
      expect((created?.since ?? 0) - (deleted?.since ?? 0)).toBeLessThan(50)
      expect(cluster.api.pod('web-node')?.metadata.annotations?.['kubernetes.io/config.hash']).toBe(
        newUid,
      )
      expect(cluster.runtime.of('c').filter((one) => one.state === 'running')).toHaveLength(1)
      expect(cluster.container('c').id).not.toBe(firstContainer)
      expect(cluster.api.pod('web-node')?.status?.phase).toBe('Running')
      expect(cluster.events()[0]).toBe('Killing: Stopping container c')
    },
  ],
  [
    'Manifest edited, fixed metadata.uid',
    'an update in place; the mirror is left as it is',
    async () => {
      const fixed = (image: string): Pod => ({
        ...manifest({ containers: [{ name: 'c', image }] }),
        metadata: { name: 'web', uid: 'fixed' },
      })
      const cluster = await started(fixed('busybox'))
      const mirror = cluster.api.pod('web-node')
      cluster.mark()
      cluster.write('web.yaml', fixed('nginx'))
      await cluster.clock.advance(20_000)
      expect(cluster.trace.data('config.merged').filter(({ source }) => source === 'file')).toEqual(
        [
          { source: 'file', op: 'ADD', mirror: false },
          { source: 'file', op: 'UPDATE', mirror: false },
        ],
      )
      expect(cluster.podCalls('create', 'delete')).toEqual([])
      expect(cluster.api.pod('web-node')?.metadata.uid).toBe(mirror?.metadata.uid)
      // The API goes on showing what was written first.
      expect(cluster.api.pod('web-node')?.spec.containers[0]?.image).toBe('busybox')
      expect(cluster.kubelet.podManager.getPodByUID('fixed')?.spec.containers[0]?.image).toBe(
        'nginx',
      )
    },
  ],
  [
    'Manifest removed',
    'the mirror is kept while the pod stops; housekeeping deletes it afterwards',
    async () => {
      const cluster = await started(
        manifest({
          containers: [{ name: 'stubborn', image: 'busybox' }],
          terminationGracePeriodSeconds: 8,
        }),
      )
      cluster.runtime.scripts.set('stubborn', { stopsAfterMs: 'never' })
      cluster.mark()
      cluster.remove('web.yaml')
      await cluster.clock.advance(7900)
      expect(cluster.api.pod('web-node')).toBeDefined()
      await cluster.clock.advance(5000)
      expect(cluster.stops()).toEqual(['stopContainer stubborn 8'])
      expect(cluster.podCalls('delete').map((call) => [call.body, call.outcome])).toEqual([
        [{ gracePeriodSeconds: 0, preconditions: {} }, 'ok'],
      ])
      expect(cluster.podCalls('delete')[0]?.since).toBeGreaterThan(8000)
      expect(cluster.api.pods()).toEqual([])
      expect(cluster.kubelet.podWorkers.recordUids()).toEqual([])
    },
  ],
  [
    'Mirror deleted while the static pod is terminating',
    'not created again',
    async () => {
      const cluster = await started(manifest({ containers: [stubborn] }))
      cluster.runtime.scripts.set('stubborn', { stopsAfterMs: 'never' })
      cluster.remove('web.yaml')
      await cluster.clock.advance(1000)
      cluster.mark()
      cluster.api.deletePod('web-node', 0)
      await cluster.clock.advance(60_000)
      expect(cluster.stops()).toEqual([])
      expect(cluster.podCalls('create')).toEqual([])
      expect(cluster.kubelet.podWorkers.recordUids()).toEqual([])
    },
  ],
  [
    'Static pod ended by itself',
    'a mirror that is deleted does not come again, not even after a restart of the kubelet',
    async () => {
      const cluster = new FakeCluster()
      cluster.runtime.scripts.set('c', { endsAfterMs: 1000, exitCode: 0 })
      cluster.manifests.set('web.yaml', manifest({ restartPolicy: 'Never' }))
      await cluster.start()
      await cluster.clock.advance(20_000)
      expect(cluster.api.pod('web-node')?.status?.phase).toBe('Succeeded')
      cluster.mark()
      cluster.api.deletePod('web-node', 0)
      await cluster.clock.advance(200_000)
      expect(cluster.podCalls('create')).toEqual([])
      cluster.kubelet.stop()
      await cluster.start()
      await cluster.clock.advance(200_000)
      expect(cluster.podCalls('create')).toEqual([])
    },
  ],
  [
    'Delete returned false',
    'nothing is created in this pass; the next sync tries again',
    async () => {
      const cluster = await started(manifest())
      cluster.mark()
      cluster.api.refuse = ({ verb, resource }) =>
        verb === 'delete' && resource === 'pods'
          ? { kind: 'unavailable', message: 'no answer' }
          : undefined
      cluster.api.deletePod('web-node')
      await cluster.clock.advance(5000)
      expect(cluster.podCalls('create')).toEqual([])
      expect(cluster.podCalls('delete').map(({ outcome }) => outcome)).toContain('unavailable')
      cluster.api.refuse = () => undefined
      await cluster.clock.advance(95_000)
      expect(cluster.podCalls('create')).toHaveLength(1)
      expect(cluster.api.pod('web-node')?.metadata.deletionTimestamp).toBeUndefined()
    },
  ],
  [
    'Node object deleted',
    'its mirrors go with it; they come again, owned by the new Node, once the kubelet has registered',
    async () => {
      const cluster = await started(manifest())
      const node = cluster.node()
      // As the garbage collector does with what the Node owned.
      await Promise.all([
        cluster.api.delete({ resource: 'nodes', name: 'node' }, {}),
        cluster.clock.advance(100),
      ])
      cluster.api.deletePod('web-node', 0)
      cluster.mark()
      await cluster.clock.advance(200_000)
      expect(cluster.podCalls('create')).toEqual([])
      expect(cluster.trace.data('mirror.skipped')).toContainEqual({
        message: 'not created: the node is not in the API',
      })
      cluster.kubelet.stop()
      await cluster.start()
      const owners = cluster.api.pod('web-node')?.metadata.ownerReferences
      expect(owners?.map(({ uid }) => uid)).toEqual([cluster.node()?.metadata.uid])
      expect(cluster.node()?.metadata.uid).not.toBe(node?.metadata.uid)
    },
  ],
  [
    'Kubelet restarts',
    'the static uid is the same, the mirror matches: nothing',
    async () => {
      const cluster = await started(manifest())
      const mirror = cluster.api.pod('web-node')
      cluster.kubelet.stop()
      cluster.mark()
      await cluster.start()
      await cluster.clock.advance(100_000)
      // A sync that begins before the watch has delivered the mirror creates one and gets AlreadyExists.
      expect(
        cluster.podCalls('create', 'delete').filter(({ outcome }) => outcome === 'ok'),
      ).toEqual([])
      expect(cluster.api.pod('web-node')?.metadata.uid).toBe(mirror?.metadata.uid)
    },
  ],
  [
    'Static pod rejected at kubelet admission',
    'no worker, no sync, no mirror at all',
    async () => {
      const cluster = await started()
      cluster.write('web.yaml', manifest({ nodeSelector: { disk: 'ssd' } }))
      await cluster.clock.advance(200_000)
      expect(cluster.trace.data('pod.rejected')).toEqual([
        expect.objectContaining({ reason: 'NodeAffinity' }),
      ])
      expect(cluster.podCalls('create')).toEqual([])
      expect(cluster.kubelet.podWorkers.recordUids()).toEqual([])
    },
  ],
]

describe('mirror-pods#scenarios', () => {
  it.each(scenarios)('%s: %s', async (_event, _follows, scenario) => {
    await scenario()
  })
})

describe('mirror-pods#scenarios: a mirror that is deleted gracefully', () => {
  // The answer to a write takes 5 ms from the change to the writer.
  it.each([3, 5, 6])(
    'is deleted once when the watch reports a change after %i ms',
    async (watchMs) => {
      const cluster = new FakeCluster({ watchMs })
      cluster.manifests.set('web.yaml', manifest())
      await cluster.start()
      cluster.mark()
      cluster.api.deletePod('web-node')
      await cluster.clock.advance(20_000)
      expect(
        cluster.podCalls('delete', 'create').map(({ verb, outcome }) => `${verb} ${outcome}`),
      ).toEqual(['delete ok', 'create ok'])
    },
  )
})

describe('mirror-pods#orphaned-mirrors', () => {
  it('deletes by name alone, with an empty precondition, so it deletes whatever has the name', async () => {
    const cluster = await started(manifest())
    cluster.kubelet.stop()
    cluster.manifests.clear()
    cluster.mark()
    await cluster.start()
    expect(
      cluster.podCalls('delete').map(({ name, body, outcome }) => [name, body, outcome]),
    ).toEqual([['web-node', { gracePeriodSeconds: 0, preconditions: {} }, 'ok']])
    expect(cluster.api.pods()).toEqual([])
  })

  it('spares the mirror of a static pod that is terminating and has not terminated', async () => {
    const cluster = await started(manifest({ containers: [stubborn] }))
    cluster.runtime.scripts.set('stubborn', { stopsAfterMs: 'never' })
    cluster.remove('web.yaml')
    await cluster.clock.advance(25_000)
    expect(cluster.kubelet.podManager.getOrphanedMirrorPodNames()).toEqual(['web-node_default'])
    expect(cluster.api.pod('web-node')).toBeDefined()
    await cluster.clock.advance(10_000)
    expect(cluster.api.pods()).toEqual([])
  })

  it('does not spare it for a static pod that waits to start: only started ones guard a mirror', async () => {
    const cluster = await started(manifest())
    cluster.write('web.yaml', manifest({ terminationGracePeriodSeconds: 20 }))
    await cluster.clock.advance(5000)
    const waiting =
      cluster.kubelet.podManager.getPodByName('default', 'web-node')?.metadata.uid ?? ''
    expect(cluster.kubelet.podWorkers.workerView(waiting)?.state).toBe('waiting')
    expect(cluster.api.pod('web-node')).toBeDefined()
    cluster.remove('web.yaml')
    await cluster.clock.advance(2500)
    expect(cluster.api.pods()).toEqual([])
    expect(cluster.runtime.of('c').filter(({ state }) => state === 'running')).toEqual([])
  })
})
