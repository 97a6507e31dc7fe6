import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { SandboxApiServer } from '../api-server.ts'

const node = { user: 'system:node:n1', groups: ['system:nodes'], client: 'kubelet' }

function statusOf(path: string, fieldSelector = ''): Promise<number> {
  const server = new SandboxApiServer({
    clock: new VirtualClock(nodeClockHost, { startAt: 0 }),
    random: seededRandom(1),
    trace: { emit: () => 0 },
    log: new FakeLog(),
  })
  return server
    .handle({ method: 'GET', path, query: { fieldSelector } }, node)
    .then(({ status }) => status)
}

describe('what a node may read', () => {
  it.each([
    ['/api/v1/nodes/n1', '', 404],
    ['/api/v1/nodes/n2', '', 403],
    ['/api/v1/nodes', '', 403],
    ['/api/v1/nodes', 'metadata.name=n1', 200],
    ['/api/v1/pods', '', 403],
    ['/api/v1/pods', 'spec.nodeName==n1', 200],
    ['/api/v1/pods', 'spec.nodeName!=n1', 403],
    ['/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1', '', 404],
    ['/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', '', 403],
    ['/apis/apps/v1/daemonsets', '', 403],
    ['/api/v1/namespaces/default/secrets/x', '', 403],
    ['/api/v1/namespaces/default/configmaps', 'metadata.name=x', 403],
    ['/api/v1/persistentvolumes', '', 403],
    ['/api/v1/services', '', 200],
    ['/apis/node.k8s.io/v1/runtimeclasses', '', 200],
    ['/apis/storage.k8s.io/v1/storageclasses', '', 403],
    ['/api/v1/valueOf/n1', '', 404],
    ['/api/v1/__proto__/n1', '', 404],
  ])('%s %s: %i', async (path, fieldSelector, status) => {
    expect(await statusOf(path, fieldSelector)).toBe(status)
  })
})
