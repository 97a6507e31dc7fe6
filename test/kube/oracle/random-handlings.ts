import fc from 'fast-check'
import {
  configHashAnnotation,
  configMirrorAnnotation,
  configSourceAnnotation,
} from '../../../src/main/kubelet/pod/identity.ts'
import type {
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from '../../../src/shared/kubernetes/objects.ts'
import type { RunningPodOperation } from './pod-workers-operations.ts'

/** What another part of the kubelet says of one pod. */
export interface PodState {
  readonly cached: PodStatus | null
  readonly knownTerminated: boolean
  readonly terminationRequested: boolean
}

/** How the parts around the handlers answer: what nodescope_handlers.go reads. */
export interface World {
  readonly states: Readonly<Record<string, PodState>>
  readonly sourcesReady: boolean
  readonly refusals: Readonly<Record<string, { readonly reason: string; readonly message: string }>>
  /** UIDs of pods that have two dead containers. */
  readonly dead: readonly string[]
  /** UIDs that the cache has an error for. */
  readonly unread: readonly string[]
  /** UIDs of pods of which nothing has to be kept. */
  readonly removable: readonly string[]
  readonly terminatingFullNames: readonly string[]
  /** UIDs that SyncKnownPods returns. */
  readonly working: readonly string[]
  readonly running: readonly RunningPodOperation[]
  /** The call by which the list of the runtime's pods fails. */
  readonly runtimeFails: '' | 'update' | 'list'
}

/** One call of a handler. */
export interface Handling {
  readonly kind: 'additions' | 'updates' | 'removes' | 'reconcile' | 'syncs' | 'died' | 'cleanups'
  /** `died`: of the first one a container has died. */
  readonly pods: readonly Pod[]
  readonly world: World
}

/** A kubelet that has just started, its pod manager filled. */
export interface Registering {
  readonly pods: readonly Pod[]
  /** When it sees its Node, in ms; null: never. */
  readonly nodeAt: number | null
  readonly isDeleting: boolean
  /** Full names of mirrors whose deletion fails. */
  readonly kept: readonly string[]
}

const staticUids = ['s1', 's2', 't1']
const ordinaryUids = ['a', 'b', 'c']
const uids = [...staticUids, ...ordinaryUids]
/** Each UID has one name, as in a cluster; a name may have several UIDs. */
const nameOf = (uid: string): string => uid.charAt(0)
const fullNames = ['s_default', 't_default', 'a_default', 'x_default']
const gate = 'example.com/gate'

function seldom(weight: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: weight }).map((drawn) => drawn === weight)
}

const phase = fc.constantFrom('Pending', 'Running', 'Running', 'Running', 'Succeeded', 'Failed')

const unready = 'containers with unready status: [c]'
const messages = fc.constantFrom(
  undefined,
  undefined,
  unready,
  `corresponding condition of pod readiness gate "${gate}" does not exist.`,
  `the status of pod readiness gate "${gate}" is not "True", but False`,
)

function condition(type: string): fc.Arbitrary<readonly PodCondition[]> {
  const one = fc
    .record({ status: fc.constantFrom('True' as const, 'False' as const), message: messages })
    .map(({ status, message }) => ({
      type,
      status,
      ...(message === undefined ? {} : { message }),
    }))
  return fc.option(one, { nil: undefined, freq: 4 }).map((drawn) => (drawn ? [drawn] : []))
}

const containerStatuses: fc.Arbitrary<readonly ContainerStatus[]> = fc
  .tuple(fc.boolean(), seldom(5))
  .map(([ready, isOther]) => [
    { name: isOther ? 'other' : 'c', ready, restartCount: 0, image: 'i', imageID: '' },
  ])

const status: fc.Arbitrary<PodStatus> = fc
  .record({
    phase,
    reason: fc.constantFrom(undefined, undefined, 'Evicted', 'Other'),
    conditions: fc
      .tuple(condition('Ready'), condition('ContainersReady'), condition(gate))
      .map((all) => all.flat()),
    containerStatuses: fc.option(containerStatuses, { nil: undefined, freq: 5 }),
  })
  .map(({ reason, containerStatuses: containers, ...rest }) => ({
    ...rest,
    ...(reason === undefined ? {} : { reason }),
    ...(containers === undefined ? {} : { containerStatuses: containers }),
  }))

const seconds = fc.constantFrom('00', '01', '02')

