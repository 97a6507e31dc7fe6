import { describe, expect, it } from 'vitest'
import { filterOutInactivePods } from '../../../src/main/kubelet/active-pods.ts'
import type { AdmitHandlersDeps } from '../../../src/main/kubelet/admission/admit-handlers.ts'
import { RejectionCount } from '../../../src/main/kubelet/admission/rejection-count.ts'
import { SysctlAllowlist } from '../../../src/main/kubelet/admission/sysctl-allowlist.ts'
import { FakeEventRecorder } from '../../../src/main/kubelet/container/fake-event-recorder.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { FakeCluster } from '../../../src/main/kubelet/fake-cluster.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { ActiveDeadlineHandler } from '../../../src/main/kubelet/status/active-deadline.ts'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import type { Node, Pod, PodPhase, PodSpec } from '../../../src/shared/kubernetes/objects.ts'
import { asking, podWith, refusalOn, smallNode } from './admission-fixture.ts'

function nodeWith(over: {
  readonly labels?: Readonly<Record<string, string>>
  readonly spec?: NonNullable<Node['spec']>
  readonly status?: NonNullable<Node['status']>
}): Partial<AdmitHandlersDeps> {
  const { labels = smallNode.metadata.labels ?? {}, spec, status } = over
  const node: Node = {
    metadata: { ...smallNode.metadata, labels },
    status: { ...smallNode.status, ...status },
    ...(spec === undefined ? {} : { spec }),
  }
  return { node: () => node }
}

function onHostPort(hostIP?: string, protocol?: string): Pod {
  const port = {
    containerPort: 80,
    hostPort: 80,
    ...(hostIP === undefined ? {} : { hostIP }),
    ...(protocol === undefined ? {} : { protocol }),
  }
  return podWith({ containers: [{ name: 'c', ports: [port] }] })
}

function sysctl(name: string, spec: Partial<PodSpec> = {}): Pod {
  return podWith({ ...spec, securityContext: { sysctls: [{ name, value: '1' }] } })
}

function appArmor(type: string, localhostProfile?: string): Pod {
  return podWith({ securityContext: { appArmorProfile: { type, localhostProfile } } })
}

function confinedBy(value: string): Pod {
  const key = 'container.apparmor.security.beta.kubernetes.io/c'
  return fakePod({ annotations: { [key]: value }, status: { phase: 'Pending' } })
}

