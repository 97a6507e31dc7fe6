import { describe, expect, it } from 'vitest'
import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import {
  containersOf,
  containerStatusOf,
  podOf,
  runtimeStatusOf,
  sandboxOf,
  sidecar,
} from '../container/fake-pods.ts'
import { fakeProbes } from '../container/fake-probes.ts'
import { ReasonCache } from '../container/reason-cache.ts'
import { generateApiPodStatus } from './api-status.ts'
import type { ApiStatusInput } from './api-status.ts'

function generate(pod: Pod, rest: Partial<ApiStatusInput> = {}): PodStatus {
  return generateApiPodStatus({
    pod,
    runtimeStatus: runtimeStatusOf([]),
    podIsTerminal: false,
    oldStatus: undefined,
    reasonCache: new ReasonCache(),
    ...rest,
  })
}

const apiPod = podOf({}, { metadata: { generation: 1 } })
const running = runtimeStatusOf([containerStatusOf('c', 'running')])
const ended = (exitCode: number) =>
  runtimeStatusOf(
    [containerStatusOf('c', 'exited', { exitCode })],
    [sandboxOf({ state: 'notready' })],
  )

describe('the first status of an API pod (observed)', () => {
  it('is Pending, ContainerCreating, with five conditions in their order that observe the generation', () => {
    expect(
      generate(apiPod, { runtimeStatus: runtimeStatusOf([], []), hostIPs: ['10.0.0.9'] }),
    ).toEqual({
      phase: 'Pending',
      conditions: [
        { type: 'PodReadyToStartContainers', observedGeneration: 1, status: 'False' },
        { type: 'Initialized', observedGeneration: 1, status: 'True' },
        {
          type: 'Ready',
          observedGeneration: 1,
          status: 'False',
          reason: 'ContainersNotReady',
          message: 'containers with unready status: [c]',
        },
        {
          type: 'ContainersReady',
          observedGeneration: 1,
          status: 'False',
          reason: 'ContainersNotReady',
          message: 'containers with unready status: [c]',
        },
        { type: 'PodScheduled', observedGeneration: 1, status: 'True' },
      ],
      hostIP: '10.0.0.9',
      hostIPs: [{ ip: '10.0.0.9' }],
      containerStatuses: [
        {
          name: 'c',
          state: { waiting: { reason: 'ContainerCreating' } },
          lastState: {},
          ready: false,
          started: false,
          restartCount: 0,
          image: 'i',
          imageID: '',
        },
      ],
      qosClass: 'BestEffort',
    })
  })

  it('keeps the QoS class that the API server gave the pod', () => {
    const pod: Pod = { ...apiPod, status: { qosClass: 'Burstable' } }
    expect(generate(pod).qosClass).toBe('Burstable')
  })

  it('carries no generation for a static pod', () => {
    const status = generate(podOf(), { runtimeStatus: running })
    expect(JSON.stringify(status)).not.toContain('observedGeneration')
  })
})

describe('a running pod', () => {
  it('is Running and ready, with its IPs', () => {
    const status = generate(apiPod, { runtimeStatus: running, hostIPs: ['10.0.0.9'] })
    expect(status).toMatchObject({
      phase: 'Running',
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
      containerStatuses: [{ ready: true, started: true }],
    })
    expect(status.conditions?.map(({ type, status: value }) => `${type} ${value}`)).toEqual([
      'PodReadyToStartContainers True',
      'Initialized True',
      'Ready True',
      'ContainersReady True',
      'PodScheduled True',
    ])
  })

  it('has the addresses of the host on the host network', () => {
    const pod = podOf({ hostNetwork: true })
    const sandbox = sandboxOf({ hostNetwork: true, ips: [] })
    const status = generate(pod, {
      runtimeStatus: runtimeStatusOf([], [sandbox]),
      hostIPs: ['10.0.0.9', 'fd00::9'],
    })
    expect(status).toMatchObject({
      hostIP: '10.0.0.9',
      hostIPs: [{ ip: '10.0.0.9' }, { ip: 'fd00::9' }],
      podIP: '10.0.0.9',
      podIPs: [{ ip: '10.0.0.9' }, { ip: 'fd00::9' }],
    })
  })

  it('on the host network gets the second address of the host in addition to its own', () => {
    const pod = podOf({ hostNetwork: true })
    const status = generate(pod, { runtimeStatus: running, hostIPs: ['10.0.0.9', 'fd00::9'] })
    expect(status.podIPs).toEqual([{ ip: '10.0.0.1' }, { ip: 'fd00::9' }])
  })

  it("puts the address of the node's family first, and one of each", () => {
    const ips = ['10.0.0.1', '10.0.0.2', 'fd00::1']
    const of = (hostIPs: readonly string[]) =>
      generate(apiPod, { runtimeStatus: { ...running, ips }, hostIPs }).podIPs
    expect(of(['10.0.0.9'])).toEqual([{ ip: '10.0.0.1' }, { ip: 'fd00::1' }])
    expect(of(['fd00::9'])).toEqual([{ ip: 'fd00::1' }, { ip: '10.0.0.1' }])
  })

  it('keeps its initialised phase while a sidecar starts again', () => {
    const pod = podOf({ initContainers: [sidecar('s', { startupProbe: {} })] })
    const probes = fakeProbes(pod, { startup: { 's-1': 'unknown' } })
    const seen = runtimeStatusOf([
      containerStatusOf('s', 'running', { attempt: 1 }),
      containerStatusOf('c', 'running'),
    ])
    expect(generate(pod, { runtimeStatus: seen, probes }).phase).toBe('Running')
    const other = { ...seen, sandboxes: [sandboxOf({ attempt: 1 })] }
    expect(generate(pod, { runtimeStatus: other, probes }).phase).toBe('Pending')
  })
})

