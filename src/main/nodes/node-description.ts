import { arch, release } from 'node:os'
import type { NodeDescription } from '../kubelet/node/node-status.ts'
import type { RuntimeService } from '../kubelet/ports.ts'

/** Whose nodes these are: on every node that Nodescope runs, so that workloads stay away unless they ask. */
export const agentTaint = {
  key: 'nodescope.dev/agent',
  value: 'true',
  effect: 'NoSchedule',
} as const

/** The Kubernetes whose kubelet is followed. */
const kubeletVersion = 'v1.34.4'

/** What a node has, and what it runs on. */
export interface Machine {
  /** cpu, memory and ephemeral-storage, as quantities. */
  readonly size: Readonly<Record<string, string>>
  /** In Go's words. */
  readonly architecture: string
  readonly kernelVersion: string
}

/** The kubelet's own. */
export const defaultMaxPods = 110

// Node's names for processors, in Go's words.
const goArchitectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

/** The processor and kernel of this machine. Pods of a simulated node use nothing; the size is one that teaching pods fit into. */
function thisMachine(): Machine {
  return {
    size: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '50Gi' },
    architecture: goArchitectures[arch()] ?? arch(),
    kernelVersion: release(),
  }
}

/** What the node says of itself. `isTainted`: in a cluster that has other work than ours. */
export function describeNode(options: {
  readonly nodeName: string
  readonly runtime: Pick<RuntimeService, 'name' | 'version'>
  readonly isTainted: boolean
  /** As a kubelet's maxPods. */
  readonly maxPods?: number | undefined
  /** Default: this machine. */
  readonly machine?: Machine | undefined
}): NodeDescription {
  const { nodeName, runtime, isTainted, maxPods = defaultMaxPods } = options
  const { size, architecture, kernelVersion } = options.machine ?? thisMachine()
  const resources = { ...size, pods: String(maxPods) }
  return {
    capacity: resources,
    allocatable: resources,
    addresses: [
      { type: 'InternalIP', address: '127.0.0.1' },
      { type: 'Hostname', address: nodeName },
    ],
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: '',
      kernelVersion,
      osImage: 'Nodescope',
      containerRuntimeVersion: `${runtime.name}://${runtime.version}`,
      kubeletVersion,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture,
    },
    labels: {
      'kubernetes.io/hostname': nodeName,
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': architecture,
      [agentTaint.key]: agentTaint.value,
    },
    // By this label the node is known for one of ours when it is joined again, whoever made it.
    keptLabels: [agentTaint.key],
    taints: isTainted ? [agentTaint] : [],
  }
}
