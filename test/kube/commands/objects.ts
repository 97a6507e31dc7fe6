import { pod, pods } from '../exchange.ts'
import { created, statusOf, type CommandStep } from './command.ts'

export const longAgo = '2026-01-02T03:04:05Z'

function condition(type: string): object {
  return { type, status: 'True', lastTransitionTime: longAgo }
}

/** A kubelet's status of a pod with one running container. */
export const running = {
  phase: 'Running',
  hostIP: '10.0.0.1',
  podIP: '10.88.0.7',
  podIPs: [{ ip: '10.88.0.7' }],
  startTime: longAgo,
  conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
  containerStatuses: [
    {
      name: 'c',
      image: 'registry.example/app:1',
      imageID: 'registry.example/app@sha256:1',
      containerID: 'containerd://1',
      ready: true,
      started: true,
      restartCount: 2,
      state: { running: { startedAt: longAgo } },
      lastState: {
        terminated: {
          exitCode: 7,
          reason: 'Error',
          startedAt: longAgo,
          finishedAt: longAgo,
          containerID: 'containerd://0',
        },
      },
    },
  ],
}

/** The same with a container that exited 0. */
export const succeeded = {
  phase: 'Succeeded',
  conditions: ['Initialized', 'PodScheduled'].map(condition),
  containerStatuses: [
    {
      name: 'c',
      image: 'registry.example/app:1',
      imageID: 'registry.example/app@sha256:1',
      ready: false,
      started: false,
      restartCount: 0,
      state: {
        terminated: {
          exitCode: 0,
          reason: 'Completed',
          startedAt: longAgo,
          finishedAt: longAgo,
        },
      },
    },
  ],
}

/** The same with a crashing container. */
export const crashing = {
  phase: 'Running',
  podIP: '10.88.0.8',
  startTime: longAgo,
  conditions: [
    condition('PodScheduled'),
    {
      type: 'Ready',
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [c]',
      lastTransitionTime: longAgo,
    },
  ],
  containerStatuses: [
    {
      name: 'c',
      image: 'registry.example/app:1',
      imageID: 'registry.example/app@sha256:1',
      ready: false,
      started: false,
      restartCount: 12,
      state: {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: 'back-off 5m0s restarting failed container=c',
        },
      },
    },
  ],
}

export function createdPod(name: string, more: Parameters<typeof pod>[1] = {}): CommandStep {
  return created(pods, pod(name, more))
}

/** A pod on a node, with its kubelet's status. */
export function runningPod(
  name: string,
  more: {
    readonly labels?: Readonly<Record<string, string>>
    readonly status?: object
    readonly spec?: Readonly<Record<string, unknown>>
  } = {},
): readonly CommandStep[] {
  const metadata = more.labels === undefined ? {} : { labels: more.labels }
  return [
    createdPod(name, { metadata, spec: { nodeName: 'n1', ...more.spec } }),
    statusOf(`${pods}/${name}`, more.status ?? running),
  ]
}

/** A node as a kubelet registers it, with its lease. Its name is the scenario's. */
export const registeredNode: readonly CommandStep[] = [
  created('/api/v1/nodes', {
    metadata: {
      name: '<ns>',
      labels: {
        'kubernetes.io/hostname': '<ns>',
        'kubernetes.io/os': 'linux',
        'node-role.kubernetes.io/worker': '',
      },
    },
    spec: { podCIDR: '10.88.0.0/24', podCIDRs: ['10.88.0.0/24'] },
  }),
  statusOf('/api/v1/nodes/<ns>', {
    capacity: { cpu: '2', memory: '4Gi', pods: '110', 'ephemeral-storage': '100Gi' },
    allocatable: { cpu: '2', memory: '4Gi', pods: '110', 'ephemeral-storage': '100Gi' },
    addresses: [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'Hostname', address: '<ns>' },
    ],
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        message: 'kubelet is posting ready status',
        lastHeartbeatTime: longAgo,
        lastTransitionTime: longAgo,
      },
    ],
    nodeInfo: {
      machineID: 'm',
      systemUUID: 's',
      bootID: 'b',
      kernelVersion: '6.1',
      osImage: 'Simulated',
      containerRuntimeVersion: 'sim://1',
      kubeletVersion: 'v1.34.4',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  }),
  created('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', {
    metadata: { name: '<ns>' },
    spec: {
      holderIdentity: '<ns>',
      leaseDurationSeconds: 40,
      renewTime: '2026-01-02T03:04:05.000000Z',
    },
  }),
]

/** An event as a kubelet records it of a pod or a node. */
export function recordedEvent(of: {
  readonly kind: 'Pod' | 'Node'
  readonly name: string
  readonly reason: string
  readonly message: string
  readonly type?: 'Normal' | 'Warning'
  readonly count?: number
}): CommandStep {
  const namespace = of.kind === 'Pod' ? '<ns>' : 'default'
  return created(`/api/v1/namespaces/${namespace}/events`, {
    metadata: { name: `${of.name}.${of.reason.toLowerCase()}` },
    involvedObject: {
      apiVersion: 'v1',
      kind: of.kind,
      name: of.name,
      ...(of.kind === 'Pod' ? { namespace, fieldPath: 'spec.containers{c}' } : { uid: of.name }),
    },
    reason: of.reason,
    message: of.message,
    source: { component: 'kubelet', host: 'n1' },
    firstTimestamp: longAgo,
    lastTimestamp: longAgo,
    count: of.count ?? 1,
    type: of.type ?? 'Normal',
  })
}

/** A handwritten manifest of a pod. */
export function podYaml(
  name: string,
  more: { readonly label?: string; readonly image?: string; readonly extra?: string } = {},
): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels: {app: ${more.label ?? 'web'}}
spec:
  automountServiceAccountToken: false
  containers:
  - name: c
    image: ${more.image ?? 'registry.example/app:1'}
    command: [sleep, "3600"]
${more.extra ?? ''}`
}
