import { statfsSync } from 'node:fs'
import { arch, availableParallelism, release, totalmem } from 'node:os'
import type { Taint } from '../../shared/kubernetes/objects.ts'
import type { NodeDescription } from '../kubelet/node/node-status.ts'
import type { RuntimeService } from '../kubelet/ports.ts'

/** Taint of every Node that Nodescope registers in a joined cluster, so that only pods that tolerate it land there. */
export const agentTaint = {
  key: 'nodescope.dev/agent',
  value: 'true',
  effect: 'NoSchedule',
} as const

/** The Kubernetes version whose kubelet Nodescope follows. */
const kubeletVersion = 'v1.34.4'

/** Size and platform of a node. */
export interface Machine {
  /** cpu, memory and ephemeral-storage, as quantities. */
  readonly size: Readonly<Record<string, string>>
  /** As Go names it (GOARCH). */
  readonly architecture: string
  readonly kernelVersion: string
  /** Absent: loopback. */
  readonly address?: string | undefined
}

/** What one node has that others have not. */
export interface NodeShape {
  readonly labels?: Readonly<Record<string, string>>
  /** Registered with its Node. */
  readonly taints?: readonly Taint[]
  /** Quantities of cpu, memory, ephemeral-storage and pods; the machine's where they are absent. */
  readonly capacity?: Readonly<Record<string, string>>
}

/** As in the kubelet. */
export const defaultMaxPods = 110

// Node.js names of processors to GOARCH.
const goArchitectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

/** The processor and kernel of this machine. Pods of a simulated node use no resources; the size fits example pods. */
function thisMachine(): Machine {
  return {
    size: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '50Gi' },
    architecture: goArchitectures[arch()] ?? arch(),
    kernelVersion: release(),
  }
}

/** This machine, with its real size: containers that really run use it. `folder`: on the file system of the node's data. */
export function realMachine(folder: string, address: string | undefined): Machine {
  const { blocks, bsize } = statfsSync(folder)
  const size = {
    cpu: String(availableParallelism()),
    memory: `${Math.floor(totalmem() / 1024)}Ki`,
    'ephemeral-storage': `${Math.floor((blocks * bsize) / 1024)}Ki`,
  }
  return { ...thisMachine(), size, address }
}

/** The API server takes each key and effect once. */
function withAgentTaint(taints: readonly Taint[]): readonly Taint[] {
  const { key, effect } = agentTaint
  return [agentTaint, ...taints.filter((taint) => taint.key !== key || taint.effect !== effect)]
}

/** Capacity, addresses, labels and taints. `isTainted`: for a cluster with other workloads. */
export function describeNode(options: {
  readonly nodeName: string
  readonly runtime: Pick<RuntimeService, 'name' | 'version'>
  readonly isTainted: boolean
  /** The kubelet's maxPods. */
  readonly maxPods?: number | undefined
  /** The kubelet's registerWithTaints. */
  readonly registerWithTaints?: readonly Taint[] | undefined
  /** In addition to the kubelet's own. */
  readonly labels?: NodeShape['labels'] | undefined
  readonly capacity?: NodeShape['capacity'] | undefined
  /** Default: this machine. */
  readonly machine?: Machine | undefined
  /** Of the kubelet's own server; absent: none listens. */
  readonly kubeletPort?: number | undefined
  /** Where that listens; default: the machine's. */
  readonly kubeletHost?: string | undefined
  /** Another one after each boot; absent: none is known. */
  readonly bootId?: string | undefined
}): NodeDescription {
  const {
    nodeName,
    runtime,
    isTainted,
    maxPods = defaultMaxPods,
    registerWithTaints = [],
    kubeletPort,
    kubeletHost,
  } = options
  const { size, architecture, kernelVersion, address } = options.machine ?? thisMachine()
  const resources = { ...size, pods: String(maxPods), ...options.capacity }
  return {
    capacity: resources,
    allocatable: resources,
    addresses: [
      { type: 'InternalIP', address: kubeletHost ?? address ?? '127.0.0.1' },
      { type: 'Hostname', address: nodeName },
    ],
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: options.bootId ?? '',
      kernelVersion,
      osImage: 'Nodescope',
      containerRuntimeVersion: `${runtime.name}://${runtime.version}`,
      kubeletVersion,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture,
    },
    labels: {
      'beta.kubernetes.io/arch': architecture,
      'beta.kubernetes.io/os': 'linux',
      'kubernetes.io/arch': architecture,
      'kubernetes.io/hostname': nodeName,
      'kubernetes.io/os': 'linux',
      [agentTaint.key]: agentTaint.value,
      ...options.labels,
    },
    // This label marks the Node as Nodescope's when a later run joins again.
    keptLabels: [agentTaint.key],
    ...(kubeletPort === undefined ? {} : { kubeletPort }),
    taints: isTainted ? withAgentTaint(registerWithTaints) : registerWithTaints,
  }
}
