import fc from 'fast-check'
import type { Node, Pod, PodStatus, Taint } from '../../../src/shared/kubernetes/objects.ts'
import { computeNames, podsAsking, scalarNames } from './random-resources.ts'

const effects = fc.constantFrom<Taint['effect']>('NoExecute', 'NoExecute', 'NoSchedule')
const taints = fc.array(
  fc.record({ key: fc.constantFrom('k', 'l'), value: fc.constantFrom('', 'v'), effect: effects }),
  { maxLength: 2 },
)
const tolerations = fc.array(
  fc.record(
    {
      key: fc.constantFrom('k', 'l', ''),
      operator: fc.constantFrom('Exists' as const, 'Equal' as const),
      value: fc.constantFrom('', 'v'),
      effect: effects,
    },
    { requiredKeys: [] },
  ),
  { maxLength: 2 },
)

const requirements = fc.oneof(
  fc.record({
    key: fc.constantFrom('disk', 'cores', 'none'),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.subarray(['ssd', 'hdd', '8'], { minLength: 1 }),
  }),
  fc.record({
    key: fc.constantFrom('disk', 'none'),
    operator: fc.constantFrom('Exists', 'DoesNotExist'),
  }),
  fc.record({
    key: fc.constantFrom('cores', 'disk', 'none'),
    operator: fc.constantFrom('Gt', 'Lt'),
    values: fc.constantFrom(['4'], ['8'], ['16']),
  }),
)
const fields = fc.record({
  key: fc.constant('metadata.name'),
  operator: fc.constantFrom('In', 'NotIn'),
  values: fc.constantFrom(['node'], ['other']),
})
const terms = fc.record(
  {
    matchExpressions: fc.array(requirements, { maxLength: 2 }),
    matchFields: fc.array(fields, { maxLength: 1 }),
  },
  { requiredKeys: [] },
)
const affinity = fc.array(terms, { minLength: 1, maxLength: 2 }).map((nodeSelectorTerms) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
}))

const placements = fc.record(
  {
    nodeSelector: fc.constantFrom(
      { disk: 'ssd' },
      { disk: 'ssd' },
      { disk: 'hdd' },
      { none: '' },
      { 'kubernetes.io/os': 'linux' },
      {},
    ),
    affinity,
    nodeName: fc.constantFrom('node', 'node', 'node', 'other', ''),
    tolerations,
  },
  { requiredKeys: [] },
)

const priorities = fc.constantFrom(undefined, 0, 0, 1, 1000, 2_000_000_000)

const criticalPriorities = fc.constantFrom(0, 1000, 2_000_000_000, 2_000_000_000, 2_000_001_000)

const apparmorKey = 'container.apparmor.security.beta.kubernetes.io/'

const profiles = fc.oneof(
  fc.constantFrom('RuntimeDefault', 'Unconfined').map((type) => ({ type })),
  fc
    .constantFrom('mine', '', '  ')
    .map((localhostProfile) => ({ type: 'Localhost', localhostProfile })),
  fc.constant({ type: 'Localhost' }),
)

const sysctls = fc.array(
  fc
    .constantFrom(
      'kernel.shm_rmid_forced',
      'kernel/shm_rmid_forced',
      'net.ipv4.tcp_syncookies',
      'net/ipv4/tcp_rmem',
      'net.ipv4.ip_local_reserved_ports',
      'net.ipv4.tcp_keepalive_time',
      'net.ipv4.tcp_fin_timeout',
      'net.ipv4.tcp_wmem',
      'kernel.msgmax',
      'net.ipv4.conf.eno2/100.rp_filter',
    )
    .map((name) => ({ name, value: '1' })),
  { maxLength: 2 },
)

/** Mostly empty: most pods ask for nothing special. */
function seldom<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(values, { nil: undefined, freq: 8 })
}

const security = fc.record({
  sysctls: seldom(sysctls),
  supplementalGroupsPolicy: seldom(fc.constantFrom('Strict', 'Merge')),
  appArmorProfile: seldom(profiles),
})

