import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { NodeView } from '../../shared/model/cluster-view.ts'
import type { NodeFaults } from '../../shared/model/node/node-faults.ts'
import { podNamespace } from '../kubelet/pod/identity.ts'
import type { Kubelet } from '../kubelet/kubelet.ts'
import type { RuntimeService } from '../kubelet/ports.ts'
import { nodeObject } from './node-object.ts'
import type { PodSources } from './pod-sources.ts'

/** Names of pods with unsent statuses, at most. */
const unsentNamesShown = 5

function podTitle(pod: Pod): string {
  return `${podNamespace(pod)}/${pod.metadata.name}`
}

interface ViewedNode {
  readonly nodeName: string
  readonly kubelet: Kubelet
  readonly sources: PodSources
  readonly runtime: Pick<RuntimeService, 'name' | 'version'>
  readonly isRunning: boolean
  readonly isOn: boolean
  readonly faults: { readonly state: NodeFaults }
}

/** The node as the page shows it. `server`: the API server's name or URL. */
export function nodeView(node: ViewedNode, server: string): Omit<NodeView, 'isCutOff'> {
  const { kubelet, runtime } = node
  const {
    node: object,
    registered,
    status,
    leaseRenewedAt,
    leaseDurationSeconds,
  } = kubelet.nodeController.view()
  const { unsent, pods } = kubelet.statusManager.backlog(unsentNamesShown)
  return {
    name: node.nodeName,
    registered,
    status,
    runtime: `${runtime.name}://${runtime.version}`,
    object: object === undefined ? null : nodeObject(object),
    leaseRenewedAt: leaseRenewedAt ?? null,
    leaseDurationSeconds,
    sources: node.sources.views(server),
    unsentStatuses: { count: unsent, names: pods.map(podTitle) },
    heldEvents: kubelet.recorder.held,
    shutdown: kubelet.shutdownManager.view(),
    shutdownGrace: kubelet.shutdownManager.configuredGrace,
    agent: node.isRunning ? 'running' : 'stopped',
    machine: node.isOn ? 'on' : 'off',
    faults: node.faults.state,
  }
}
