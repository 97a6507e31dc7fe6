import { join } from 'node:path'
import { serveCri } from '../../../src/main/cri/serve-cri.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import type { CredentialSource } from '../../../src/main/cluster/kubeconfig/credential.ts'
import { UndiciTransport } from '../../../src/main/cluster/transport/undici-transport.ts'
import { objectAt, textAt } from '../../../src/shared/json.ts'
import { findParts, startControlPlane, type ControlPlane } from '../control-plane.ts'
import { RealKubelet } from '../cri/real-kubelet.ts'
import { administratorOf, type Administrator } from '../integration/administrator.ts'

/** A real kubelet at -v=4 behind a real kube-apiserver, at this machine's own address: neither way leads over loopback. */
export interface InspectedNode {
  readonly plane: ControlPlane
  readonly administrator: Administrator
  readonly kubelet: RealKubelet
  readonly stop: () => Promise<void>
}

export const nodeName = 'inspected'

/** `controllers`: with a kube-controller-manager. */
export async function startInspectedNode(
  folder: string,
  nodeIp: string,
  { controllers = false } = {},
): Promise<InspectedNode> {
  const environment = process.env
  const plane = await startControlPlane({
    environment,
    nodes: [nodeName],
    asksKubelets: true,
    asksKubeletsAt: 'InternalIP',
    controllers,
  })
  const administrator = await administratorOf(plane.adminKubeconfig)
  const socketPath = join(folder, 'cri.sock')
  const server = await serveCri({ socketPath, seed: 1, log: new FakeLog() })
  if (!server.ok) throw new Error(server.error)
  const found = await findParts(['kubelet'], environment)
  if ('missing' in found) throw new Error('The kubelet is missing.')
  const kubelet = new RealKubelet({
    file: found.files.get('kubelet') ?? '',
    nodeName,
    kubeconfig: plane.nodeKubeconfigs.get(nodeName) ?? '',
    caFile: join(plane.folder, 'ca.crt'),
    socketPath,
    folder,
    nodeIp,
    port: 21_000 + (process.pid % 9000),
    fields: { address: nodeIp, fileCheckFrequency: '1s', maxPods: 300 },
    verbosity: 4,
  })
  await kubelet.start()
  const stop = async (): Promise<void> => {
    await kubelet.stop()
    server.value.stop()
    await administrator.close()
    await plane.stop()
  }
  return { plane, administrator, kubelet, stop }
}

/** A service account with rights on subresources of nodes, and how its token is used. */
export async function viewerWith(
  node: InspectedNode,
  name: string,
  resources: readonly string[],
): Promise<{ readonly credentials: CredentialSource; readonly transport: UndiciTransport }> {
  const { administrator, plane } = node
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  await administrator.ask('POST', '/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name },
  })
  const rules = resources.length === 0 ? [] : [{ apiGroups: [''], resources, verbs: ['get'] }]
  await administrator.ask('POST', `${rbac}/clusterroles`, { metadata: { name }, rules })
  await administrator.ask('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  })
  const answer = await administrator.ask(
    'POST',
    `/api/v1/namespaces/default/serviceaccounts/${name}/token`,
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 3600 },
    },
  )
  const authorization = `Bearer ${textAt(objectAt(answer, 'status'), 'token')}`
  const credentials: CredentialSource = {
    get: () =>
      Promise.resolve({
        tls: { ca: plane.caPem, rejectUnauthorized: true },
        headers: { authorization },
      }),
    refused: () => undefined,
  }
  return { credentials, transport: new UndiciTransport({ server: plane.url, credentials }) }
}