function dropped<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(value).filter(([, entry]) => entry !== undefined)
  // The same fields, without those that are absent.
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** A pod as it comes: with what handlers look at. */
function arriving(pods: fc.Arbitrary<Pod>): fc.Arbitrary<Pod> {
  return fc
    .record({
      pod: pods,
      placement: seldom(placements),
      nodeTolerations: tolerations,
      source: fc.constantFrom('api', 'api', 'api', 'file'),
      mirror: seldom(fc.constant('hash')),
      annotation: seldom(
        fc.constantFrom('runtime/default', 'unconfined', 'localhost/mine', 'localhost/', 'x'),
      ),
      osLabel: seldom(fc.constantFrom('linux', 'windows')),
      spec: fc.record({
        os: seldom(fc.constantFrom('linux', 'windows').map((name) => ({ name }))),
        hostNetwork: seldom(fc.boolean()),
        hostIPC: seldom(fc.boolean()),
        securityContext: seldom(security.map(dropped)),
        priority: criticalPriorities,
      }),
      containerProfile: seldom(profiles),
      phase: fc.constantFrom<PodStatus['phase']>('Pending', 'Pending', 'Pending', 'Running'),
    })
    .map(({ pod, placement, spec, containerProfile, ...rest }) => ({
      metadata: {
        ...pod.metadata,
        generation: 3,
        annotations: dropped({
          'kubernetes.io/config.source': rest.source,
          'kubernetes.io/config.mirror': rest.mirror,
          [`${apparmorKey}c0`]: rest.annotation,
        }) as Record<string, string>,
        ...(rest.osLabel === undefined ? {} : { labels: { 'kubernetes.io/os': rest.osLabel } }),
      },
      spec: {
        ...pod.spec,
        tolerations: rest.nodeTolerations,
        ...placement,
        ...dropped(spec),
        containers: pod.spec.containers.map((container) =>
          containerProfile === undefined
            ? container
            : { ...container, securityContext: { appArmorProfile: containerProfile } },
        ),
      },
      status: dropped({ phase: rest.phase }),
    }))
}

const conditionTimes = fc.record({
  type: fc.constant('DisruptionTarget'),
  status: fc.constantFrom('True' as const, 'False' as const),
  lastTransitionTime: fc.constant('2020-01-01T00:00:00Z'),
  reason: fc.constantFrom('TerminationByKubelet', 'EvictionByEvictionAPI'),
})

const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' } as const

const runningStatuses: fc.Arbitrary<PodStatus> = fc
  .record({
    phase: fc.constantFrom<PodStatus['phase']>('Running', 'Pending'),
    conditions: fc
      .constantFrom([], [ready])
      .chain((before) =>
        fc.option(conditionTimes).map((one) => (one === null ? before : [one, ...before])),
      ),
    qosClass: fc.constantFrom(undefined, undefined, 'BestEffort', 'Burstable', 'Guaranteed'),
  })
  .map(dropped)

/** Pods that are on the node. */
function residents(pods: fc.Arbitrary<Pod>, maxLength: number): fc.Arbitrary<readonly Pod[]> {
  const one = fc.record({
    pod: pods,
    priority: priorities,
    status: runningStatuses,
    source: fc.constantFrom('api', 'api', 'api', 'api', 'file'),
  })
  return fc.array(one, { maxLength, size: 'max' }).map((all) =>
    all.map(({ pod, priority, status, source }, index) => ({
      metadata: {
        ...pod.metadata,
        uid: `o${index}`,
        name: `o${index}`,
        generation: index + 1,
        annotations: { 'kubernetes.io/config.source': source },
      },
      spec: { ...pod.spec, nodeName: 'node', ...(priority === undefined ? {} : { priority }) },
      status,
    })),
  )
}

const capacities = fc.record(
  {
    cpu: fc.constantFrom('2', '4', '500m', '10k'),
    memory: fc.constantFrom('1Gi', '4Gi', '10Gi'),
    pods: fc.constantFrom('1', '2', '3', '110', '110', '110'),
    'ephemeral-storage': fc.constantFrom('10Gi', '1'),
    'example.com/gpu': fc.constantFrom('1', '2'),
    'hugepages-2Mi': fc.constantFrom('0', '64Mi'),
    'attachable-volumes-x': fc.constantFrom('0', '39'),
  },
  { requiredKeys: ['cpu', 'memory'] },
)

const nodes: fc.Arbitrary<Node> = fc
  .record({
    allocatable: capacities,
    taints: fc.option(taints, { nil: [], freq: 4 }),
    labels: fc.constantFrom(
      { disk: 'ssd', cores: '8' },
      { disk: 'ssd', cores: '8', 'kubernetes.io/os': 'linux' },
      { disk: 'ssd', 'kubernetes.io/os': 'plan9' },
      {},
    ),
    features: fc.constantFrom(
      undefined,
      { supplementalGroupsPolicy: true },
      { supplementalGroupsPolicy: false },
    ),
  })
  .map(({ allocatable, taints: all, labels, features }) => ({
    metadata: { name: 'node', uid: 'node', labels },
    ...(all.length === 0 ? {} : { spec: { taints: all } }),
    status: { allocatable, ...(features === undefined ? {} : { features }) },
  }))

export type PressureCondition = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure'

/** A pod that comes to a node with others on it. */
export interface Admission {
  readonly node: Node | null
  readonly pod: Pod
  readonly others: readonly Pod[]
  readonly conditions: readonly PressureCondition[]
  readonly kernel: string
  readonly appArmor: boolean
  /** Uids of pods that do not stop in time. */
  readonly stuck: readonly string[]
}

const pressures = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.subarray<PressureCondition>(['MemoryPressure', 'DiskPressure', 'PIDPressure']),
  },
)

