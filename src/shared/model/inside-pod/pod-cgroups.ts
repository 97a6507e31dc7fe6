import type { QosClass } from '../../kubernetes/qos.ts'

/** One file of a cgroup (or of a process: oom_score_adj) and what the kubelet has written to it. */
export interface CgroupFile {
  readonly name: string
  readonly value: string
  /** The same as an amount of Kubernetes, or the CPU shares that it comes from; empty where that is no clearer. */
  readonly amount: string
  /** False: the kubelet writes nothing, and the value is the kernel's default. */
  readonly isSet: boolean
}

/** The cgroups of a pod as a kubelet would set them. */
export interface PodCgroups {
  readonly qosClass: QosClass
  /** Below the root of the cgroups; empty: pods have no cgroups of their own (`cgroupsPerQOS: false`). */
  readonly path: string
  readonly version: 1 | 2
  /** Of the container runtime. */
  readonly isSimulated: boolean
  readonly pod: readonly CgroupFile[]
  /** In the order of the spec: what the runtime is asked to set. */
  readonly containers: readonly { readonly name: string; readonly files: readonly CgroupFile[] }[]
}
