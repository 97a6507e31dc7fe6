import { startedReadOnly } from '../../../shared/model/forecast/read-only.ts'
import { err } from '../../../shared/result.ts'
import type { NodeActFacts } from '../../../shared/model/node-act.ts'
import type { OpenTerminalStream } from '../../cri/streaming/terminal-stream.ts'
import type { ApiClient, Clock, HoldableClock, Log } from '../../kubelet/ports.ts'
import { ClusterTrace } from '../../kubelet/trace.ts'
import type { SimulatedNode } from '../../nodes/simulated-node.ts'
import type { ParseText } from '../../parsing/kubernetes-text.ts'
import { ManifestEditor } from '../manifests/manifest-editor.ts'
import type { SeenQueries } from '../rows/cluster-queries.ts'
import { ClusterQueries } from '../rows/cluster-queries.ts'
import type { ConnectPort } from '../port-forward/port-forwards.ts'
import { PortForwards } from '../port-forward/port-forwards.ts'
import type { OpenExec } from '../terminals/pod-terminals.ts'
import { PodTerminals } from '../terminals/pod-terminals.ts'
import type { ServedCluster } from './open-cluster.ts'
import type { NodeLinks } from './cluster-link.ts'
import type { ClusterSession } from './cluster-session.ts'
import { cordonNode } from './cordon.ts'
import { NodeCommands } from './node-commands.ts'
import { BehaviorCommands } from './behavior-commands.ts'
import { PodCommands } from './pod-commands.ts'

export interface ClusterServicesDeps {
  readonly session: ClusterSession
  readonly trace: ClusterTrace
  readonly clock: HoldableClock & { readonly catchUp?: () => number }
  readonly log: Log
  readonly nodes: ReadonlyMap<string, SimulatedNode>
  /** Absent if Nodescope cannot cut the connection to the API server. */
  readonly links?: NodeLinks
  /** For actions of the user: answers at once, even while the cluster's clock is paused. */
  readonly api: ApiClient
  /** Of manifests; default: on the calling thread. */
  readonly parse?: ParseText
  readonly facts: Pick<NodeActFacts, 'sandbox' | 'readOnly'>
  /** Opens terminals in the nodes' containers. */
  readonly openStream: OpenTerminalStream
  /** Of a cluster whose kubelets are not this program. */
  readonly openExec?: OpenExec
  readonly seen?: SeenQueries
  readonly connectPort: ConnectPort
  /** See `ManifestEditorDeps.waitsFor`. */
  readonly waitsFor?: () => string
}

/** The trace of a cluster; logs errors of its listeners. */
export function newClusterTrace(cluster: string, clock: Clock, log: Log): ClusterTrace {
  return new ClusterTrace({ cluster, clock, onError: logClusterErrors(log) })
}

/** Logs errors that nothing else has caught. */
export function logClusterErrors(log: Log): (error: unknown) => void {
  return (error) => {
    log.error('the cluster broke', { error: String(error) })
  }
}

/** Cordons a node of this program, as its kubelet knows it. */
function cordonOwn({ api, nodes, facts }: ClusterServicesDeps): ServedCluster['cordon'] {
  return async (act, name) => {
    const node = nodes.get(name)?.kubelet.nodeController.view().node
    if (node === undefined)
      return err({ kind: 'not-found', message: `The API server has no node ${name}.` })
    const isUnschedulable = node.spec?.unschedulable === true
    const readOnly = facts.readOnly ? startedReadOnly : ''
    return cordonNode(api, act, { name, isUnschedulable, readOnly })
  }
}

/** Answers and commands for the pages, for a cluster with these nodes; adds the nodes to the session. */
export function clusterServices(
  deps: ClusterServicesDeps,
): Pick<
  ServedCluster,
  | 'commands'
  | 'cordon'
  | 'behaviors'
  | 'queries'
  | 'terminals'
  | 'ports'
  | 'nodes'
  | 'manifests'
  | 'retryNow'
> & { readonly session: ClusterSession } {
  const { session, nodes } = deps
  const { readOnly } = deps.facts
  const manifests = new Map<string, ManifestEditor>()
  for (const [name, node] of nodes) {
    session.addNode(node)
    manifests.set(name, new ManifestEditor({ ...deps, cluster: session.id, node, readOnly }))
  }
  return {
    session,
    commands: new PodCommands(deps),
    cordon: cordonOwn(deps),
    behaviors: new BehaviorCommands({ ...deps, manifests }),
    queries: new ClusterQueries(deps),
    terminals: new PodTerminals(deps),
    ports: new PortForwards({ session, connect: deps.connectPort }),
    nodes: new NodeCommands(deps),
    manifests,
    retryNow: () => {
      for (const node of nodes.values()) node.retryNow()
    },
  }
}
