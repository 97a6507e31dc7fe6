import fc from 'fast-check'
import type { Pod, PodPhase } from '../../../src/shared/kubernetes/objects.ts'
import type { PodUpdateType } from '../../../src/shared/model/trace-event.ts'
import {
  configMirrorAnnotation,
  configSourceAnnotation,
} from '../../../src/main/kubelet/pod/identity.ts'
import type { SyncEnd } from '../../../src/main/kubelet/workers/fake-pod-syncer.ts'

/** The serializable parts of a kill. */
export interface KillOperation {
  readonly isAwaited: boolean
  /** What the status function writes into the status; empty: none is given. */
  readonly statusFunc: string
  readonly evict: boolean
  readonly override?: number
}

/** A pod as the runtime lists it. */
export interface RunningPodOperation {
  readonly uid: string
  readonly name: string
  readonly namespace: string
}

export type RuntimeContent =
  'nothing' | 'exited' | 'created' | 'unknown' | 'running' | 'readySandbox' | 'error'

/** One thing that happens to pod workers: what nodescope_workers.go reads. */
export type Operation =
  | {
      readonly kind: 'update'
      readonly updateType: PodUpdateType
      readonly pod?: Pod
      readonly mirrorPod?: Pod
      readonly runningPod?: RunningPodOperation
      readonly kill?: KillOperation
      /** ms since the workers were made. */
      readonly startTime?: number
      /** No worker runs before the next operation. */
      readonly isInOneTurn: boolean
    }
  /** It waits separately, without a callback. */
  | { readonly kind: 'killNow'; readonly pod: Pod; readonly kill: KillOperation }
  | {
      readonly kind: 'known'
      /** What is desired. */
      readonly uids: readonly string[]
      readonly isInOneTurn: boolean
      /** Nor do workers that were forgotten learn of it before the next operation. */
      readonly isClosedLeft?: boolean
    }
  /** Ends one of the syncs under way, counted by uid. */
  | { readonly kind: 'end'; readonly which: number; readonly outcome: SyncEnd }
  | { readonly kind: 'runtime'; readonly uid: string; readonly content: RuntimeContent }
  /** Whether workers have to wait for what the cache says of the uid. */
  | { readonly kind: 'slow'; readonly uid: string; readonly isSlow: boolean }
  /** Answers one of the workers that wait for the cache. */
  | { readonly kind: 'answer'; readonly which: number }
  /** Time passes; then what is due and still configured is synced. */
  | { readonly kind: 'tick'; readonly afterMs: number }

export const uids = ['u1', 'u2', 'u3', 'u4']
const names = ['web', 'db']
const namespaces = ['default', 'default', 'default', 'other']
export const fullNames = names.flatMap((name) => [`${name}_default`, `${name}_other`])

// Some are met more often, so that much happens to the same pod.
const uid = fc.constantFrom('u1', 'u1', 'u1', 'u2', 'u2', 'u3', 'u4')
const name = fc.constantFrom(...names)
const namespace = fc.constantFrom(...namespaces)
const seconds = fc.constantFrom(-1, 0, 0, 0, 1, 5, 25, 30, 60)

function perhaps<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined, freq: 2 })
}

/** Rare enough that the common things come to their end. */
function seldom(weight: number): fc.Arbitrary<boolean> {
  return fc.oneof(
    { weight, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  )
}

const annotations: fc.Arbitrary<Readonly<Record<string, string>> | undefined> = fc.constantFrom(
  { [configSourceAnnotation]: 'file' },
  { [configSourceAnnotation]: 'file' },
  { [configSourceAnnotation]: 'http' },
  { [configSourceAnnotation]: 'api' },
  { [configSourceAnnotation]: 'api' },
  { [configSourceAnnotation]: 'api', [configMirrorAnnotation]: 'hash' },
  { [configSourceAnnotation]: '' },
  {},
  undefined,
)

const phase = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<(PodPhase | undefined)[]>(undefined, 'Running') },
  {
    weight: 2,
    arbitrary: fc.constantFrom<PodPhase[]>('Succeeded', 'Failed', 'Pending', 'Unknown'),
  },
)

