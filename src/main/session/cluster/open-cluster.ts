import type { ActError, Receipt } from '../../../shared/ipc/contract.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import type { Fault } from '../../../shared/model/node/fault.ts'
import type { NodeRowsAct } from '../../../shared/model/forecast/rows-forecast.ts'
import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import type { NodeVerdict } from '../../../shared/model/workloads/workloads.ts'
import type { Result } from '../../../shared/result.ts'
import type { VirtualClock } from '../../clock/virtual-clock.ts'
import type { NodeShape } from '../../nodes/node-description.ts'
import type { Sandbox } from '../../nodes/sandbox.ts'
import type { KeptObjects } from '../../sandbox/object-store.ts'
import type { ManifestFile } from '../../state/state-file.ts'
import type { ApiClient } from '../../kubelet/ports.ts'
import type { ApplyCommands } from '../apply/apply-commands.ts'
import type { NodeEdits } from '../node-edit/node-edits.ts'
import type { NodeCommands } from './node-commands.ts'
import type { TraceSource } from '../trace/trace-source.ts'
import type { ManifestEditor } from '../manifests/manifest-editor.ts'
import type { ClusterQueries } from '../rows/cluster-queries.ts'
import type { PortForwards } from '../port-forward/port-forwards.ts'
import type { PodTerminals } from '../terminals/pod-terminals.ts'
import type { ClusterRecording } from '../recording/cluster-recording.ts'
import type { StartError } from '../start-error.ts'
import type { BehaviorCommands } from './behavior-commands.ts'
import type { ClockCommands } from './clock-commands.ts'
import type { LinkCommands } from './cluster-link.ts'
import type { ClusterSession } from './cluster-session.ts'
import type { SeenCommands } from '../seen/seen-commands.ts'
import type { Changes } from '../seen/changes.ts'
import type { InspectedNodes } from '../seen/inspected-nodes.ts'
import type { OwnerCommands } from '../workloads/owner-commands.ts'
import type { LossCommands } from '../loss/loss-commands.ts'
import type { Workloads } from '../workloads/workloads.ts'
import type { Watched } from '../page-watch.ts'
import type { PodCommands } from './pod-commands.ts'

/** All that is made to fail in a sandbox; `set` replaces it. */
interface FaultCommands {
  readonly list: () => readonly Fault[]
  readonly set: (faults: readonly Fault[]) => Result<Receipt, ActError>
}

/** All that a sandbox keeps besides its machines and their containers. */
export interface PresentSandbox extends Pick<KeptObjects, 'objects' | 'resourceVersion'> {
  /** ms since 1970 on its clock. */
  readonly now: number
  readonly seed: number
  readonly nodes: readonly ({ readonly name: string } & NodeShape)[]
  readonly faults: readonly Fault[]
  readonly clock: { readonly paused: boolean; readonly speed: number }
  readonly manifests: readonly ManifestFile[]
}

/** One cluster as the session server uses it. */
export interface ServedCluster {
  readonly session: TraceSource
  readonly commands: Pick<PodCommands, keyof PodCommands>
  readonly behaviors: Pick<BehaviorCommands, keyof BehaviorCommands>
  readonly clock: ClockCommands
  readonly queries: Pick<ClusterQueries, keyof ClusterQueries>
  readonly terminals: Pick<PodTerminals, 'open'>
  readonly ports: Pick<PortForwards, 'list' | 'start' | 'stop' | 'stopAll'>
  readonly nodes: Pick<NodeCommands, keyof NodeCommands>
  readonly cordon: (act: NodeRowsAct, node: string) => Promise<Result<Receipt, ActError>>
  readonly link: LinkCommands
  readonly manifests: ReadonlyMap<string, ManifestEditor>
  /** Absent if no switch has to be turned before changes. */
  readonly changes?: Pick<Changes, 'allow' | 'end'>
  /** What only a cluster answers that is looked at; absent for the others. */
  readonly seen?: SeenCommands
  /** Absent if its kubelets are this program. */
  readonly inspected?: Pick<InspectedNodes, 'accept'> & {
    /** Undefined: there is no such node. */
    readonly watch: (
      ...args: Parameters<InspectedNodes['watch']>
    ) => Watched<InspectView> | undefined
  }
  /** Who owns its pods; absent if it is not known. */
  readonly workloads?: Pick<Workloads, 'watch'>
  /** What keeps a pending pod from each node; absent if only the scheduler's message is known. */
  readonly verdicts?: (uid: string) => readonly NodeVerdict[] | undefined
  /** How its pods are lost, tried on copies; absent: it is not a sandbox. */
  readonly losses?: LossCommands
  readonly owners?: Pick<OwnerCommands, 'forecast' | 'act'>
  /** Labels and taints; absent where they cannot be edited. */
  readonly nodeEdits?: Pick<NodeEdits, 'read' | 'forecast' | 'act'>
  /** What is made to fail; absent where nothing can be. */
  readonly faults?: FaultCommands
  /** Absent if texts of YAML cannot be applied to it. */
  readonly apply?: Pick<ApplyCommands, 'check' | 'apply'>
  /** Absent if it cannot be recorded. */
  readonly recording?: Pick<ClusterRecording, 'start' | 'stop' | 'view'>
  /** Of a sandbox. */
  readonly present?: () => Promise<PresentSandbox>
  /** Calls an unreachable API server at once instead of after its back-off. */
  readonly retryNow: () => void
}

/** An open cluster: what the session serves, what the terminal prints, and how it ends. */
export interface OpenCluster extends ServedCluster {
  readonly facts: readonly { readonly name: string; readonly value: string }[]
  /** Settles if the start turns out to be forbidden; `undefined`: that cannot happen. */
  readonly refused: Promise<StartError> | undefined
  /** Like a kubelet it writes nothing on exit, unless configured otherwise. */
  readonly stop: () => Promise<void>
}

/** An open sandbox. */
export interface OpenSandbox extends OpenCluster {
  readonly session: ClusterSession
  readonly workloads: Workloads
  readonly virtualClock: VirtualClock
  /** For files of it. Throws as the file system does. */
  readonly present: () => Promise<PresentSandbox>
  readonly sandbox: Pick<Sandbox, 'server' | 'nodes' | 'faultControl'>
  /** With the rights of the user of the page. */
  readonly admin: ApiClient
  /** The same for raw requests. */
  readonly adminTransport: Transport
}