/** Without its version, which tells it from others of its UID. */
const pod: fc.Arbitrary<Pod> = fc
  .record({
    uid: fc.constantFrom(...uids),
    isMirror: seldom(2),
    mirrorUid: fc.constantFrom('m1', 'm2'),
    isOtherHash: seldom(3),
    isDeleted: seldom(3),
    created: fc.option(seconds, { nil: undefined, freq: 4 }),
    generation: fc.constantFrom(undefined, 1, 2),
    hasGate: fc.boolean(),
    // A name without a static pod: the mirror is orphaned.
    isOrphan: seldom(8),
    status: fc.option(status, { nil: undefined, freq: 8 }),
  })
  .map((drawn) => {
    const isStatic = staticUids.includes(drawn.uid)
    const isMirror = isStatic && drawn.isMirror
    const hash = drawn.isOtherHash ? 'other' : drawn.uid
    return {
      metadata: {
        uid: isMirror ? drawn.mirrorUid + nameOf(drawn.uid) : drawn.uid,
        name: isMirror && drawn.isOrphan ? 'x' : nameOf(drawn.uid),
        namespace: 'default',
        annotations: {
          [configSourceAnnotation]: isStatic && !isMirror ? 'file' : 'api',
          ...(isStatic ? { [configHashAnnotation]: hash } : {}),
          ...(isMirror ? { [configMirrorAnnotation]: hash } : {}),
        },
        ...(drawn.isDeleted && (isMirror || !isStatic)
          ? { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 }
          : {}),
        ...(drawn.created === undefined || (isStatic && !isMirror)
          ? {}
          : { creationTimestamp: `2026-01-01T00:00:${drawn.created}Z` }),
        ...(drawn.generation === undefined ? {} : { generation: drawn.generation }),
      },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        ...(drawn.hasGate ? { readinessGates: [{ conditionType: gate }] } : {}),
      },
      ...(drawn.status === undefined ? {} : { status: drawn.status }),
    }
  })

function asObject<T>(value: fc.Arbitrary<T>, weight: number): fc.Arbitrary<Record<string, T>> {
  const entry = (uid: string): fc.Arbitrary<readonly (readonly [string, T])[]> =>
    fc.tuple(seldom(weight), value).map(([is, drawn]) => (is ? [[uid, drawn] as const] : []))
  return fc.tuple(...uids.map(entry)).map((all) => Object.fromEntries(all.flat()))
}

function some(values: readonly string[]): fc.Arbitrary<readonly string[]> {
  return fc.subarray([...values])
}

const world: fc.Arbitrary<World> = fc.record({
  states: asObject(
    fc.record({
      cached: fc.option(status, { nil: null }),
      knownTerminated: seldom(3),
      terminationRequested: seldom(3),
    }),
    1,
  ),
  sourcesReady: seldom(4).map((isNot) => !isNot),
  refusals: asObject(
    fc.record({
      reason: fc.constantFrom('OutOfcpu', 'NodeAffinity', 'UnexpectedAdmissionError', 'Other'),
      message: fc.constantFrom('no room', 'no node, or another'),
    }),
    3,
  ),
  dead: some(uids),
  unread: fc.oneof(fc.constant([]), some(uids)),
  removable: some(uids),
  terminatingFullNames: some(fullNames),
  working: some(uids),
  running: some([...uids, 'r1', 'r2']).map((all) =>
    all.map((uid) => ({ uid, name: nameOf(uid), namespace: 'default' })),
  ),
  runtimeFails: fc.constantFrom('', '', '', '', '', '', 'update', 'list'),
})

const handling: fc.Arbitrary<Handling> = fc
  .record({
    kind: fc.constantFrom<Handling['kind'][]>(
      ...(['additions', 'additions', 'updates', 'removes', 'reconcile'] as const),
      ...(['reconcile', 'syncs', 'died', 'cleanups', 'cleanups'] as const),
    ),
    pods: fc.uniqueArray(pod, {
      minLength: 1,
      maxLength: 5,
      selector: ({ metadata }) => metadata.uid,
    }),
    world,
  })
  .map((drawn) => (drawn.kind === 'cleanups' ? { ...drawn, pods: [] } : drawn))

/** Each pod has a version of its own, so that it can be said which of them is meant. */
function versioned(pods: readonly Pod[], prefix: string): readonly Pod[] {
  return pods.map((one, index) => ({
    ...one,
    metadata: { ...one.metadata, resourceVersion: `${prefix}.${index}` },
  }))
}

/** What the sync loop hands to one kubelet, one call after another. */
export const handlings: fc.Arbitrary<readonly Handling[]> = fc
  .array(handling, { minLength: 1, maxLength: 25, size: 'max' })
  .map((all) => all.map((one, index) => ({ ...one, pods: versioned(one.pods, `${index}`) })))

export const registerings: fc.Arbitrary<Registering> = fc.record({
  pods: fc
    // Of two static pods of one name it would not be seen whose calls are whose.
    .uniqueArray(pod, {
      minLength: 2,
      maxLength: 6,
      selector: ({ metadata }) =>
        staticUids.includes(metadata.uid) ? metadata.name : metadata.uid,
    })
    .map((pods) => versioned(pods, 'r')),
  // Never at the very moment of a look.
  nodeAt: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 8 }).map((each) => each * 100 + 50),
    fc.constantFrom(0, 50, null),
  ),
  isDeleting: seldom(4),
  kept: some(fullNames),
})
