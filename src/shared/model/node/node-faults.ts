/** A pod by what stays the same when it is recreated. */
interface NamedPod {
  readonly namespace: string
  readonly name: string
}

/** The CRI calls of a kubelet that can be made to fail one by one. `ofPod`: the call names a sandbox or container, so it can fail for one pod. */
export const runtimeCalls = {
  StartContainer: { ofPod: true },
  CreateContainer: { ofPod: true },
  StopContainer: { ofPod: true },
  RemoveContainer: { ofPod: true },
  RunPodSandbox: { ofPod: true },
  StopPodSandbox: { ofPod: true },
  RemovePodSandbox: { ofPod: true },
  ContainerStatus: { ofPod: true },
  PodSandboxStatus: { ofPod: true },
  ExecSync: { ofPod: true },
  PullImage: { ofPod: false },
  ImageStatus: { ofPod: false },
  ListContainers: { ofPod: false },
  ListPodSandbox: { ofPod: false },
  Status: { ofPod: false },
} as const satisfies Readonly<Record<string, { readonly ofPod: boolean }>>

export type RuntimeCallName = keyof typeof runtimeCalls

// The object above has no other keys.
export const runtimeCallNames = Object.keys(runtimeCalls) as readonly RuntimeCallName[]

/** One call of the runtime that a user has made to fail. */
export interface CallFault {
  readonly call: RuntimeCallName
  /** `fails`: at once, with an error; `hangs`: until the kubelet gives it up. */
  readonly how: 'fails' | 'hangs'
  /** Null: for all pods, and where the call is about no pod. */
  readonly pod: NamedPod | null
}

/** What a user has made to fail on a node; it stays until it is taken back, or the machine loses power. */
export interface NodeFaults {
  /** `down`: every call of the kubelet fails at once; `hangs`: none is answered. */
  readonly runtime: 'answers' | 'down' | 'hangs'
  /** One call that fails while the others are answered. */
  readonly call: CallFault | null
  /** Whether other data fills the disk of the images; null where the disk is a real one. */
  readonly isDiskFull: boolean | null
  /** Whether volumes take minutes to be set up. */
  readonly hasSlowMounts: boolean
}

export const noFaults: NodeFaults = {
  runtime: 'answers',
  call: null,
  isDiskFull: false,
  hasSlowMounts: false,
}

/** `StartContainer of default/web`, `PullImage`. */
export function faultyCall({ call, pod }: CallFault): string {
  return pod === null ? call : `${call} of ${pod.namespace}/${pod.name}`
}

/** How long a volume takes to be set up while mounts are slow, in ms: longer than the kubelet waits for a pod's volumes. */
export const slowMountMs = 180_000

/** The share of the disk of the images that other data takes when it is filled: above imageGCHighThresholdPercent. */
export const filledDiskShare = 0.96