describe('probes', () => {
  const probed = podOf({
    containers: [{ name: 'c', image: 'i', startupProbe: {}, readinessProbe: {} }],
  })
  const bare = podOf()

  it.each([
    ['no probes', bare, {}, true, true],
    ['a startup probe without a result', probed, {}, false, false],
    ['a failed startup probe', probed, { startup: { 'c-0': 'failure' } }, false, false],
    ['a startup probe that passed', probed, { startup: { 'c-0': 'success' } }, true, false],
    [
      'both that passed',
      probed,
      { startup: { 'c-0': 'success' }, readiness: { 'c-0': 'success' } },
      true,
      true,
    ],
    [
      'a failed readiness probe',
      probed,
      { startup: { 'c-0': 'success' }, readiness: { 'c-0': 'failure' } },
      true,
      false,
    ],
  ] as const)('with %s', (_, pod, results, started, ready) => {
    const status = generate(pod, { runtimeStatus: running, probes: fakeProbes(pod, results) })
    expect(status.containerStatuses).toMatchObject([{ started, ready }])
  })

  it('keep a finished init container ready when it ended with 0, and a failed one not', () => {
    const pod = podOf({ initContainers: containersOf('i1', 'i2') })
    const seen = runtimeStatusOf([
      containerStatusOf('i2', 'exited', { exitCode: 1 }),
      containerStatusOf('i1', 'exited'),
    ])
    expect(generate(pod, { runtimeStatus: seen }).initContainerStatuses).toMatchObject([
      { name: 'i1', ready: true, started: false },
      { name: 'i2', ready: false, started: false },
    ])
  })

  it('of a sidecar decide about its readiness, even when it ended with 0', () => {
    const pod = podOf({ initContainers: [sidecar('s', { readinessProbe: {} })] })
    const of = (seen: Parameters<typeof containerStatusOf>[1], results = {}) =>
      generate(pod, {
        runtimeStatus: runtimeStatusOf([containerStatusOf('s', seen)]),
        probes: fakeProbes(pod, results),
      }).initContainerStatuses?.[0]
    expect(of('running')).toMatchObject({ started: true, ready: false })
    expect(of('running', { readiness: { 's-0': 'success' } })).toMatchObject({ ready: true })
    expect(of('exited')).toMatchObject({ started: false, ready: false })
  })
})

