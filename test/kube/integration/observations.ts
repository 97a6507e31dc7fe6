import { canonicalJson } from '../../../src/main/kubelet/pod/canonical-json.ts'
import type {
  ContainerState,
  ContainerStatus,
  KubeEvent,
  Lease,
  Node,
  ObjectMeta,
  Pod,
  PodCondition,
  PodStatus,
} from '../../../src/shared/kubernetes/objects.ts'
import { equalJson } from '../../../src/shared/json.ts'
import type { ObjectChange } from './observer.ts'

/** Numbers random values in the order of their first occurrence, so that equal ones stay recognizable. */
class Names {
  readonly #known = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  of(kind: 'uid' | 'hash', value: string | undefined): string {
    if (value === undefined || value === '') return ''
    const key = `${kind} ${value}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    this.#known.set(key, `${kind} ${count}`)
    return `${kind} ${count}`
  }
}

const mirrorAnnotations = {
  mirror: 'kubernetes.io/config.mirror',
  hash: 'kubernetes.io/config.hash',
} as const

/** The state of a pod in a watch event, without values that differ in every run. */
export type ObservedState = Readonly<Record<string, unknown>>

/** The words that are not empty, joined by spaces. */
function words(...parts: readonly (string | number | null | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== null && part !== '').join(' ')
}

function stateOf(state: ContainerState | undefined): string {
  if (state?.running !== undefined) return words('running', state.running.startedAt && 'since then')
  const { waiting, terminated } = state ?? {}
  if (waiting !== undefined) return words('waiting', waiting.reason, waiting.message)
  if (terminated === undefined) return ''
  const { exitCode, signal, reason, message, startedAt, finishedAt, containerID } = terminated
  return words(
    `ended ${exitCode}`,
    signal === undefined ? '' : `signal ${signal}`,
    reason,
    message,
    startedAt && 'started then',
    finishedAt && 'finished then',
    containerID && 'with id',
  )
}

const uidPattern = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g
/** Of a container. */
const idPattern = /\b[\da-f]{64}\b/g
/** The UID of a static pod: a hash of its manifest, with its path. */
const hashPattern = /\b[\da-f]{32}\b/g

function containerOf(status: ContainerStatus, names: Names): string {
  return containerWords(status)
    .replaceAll(uidPattern, (uid) => names.of('uid', uid))
    .replaceAll(hashPattern, (hash) => names.of('hash', hash))
    .replaceAll(idPattern, 'an id')
}

function containerWords(status: ContainerStatus): string {
  const { name, state, lastState, ready, started, restartCount, containerID, imageID } = status
  return words(
    `${name}:`,
    stateOf(state),
    ready ? 'ready' : 'not ready',
    started === undefined ? '' : started ? 'started' : 'not started',
    `restarts ${restartCount}`,
    containerID && 'has an id',
    imageID && 'has an image id',
    ...(['volumeMounts', 'user'] as const).map((field) =>
      status[field] === undefined ? '' : `${field} ${canonicalJson(status[field])}`,
    ),
    lastState === undefined || Object.keys(lastState).length === 0
      ? ''
      : `before ${stateOf(lastState)}`,
  )
}

function conditionOf(condition: PodCondition): string {
  const { type, status, reason, message, observedGeneration, lastTransitionTime } = condition
  return words(
    type,
    status,
    reason,
    message,
    observedGeneration === undefined ? '' : `of generation ${observedGeneration}`,
    lastTransitionTime ? '' : 'never changed',
  )
}

function ownersOf(metadata: ObjectMeta): readonly string[] {
  return (metadata.ownerReferences ?? []).map((owner) =>
    JSON.stringify({ ...owner, uid: undefined }),
  )
}

function annotationsOf(metadata: ObjectMeta, names: Names): Readonly<Record<string, string>> {
  const { annotations = {} } = metadata
  return Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => {
      if (key === mirrorAnnotations.mirror || key === mirrorAnnotations.hash)
        return [key, names.of('hash', value)]
      return [key, key === 'kubernetes.io/config.seen' ? 'a time' : value]
    }),
  )
}

/**
 * A kubelet removes the containers of a pod that it evicts as soon as it hears of their end, which may be
 * before it has read how they ended: their end is then not known (pod_workers.go, ShouldPodContentBeRemoved).
 */
function isEvicted({ reason, conditions = [] }: PodStatus): boolean {
  // An eviction for a limit of its own sets no condition.
  return reason === 'Evicted' || conditions.some((one) => one.reason === 'TerminationByKubelet')
}

function hasEnded({ state }: ContainerStatus): boolean {
  return state?.terminated !== undefined
}

/** Has terminated, or will never start because its pod has terminated. */
export function isOver(status: ContainerStatus): boolean {
  return hasEnded(status) || status.state?.waiting?.reason === 'PodInitializing'
}

function statusState(status: PodStatus, names: Names): ObservedState {
  return {
    phase: words(status.phase, status.reason, status.message),
    conditions: (status.conditions ?? []).map(conditionOf),
    initContainers: (status.initContainerStatuses ?? []).map((one) => containerOf(one, names)),
    containers: (status.containerStatuses ?? []).map((one) =>
      isEvicted(status) && hasEnded(one) ? `${one.name}: ended` : containerOf(one, names),
    ),
    ...(status.ephemeralContainerStatuses === undefined
      ? {}
      : {
          ephemeralContainers: status.ephemeralContainerStatuses.map((one) =>
            containerOf(one, names),
          ),
        }),
    address: words(
      status.podIP === undefined ? '' : 'an address',
      (status.podIPs ?? []).length,
      status.hostIP,
      (status.hostIPs ?? []).length,
    ),
    qosClass: status.qosClass,
    startTime: status.startTime === undefined ? '' : 'a time',
  }
}

function podState({ type, object }: ObjectChange<Pod>, names: Names): ObservedState {
  const { metadata, spec, status = {} } = object
  const { deletionTimestamp, deletionGracePeriodSeconds: grace } = metadata
  const generation = words(
    metadata.generation,
    status.observedGeneration === undefined ? '' : `observed ${status.observedGeneration}`,
  )
  const isEnding = deletionTimestamp !== undefined || type === 'DELETED'
  const isMirror = metadata.annotations?.[mirrorAnnotations.mirror] !== undefined
  return {
    seen: type === 'DELETED' ? 'gone' : 'there',
    uid: names.of('uid', metadata.uid),
    generation,
    deletion: deletionTimestamp === undefined ? '' : `grace ${String(grace)}`,
    // The end of a mirror has nothing to do with its pod, whose status may have been on the way just then.
    ...(isEnding && isMirror ? {} : statusState(status, names)),
    labels: metadata.labels ?? {},
    annotations: annotationsOf(metadata, names),
    owners: ownersOf(metadata),
    nodeName: spec.nodeName,
    tolerations: (spec.tolerations ?? []).map((one) => JSON.stringify(one)),
  }
}

/** An observed state of a pod's name, and whether the kubelet leaves it at once. */
export interface Observation {
  readonly state: ObservedState
  readonly isTransient: boolean
}

/** The observed states of a pod's name, without repetitions. */
export function podObservations(changes: readonly ObjectChange<Pod>[]): readonly Observation[] {
  const names = new Names()
  const seen = changes.map((one) => ({
    state: podState(one, names),
    isTransient: one.type !== 'DELETED' && isTransient(one.object),
  }))
  return seen.filter(({ state }, index) => !equalJson(state, seen[index - 1]?.state))
}

/** It is about to be replaced, and may get the status of its pod until then. */
function isForeignMirror({ annotations = {} }: ObjectMeta): boolean {
  return annotations[mirrorAnnotations.mirror] !== annotations[mirrorAnnotations.hash]
}

/**
 * A status that the kubelet leaves at once: it may write the next one before this one was
 * written, so on a busy machine not every watcher sees it.
 */
function isTransient({ metadata, status = {} }: Pod): boolean {
  const { phase, containerStatuses = [], conditions = [] } = status
  const isHeldBack = (one: ContainerStatus): boolean =>
    (one.state?.waiting?.reason ?? '').endsWith('BackOff')
  const isSandboxUp = conditions.some(
    (one) => one.type === 'PodReadyToStartContainers' && one.status === 'True',
  )
  if (isForeignMirror(metadata)) return true
  switch (phase) {
    case 'Pending':
      return containerStatuses.length > 0 && !containerStatuses.some(isHeldBack)
    case 'Running':
      return (
        metadata.deletionTimestamp !== undefined ||
        conditions.some(({ type }) => type === 'DisruptionTarget') ||
        // Over for its kubelet, which withholds the phase until the containers have stopped.
        conditions.some(({ reason }) => reason === 'PodFailed' || reason === 'PodCompleted') ||
        containerStatuses.some((one) => one.state?.running === undefined && !isHeldBack(one))
      )
    default:
      return isSandboxUp || !containerStatuses.every(isOver)
  }
}

/** A stable state, and the transient states between it and the next stable one. */
interface StableState {
  readonly state: ObservedState | undefined
  readonly transient: ObservedState[]
}

/** Equal neighbors are merged: a watcher may have missed the states between them. */
function stableStates(seen: readonly Observation[]): readonly StableState[] {
  const stable: StableState[] = [{ state: undefined, transient: [] }]
  for (const { state, isTransient } of seen) {
    const last = stable.at(-1)
    if (isTransient) last?.transient.push(state)
    else if (!equalJson(state, last?.state)) stable.push({ state, transient: [] })
  }
  return stable
}

/**
 * The states of one pod on two servers, without transient states that were observed on one server only. The
 * others must be equal.
 */
export function comparableObservations(
  ours: readonly Observation[],
  theirs: readonly Observation[],
): {
  readonly ours: readonly ObservedState[]
  readonly theirs: readonly ObservedState[]
  missed: number
} {
  const [ourStates, theirStates] = [stableStates(ours), stableStates(theirs)]
  const lasting = (all: readonly StableState[]): readonly unknown[] => all.map(({ state }) => state)
  if (!equalJson(lasting(ourStates), lasting(theirStates)))
    return {
      ours: ours.map(({ state }) => state),
      theirs: theirs.map(({ state }) => state),
      missed: 0,
    }
  const left: ObservedState[] = []
  const right: ObservedState[] = []
  let missed = 0
  for (const [index, { state, transient }] of ourStates.entries()) {
    const both = compareTransient(transient, theirStates[index]?.transient ?? [])
    const lasting = state === undefined ? [] : [state]
    left.push(...lasting, ...both.ours)
    right.push(...lasting, ...both.theirs)
    missed += both.missed
  }
  return { ours: left, theirs: right, missed }
}

/**
 * Each state once, in one order: how often and in which order a pod passes through transient states depends on
 * timing. A state that was observed on one side only is left out, unless the other side contradicts it.
 */
function compareTransient(
  ours: readonly ObservedState[],
  theirs: readonly ObservedState[],
): {
  readonly ours: readonly ObservedState[]
  readonly theirs: readonly ObservedState[]
  missed: number
} {
  const isIn = (one: ObservedState, others: readonly ObservedState[]): boolean =>
    others.some((other) => equalJson(one, other))
  const once = (all: readonly ObservedState[]): readonly ObservedState[] =>
    all.filter((one, index) => !isIn(one, all.slice(0, index)))
  const shared = once(ours).filter((one) => isIn(one, theirs))
  const onlyOurs = once(ours).filter((one) => !isIn(one, theirs))
  const onlyTheirs = once(theirs).filter((one) => !isIn(one, ours))
  const contradicting = (
    some: readonly ObservedState[],
    others: readonly ObservedState[],
  ): readonly ObservedState[] =>
    some.filter((one) => others.some((other) => stateIn(one) === stateIn(other)))
  const wrong = contradicting(onlyOurs, onlyTheirs)
  const theirWrong = contradicting(onlyTheirs, onlyOurs)
  return {
    ours: [...shared, ...wrong],
    theirs: [...shared, ...theirWrong],
    missed: onlyOurs.length + onlyTheirs.length - wrong.length - theirWrong.length,
  }
}

/** The state of its containers: the same state must have the same text. */
function stateIn({ seen, deletion, phase, initContainers, containers }: ObservedState): string {
  return JSON.stringify([seen, deletion, phase, initContainers, containers])
}

/** The phases that a pod's name went through and stayed in, with `gone` at each end of an object. */
export function phasesOf(changes: readonly ObjectChange<Pod>[]): readonly string[] {
  const phases = changes
    .filter(({ type, object }) => type === 'DELETED' || !isTransient(object))
    .map(({ type, object }) => (type === 'DELETED' ? 'gone' : (object.status?.phase ?? '')))
  return phases.filter((phase, index) => phase !== phases[index - 1])
}

function withoutRandomParts(text: string): string {
  return text
    .replaceAll(uidPattern, 'a uid')
    .replaceAll(hashPattern, 'a uid')
    .replaceAll(/\b\d+(\.\d+)?m?s\b/g, 'a while')
    .replaceAll(/exec "[\da-f]{64}"/g, 'exec "an id"')
}

/** A probe that begins while its container ends finds it running or not. */
function isOfEndedContainer({ object }: ObjectChange<KubeEvent>): boolean {
  const { reason, message = '' } = object
  return reason === 'Unhealthy' && message.endsWith('container is in CONTAINER_EXITED state')
}

/** Events of one namespace, each once, sorted. */
export function eventLines(changes: readonly ObjectChange<KubeEvent>[]): readonly string[] {
  const told = changes.filter((change) => !isOfEndedContainer(change))
  const lines = told.map(({ object }) => {
    const { involvedObject: about, source, type, reason, message = '' } = object
    return words(
      `${about.kind ?? ''}/${about.name ?? ''}`,
      about.fieldPath,
      about.apiVersion,
      `of a ${uidKind(about.uid)}:`,
      type,
      reason,
      withoutRandomParts(message),
      `by ${source?.component ?? ''} ${source?.host ?? ''}`,
      `(${object.reportingComponent ?? ''} ${object.reportingInstance ?? ''})`,
    )
  })
  return [...new Set(lines)].toSorted()
}

/** Events of a static pod name the hash that its manifest gives it, not its mirror's uid. */
function uidKind(uid = ''): string {
  if (/^[\da-f]{32}$/.test(uid)) return 'manifest'
  return uid.includes('-') && uid.length === 36 ? 'uid' : 'name'
}

/** A Node without times and versions. */
export function nodeFacts({ metadata, spec, status = {} }: Node): ObservedState {
  return {
    labels: metadata.labels,
    annotations: metadata.annotations,
    taints: (spec?.taints ?? []).map(({ key, value, effect }) => ({ key, value, effect })),
    capacity: status.capacity,
    allocatable: status.allocatable,
    addresses: status.addresses,
    nodeInfo: status.nodeInfo,
    daemonEndpoints: status.daemonEndpoints,
    images: status.images,
    conditions: (status.conditions ?? []).map(({ type, status: is, reason, message }) =>
      words(type, is, reason, message),
    ),
  }
}

/** A lease without its times, and whether the node owns it. */
export function leaseFacts({ metadata, spec }: Lease, node: Node | undefined): ObservedState {
  const { renewTime, acquireTime, ...rest } = spec ?? {}
  return {
    owners: ownersOf(metadata),
    isOwnedByNode: metadata.ownerReferences?.[0]?.uid === node?.metadata.uid,
    renewTime: renewTime === undefined ? '' : 'a time',
    acquireTime: acquireTime === undefined ? '' : 'a time',
    ...rest,
  }
}
