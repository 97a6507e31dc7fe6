import { describe, expect, it } from 'vitest'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import type { TraceEvent } from '../../src/shared/model/trace-event.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { noEviction } from '../../src/main/kubelet/eviction/eviction-settings.ts'
import { defaultKubeletSettings } from '../../src/main/kubelet/kubelet-settings.ts'
import type { KubeletSettings } from '../../src/main/kubelet/kubelet-settings.ts'
import { podSubject } from '../../src/main/kubelet/pod/identity.ts'
import { MemorySandbox } from './memory-sandbox.ts'

function makeCluster(settings?: KubeletSettings) {
  const log = new FakeLog()
  const cluster = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1', 'n2'],
    log,
    settings,
  })
  const events: TraceEvent[] = []
  cluster.trace.listen((event) => events.push(event))
  return { cluster, events, log }
}

function pod(name: string, nodeName: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: '', namespace: 'default' },
    spec: {
      nodeName,
      containers: [{ name: 'c', image: 'busybox:1', command: ['sleep', '100000'] }],
      tolerations: [{ operator: 'Exists' }],
    },
  }
}

async function statusOf(cluster: MemorySandbox, name: string): Promise<unknown> {
  const answer = await cluster.request('GET', `/api/v1/namespaces/default/pods/${name}`)
  if (answer.kind !== 'object') throw new Error('no object')
  const { status } = answer.body as Pod
  return typeof status === 'object' ? status.phase : answer.status
}

describe('MemorySandbox', () => {
  it('runs the pods of several nodes independently', async () => {
    const { cluster, log } = makeCluster()
    cluster.start()
    await cluster.createPod(pod('a', 'n1'))
    await cluster.createPod(pod('b', 'n2'))
    cluster.putManifests([pod('s', '')], 'n2')
    await cluster.clock.advance(10_000)
    const named = cluster.nodes.map((node) =>
      node.kubelet.podManager.getPods().map(({ metadata }) => metadata.name),
    )
    expect(named).toEqual([['a'], ['s-n2', 'b']])
    expect(await statusOf(cluster, 'a')).toBe('Running')
    expect(await statusOf(cluster, 's-n2')).toBe('Running')
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
    cluster.stop()
  })

  it('keeps the whole history of a pod that passed its active deadline and is synced each second', async () => {
    const { cluster } = makeCluster()
    cluster.start()
    const { spec, ...rest } = pod('a', 'n1')
    const started = { ...rest, spec: { ...spec, activeDeadlineSeconds: 5 } }
    await cluster.createPod(started)
    await cluster.clock.advance(3_600_000)
    const [known] = cluster.node('n1').kubelet.podManager.getPods()
    if (known === undefined) throw new Error('the pod is gone')
    const history = cluster.trace.about('n1', podSubject(known), 200)
    expect(history[0]).toMatchObject({
      kind: 'worker.updated',
      data: { outcome: 'ignored', repeated: expect.any(Number) },
    })
    expect(history.at(-1)).toMatchObject({ kind: 'config.merged', data: { op: 'ADD' } })
    expect(history.length).toBeLessThan(120)
    cluster.stop()
  })

  it('removes images that no container uses when the disk is full, and keeps the others', async () => {
    const { cluster, events } = makeCluster({ ...defaultKubeletSettings, eviction: noEviction })
    cluster.start()
    await cluster.createPod(pod('a', 'n1'))
    const other = pod('b', 'n1')
    const containers = [{ name: 'c', image: 'nginx:1.28' }]
    await cluster.createPod({ ...other, spec: { ...other.spec, containers } })
    await cluster.clock.advance(30_000)
    await cluster.request('DELETE', '/api/v1/namespaces/default/pods/b')
    await cluster.clock.advance(400_000)
    const { runtime, faults } = cluster.node('n1')
    const names = async () => {
      const listed = await runtime.listImages()
      return listed.ok ? listed.value.flatMap(({ repoTags = [] }) => repoTags) : listed
    }
    expect(await names()).toContain('docker.io/library/nginx:1.28')
    faults.setDiskFull(true)
    await cluster.clock.advance(400_000)
    expect(await names()).toEqual(['registry.k8s.io/pause:3.10', 'docker.io/library/busybox:1'])
    expect(events.filter(({ kind }) => kind === 'image.removed')).toMatchObject([
      { data: { image: 'docker.io/library/nginx:1.28', reason: 'space' } },
    ])
    const message = expect.stringContaining('Failed to garbage collect required amount of images.')
    expect(
      events.filter(
        ({ kind, data }) =>
          kind === 'event.recorded' && 'reason' in data && data.reason === 'FreeDiskSpaceFailed',
      ),
    ).toMatchObject([{ data: { message } }])
    cluster.stop()
  })

  it('finds its containers and pods again after a restart of the kubelet', async () => {
    const { cluster, events } = makeCluster()
    const node = cluster.node('n1')
    cluster.putManifests([pod('s', '')])
    cluster.start()
    await cluster.createPod(pod('a', 'n1'))
    await cluster.clock.advance(10_000)
    const before = node.kubelet
    node.stopKubelet()
    await cluster.clock.advance(5000)
    node.startKubelet()
    node.startKubelet()
    const from = cluster.trace.lastSeq
    await cluster.clock.advance(10_000)
    expect([node.starts, node.isRunning, node.kubelet === before]).toEqual([2, true, false])
    expect(node.kubelet.podManager.getPods().map(({ metadata }) => metadata.name)).toEqual([
      's-n1',
      'a',
    ])
    const since = events.filter(({ seq }) => seq > from)
    expect(since.filter(({ kind }) => kind.startsWith('container.'))).toEqual([])
    expect(
      since.filter(({ kind }) => kind === 'mirror.created' || kind === 'mirror.deleted'),
    ).toEqual([])
    cluster.stop()
  })

  it('disconnects one node while the other works', async () => {
    const { cluster, events } = makeCluster()
    cluster.start()
    await cluster.clock.advance(30_000)
    cluster.outage('n1').cut()
    const from = cluster.trace.lastSeq
    await cluster.clock.advance(30_000)
    const renewals = events.filter(({ kind, seq }) => kind === 'lease.renewed' && seq > from)
    expect(new Set(renewals.map(({ node }) => node))).toEqual(new Set(['n2']))
    cluster.outage('n1').restore()
    const restored = cluster.trace.lastSeq
    await cluster.clock.advance(30_000)
    expect(
      events.some(
        ({ kind, seq, node }) => kind === 'lease.renewed' && seq > restored && node === 'n1',
      ),
    ).toBe(true)
    cluster.stop()
  })

  it('restarts the containers of a machine after a power failure', async () => {
    const { cluster, events } = makeCluster()
    cluster.start()
    await cluster.createPod(pod('a', 'n1'))
    await cluster.clock.advance(10_000)
    cluster.powerOff('n1')
    await cluster.clock.advance(10_000)
    const from = cluster.trace.lastSeq
    cluster.bringUp('n1')
    await cluster.clock.advance(20_000)
    const kinds = events
      .filter(({ seq, kind }) => seq > from && kind.startsWith('container.'))
      .map(({ kind }) => kind)
    expect(kinds).toEqual(['container.exited', 'container.created', 'container.started'])
    expect(await statusOf(cluster, 'a')).toBe('Running')
    cluster.stop()
  })
})