describe('admission#handlers', () => {
  describe('active pods are', () => {
    const states: readonly {
      readonly what: string
      readonly api?: PodPhase
      readonly cached?: PodPhase
      readonly knownTerminated?: boolean
      readonly terminationRequested?: boolean
      readonly active: boolean
    }[] = [
      { what: 'pods that run', api: 'Running', active: true },
      { what: 'pods that wait', api: 'Pending', active: true },
      { what: 'not those that are over in the API', api: 'Succeeded', active: false },
      { what: 'not those that are over for the kubelet', cached: 'Failed', active: false },
      {
        what: 'those that are over while they are being stopped',
        api: 'Failed',
        terminationRequested: true,
        active: true,
      },
      {
        what: 'not those that are known to have stopped',
        api: 'Running',
        knownTerminated: true,
        terminationRequested: true,
        active: false,
      },
    ]

    it.each(states)('$what', ({ api, cached, knownTerminated, terminationRequested, active }) => {
      const pod = fakePod(api === undefined ? {} : { status: { phase: api } })
      const found = filterOutInactivePods([pod], {
        podWorkers: {
          isPodKnownTerminated: () => knownTerminated ?? false,
          isPodTerminationRequested: () => terminationRequested ?? false,
        },
        statusManager: {
          getPodStatus: () => (cached === undefined ? undefined : { phase: cached }),
        },
      })
      expect(found).toEqual(active ? [pod] : [])
    })
  })

  describe('handlers are asked in order and the first refusal wins:', () => {
    const appArmorProfile = { type: 'RuntimeDefault' }
    const confined = { securityContext: { appArmorProfile } }
    const all: PodSpec = {
      containers: [{ name: 'c', resources: { requests: { cpu: '9' } } }],
      securityContext: { appArmorProfile, sysctls: [{ name: 'kernel.msgmax' }] },
    }
    const shutdown = { admit: () => ({ reason: 'NodeShutdown', message: 'it goes off' }) }
    const pressure = () => ({ memory: false, disk: true, pid: false })
    const large: Partial<PodSpec> = { containers: all.containers, ...confined }

    it.each<[string, Partial<PodSpec>, Partial<AdmitHandlersDeps>]>([
      ['Evicted', all, { pressure, shutdown }],
      ['SysctlForbidden', all, { shutdown }],
      ['OutOfcpu', large, { shutdown }],
      ['AppArmor', confined, { shutdown }],
      ['NodeShutdown', {}, { shutdown }],
    ])('%s', async (reason, spec, over) => {
      expect((await refusalOn(over)(podWith(spec)))?.reason).toBe(reason)
    })

    it('none, and the pod is admitted', async () => {
      expect(await refusalOn({})(podWith({}))).toBeUndefined()
    })
  })

  describe('the pod is refused with', () => {
    const gpus = nodeWith({ status: { allocatable: { pods: '3', 'example.com/gpu': '1' } } })
    const shortOf = (resource: string, requested: number, used: number, capacity: number): string =>
      `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`
    const failed = (name: string, description: string): string =>
      `Predicate ${name} failed: ${description}`
    const noSelector = failed('NodeAffinity', "node(s) didn't match Pod's node affinity/selector")
    const noPorts = failed(
      'NodePorts',
      "node(s) didn't have free ports for the requested pod ports",
    )
    const rows: readonly {
      readonly reason: string
      readonly when: string
      readonly pod: Pod
      readonly others?: readonly Pod[]
      readonly on?: Partial<AdmitHandlersDeps>
      readonly message: string
    }[] = [
      {
        reason: 'SysctlForbidden',
        when: 'it sets a sysctl that is not safe',
        pod: sysctl('kernel.msgmax'),
        message: 'forbidden sysctl: "kernel.msgmax" not allowlisted',
      },
      {
        reason: 'SysctlForbidden',
        when: 'it sets a sysctl of the network and is on the host’s',
        pod: sysctl('net.ipv4.tcp_syncookies', { hostNetwork: true }),
        message: 'forbidden sysctl: "net.ipv4.tcp_syncookies" not allowed with host Net enabled',
      },
      {
        reason: 'SysctlForbidden',
        when: 'it sets one of shared memory, written with slashes, and shares the host’s',
        pod: sysctl('kernel/shm_rmid_forced', { hostIPC: true }),
        message: 'forbidden sysctl: "kernel.shm_rmid_forced" not allowed with host IPC enabled',
      },
      {
        reason: 'InvalidNodeInfo',
        when: 'the Node is not known',
        pod: podWith({}),
        on: { node: () => undefined },
        message: 'Kubelet cannot get node info.',
      },
      {
        reason: 'PodOSSelectorNodeLabelDoesNotMatch',
        when: 'its own label names another operating system',
        pod: fakePod({ metadata: { labels: { 'kubernetes.io/os': 'windows' } } }),
        message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
      },
      {
        reason: 'PodOSNotSupported',
        when: 'spec.os is another',
        pod: podWith({ os: { name: 'windows' } }),
        message: "Failed to admit pod as the OS field doesn't match node OS",
      },
      {
        reason: 'SupplementalGroupsPolicyNotSupported',
        when: 'its groups policy is Strict, which the node does not claim to know',
        pod: podWith({ securityContext: { supplementalGroupsPolicy: 'Strict' } }),
        message: 'SupplementalGroupsPolicy=Strict is not supported in this node',
      },
      {
        reason: 'OutOfcpu',
        when: 'it asks for more CPUs than there are',
        pod: asking({ cpu: '500' }),
        message: shortOf('cpu', 500_000, 0, 2000),
      },
      {
        reason: 'OutOfmemory',
        when: 'the active pods have taken the memory',
        pod: asking({ memory: '600Mi' }),
        others: [asking({ memory: '512Mi' })],
        message: shortOf('memory', 629_145_600, 536_870_912, 1_073_741_824),
      },
      {
        reason: 'OutOfmemory',
        when: 'it asks for it as a whole, whatever its containers ask for',
        pod: asking({ memory: '1Mi' }, { resources: { requests: { memory: '2Gi' } } }),
        message: shortOf('memory', 2_147_483_648, 0, 1_073_741_824),
      },
      {
        reason: 'OutOfephemeral-storage',
        when: 'there is not so much disk',
        pod: asking({ 'ephemeral-storage': '11Gi' }),
        message: shortOf('ephemeral-storage', 11_811_160_064, 0, 10_737_418_240),
      },
      {
        reason: 'OutOfpods',
        when: 'it would be one pod too many',
        pod: podWith({}),
        others: [podWith({}), podWith({}), podWith({})],
        message: shortOf('pods', 1, 3, 3),
      },
      {
        reason: 'OutOfpods',
        when: 'the node does not say how many it takes',
        pod: podWith({}),
        on: nodeWith({ status: { allocatable: {} } }),
        message: shortOf('pods', 1, 0, 0),
      },
      {
        reason: 'OutOfexample.com/gpu',
        when: 'the node has fewer of an extended resource',
        pod: asking({ 'example.com/gpu': '2' }),
        on: gpus,
        message: shortOf('example.com/gpu', 2, 0, 1),
      },
      {
        reason: 'OutOfhugepages-2Mi',
        when: 'the node has none of a resource of Kubernetes’ own',
        pod: asking({ 'hugepages-2Mi': '2Mi' }),
        message: shortOf('hugepages-2Mi', 2_097_152, 0, 0),
      },
      {
        reason: 'NodeAffinity',
        when: 'the node does not match its selector',
        pod: podWith({ nodeSelector: { disk: 'hdd' } }),
        message: noSelector,
      },
      {
        reason: 'NodeAffinity',
        when: 'the node does not match its required affinity',
        pod: podWith({
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: 'disk', operator: 'DoesNotExist' }] },
                ],
              },
            },
          },
        }),
        message: noSelector,
      },
      {
        reason: 'NodeAffinity',
        when: 'it selects this operating system and the node has no label at all',
        pod: podWith({ nodeSelector: { 'kubernetes.io/os': 'linux' } }),
        on: nodeWith({ labels: {} }),
        message: noSelector,
      },
      {
        reason: 'NodeName',
        when: 'it is bound to another node',
        pod: podWith({ nodeName: 'other' }),
        message: failed('NodeName', "node(s) didn't match the requested node name"),
      },
      {
        reason: 'NodePorts',
        when: 'its host port is taken',
        pod: onHostPort(),
        others: [onHostPort()],
        message: noPorts,
      },
      {
        reason: 'NodePorts',
        when: 'it wants a port on one address and another pod has it on all',
        pod: onHostPort('192.0.2.1'),
        others: [onHostPort('0.0.0.0')],
        message: noPorts,
      },
      {
        reason: 'NodePorts',
        when: 'it wants a port on all addresses and another pod has it on one',
        pod: onHostPort(''),
        others: [onHostPort('192.0.2.1')],
        message: noPorts,
      },
      {
        reason: 'NodePorts',
        when: 'a sidecar has the port',
        pod: onHostPort(),
        others: [
          podWith({
            initContainers: [
              { name: 'i', restartPolicy: 'Always', ports: [{ containerPort: 1, hostPort: 80 }] },
            ],
          }),
        ],
        message: noPorts,
      },
      {
        reason: 'TaintToleration',
        when: 'it does not tolerate a NoExecute taint',
        pod: podWith({}),
        on: nodeWith({ spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } }),
        message: failed('TaintToleration', "node(s) had taints that the pod didn't tolerate"),
      },
      {
        reason: 'AppArmor',
        when: 'it asks for a profile where the host has no AppArmor',
        pod: appArmor('RuntimeDefault'),
        message: 'Cannot enforce AppArmor: AppArmor is not enabled on the host',
      },
      {
        reason: 'AppArmor',
        when: 'a container asks for one by annotation',
        pod: confinedBy('runtime/default'),
        message: 'Cannot enforce AppArmor: AppArmor is not enabled on the host',
      },
      {
        reason: 'AppArmor',
        when: 'its own profile has no name',
        pod: confinedBy('localhost/'),
        on: { hasAppArmor: true },
        message:
          'Cannot enforce AppArmor: invalid empty AppArmor profile name: "&AppArmorProfile{Type:Localhost,LocalhostProfile:*,}"',
      },
    ]

    it.each(rows)('$reason when $when', async ({ pod, others, on, reason, message }) => {
      expect(await refusalOn(on ?? {})(pod, others)).toEqual({ reason, message })
    })

    it('UnexpectedAdmissionError when what should have helped it broke', async () => {
      const refuse = refusalOn({
        failureHandler: {
          handleAdmissionFailure: () => Promise.resolve({ ok: false, error: 'no victims' }),
        },
      })
      expect(await refuse(asking({ cpu: '9' }))).toEqual({
        reason: 'UnexpectedAdmissionError',
        message: 'Unexpected error while attempting to recover from admission failure: no victims',
      })
    })

    it('the first of several reasons: resources, affinity, name, ports, taints', async () => {
      const on = nodeWith({ spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } })
      const reasons: string[] = []
      const failing: Partial<PodSpec>[] = [
        { containers: asking({ cpu: '9' }).spec.containers },
        { nodeSelector: { disk: 'hdd' } },
        { nodeName: 'other' },
        {
          initContainers: [
            { name: 'i', restartPolicy: 'Always', ports: [{ containerPort: 1, hostPort: 80 }] },
          ],
        },
        {},
      ]
      for (const [index] of failing.entries()) {
        const spec = Object.assign({}, ...failing.slice(index).toReversed())
        const refusal = await refusalOn(on)(podWith(spec), [onHostPort()])
        reasons.push(refusal?.reason ?? '')
      }
      expect(reasons).toEqual([
        'OutOfcpu',
        'NodeAffinity',
        'NodeName',
        'NodePorts',
        'TaintToleration',
      ])
    })
  })

  describe('the pod is admitted', () => {
    const noExecute = nodeWith({ spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } })
    const rows: readonly {
      readonly when: string
      readonly pod: Pod
      readonly others?: readonly Pod[]
      readonly on?: Partial<AdmitHandlersDeps>
    }[] = [
      {
        when: 'it just fits',
        pod: asking({ cpu: '1500m', memory: '1Gi' }),
        others: [asking({ cpu: '500m' })],
      },
      {
        when: 'it asks for an extended resource that the node does not know',
        pod: asking({ 'example.com/gpu': '4' }),
      },
      { when: 'its sysctl is safe', pod: sysctl('net.ipv4.tcp_rmem') },
      {
        when: 'its sysctl is safe and a host namespace is another',
        pod: sysctl('kernel.shm_rmid_forced', { hostNetwork: true }),
      },
      {
        when: 'it selects this operating system and the node’s label lies',
        pod: podWith({ nodeSelector: { 'kubernetes.io/os': 'linux' } }),
        on: nodeWith({ labels: { 'kubernetes.io/os': 'plan9' } }),
      },
      { when: 'spec.os is the node’s', pod: podWith({ os: { name: 'linux' } }) },
      {
        when: 'its groups policy is one that the node knows',
        pod: podWith({ securityContext: { supplementalGroupsPolicy: 'Strict' } }),
        on: nodeWith({ status: { features: { supplementalGroupsPolicy: true } } }),
      },
      { when: 'its node name is empty', pod: podWith({ nodeName: '' }) },
      {
        when: 'its port is taken for another protocol',
        pod: onHostPort('', 'TCP'),
        others: [onHostPort('', 'UDP')],
      },
      {
        when: 'its port is taken on another address',
        pod: onHostPort('192.0.2.1'),
        others: [onHostPort('192.0.2.2')],
      },
      {
        when: 'the port belongs to an init container that ends',
        pod: podWith({
          initContainers: [{ name: 'i', ports: [{ containerPort: 80, hostPort: 80 }] }],
        }),
        others: [onHostPort()],
      },
      {
        when: 'a taint is NoSchedule only',
        pod: podWith({}),
        on: nodeWith({ spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }),
      },
      { when: 'it is static, whatever the taint', pod: fakeStaticPod(), on: noExecute },
      {
        when: 'it tolerates the taint',
        pod: podWith({ tolerations: [{ key: 'k', operator: 'Exists' }] }),
        on: noExecute,
      },
      { when: 'it wants to be unconfined by AppArmor', pod: appArmor('Unconfined') },
      { when: 'its annotation says unconfined', pod: confinedBy('unconfined') },
      {
        when: 'it runs already, and AppArmor is not asked again',
        pod: { ...appArmor('RuntimeDefault'), status: { phase: 'Running' } },
      },
      {
        when: 'the host has AppArmor, and the profile a name',
        pod: appArmor('Localhost', 'mine'),
        on: { hasAppArmor: true },
      },
    ]

    it.each(rows)('when $when', async ({ pod, others, on }) => {
      expect(await refusalOn(on ?? {})(pod, others)).toBeUndefined()
    })
  })

  describe('a sysctl is safe from this kernel on:', () => {
    it.each([
      ['net.ipv4.ip_local_reserved_ports', '3.15.9', '3.16'],
      ['net.ipv4.tcp_keepalive_time', '4.4.300-generic', '4.5.0'],
      ['net.ipv4.tcp_keepalive_intvl', '4.4', '4.5'],
      ['net.ipv4.tcp_keepalive_probes', '4.4', '5.0-rc1'],
      ['net.ipv4.tcp_fin_timeout', '4.5', '4.6'],
      ['net.ipv4.tcp_rmem', '4.14.99', '4.15.0'],
      ['net.ipv4.tcp_wmem', 'unknown', '10.1'],
    ])('%s: not %s, but %s', async (name, before, from) => {
      const refusals = [before, from].map((kernelVersion) =>
        new SysctlAllowlist({ kernelVersion }).admit(sysctl(name), [], []),
      )
      expect(refusals).toEqual([
        { reason: 'SysctlForbidden', message: `forbidden sysctl: "${name}" not allowlisted` },
        undefined,
      ])
    })
  })

  it('counts rejections by reason, those of extended resources and rare ones together', () => {
    const count = new RejectionCount()
    for (const reason of [
      'OutOfcpu',
      'OutOfcpu',
      'OutOfexample.com/gpu',
      'OutOfhugepages-2Mi',
      'NodeAffinity',
      'TaintToleration',
      'Evicted',
    ])
      count.add(reason)
    expect(Object.fromEntries(count.counts)).toEqual({
      OutOfcpu: 2,
      OutOfExtendedResources: 2,
      Other: 2,
      Evicted: 1,
    })
  })

  describe('is asked again after a restart, for running pods too:', () => {
    /** A pod that runs on a node that it no longer matches; the kubelet is down. */
    async function misplaced(): Promise<FakeCluster> {
      const cluster = new FakeCluster()
      await cluster.start()
      const node = cluster.node()
      if (node === undefined) throw new Error('the node is registered')
      const { metadata } = node
      const labelled = async (disk: string): Promise<void> => {
        const labels = { ...metadata.labels, disk }
        const updated = cluster.api.update(
          { resource: 'nodes', name: metadata.name },
          { ...node, metadata: { ...metadata, labels } },
        )
        await cluster.clock.advance(20)
        expect(await updated).toMatchObject({ ok: true })
      }
      await labelled('ssd')
      await cluster.create(fakePod({ spec: { nodeSelector: { disk: 'ssd' } } }))
      await cluster.clock.advance(5000)
      expect(cluster.container('c').state).toBe('running')
      cluster.kubelet.stop()
      await labelled('hdd')
      cluster.mark()
      return cluster
    }

    const recorded = (cluster: FakeCluster) => {
      const { phase, reason } = cluster.api.pod('web')?.status ?? {}
      return { phase, reason, stops: cluster.stops() }
    }

    it('it becomes Failed, and housekeeping kills its containers as an orphan’s', async () => {
      const cluster = await misplaced()
      cluster.runtime.scripts.set('c', { stopsAfterMs: 'never' })
      // The API is slower than the first look at the runtime, so that this wakes no worker.
      cluster.isWatching = false
      await cluster.start()
      cluster.isWatching = true
      await cluster.create(fakePod({ name: 'other', spec: { containers: [] } }))
      await cluster.clock.advance(20_000)
      expect(recorded(cluster)).toEqual({
        phase: 'Failed',
        reason: 'NodeAffinity',
        stops: ['stopContainer c 2'],
      })
    })

    it('what the PLEG sees of it first gives it a worker, which stops it with its own grace', async () => {
      const cluster = await misplaced()
      await cluster.start()
      await cluster.clock.advance(20_000)
      expect(cluster.trace.data('pod.rejected')).toMatchObject([{ reason: 'NodeAffinity' }])
      // It exits 0 on SIGTERM, and its end takes the place of the reason.
      expect(recorded(cluster)).toEqual({
        phase: 'Succeeded',
        reason: undefined,
        stops: ['stopContainer c 30'],
      })
    })
  })

  describe('what is rejected', () => {
    it('is Failed with the reason, has an event, and gets no worker', async () => {
      const cluster = new FakeCluster()
      await cluster.start()
      cluster.mark()
      const refused = asking({ cpu: '500' })
      await cluster.create({ ...refused, metadata: { ...refused.metadata, generation: 1 } })
      await cluster.clock.advance(20_000)
      const message =
        "Node didn't have enough resource: cpu, requested: 500000, used: 0, capacity: 2000"
      // Nothing else is said of it: neither conditions nor containers.
      expect(cluster.api.pod('web')?.status).toEqual({
        observedGeneration: 1,
        qosClass: 'Burstable',
        phase: 'Failed',
        reason: 'OutOfcpu',
        message: `Pod was rejected: ${message}`,
        startTime: expect.any(String),
      })
      expect(cluster.events()).toEqual([`OutOfcpu: ${message}`])
      expect(cluster.kubelet.podWorkers.recordUids()).toEqual([])
    })

    it('keeps the QoS class that the API gave it', async () => {
      const cluster = new FakeCluster({ sources: ['api'] })
      await cluster.start()
      const pod = fakePod({
        spec: { nodeName: 'other' },
        status: { phase: 'Pending', qosClass: 'Guaranteed' },
      })
      cluster.kubelet.setPods('api', [{ pod }], [])
      await cluster.clock.advance(2000)
      expect(cluster.kubelet.statusManager.getPodStatus('web-uid')).toMatchObject({
        phase: 'Failed',
        reason: 'NodeName',
        qosClass: 'Guaranteed',
      })
    })

    it('does not take room: of one ADD the older pods come first, and what still fits comes in', async () => {
      const cluster = new FakeCluster({ sources: ['api'] })
      await cluster.start()
      const pod = (name: string, cpu: string, second: number): { readonly pod: Pod } => ({
        pod: fakePod({
          name,
          metadata: { creationTimestamp: `2026-01-01T00:00:0${second}Z` },
          spec: { containers: [{ name, image: 'i', resources: { requests: { cpu } } }] },
          status: { phase: 'Pending' },
        }),
      })
      cluster.kubelet.setPods(
        'api',
        [
          pod('fourth', '500m', 4),
          pod('third', '1', 3),
          pod('second', '1500m', 2),
          pod('first', '1', 1),
        ],
        [],
      )
      await cluster.clock.advance(2000)
      const rejected = cluster.trace.events.flatMap(({ kind, subject }) =>
        kind === 'pod.rejected' && subject.kind === 'pod' ? [subject.name] : [],
      )
      expect(rejected).toEqual(['second', 'fourth'])
    })
  })

  it('is not asked for a mirror pod, which no node has to run', async () => {
    const cluster = new FakeCluster({ sources: ['api'] })
    await cluster.start()
    const pod = fakeMirrorOf(fakeStaticPod({ spec: { nodeName: 'other' } }))
    cluster.kubelet.setPods('api', [{ pod }], [])
    await cluster.clock.advance(5000)
    expect(cluster.trace.data('pod.rejected')).toEqual([])
  })
})

