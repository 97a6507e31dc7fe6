import fc from 'fast-check'
import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from '../../../src/shared/kubernetes/objects.ts'

const optional = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(of, { nil: undefined, freq: 2 })

/** Some with half seconds, which a kubelet has inside and an API server has not. */
const times = fc.constantFrom('1999-01-01T00:00:00Z', '1999-12-31T23:59:59.5Z')
const reasons = fc.constantFrom('ContainersNotReady', 'Because', 'PodFailed')

/** What an API server gives has whole seconds. */
function served(status: PodStatus | undefined): PodStatus | undefined {
  if (status === undefined) return undefined
  // The same fields, with other times.
  return JSON.parse(JSON.stringify(status).replaceAll('.5Z"', 'Z"')) as PodStatus
}

/** JSON has no absent fields that are there. */
function asJson<T>(value: object): T {
  // Drawn with the fields of that type.
  return JSON.parse(JSON.stringify(value)) as T
}

const conditionTypes = [
  'Ready',
  'ContainersReady',
  'Initialized',
  'PodScheduled',
  'PodReadyToStartContainers',
  'DisruptionTarget',
  'example.com/gate',
] as const

const conditions: fc.Arbitrary<PodCondition> = fc
  .record({
    type: fc.constantFrom(...conditionTypes),
    status: fc.constantFrom('True', 'False'),
    reason: optional(reasons),
    message: optional(fc.constantFrom('m', 'n')),
    lastTransitionTime: optional(times),
    lastProbeTime: optional(times),
    observedGeneration: optional(fc.constantFrom(1, 2)),
  })
  .map((condition) => asJson(condition))

const states: fc.Arbitrary<ContainerState> = fc
  .oneof(
    fc.constant({}),
    fc.record({ waiting: fc.record({ reason: fc.constantFrom('ContainerCreating', 'Crash') }) }),
    fc.record({ running: fc.record({ startedAt: optional(times) }) }),
    fc.record({
      terminated: fc.record({
        exitCode: fc.constantFrom(0, 1, 137),
        reason: optional(fc.constantFrom('Completed', 'Error')),
        message: optional(fc.constantFrom('m', 'n')),
        finishedAt: optional(times),
      }),
    }),
  )
  .map((state) => asJson(state))

function containerStatuses(names: readonly string[]): fc.Arbitrary<readonly ContainerStatus[]> {
  const statuses = fc
    .record({
      name: fc.constantFrom(...names),
      state: states,
      lastState: fc.oneof(
        { weight: 2, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: states },
      ),
      ready: fc.boolean(),
      started: optional(fc.boolean()),
      restartCount: fc.constantFrom(0, 1),
      image: fc.constant('i'),
      imageID: fc.constant(''),
      isKnown: fc.boolean(),
    })
    .map(({ isKnown, ...status }) =>
      asJson<ContainerStatus>({
        ...status,
        containerID: isKnown ? `fake://${status.name}` : undefined,
      }),
    )
  return fc.uniqueArray(statuses, { maxLength: names.length, selector: ({ name }) => name })
}

export const podStatuses: fc.Arbitrary<PodStatus> = fc
  .record({
    phase: optional(fc.constantFrom('Pending', 'Running', 'Running', 'Succeeded', 'Failed')),
    conditions: fc.uniqueArray(conditions, { maxLength: 5, selector: ({ type }) => type }),
    message: optional(fc.constantFrom('m')),
    reason: optional(fc.constantFrom('Evicted')),
    hostIP: optional(fc.constantFrom('10.0.0.1')),
    podIPs: optional(fc.subarray([{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }])),
    startTime: optional(times),
    qosClass: optional(fc.constantFrom('BestEffort')),
    observedGeneration: optional(fc.constantFrom(1, 2)),
    containerStatuses: optional(containerStatuses(['c', 'd'])),
    initContainerStatuses: optional(containerStatuses(['i', 's'])),
    ephemeralContainerStatuses: fc.option(containerStatuses(['e', 'f']), {
      nil: undefined,
      freq: 1,
    }),
    resourceClaimStatuses: fc.option(fc.constant([{ name: 'r' }]), { nil: undefined, freq: 1 }),
  })
  .map((status) => asJson(status))

const container = (name: string): Container => ({ name, image: 'i' })
const sidecar: Container = { ...container('s'), restartPolicy: 'Always' }

/** Ordinary pods (`u…`), static ones (`s…`) and mirrors (`m…`): the first share a name, and so do the others. */
export const podUids = ['u1', 'u2', 's1', 's2', 'm1', 'm2'] as const

function annotationsOf(uid: string, of: string): Readonly<Record<string, string>> {
  if (uid.startsWith('s')) {
    return { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.hash': uid }
  }
  const source = { 'kubernetes.io/config.source': 'api' }
  return uid.startsWith('m') ? { ...source, 'kubernetes.io/config.mirror': of } : source
}

export const statusPods: fc.Arbitrary<Pod> = fc
  .record({
    uid: fc.constantFrom('u1', 'u1', 's1', ...podUids),
    mirrorOf: fc.constantFrom('s1', 's2'),
    restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never'),
    initContainers: optional(
      fc.constantFrom([container('i')], [container('i'), sidecar], [sidecar, container('i')]),
    ),
    containers: fc.constantFrom([container('c')], [container('c'), container('d')]),
    readinessGates: optional(fc.constant([{ conditionType: 'example.com/gate' }])),
    isDeleting: fc.boolean(),
    generation: optional(fc.constantFrom(1, 2)),
    status: optional(podStatuses),
  })
  .map(({ uid, mirrorOf, isDeleting, generation, status, ...spec }) =>
    asJson<Pod>({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        uid,
        name: uid.startsWith('u') ? 'web' : 'web-node',
        namespace: 'default',
        annotations: annotationsOf(uid, mirrorOf),
        generation,
        ...(isDeleting
          ? { deletionTimestamp: '1999-12-31T00:00:00Z', deletionGracePeriodSeconds: 30 }
          : {}),
      },
      spec,
      status: served(status),
    }),
  )
