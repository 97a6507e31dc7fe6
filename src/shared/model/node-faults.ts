/** What a user has made to fail on a node; it stays until it is taken back, or the machine loses power. */
export interface NodeFaults {
  /** `down`: every call of the kubelet fails at once; `hangs`: none is answered. */
  readonly runtime: 'answers' | 'down' | 'hangs'
  /** Whether other data fills the disk of the images; null where the disk is a real one. */
  readonly isDiskFull: boolean | null
  /** Whether volumes take minutes to be set up. */
  readonly hasSlowMounts: boolean
}

export const noFaults: NodeFaults = { runtime: 'answers', isDiskFull: false, hasSlowMounts: false }

/** How long a volume takes to be set up while mounts are slow, in ms: longer than the kubelet waits for a pod's volumes. */
export const slowMountMs = 180_000

/** The share of the disk of the images that other data takes when it is filled: above imageGCHighThresholdPercent. */
export const filledDiskShare = 0.96
