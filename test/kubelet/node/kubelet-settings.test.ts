import { describe, expect, it, vi } from 'vitest'
import type { Pod, Taint } from '../../../src/shared/kubernetes/objects.ts'
import type { TraceEvent } from '../../../src/shared/model/trace-event.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { defaultKubeletSettings } from '../../../src/main/kubelet/kubelet-settings.ts'
import type { KubeletSettings } from '../../../src/main/kubelet/kubelet-settings.ts'
import { MemorySandbox } from '../../memory-sandbox/memory-sandbox.ts'

function start(settings: Partial<KubeletSettings>, registerWithTaints: readonly Taint[] = []) {
  const cluster = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1'],
    log: new FakeLog(),
    settings: { ...defaultKubeletSettings, ...settings },
    registerWithTaints,
  })
  const events: TraceEvent[] = []
  cluster.trace.listen((event) => events.push(event))
  cluster.start()
  const times = (kind: TraceEvent['kind']): number =>
    events.filter((event) => event.kind === kind).length
  return { cluster, events, times }
}

function pod(command: readonly string[], image = 'busybox:1'): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', uid: '', namespace: 'default' },
    spec: {
      nodeName: 'n1',
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image, command }],
      tolerations: [{ operator: 'Exists' }],
    },
  }
}

async function nodeOf(cluster: MemorySandbox): Promise<unknown> {
  const answer = await cluster.request('GET', '/api/v1/nodes/n1')
  return answer.kind === 'object' ? answer.body : undefined
}

describe('the kubelet’s settings', () => {
  it('renews a lease of nodeLeaseDurationSeconds at a quarter of it', async () => {
    const { cluster, times } = start({ nodeLeaseDurationSeconds: 8 })
    await cluster.clock.advance(60_000)
    expect(times('lease.renewed')).toBeGreaterThan(25)
    const path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1'
    const lease = await cluster.request('GET', path)
    expect(lease).toMatchObject({ body: { spec: { leaseDurationSeconds: 8 } } })
    expect(cluster.node().kubelet.nodeController.view().leaseDurationSeconds).toBe(8)
    cluster.stop()
  })

  it('writes the node status in each nodeStatusReportFrequency, at the earliest at the next update', async () => {
    const usual = start({})
    const often = start({ nodeStatusReportFrequencyMs: 2000, nodeStatusUpdateFrequencyMs: 2000 })
    for (const { cluster } of [usual, often]) await cluster.clock.advance(60_000)
    expect(usual.times('node.statusWritten')).toBeLessThan(5)
    expect(often.times('node.statusWritten')).toBeGreaterThan(14)
    for (const { cluster } of [usual, often]) cluster.stop()
  })

  it('registers the node with taints', async () => {
    const taint = { key: 'a', value: 'b', effect: 'NoSchedule' } as const
    const { cluster } = start({}, [taint])
    await cluster.clock.advance(5000)
    expect(await nodeOf(cluster)).toMatchObject({
      spec: { taints: expect.arrayContaining([taint]) },
    })
    cluster.stop()
  })

  it('does not register a node with registerNode false, and updates one that exists', async () => {
    const { cluster, times } = start({ registerNode: false })
    await cluster.clock.advance(30_000)
    expect(await nodeOf(cluster)).toMatchObject({ code: 404 })
    expect(times('node.registered')).toBe(0)
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', uid: '' } }
    await cluster.request('POST', '/api/v1/nodes', node)
    await cluster.clock.advance(30_000)
    expect(await nodeOf(cluster)).toMatchObject({
      status: {
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'Ready', status: 'True' }),
        ]),
      },
    })
    cluster.stop()
  })

  it('syncs a pod again after syncFrequency, stretched by up to half', async () => {
    const { cluster, events } = start({ syncFrequencyMs: 5000 })
    await cluster.createPod(pod(['sleep', '100000']))
    await cluster.clock.advance(30_000)
    const delays = events.flatMap(({ kind, data }) =>
      kind === 'worker.requeued' && 'why' in data && data.why === 'resync' ? [data.delayMs] : [],
    )
    expect(delays.length).toBeGreaterThan(2)
    for (const delay of delays) expect(Number(delay)).toBeLessThanOrEqual(7500)
    cluster.stop()
  })

  it('restarts a container after at most maxContainerRestartPeriod', async () => {
    const counts: number[] = []
    for (const maxContainerRestartPeriodMs of [2000, 300_000]) {
      const { cluster, times } = start({ maxContainerRestartPeriodMs })
      await cluster.createPod(pod(['false']))
      await cluster.clock.advance(120_000)
      counts.push(times('container.started'))
      cluster.stop()
    }
    const [short = 0, usual = 0] = counts
    expect(usual).toBeLessThan(7)
    expect(short).toBeGreaterThan(2 * usual)
  })

  it('lists the manifest folder in each fileCheckFrequency', async () => {
    const { cluster } = start({ fileCheckFrequencyMs: 1000 })
    await cluster.clock.advance(5000)
    const list = vi.spyOn(cluster.folder(), 'readdir')
    await cluster.clock.advance(20_000)
    expect(list.mock.calls.length).toBeGreaterThanOrEqual(19)
    cluster.stop()
  })
})
