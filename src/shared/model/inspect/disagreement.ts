import { humanDuration } from '../../kubernetes/printers/age.ts'
import type { PodEvidence } from './evidence.ts'
import { runningPodsLagMs } from './evidence.ts'
import type { InferredState } from './infer-state.ts'
import type { MirrorPair } from './mirror-pairs.ts'
import {
  deletionAt,
  isRejected,
  runningByStatus,
  statusSource,
  statusWords,
  unreported,
} from './pod-facts.ts'
import type { StopView } from './stop-stage.ts'

/** What the API and the kubelet say differently of a pod. */
export interface Disagreement {
  readonly kind:
    | 'ghost'
    | 'not yet seen'
    | 'stuck'
    | 'mirror missing'
    | 'mirror stale'
    | 'mirror orphaned'
    | 'other UID'
    | 'stale status'
    | 'kubelet away'
  /** At most a dozen words: `not in the API, runs, 2m14s`. */
  readonly text: string
}

/** The kubelet's watch brings a change within a moment; /pods is read each 2 s or more seldom. */
const copyLagMs = 5000

/** What passes by itself within a second or two is no disagreement. */
const momentMs = 1500

function age(since: number | null, now: number): string {
  return since === null ? '' : `, ${humanDuration(now - since)}`
}

function mirrorWords(
  pair: MirrorPair,
  { sightings, told }: PodEvidence,
  now: number,
): Disagreement | null {
  if (pair.state === 'missing' && told !== null)
    return { kind: 'mirror missing', text: `mirror missing${age(sightings.goneFromApiAt, now)}` }
  if (pair.state === 'stale')
    return { kind: 'mirror stale', text: 'mirror stale: config.hash differs' }
  return pair.state === 'orphan'
    ? { kind: 'mirror orphaned', text: 'mirror orphaned: no static pod' }
    : null
}

function stuckWords(stop: StopView, { api }: PodEvidence, now: number): Disagreement | null {
  const { step, overMs, blocker, since } = stop
  const stuck = (text: string): Disagreement => ({ kind: 'stuck', text })
  if (blocker === 'finalizer')
    return stuck(`finalizer ${(api.value?.metadata.finalizers ?? []).join(', ')}${age(since, now)}`)
  if (blocker === 'API server away') return stuck('stuck: the API server does not respond')
  if (overMs === 0 || step === null) return null
  switch (step) {
    case 'told':
      return stuck(`the kubelet has not been told to stop it${age(since, now)}`)
    case 'preStop':
    case 'grace':
      return stuck(`stuck ${humanDuration(overMs)} past grace`)
    case 'unmount':
      return stuck(
        blocker === 'volume'
          ? `stuck unmounting${age(since, now)}`
          : `stuck after its containers ended${age(since, now)}`,
      )
    case 'finalStatus':
      return stuck(`stuck: object not deleted${age(since, now)}`)
  }
}

function presence(evidence: PodEvidence, now: number): Disagreement | null {
  const { api, told, running, sightings, isStatic, sameName } = evidence
  if (told === null) return null
  const isListed = running !== null && running.value !== null
  const otherTold = sameName.find(({ isTold }) => isTold)
  if (told.value === null && isListed) {
    if (otherTold !== undefined)
      return {
        kind: 'other UID',
        text: `runs under another UID than the kubelet has now${age(sightings.goneFromPodsAt, now)}`,
      }
    if (api.value === null || isStatic)
      return {
        kind: 'ghost',
        text: `${isStatic ? 'no manifest' : 'not in the API'}, runs${age(sightings.goneFromPodsAt ?? sightings.goneFromApiAt, now)}`,
      }
  }
  if (told.value === null && api.value !== null && !isStatic && deletionAt(api.value) === null) {
    const since = sightings.firstInApiAt
    if (sightings.goneFromPodsAt === null && since !== null && told.at - since > momentMs)
      return { kind: 'not yet seen', text: `not yet seen by the kubelet${age(since, now)}` }
  }
  if (
    told.value !== null &&
    api.value === null &&
    !isStatic &&
    now - (sightings.goneFromApiAt ?? now) > momentMs
  )
    return {
      kind: 'ghost',
      text: `not in the API, the kubelet has it${age(sightings.goneFromApiAt, now)}`,
    }
  return null
}

/** Of an API pod, /pods has the object that the kubelet last received. Versions of an API server on etcd are numbers that grow. */
function olderCopy({ api, told }: PodEvidence): string {
  const [ours = NaN, theirs = NaN] = [api, told].map((fact) =>
    Number(fact?.value?.metadata.resourceVersion),
  )
  if (theirs < ours) return 'the kubelet’s copy is older'
  return theirs > ours ? 'status stale here' : 'copies differ, which is older is not known'
}

function staleStatus(evidence: PodEvidence): Disagreement | null {
  const { isStatic, api, told, running, sightings } = evidence
  if (told === null || told.value === null || running === null) return null
  if (isStatic && api.value !== null && api.value.status?.phase !== told.value.status?.phase)
    return {
      kind: 'stale status',
      text: `status stale: the kubelet says ${told.value.status?.phase ?? 'nothing'}`,
    }
  const { differsSince, unreportedSince } = sightings
  if (differsSince !== null && told.at - differsSince > copyLagMs)
    return {
      kind: 'stale status',
      text: `${olderCopy(evidence)}: the kubelet has ${statusWords(told.value)}${age(differsSince, told.at)}`,
    }
  const names = unreported(evidence)
  if (
    names.length > 0 &&
    unreportedSince !== null &&
    running.at - unreportedSince > 2 * runningPodsLagMs
  )
    return {
      kind: 'stale status',
      text: `status likely stale: the runtime runs ${names.join(', ')}${age(unreportedSince, running.at)}`,
    }
  const pod = statusSource(evidence)
  const since = sightings.goneFromRunningAt
  const isOut = running.value === null && runningByStatus(pod).length > 0
  if (isOut && since !== null && running.at - since > runningPodsLagMs && !isRejected(pod))
    return { kind: 'stale status', text: 'status stale: says running, the runtime has none' }
  return null
}

/** What the two sides say differently; null where they agree. The most telling one. Pure. `now` in ms. */
export function disagreementOf(
  evidence: PodEvidence,
  about: {
    readonly inferred: InferredState
    readonly stop: StopView | null
    readonly pair: MirrorPair | null
  },
  now: number,
): Disagreement | null {
  const { stop, pair } = about
  if (evidence.kubelet === 'refused' || evidence.kubelet === 'away')
    return evidence.api.value !== null && deletionAt(evidence.api.value) !== null
      ? { kind: 'kubelet away', text: 'Terminating, and the kubelet does not answer' }
      : null
  return (
    presence(evidence, now) ??
    (stop === null ? null : stuckWords(stop, evidence, now)) ??
    (pair === null ? null : mirrorWords(pair, evidence, now)) ??
    staleStatus(evidence)
  )
}
