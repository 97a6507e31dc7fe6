import type { LinuxContainerResources } from '../../src/main/kubelet/cri-types.ts'
import type { ContainerConfig, PodSandboxConfig } from '../../src/main/kubelet/ports.ts'

/** What the cases make. */
export interface ContractConfigs {
  readonly sandbox: PodSandboxConfig
  /** On the host's network. */
  readonly hostSandbox: PodSandboxConfig
  /** Ignores SIGTERM. */
  readonly container: ContainerConfig
  /** What its resources are changed to. */
  readonly resources: LinuxContainerResources
}

const sandbox: PodSandboxConfig = {
  metadata: { name: 'web', uid: 'uid-1', namespace: 'default', attempt: 2 },
  hostNetwork: false,
  hostname: 'web',
  logDirectory: '/var/log/pods/default_web_uid-1',
  dnsConfig: { servers: ['10.96.0.10'], searches: ['svc.cluster.local'], options: ['ndots:5'] },
  portMappings: [{ protocol: 'UDP', containerPort: 53, hostPort: 5353, hostIp: '127.0.0.1' }],
  linux: {
    cgroupParent: '/kubepods/burstable/poduid-1',
    securityContext: {
      namespaceOptions: { pid: 'CONTAINER', ipc: 'NODE' },
      runAsUser: 0,
      runAsGroup: 1000,
      supplementalGroups: [1, 2],
      supplementalGroupsPolicy: 'Strict',
      privileged: true,
      selinuxOptions: { user: 'u', role: 'r', type: 't', level: 's0' },
      seccomp: { profileType: 'RuntimeDefault' },
    },
    sysctls: { 'net.core.somaxconn': '1024' },
    overhead: { cpuShares: 2, hugepageLimits: [], unified: {} },
    resources: { cpuQuota: 100_000, hugepageLimits: [], unified: {} },
  },
  labels: { 'io.kubernetes.pod.uid': 'uid-1', app: 'web' },
  annotations: { note: 'ü' },
}

const hostSandbox: PodSandboxConfig = {
  ...sandbox,
  metadata: { name: 'host', uid: 'uid-2', namespace: 'kube-system', attempt: 0 },
  hostNetwork: true,
  labels: { 'io.kubernetes.pod.uid': 'uid-2' },
}

const container: ContainerConfig = {
  name: 'c',
  attempt: 3,
  image: 'busybox:1.36',
  command: ['sh', '-c'],
  args: ['trap "" TERM; while true; do sleep 1; done'],
  workingDir: '/work',
  envs: [{ key: 'A', value: '' }],
  mounts: [
    {
      containerPath: '/data',
      hostPath: '/srv',
      readonly: true,
      propagation: 'PROPAGATION_BIDIRECTIONAL',
    },
  ],
  devices: [{ containerPath: '/dev/a', hostPath: '/dev/b', permissions: 'rwm' }],
  logPath: 'c/3.log',
  stdin: true,
  stdinOnce: true,
  tty: true,
  linux: {
    resources: {
      cpuPeriod: 100_000,
      cpuQuota: 50_000,
      cpuShares: 512,
      memoryLimitInBytes: 8_589_934_592,
      oomScoreAdj: -997,
      cpusetCpus: '0-1',
      hugepageLimits: [{ pageSize: '2MB', limit: 4_194_304 }],
      unified: { 'memory.oom.group': '1' },
    },
    securityContext: {
      namespaceOptions: { pid: 'CONTAINER', ipc: 'POD' },
      capabilities: { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'] },
      privileged: false,
      readonlyRootfs: true,
      runAsUser: 0,
      runAsUsername: 'root',
      noNewPrivs: true,
      maskedPaths: ['/proc/kcore'],
      readonlyPaths: ['/proc/sys'],
      supplementalGroups: [7],
      apparmor: { profileType: 'Localhost', localhostRef: 'mine' },
    },
  },
  labels: { 'io.kubernetes.pod.uid': 'uid-1', 'io.kubernetes.container.name': 'c' },
  annotations: { 'io.kubernetes.container.hash': '1' },
}

/** With each field that a kubelet may set; not every machine can do what they ask for. */
export const fullConfigs: ContractConfigs = {
  sandbox,
  hostSandbox,
  container,
  resources: { cpuShares: 1024, memoryLimitInBytes: 1 },
}

/** What each machine with containers can do; the logs and the mounted folder are below `folder`. */
export function plainConfigs(folder: string): ContractConfigs {
  const linux = {
    cgroupParent: '/kubepods/burstable/poduid-1',
    securityContext: { namespaceOptions: { pid: 'CONTAINER' } },
  } as const
  const { portMappings: _, ...same } = sandbox
  const plain: PodSandboxConfig = { ...same, logDirectory: `${folder}/logs`, linux }
  return {
    sandbox: plain,
    hostSandbox: {
      ...plain,
      metadata: hostSandbox.metadata,
      hostNetwork: true,
      hostname: '',
      labels: hostSandbox.labels,
    },
    container: {
      ...container,
      devices: [],
      mounts: [{ containerPath: '/data', hostPath: folder, readonly: true }],
      logPath: 'c.log',
      linux: {
        resources: {
          cpuShares: 512,
          cpuPeriod: 100_000,
          memoryLimitInBytes: 67_108_864,
          memorySwapLimitInBytes: 67_108_864,
        },
        securityContext: { namespaceOptions: { pid: 'CONTAINER' }, runAsUser: 0 },
      },
    },
    resources: {
      cpuShares: 1024,
      memoryLimitInBytes: 134_217_728,
      memorySwapLimitInBytes: 134_217_728,
    },
  }
}