/** Without its version, which tells it from others of its uid. */
const pod: fc.Arbitrary<Pod> = fc
  .record({
    uid,
    name,
    namespace,
    annotations,
    phase,
    isDeleted: seldom(3),
    deletionGracePeriodSeconds: seconds,
    terminationGracePeriodSeconds: perhaps(seconds),
  })
  .map((drawn) => {
    const { phase: podPhase, isDeleted, terminationGracePeriodSeconds, ...rest } = drawn
    const { deletionGracePeriodSeconds, annotations: written, ...named } = rest
    return {
      metadata: {
        ...named,
        ...(written === undefined ? {} : { annotations: written }),
        ...(isDeleted
          ? { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds }
          : {}),
      },
      spec: {
        containers: [],
        ...(terminationGracePeriodSeconds === undefined ? {} : { terminationGracePeriodSeconds }),
      },
      ...(podPhase === undefined ? {} : { status: { phase: podPhase } }),
    }
  })

const kill: fc.Arbitrary<KillOperation> = fc
  .record({
    isAwaited: fc.boolean(),
    statusFunc: fc.constantFrom('', 'evicted', 'preempted'),
    evict: fc.boolean(),
    override: perhaps(seconds),
  })
  .map(({ override, ...rest }) => ({ ...rest, ...(override === undefined ? {} : { override }) }))

const update: fc.Arbitrary<Operation> = fc
  .record({
    updateType: fc.constantFrom<PodUpdateType[]>('create', 'create', 'update', 'sync', 'kill'),
    who: fc.constantFrom('pod', 'pod', 'pod', 'pod', 'running', 'both'),
    pod,
    runningName: name,
    hasMirror: fc.boolean(),
    kill: perhaps(kill),
    startTime: perhaps(fc.nat(100_000)),
    isInOneTurn: fc.boolean(),
  })
  .map((drawn) => {
    const { updateType, who, hasMirror, kill: options, startTime, isInOneTurn } = drawn
    const { metadata } = drawn.pod
    const runningPod = {
      uid: metadata.uid,
      name: drawn.runningName,
      namespace: metadata.namespace ?? '',
    }
    return {
      kind: 'update',
      updateType,
      ...(who === 'running' ? {} : { pod: drawn.pod }),
      ...(who === 'pod' ? {} : { runningPod }),
      ...(hasMirror ? { mirrorPod: mirrorOf(drawn.pod) } : {}),
      ...(options === undefined ? {} : { kill: options }),
      ...(startTime === undefined ? {} : { startTime }),
      isInOneTurn,
    }
  })

function mirrorOf(one: Pod): Pod {
  const { uid: _, ...metadata } = one.metadata
  return { ...one, metadata: { ...metadata, uid: 'mirror' } }
}

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 30, arbitrary: update },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('killNow' as const),
      pod,
      kill: kill.map((one) => ({ ...one, isAwaited: false })),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('known' as const),
      uids: fc.subarray(uids),
      isInOneTurn: fc.boolean(),
    }),
  },
  {
    weight: 35,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      which: fc.nat(3),
      outcome: fc.constantFrom<SyncEnd[]>(
        ...(['ok', 'ok', 'ok', 'ok', 'ok', 'terminal', 'error'] as const),
        ...(['network', 'cancelled', 'wrapped'] as const),
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('runtime' as const),
      uid,
      content: fc.constantFrom<RuntimeContent[]>(
        ...(['nothing', 'exited', 'created', 'unknown', 'running', 'readySandbox'] as const),
        'error',
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('slow' as const), uid, isSlow: fc.boolean() }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('answer' as const), which: fc.nat(3) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('tick' as const),
      afterMs: fc.constantFrom(0, 1, 999, 1000, 5000, 10_000, 30_000, 61_000),
    }),
  },
)

/** Each pod has a version of its own, so that it can be said which of them is meant. */
function withVersion(one: Operation, index: number): Operation {
  if (one.kind !== 'update' && one.kind !== 'killNow') return one
  const mirrorPod = one.kind === 'update' ? one.mirrorPod : undefined
  return {
    ...one,
    ...(one.pod === undefined ? {} : { pod: versioned(one.pod, `${index}`) }),
    ...(mirrorPod === undefined ? {} : { mirrorPod: versioned(mirrorPod, `m${index}`) }),
  }
}

function versioned(one: Pod, resourceVersion: string): Pod {
  return { ...one, metadata: { ...one.metadata, resourceVersion } }
}

/** Sequences that end after an hour, which is longer than any wait. */
export const sequences: fc.Arbitrary<readonly Operation[]> = fc
  .array(operation, { maxLength: 60, size: 'max' })
  .map((all) => [...all.map(withVersion), { kind: 'tick', afterMs: 3_600_000 }])
