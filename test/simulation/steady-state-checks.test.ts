import { describe, expect, it } from 'vitest'
import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import { ApiHistory } from './api-history.ts'
import { SteadyStateChecks } from './steady-state-checks.ts'
import { TraceWatch } from './trace-watch.ts'

const minuteMs = 60_000

function manifest(name: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: '' },
    spec: {
      containers: [{ name: 'ignoring', image: 'busybox:1', command: ['sleep', '100000'] }],
      terminationGracePeriodSeconds: 1,
    },
  }
}

/** A node with a pod of the API and a static one, and all who look. */
async function settledCluster() {
  const cluster = new MemorySandbox({
    seed: 1,
    startAt: Date.UTC(2026, 0, 1),
    nodeNames: ['n1'],
    log: new FakeLog(),
  })
  const query = { watch: 'true', timeoutSeconds: '100000000' }
  const report = (): void => undefined
  const api = new ApiHistory({
    watch: () => cluster.send({ method: 'GET', path: '/api/v1/pods', query }),
    runs: () => false,
    report,
  })
  const trace = new TraceWatch({ cluster, api, report })
  cluster.trace.listen(trace.take)
  await api.start()
  const node = cluster.node()
  cluster.folder().write('s.json', JSON.stringify(manifest('s')))
  cluster.start()
  const pod = manifest('a')
  await cluster.createPod({ ...pod, spec: { ...pod.spec, nodeName: 'n1' } })
  await cluster.clock.advance(2 * minuteMs)
  const checks = new SteadyStateChecks({ cluster, api, trace, killedByHand: new Set() })
  const look = async (): Promise<readonly number[]> => {
    const numbers = new Set<number>()
    await checks.look((invariant) => numbers.add(invariant))
    return [...numbers].toSorted((one, other) => one - other)
  }
  const advance = (ms: number): Promise<void> => cluster.clock.advance(ms)
  return { cluster, node, look, advance }
}

const podPath = '/api/v1/namespaces/default/pods/a'

describe('SteadyStateChecks', () => {
  it('find no violation in a healthy cluster', async () => {
    const { look } = await settledCluster()
    expect(await look()).toEqual([])
  })

  it('report (15) a stopped node, and an unknown one', async () => {
    const { cluster, node, look, advance } = await settledCluster()
    const body = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'stray', uid: '' } }
    await cluster.request('POST', '/api/v1/nodes', body)
    expect(await look()).toEqual([15])
    await cluster.request('DELETE', '/api/v1/nodes/stray')
    expect(await look()).toEqual([])
    node.stopKubelet()
    await advance(2 * minuteMs)
    expect(await look()).toContain(15)
  })

  it('report (16) a pod that the kubelet did not see, and (18, 22, 24) the leftovers of a removed manifest', async () => {
    const { cluster, look, advance } = await settledCluster()
    cluster.outage().cut()
    const pod = manifest('b')
    await cluster.createPod({ ...pod, spec: { ...pod.spec, nodeName: 'n1' } })
    expect(await look()).toEqual([16])
    cluster.folder().remove('s.json')
    expect(await look()).toEqual([16])
    await advance(10_000)
    // The pod was stopped; its mirror cannot be deleted, its sandbox is not collected yet, and events wait.
    expect(await look()).toEqual([16, 18, 22, 24])
  })

  it('report (17, 22, 24) lost and leftover workers, and containers without a worker', async () => {
    const { node, look } = await settledCluster()
    const { table } = node.kubelet.podWorkers
    const uid = node.kubelet.podManager.getPodByName('default', 'a')?.metadata.uid ?? ''
    const record = table.records.get(uid)
    table.records.delete(uid)
    // Nobody looks after its container now, and its worker waits for a record.
    expect(await look()).toEqual([17, 22, 24])
    if (record !== undefined) table.records.set('left', { ...record, uid: 'left' })
    expect(await look()).toEqual([17, 22, 24])
  })

  it('report (26) a container that does not have what was allocated to it', async () => {
    const { node, look } = await settledCluster()
    const { podManager, allocationManager } = node.kubelet
    const uid = podManager.getPodByName('default', 'a')?.metadata.uid ?? ''
    allocationManager.setActuatedResources(uid, 'ignoring', { requests: { cpu: '7' } })
    expect(await look()).toEqual([26])
  })

  it('report (20) a deleted pod that still exists', async () => {
    const { cluster, look } = await settledCluster()
    cluster.outage().cut()
    await cluster.request('DELETE', podPath)
    expect(await look()).toEqual([20])
  })

  it('report (21) a container that should run, and (19) an unwritten status', async () => {
    const { cluster, node, look, advance } = await settledCluster()
    cluster.outage().cut()
    cluster.powerOff()
    node.runtime.boot?.()
    expect(await look()).toContain(21)
    cluster.bringUp()
    await advance(minuteMs)
    expect(await look()).toContain(19)
  })

  it('report (23) a finished pod without a terminal phase in the API', async () => {
    const { cluster, node, look, advance } = await settledCluster()
    const uid = node.kubelet.podManager.getPodByName('default', 'a')?.metadata.uid ?? ''
    cluster.outage().cut()
    void node.kubelet.manualActions.kill(uid, 1, [])
    await advance(20_000)
    expect(await look()).toContain(23)
  })
})
