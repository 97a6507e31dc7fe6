import fc from 'fast-check'
import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from '../../../src/shared/kubernetes/objects.ts'

/** Pods and statuses as an API server could hold them, drawn from few names so that they meet. */

const regularNames = ['a', 'b', 'c']
const initNames = ['i', 'j', 'k']
const ephemeralNames = ['d', 'e']

const at = (minute: number): string =>
  new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().replace('.000', '')
export const times = fc.integer({ min: 0, max: 50 }).map(at)

export const phases = fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown')
const policies = fc.constantFrom('Always', 'OnFailure', 'Never')

const probe = { exec: { command: ['true'] } }

const probes = fc.record(
  {
    startupProbe: fc.constant(probe),
    readinessProbe: fc.constant(probe),
    livenessProbe: fc.constant(probe),
  },
  { requiredKeys: [] },
)

const images = fc.constantFrom('i', 'j:1')

const containerOf = {
  regular: fc.tuple(images, probes).map(([image, rest]) => ({ image, ...rest })),
  // Only sidecars may have probes.
  init: fc.oneof(
    images.map((image) => ({ image })),
    fc
      .tuple(images, probes)
      .map(([image, rest]) => ({ image, restartPolicy: 'Always' as const, ...rest })),
  ),
  ephemeral: images.map((image) => ({ image })),
}

function containersNamed(
  names: readonly string[],
  kind: keyof typeof containerOf,
): fc.Arbitrary<readonly Container[]> {
  return fc
    .subarray([...names], { minLength: kind === 'regular' ? 1 : 0 })
    .chain((some) =>
      fc.tuple(
        ...some.map((name) => containerOf[kind].map((rest): Container => ({ name, ...rest }))),
      ),
    )
}

/** A pod with containers of all kinds, with any policy, static or not, perhaps being deleted; without a status. */
export const barePods: fc.Arbitrary<Pod> = fc
  .record({
    containers: containersNamed(regularNames, 'regular'),
    initContainers: fc.oneof(fc.constant([]), containersNamed(initNames, 'init')),
    ephemeralContainers: fc.oneof(fc.constant([]), containersNamed(ephemeralNames, 'ephemeral')),
    restartPolicy: policies,
    hostNetwork: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    isDeleted: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    source: fc.constantFrom('api', 'api', 'file'),
    generation: fc.constantFrom(undefined, 1, 3),
    gates: fc.subarray(['g', 'h']),
  })
  .map((drawn) => ({
    metadata: {
      name: 'p',
      namespace: 'n',
      uid: 'u',
      ...(drawn.generation === undefined ? {} : { generation: drawn.generation }),
      ...(drawn.isDeleted ? { deletionTimestamp: at(60) } : {}),
      annotations: { 'kubernetes.io/config.source': drawn.source },
    },
    spec: {
      containers: drawn.containers,
      ...(drawn.initContainers.length === 0 ? {} : { initContainers: drawn.initContainers }),
      ...(drawn.ephemeralContainers.length === 0
        ? {}
        : { ephemeralContainers: drawn.ephemeralContainers }),
      restartPolicy: drawn.restartPolicy,
      ...(drawn.hostNetwork ? { hostNetwork: true } : {}),
      ...(drawn.gates.length === 0
        ? {}
        : { readinessGates: drawn.gates.map((conditionType) => ({ conditionType })) }),
    },
  }))

const exitCodes = fc.constantFrom(0, 0, 1, 137)
const reasons = fc.constantFrom(
  undefined,
  'CrashLoopBackOff',
  'PodInitializing',
  'ErrImagePull',
  'Completed',
  'Error',
)

function optional<T>(name: string, value: T | undefined): Readonly<Record<string, T>> {
  return value === undefined ? {} : { [name]: value }
}

const waiting = reasons.map((reason): ContainerState => ({ waiting: optional('reason', reason) }))
const running = times.map((startedAt): ContainerState => ({ running: { startedAt } }))
const terminated = fc
  .record({
    exitCode: exitCodes,
    signal: fc.constantFrom(undefined, 9),
    reason: reasons,
    finishedAt: fc.option(times, { nil: undefined }),
  })
  .map(({ exitCode, signal, reason, finishedAt }): ContainerState => ({
    terminated: {
      exitCode,
      ...optional('signal', signal),
      ...optional('reason', reason),
      ...optional('finishedAt', finishedAt),
    },
  }))

const states = fc.oneof(waiting, running, terminated, fc.constant<ContainerState>({}))
const lastStates = fc.oneof(fc.constant<ContainerState>({}), terminated)

function statusNamed(name: string): fc.Arbitrary<ContainerStatus> {
  return fc
    .record({
      state: states,
      lastState: lastStates,
      ready: fc.boolean(),
      started: fc.constantFrom(undefined, true, false),
      restartCount: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ started, ...rest }) => ({
      name,
      ...rest,
      ...optional('started', started),
      image: 'i',
      imageID: 'sha256:i',
    }))
}

function statusesOf(
  containers: readonly Container[] | undefined,
): fc.Arbitrary<readonly ContainerStatus[]> {
  const all = (containers ?? []).map(({ name }) => name)
  return fc
    .subarray(all)
    .chain((some) => fc.shuffledSubarray(some, { minLength: some.length }))
    .chain((some) => fc.tuple(...some.map(statusNamed)))
}

const conditionTypes = [
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
  'DisruptionTarget',
  'g',
  'h',
  'PodReadyToStartContainers',
]

export const conditions: fc.Arbitrary<readonly PodCondition[]> = fc
  .subarray(conditionTypes)
  .chain((types) =>
    fc.tuple(
      ...types.map((type) =>
        fc
          .record({
            status: fc.constantFrom('True' as const, 'False' as const, 'Unknown' as const),
            reason: fc.constantFrom(undefined, 'SchedulingGated', 'Why'),
          })
          .map(({ status, reason }): PodCondition => ({
            type,
            status,
            ...optional('reason', reason),
          })),
      ),
    ),
  )

/** A status of that pod, as some kubelet could have written it before. */
export function statusesFor(pod: Pod): fc.Arbitrary<PodStatus> {
  return fc
    .record({
      phase: fc.option(phases, { nil: undefined, freq: 8 }),
      reason: fc.constantFrom(undefined, undefined, 'Evicted', 'NodeLost', 'DeadlineExceeded'),
      message: fc.constantFrom(undefined, 'what happened'),
      conditions,
      qosClass: fc.constantFrom(undefined, undefined, 'Guaranteed' as const),
      regular: statusesOf(pod.spec.containers),
      init: statusesOf(pod.spec.initContainers),
      ephemeral: statusesOf(pod.spec.ephemeralContainers),
    })
    .map(({ phase, reason, message, qosClass, regular, init, ephemeral, ...rest }) => ({
      ...optional('phase', phase),
      ...optional('reason', reason),
      ...optional('message', message),
      ...optional('qosClass', qosClass),
      conditions: rest.conditions,
      containerStatuses: regular,
      initContainerStatuses: init,
      ephemeralContainerStatuses: ephemeral,
    }))
}

/** A pod with such a status. */
export const podsWithStatus: fc.Arbitrary<Pod> = barePods.chain((pod) =>
  statusesFor(pod).map((status) => ({ ...pod, status })),
)
