import { describe, expect, it } from 'vitest'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { podOf, sidecar } from '../container/fake-pods.ts'
import { fakeHost } from '../host/fake-host.ts'
import type { ContainerHost } from '../ports.ts'
import { hostContainerConfig, hostSandboxConfig } from './host-config.ts'
import { linuxContainerResources } from './linux-resources.ts'
import { containerSecurityContext } from './linux-security.ts'
import { podDns } from './pod-dns.ts'

const gib = 1024 ** 3

const host = fakeHost()

function sandboxConfig(pod: Pod, other: Partial<ContainerHost> = {}) {
  const config = hostSandboxConfig(pod, { ...host, ...other })
  if (!config.ok) throw new Error(config.error)
  return config.value
}

function container(resources: Container['resources'], rest: Partial<Container> = {}): Container {
  return { name: 'c', image: 'i', ...(resources === undefined ? {} : { resources }), ...rest }
}

describe('the config of a sandbox', () => {
  it('names host, logs, ports and the cgroup of a pod', () => {
    const ports = [
      { containerPort: 80, hostPort: 8080 },
      { containerPort: 80, hostPort: 8080 },
      { containerPort: 53, protocol: 'UDP', hostIP: '127.0.0.1' },
    ]
    const pod = podOf({ containers: [{ name: 'c', image: 'i', ports }] })
    expect(sandboxConfig(pod)).toMatchObject({
      hostname: 'p',
      logDirectory: '/var/log/pods/n_p_u',
      portMappings: [
        { protocol: 'TCP', containerPort: 80, hostPort: 8080, hostIp: '' },
        { protocol: 'UDP', containerPort: 53, hostPort: 0, hostIp: '127.0.0.1' },
      ],
      linux: {
        cgroupParent: '/kubepods/besteffort/podu',
        securityContext: {
          namespaceOptions: { pid: 'CONTAINER', ipc: 'POD' },
          privileged: false,
          seccomp: { profileType: 'RuntimeDefault' },
        },
        sysctls: {},
      },
    })
  })

  it('has no host name on the host network, and shares what the pod shares', () => {
    const pod = podOf({ hostNetwork: true, hostPID: true, hostIPC: true })
    const config = sandboxConfig(pod)
    expect(config).not.toHaveProperty('hostname')
    expect(config.linux?.securityContext?.namespaceOptions).toEqual({ pid: 'NODE', ipc: 'NODE' })
    const shared = sandboxConfig(podOf({ shareProcessNamespace: true }))
    expect(shared.linux?.securityContext?.namespaceOptions?.pid).toBe('POD')
  })

  it.each([
    [{}, 'CGROUPFS', '/kubepods/besteffort/poda-b'],
    [{}, 'SYSTEMD', '/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-poda_b.slice'],
    [{ cpu: '1', memory: '1Gi' }, 'CGROUPFS', '/kubepods/poda-b'],
    [{ cpu: '1', memory: '1Gi' }, 'SYSTEMD', '/kubepods.slice/kubepods-poda_b.slice'],
  ] as const)('with limits %j and driver %s is below %s', (limits, cgroupDriver, parent) => {
    const containers = [container({ limits, requests: limits })]
    const pod = podOf({ containers }, { metadata: { uid: 'a-b' } })
    expect(sandboxConfig(pod, { cgroupDriver }).linux?.cgroupParent).toBe(parent)
  })

  it.each([
    [{ hostname: 'web' }, 'web'],
    [{ hostname: 'web', subdomain: 'sub' }, 'web'],
    [{ hostname: 'web', subdomain: 'sub', setHostnameAsFQDN: true }, 'web.sub.n.svc.cluster.local'],
    [{ hostname: `${'a'.repeat(62)}-b` }, 'a'.repeat(62)],
  ])('with %j has the host name %s', (spec, hostname) => {
    expect(sandboxConfig(podOf(spec)).hostname).toBe(hostname)
  })

  it('cannot be made where the whole host name is too long for the kernel', () => {
    const spec = { hostname: 'h'.repeat(60), subdomain: 's', setHostnameAsFQDN: true }
    expect(hostSandboxConfig(podOf(spec), host)).toEqual({
      ok: false,
      error: expect.stringMatching(/^failed to construct FQDN .* is too long \(64 characters/),
    })
  })

  it('has the user, groups and sysctls of the pod', () => {
    const securityContext = {
      runAsUser: 0,
      runAsGroup: 3,
      fsGroup: 5,
      supplementalGroups: [6],
      supplementalGroupsPolicy: 'Strict',
      seLinuxOptions: { level: 's0' },
      sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }],
    }
    expect(sandboxConfig(podOf({ securityContext })).linux).toMatchObject({
      securityContext: {
        runAsUser: 0,
        runAsGroup: 3,
        supplementalGroups: [5, 6],
        supplementalGroupsPolicy: 'Strict',
        selinuxOptions: { user: '', role: '', type: '', level: 's0' },
      },
      sysctls: { 'net.ipv4.tcp_syncookies': '1' },
    })
  })
})