describe('the end of a pod', () => {
  const never = podOf({ restartPolicy: 'Never' }, { metadata: { generation: 1 } })

  it('by exit 0 is Succeeded, with PodCompleted (observed)', () => {
    const status = generate(apiPod, { runtimeStatus: ended(0), podIsTerminal: true })
    expect(status.phase).toBe('Succeeded')
    expect(
      status.conditions?.map(({ type, status: value, reason }) => [type, value, reason]),
    ).toEqual([
      ['PodReadyToStartContainers', 'False', undefined],
      ['Initialized', 'True', 'PodCompleted'],
      ['Ready', 'False', 'PodCompleted'],
      ['ContainersReady', 'False', 'PodCompleted'],
      ['PodScheduled', 'True', undefined],
    ])
  })

  it('by 137 is Failed, with PodFailed and no reason of its own (observed)', () => {
    const status = generate(apiPod, { runtimeStatus: ended(137), podIsTerminal: true })
    expect(status).toMatchObject({ phase: 'Failed' })
    expect([status.reason, status.message]).toEqual([undefined, undefined])
    expect(
      status.conditions?.filter(({ reason }) => reason === 'PodFailed').map(({ type }) => type),
    ).toEqual(['Ready', 'ContainersReady'])
  })

  it.each([
    [
      'the status manager says',
      { oldStatus: { phase: 'Failed', reason: 'Evicted', message: 'm' } },
    ],
    ['the API says', { apiStatus: { phase: 'Failed', reason: 'Evicted', message: 'm' } }],
  ] as const)('is kept when %s so and the computed phase is not terminal', (_, row) => {
    const pod = 'apiStatus' in row ? podOf({}, { status: row.apiStatus }) : podOf()
    const oldStatus = 'oldStatus' in row ? row.oldStatus : undefined
    expect(generate(pod, { runtimeStatus: running, oldStatus })).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'm',
    })
  })

  it('as computed wins over that of the status manager: an evicted pod that exits 0 ends Succeeded, without a reason', () => {
    const oldStatus: PodStatus = {
      phase: 'Failed',
      reason: 'Evicted',
      message: 'The node was low on resource: memory. ',
      conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet' }],
    }
    const status = generate(podOf(), { runtimeStatus: ended(0), podIsTerminal: true, oldStatus })
    expect([status.phase, status.reason, status.message]).toEqual([
      'Succeeded',
      undefined,
      undefined,
    ])
    expect(status.conditions?.[0]).toEqual(oldStatus.conditions?.[0])
    const killed = generate(podOf(), { runtimeStatus: ended(137), podIsTerminal: true, oldStatus })
    expect(killed).toMatchObject({ phase: 'Failed', reason: 'Evicted', message: oldStatus.message })
  })

  it('takes reason and message of the API where the cached ones are empty', () => {
    const pod = podOf({}, { status: { phase: 'Failed', reason: 'Evicted', message: 'why' } })
    expect(generate(pod, { oldStatus: { phase: 'Failed' } })).toMatchObject({
      reason: 'Evicted',
      message: 'why',
    })
  })

  it('never leaves a terminal phase of the API, not even for another one', () => {
    const pod = podOf({}, { status: { phase: 'Failed' } })
    expect(generate(pod, { runtimeStatus: ended(0), podIsTerminal: true }).phase).toBe('Failed')
  })

  it('may be demanded by the active deadline, with its reason', () => {
    const asked: string[] = []
    const status = generate(never, {
      runtimeStatus: running,
      evictionChecks: [
        { shouldEvict: (pod) => void asked.push(pod.metadata.name) },
        { shouldEvict: () => ({ reason: 'DeadlineExceeded', message: 'too long' }) },
        { shouldEvict: () => ({ reason: 'never asked', message: '' }) },
      ],
    })
    expect(status).toMatchObject({
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'too long',
    })
    expect(status.conditions?.find(({ type }) => type === 'Ready')?.reason).toBe('PodFailed')
    expect(asked).toEqual(['p'])
  })
})

describe('conditions of others', () => {
  it("are kept in front, the kubelet's own recomputed", () => {
    const pod = podOf(
      {},
      {
        status: {
          conditions: [
            { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' },
            { type: 'Ready', status: 'True', message: 'stale' },
            { type: 'example.com/gate', status: 'True' },
          ],
        },
      },
    )
    expect(generate(pod).conditions?.map(({ type }) => type)).toEqual([
      'DisruptionTarget',
      'example.com/gate',
      'PodReadyToStartContainers',
      'Initialized',
      'Ready',
      'ContainersReady',
      'PodScheduled',
    ])
  })

  it('let the cached DisruptionTarget win over that of the API', () => {
    const pod = podOf(
      {},
      { status: { conditions: [{ type: 'DisruptionTarget', status: 'False' }] } },
    )
    const disruption = { type: 'DisruptionTarget', status: 'True', reason: 'x' } as const
    const status = generate(pod, { oldStatus: { conditions: [disruption] } })
    expect(status.conditions?.filter(({ type }) => type === 'DisruptionTarget')).toEqual([
      disruption,
    ])
  })
})