/** At most one kind of scalar resource: which of two missing ones is reported depends on the order of a Go map. */
export const admissions: fc.Arbitrary<Admission> = fc
  .constantFrom(...scalarNames)
  .chain((scalar) => {
    const pods = podsAsking([...computeNames, scalar])
    return fc.record({
      node: fc.option(nodes, { freq: 40 }),
      pod: arriving(pods),
      others: residents(pods, 4),
      conditions: pressures,
      kernel: fc.constantFrom(
        '6.1.0-18-amd64',
        '4.14.9',
        '4.5.1',
        '3.16',
        '3.10.0-1160.el7',
        'x',
        '',
      ),
      appArmor: fc.boolean(),
      stuck: fc.subarray(['o0', 'o1']),
    })
  })

const modestly = fc
  .record({
    cpu: fc.constantFrom(undefined, '100m', '500m', '1', '1500m'),
    memory: fc.constantFrom(undefined, '64Mi', '256Mi', '512Mi'),
    isLimited: fc.boolean(),
  })
  .map(({ cpu, memory, isLimited }): Pod => {
    const requests = dropped({ cpu, memory }) as Record<string, string>
    const resources = { requests, ...(isLimited ? { limits: requests } : {}) }
    return {
      metadata: { name: 'p', namespace: 'n', uid: 'u' },
      spec: { containers: [{ name: 'c0', image: 'i', resources }] },
    }
  })

/** A critical pod comes to a node that is mostly full. */
export const criticalAdmissions: fc.Arbitrary<Admission> = fc.record({
  node: fc.constantFrom('3', '5', '110').map((pods): Node => ({
    metadata: { name: 'node', uid: 'node' },
    status: { allocatable: { cpu: '2', memory: '1Gi', pods } },
  })),
  pod: modestly.map((pod) => ({ ...pod, spec: { ...pod.spec, priority: 2_000_000_000 } })),
  others: residents(modestly, 7),
  conditions: fc.constant([]),
  kernel: fc.constant(''),
  appArmor: fc.constant(false),
  stuck: fc.subarray(['o0', 'o1']),
})

const requirement = (names: readonly string[]) =>
  fc.record({
    resource: fc.constantFrom(...names),
    quantity: fc.oneof(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 1, max: 2 ** 31 })),
  })

/** Who goes for a pod that lacks this. */
export const preemptions = fc.record({
  pod: arriving(podsAsking(computeNames)),
  pods: residents(podsAsking([...computeNames, 'example.com/gpu']), 12),
  missing: fc.uniqueArray(requirement([...computeNames, 'pods', 'example.com/gpu']), {
    minLength: 1,
    maxLength: 3,
    selector: ({ resource }) => resource,
  }),
})

/** How one pod is evicted. */
export const evictions = fc.record({
  pods: residents(podsAsking(computeNames), 1).filter((pods) => pods.length > 0),
  grace: fc.integer({ min: 0, max: 40 }),
  message: fc.constantFrom('The node was low on resource: memory. ', ''),
  annotations: fc.constantFrom({}, { starved_resource: 'memory', offending_containers: 'c,d' }),
  condition: fc.boolean(),
  stuck: fc.boolean(),
})

const anyPhases = fc.constantFrom<PodStatus['phase']>(
  undefined,
  'Pending',
  'Running',
  'Succeeded',
  'Failed',
)

/** Pods, each with the kubelet's state of it. */
export const podStates = fc
  .array(
    fc.record({
      phase: anyPhases,
      cached: fc.option(anyPhases),
      knownTerminated: fc.boolean(),
      terminationRequested: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((all) => ({
    pods: all.map(({ phase }, index): Pod => ({
      metadata: { name: `p${index}`, namespace: 'n', uid: `u${index}` },
      spec: { containers: [] },
      status: dropped({ phase }),
    })),
    states: Object.fromEntries(
      all.map(({ phase: _phase, cached, ...rest }, index) => [
        `u${index}`,
        { ...rest, cached: cached === null ? null : dropped({ phase: cached }) },
      ]),
    ),
  }))

const startTimes = fc.constantFrom(undefined, '2026-01-01T00:00:00Z', '2026-01-01T00:00:07Z')

/** A pod that may have a deadline, at a moment around it. */
export const deadlines = fc
  .record({
    activeDeadlineSeconds: fc.constantFrom(undefined, 1, 10),
    own: startTimes,
    cached: fc.option(startTimes),
    ms: fc.oneof(
      fc.constantFrom(999, 1000, 9999, 10_000, 17_000),
      fc.integer({ min: 0, max: 20_000 }),
    ),
  })
  .map(({ activeDeadlineSeconds, own, cached, ms }) => ({
    pod: {
      metadata: { name: 'p', namespace: 'n', uid: 'u' },
      spec: { containers: [], ...dropped({ activeDeadlineSeconds }) },
      status: dropped({ startTime: own }),
    } satisfies Pod,
    cached: cached === null ? null : dropped({ startTime: cached }),
    now: Date.UTC(2026, 0, 1) + ms,
  }))