describe('termination#active-deadline', () => {
  const deadlineReason = {
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  }

  function deadlineFor(cachedStartTime?: string) {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const events = new FakeEventRecorder()
    const trace = new FakeTrace()
    const statuses = {
      getPodStatus: () =>
        cachedStartTime === undefined ? undefined : { startTime: cachedStartTime },
    }
    return {
      clock,
      events,
      trace,
      handler: new ActiveDeadlineHandler({ clock, recorder: events, trace, statuses }),
    }
  }

  const limited = podWith({ activeDeadlineSeconds: 10 })

  it('ends a pod from its deadline on, with a Normal event each time it is asked', async () => {
    const { clock, events, trace, handler } = deadlineFor('1970-01-01T00:00:00Z')
    await clock.advance(9999)
    expect(handler.shouldSync(limited)).toBe(false)
    expect(handler.shouldEvict(limited, [])).toBeUndefined()
    await clock.advance(1)
    expect(handler.shouldSync(limited)).toBe(true)
    expect(handler.shouldEvict(limited, [7])).toEqual(deadlineReason)
    expect(handler.shouldEvict(limited, [8])).toEqual(deadlineReason)
    const line = `Normal DeadlineExceeded ${deadlineReason.message}`
    expect(events.lines).toEqual([line, line])
    expect(trace.events.map(({ kind, causes, data }) => [kind, causes, data])).toEqual([
      ['pod.deadlineExceeded', [7], { activeMs: 10_000, activeDeadlineSeconds: 10 }],
      ['pod.deadlineExceeded', [8], { activeMs: 10_000, activeDeadlineSeconds: 10 }],
    ])
  })

  it('uses the pod’s own start time while there is no cached status', async () => {
    const { clock, handler } = deadlineFor()
    await clock.advance(60_000)
    expect(handler.shouldSync(limited)).toBe(false)
    const started = { ...limited, status: { startTime: '1970-01-01T00:00:50Z' } }
    expect(handler.shouldSync(started)).toBe(true)
    const later = { ...limited, status: { startTime: '1970-01-01T00:00:51Z' } }
    expect(handler.shouldSync(later)).toBe(false)
  })

  it('leaves pods without a deadline, and those that have not started, alone', async () => {
    const { clock, handler } = deadlineFor('1970-01-01T00:00:00Z')
    await clock.advance(1e9)
    expect(handler.shouldSync(podWith({}))).toBe(false)
  })
})