describe('the DNS of a pod', () => {
  it.each([
    [
      'ClusterFirst',
      {},
      ['10.96.0.10'],
      ['n.svc.cluster.local', 'svc.cluster.local', 'cluster.local', 'example.org'],
      ['ndots:5'],
    ],
    ['Default', {}, ['1.1.1.1'], ['example.org'], ['edns0']],
    ['ClusterFirst', { hostNetwork: true }, ['1.1.1.1'], ['example.org'], ['edns0']],
    ['None', {}, [], [], []],
    [
      'None',
      {
        dnsConfig: {
          nameservers: ['9.9.9.9'],
          searches: ['a.b'],
          options: [{ name: 'ndots', value: '2' }, { name: 'rotate' }],
        },
      },
      ['9.9.9.9'],
      ['a.b'],
      ['ndots:2', 'rotate'],
    ],
  ])('with policy %s and %j is as the kubelet makes it', (dnsPolicy, spec, ...expected) => {
    const [servers, searches, options] = expected
    expect(podDns(podOf({ dnsPolicy, ...spec }), host)).toEqual({
      config: { servers, searches, options },
      warnings: [],
    })
  })

  it("is the machine's, with a warning, where the cluster's is not known", () => {
    const { config, warnings } = podDns(podOf(), { ...host, clusterDns: [] })
    expect(config.servers).toEqual(['1.1.1.1'])
    expect(warnings).toEqual([
      {
        reason: 'MissingClusterDNS',
        message:
          'pod: "p_n(u)". kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.',
      },
    ])
  })

  it('is cut to three servers, with a warning', () => {
    const dnsConfig = { nameservers: ['1.0.0.1', '2.0.0.1', '3.0.0.1', '4.0.0.1'] }
    const { config, warnings } = podDns(podOf({ dnsPolicy: 'None', dnsConfig }), host)
    expect(config.servers).toHaveLength(3)
    expect(warnings.map(({ reason }) => reason)).toEqual(['DNSConfigForming'])
  })
})

describe('the resources of a container', () => {
  it.each([
    [{}, { cpuShares: 2, cpuQuota: 0, oomScoreAdj: 1000 }],
    [
      { limits: { cpu: '500m', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } },
      { cpuShares: 512, cpuQuota: 50_000, memoryLimitInBytes: gib, oomScoreAdj: -997 },
    ],
    [
      { limits: { cpu: '2' }, requests: { memory: '2Gi' } },
      { cpuShares: 2048, cpuQuota: 200_000, oomScoreAdj: 750 },
    ],
    [{ requests: { cpu: '1m' } }, { cpuShares: 2, cpuQuota: 0, oomScoreAdj: 999 }],
    [{ limits: { cpu: '1m' } }, { cpuShares: 2, cpuQuota: 1000, oomScoreAdj: 999 }],
    [{ requests: { memory: '8Gi' } }, { cpuShares: 2, cpuQuota: 0, oomScoreAdj: 3 }],
  ])('%j are %j', (resources, expected) => {
    const one = container(resources)
    expect(linuxContainerResources(podOf({ containers: [one] }), one, host)).toEqual({
      cpuPeriod: 100_000,
      unified: { 'memory.oom.group': '1' },
      ...expected,
    })
  })

  it('protect a sidecar at least as well as the regular containers', () => {
    const regular = container({ requests: { memory: '4Gi' } })
    const pod = podOf({ initContainers: [sidecar('s')], containers: [regular] })
    expect(linuxContainerResources(pod, sidecar('s'), host).oomScoreAdj).toBe(500)
  })

  it('fall back to the limits of the pod', () => {
    const pod = podOf({ resources: { limits: { cpu: '1', memory: '1Gi' } } })
    expect(linuxContainerResources(pod, container({}), { ...host, hasCgroup2: false })).toEqual(
      expect.objectContaining({ cpuQuota: 100_000, memoryLimitInBytes: gib }),
    )
  })
})

