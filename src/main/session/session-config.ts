import type { JsonObject } from '../../shared/json.ts'
import type { Taint } from '../../shared/kubernetes/objects.ts'
import type { WithKubeletSettings } from '../kubelet/kubelet-settings.ts'
import type { NodeExitOptions } from '../kubelet/node/node-exit.ts'
import type { KubeletAddress } from '../nodes/serving/joined-kubelet.ts'
import type { ManifestUrlConfig } from '../sources/manifest-url.ts'

/** Where a sandbox keeps its state. */
export interface SandboxStateConfig {
  /** Its folder, absolute. */
  readonly path: string
  /** Whether the nodes are those of the state, if there is one. */
  readonly hasKeptNodes: boolean
}

/** The cluster of the node. */
export type ClusterConfig =
  | {
      readonly kind: 'sandbox'
      /** Port of the sandbox's API server for kubectl; null takes any free one. */
      readonly port: number | null
      /** Where the kubeconfig for kubectl is written, absolute. */
      readonly kubeconfigPath: string
      /** Of the first kubelet's own server, the others have the following ones; null or absent: any free ones. */
      readonly kubeletPort?: number | null
      /** Whether the stored roles and bindings are enforced. */
      readonly enforcesRbac?: boolean
      /** A scenario file that it starts with, absolute; then it keeps no state. */
      readonly scenarioPath?: string
      /** Absent: the sandbox ends with the program. */
      readonly state?: SandboxStateConfig
    }
  | {
      /** A recording. */
      readonly kind: 'recording'
      readonly path: string
    }
  | {
      /** To look at it. */
      readonly kind: 'look'
      readonly path: string
      /** Null: the file's current context. */
      readonly context: string | null
    }
  | {
      readonly kind: 'kubeconfig'
      readonly path: string
      /** Null: the file's current context. */
      readonly context: string | null
      /** Whether the simulated runtime may join a server that is not on loopback. */
      readonly allowSimulated: boolean
      /** The socket of the container runtime that runs the pods, absolute; absent: they are simulated. */
      readonly runtimeSocketPath?: string
      /** Where the kubelet's own server listens; absent: there is none. */
      readonly kubeletAddress?: KubeletAddress
      /** How the Node is updated before the exit; absent: not at all, as with the kubelet. */
      readonly exit?: NodeExitOptions
    }
  /** Only logs are read. */
  | { readonly kind: 'none' }

/** Of a program that has a sandbox. */
export type SandboxConfig = SessionConfig & {
  readonly cluster: Extract<ClusterConfig, { kind: 'sandbox' }>
}

/** Paths are absolute. */
export interface SessionConfig extends WithKubeletSettings {
  readonly version: string
  readonly cluster: ClusterConfig
  readonly nodeName: string
  /** How many nodes the sandbox has, named after the first; 1 for a joined cluster. */
  readonly nodes: number
  /** The kubelet's maxPods. */
  readonly maxPods: number
  /** The kubelet's registerWithTaints; in a joined cluster in addition to Nodescope's own taint. */
  readonly registerWithTaints?: readonly Taint[]
  /** What /configz shows; absent: a kubelet's without a file. */
  readonly configuration?: JsonObject | undefined
  /** Folder of static pod manifests. */
  readonly manifestsPath: string
  /** Null: no manifest URL. */
  readonly manifestUrl: ManifestUrlConfig | null
  /** Folder of the recordings that a page starts. */
  readonly recordingsPath: string
  /** File for a recording; null for none. */
  readonly recordPath: string | null
  /** Random seed of the sandbox; null takes one from the time. */
  readonly seed: number | null
  readonly dataFolder: string
  /** Refuses all actions and writes. */
  readonly readOnly: boolean
  /** Files of one kubelet's log to open, absolute; `-` alone is standard input. Absent: none. */
  readonly kubeletLogs?: readonly string[]
  /** `namespace/name` of the pod to show first; empty for none. */
  readonly openPod: string
}
