import type { NodeExitOptions } from '../kubelet/node/node-exit.ts'
import type { ManifestUrlConfig } from '../sources/manifest-url.ts'

/** Which cluster the agent's node lives in. */
export type ClusterConfig =
  | {
      readonly kind: 'sandbox'
      /** Port of the sandbox's API server for kubectl; null takes any free one. */
      readonly port: number | null
      /** Where the kubeconfig for kubectl is written, absolute. */
      readonly kubeconfigPath: string
    }
  | {
      readonly kind: 'kubeconfig'
      readonly path: string
      /** Null: the file's current context. */
      readonly context: string | null
      /** Whether the simulated runtime may join a server that is not on loopback. */
      readonly allowSimulated: boolean
      /** What the Node is told before the end; absent: nothing, as a kubelet. */
      readonly exit?: NodeExitOptions
    }

/** What the session is told at its start. Paths are absolute. */
export interface SessionConfig {
  readonly version: string
  readonly cluster: ClusterConfig
  readonly nodeName: string
  /** How many nodes the sandbox has, named after the first; 1 where a cluster is joined. */
  readonly nodes: number
  /** How many pods the node says it takes, and admits. */
  readonly maxPods: number
  /** Folder of static pod manifests. */
  readonly manifestsPath: string
  /** Null: no third source. */
  readonly manifestUrl: ManifestUrlConfig | null
  /** File for a recording; null for none. */
  readonly recordPath: string | null
  /** Of the sandbox's chance; null takes one from the time. */
  readonly seed: number | null
  readonly dataFolder: string
  /** Nothing is written and no act is done. */
  readonly readOnly: boolean
  /** `namespace/name` of the pod to show first; empty for none. */
  readonly openPod: string
}