describe('the security context of a container', () => {
  it('takes the field of the container, else that of the pod, else the user of the image', () => {
    const pod = podOf({ securityContext: { runAsUser: 5, runAsGroup: 6, fsGroup: 7 } })
    const own = container({}, { securityContext: { runAsUser: 0 } })
    expect(containerSecurityContext(pod, own, { uid: 9 }, host)).toMatchObject({
      runAsUser: 0,
      runAsGroup: 6,
      supplementalGroups: [7],
    })
    expect(containerSecurityContext(pod, container({}), { uid: 9 }, host).runAsUser).toBe(5)
    expect(containerSecurityContext(podOf(), container({}), { uid: 9 }, host).runAsUser).toBe(9)
    const named = containerSecurityContext(podOf(), container({}), { username: 'web' }, host)
    expect([named.runAsUser, named.runAsUsername]).toEqual([undefined, 'web'])
    expect(containerSecurityContext(podOf(), container({}), undefined, host).runAsUser).toBe(0)
  })

  it('has what the spec says of privileges', () => {
    const securityContext = {
      privileged: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
      seccompProfile: { type: 'Localhost', localhostProfile: 'a.json' },
      appArmorProfile: { type: 'RuntimeDefault' },
      procMount: 'Unmasked',
    }
    const one = container({}, { securityContext })
    expect(
      containerSecurityContext(podOf(), one, undefined, { rootFolder: '/data/kubelet' }),
    ).toMatchObject({
      privileged: true,
      readonlyRootfs: true,
      noNewPrivs: true,
      capabilities: { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'] },
      seccomp: { profileType: 'Localhost', localhostRef: '/data/kubelet/seccomp/a.json' },
      apparmor: { profileType: 'RuntimeDefault' },
      maskedPaths: [],
      readonlyPaths: [],
    })
    const bare = containerSecurityContext(podOf(), container({}), undefined, host)
    expect(bare).toMatchObject({ privileged: false, seccomp: { profileType: 'Unconfined' } })
    expect(bare).not.toHaveProperty('capabilities')
    expect(bare.maskedPaths).toContain('/proc/kcore')
  })
})

describe('the config of a container', () => {
  it('has its log by attempt, and its folder and streams', () => {
    const one = container({}, { workingDir: '/w', stdin: true, tty: true })
    const from = { attempt: 3, image: undefined }
    expect(hostContainerConfig(podOf(), one, from, host)).toMatchObject({
      workingDir: '/w',
      logPath: 'c/3.log',
      stdin: true,
      stdinOnce: false,
      tty: true,
    })
  })
  it.each([
    [{}, { pid: 'TARGET', ipc: 'POD', targetId: 'c-1' }],
    [{ shareProcessNamespace: true }, { pid: 'POD', ipc: 'POD' }],
    [{ hostPID: true }, { pid: 'NODE', ipc: 'POD' }],
  ])('has the processes of its target with %j', (spec, namespaceOptions) => {
    const from = { attempt: 0, image: undefined, targetId: 'c-1' }
    const { linux } = hostContainerConfig(podOf(spec), container({}), from, host)
    expect(linux?.securityContext?.namespaceOptions).toEqual(namespaceOptions)
  })
})
