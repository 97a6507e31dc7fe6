import type { NodeActFacts } from '../../../shared/model/node-act.ts'
import type { ApiClient, Clock, HoldableClock, Log } from '../../kubelet/ports.ts'
import { ClusterTrace } from '../../kubelet/trace.ts'
import type { SimulatedNode } from '../../nodes/simulated-node.ts'
import type { ParseText } from '../../parsing/kubernetes-text.ts'
import { FolderManifestDesk } from '../manifests/folder-manifest-desk.ts'
import { ClusterInquiry } from '../rows/pod-inquiry.ts'
import type { ServedCluster } from './open-cluster.ts'
import type { NodeLinks } from './cluster-link.ts'
import type { ClusterSession } from './cluster-session.ts'
import { NodeCommands } from './node-commands.ts'
import { PodCommands } from './pod-commands.ts'

export interface ClusterServicesDeps {
  readonly session: ClusterSession
  readonly trace: ClusterTrace
  readonly clock: HoldableClock & { readonly catchUp?: () => number }
  readonly log: Log
  readonly nodes: ReadonlyMap<string, SimulatedNode>
  /** Absent where the way to the API server is not ours to cut. */
  readonly links?: NodeLinks
  /** For what a user does: answers at once whatever the cluster's clock does. */
  readonly api: ApiClient
  /** Of manifests; default: in place. */
  readonly parse?: ParseText
  readonly facts: Pick<NodeActFacts, 'sandbox' | 'readOnly'>
  /** See `FolderManifestDeskDeps.waitsFor`. */
  readonly waitsFor?: () => string
}

/** The trace of a cluster; an error of what listens to it is logged. */
export function newClusterTrace(cluster: string, clock: Clock, log: Log): ClusterTrace {
  return new ClusterTrace({ cluster, clock, onError: brokenCluster(log) })
}

/** Logs what nothing else has caught. */
export function brokenCluster(log: Log): (error: unknown) => void {
  return (error) => {
    log.error('the cluster broke', { error: String(error) })
  }
}

/** What pages can ask and order of a cluster with these nodes, which the session shows from now on. */
export function clusterServices(
  deps: ClusterServicesDeps,
): Pick<ServedCluster, 'session' | 'commands' | 'inquiry' | 'nodes' | 'manifests' | 'retryNow'> {
  const { session, nodes } = deps
  const desks = [...nodes.values()].map((node) => {
    session.addNode(node)
    const { readOnly } = deps.facts
    const desk = new FolderManifestDesk({ ...deps, cluster: session.id, node, readOnly })
    return [node.nodeName, desk] as const
  })
  return {
    session,
    commands: new PodCommands(deps),
    inquiry: new ClusterInquiry(deps),
    nodes: new NodeCommands(deps),
    manifests: new Map(desks),
    retryNow: () => {
      for (const node of nodes.values()) node.retryNow()
    },
  }
}
