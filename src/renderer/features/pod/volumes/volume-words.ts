import type { VolumeView } from '../../../../shared/model/inside-pod/pod-volumes.ts'
import { text } from '../../../text/text.ts'
import { isLacking, objectsOf } from './missing-objects.ts'
import { isHoldingUp } from './volume-order.ts'

const words = text.pod.volumes.state

/** The line that says how a volume is, and smaller ones under it. */
interface VolumeWords {
  /** `error`: it holds the pod up; `warn`: it would, or its files are old. */
  readonly tone: 'error' | 'warn' | 'quiet'
  readonly main: string
  readonly more: readonly string[]
}

/** What the volume lacks, in a word; empty if nothing is known to be missing. */
function lackText({ source }: VolumeView, since: string): string {
  const lacking = objectsOf(source).filter(isLacking)
  const keys = lacking.flatMap(({ missingKeys }) => missingKeys)
  if (lacking.some(({ state }) => state === 'missing')) return words.notFound(since)
  return keys.length > 0 ? words.keyMissing(keys, since) : ''
}

function heldUpWords(volume: VolumeView, now: number): VolumeWords | undefined {
  const { failure } = volume
  if (!isHoldingUp(volume) || failure === null) return undefined
  const since = text.pod.volumes.since(failure.firstAt, now)
  const first = words.firstFailure('FailedMount', failure.firstAt)
  const next = words.nextTry(failure.nextTryAt, now)
  const lack = lackText(volume, since)
  if (lack !== '') return { tone: 'error', main: lack, more: [first] }
  const isMade =
    objectsOf(volume.source).length > 0 && / not found$|non-existent/.test(failure.message)
  return isMade
    ? { tone: 'warn', main: words.found, more: [next] }
    : { tone: 'error', main: words.failed(failure.count, since), more: [first, failure.message] }
}

const writtenKinds: ReadonlySet<string> = new Set(['object', 'projected', 'downwardAPI'])

/** Files that the kubelet writes reach a container again unless it mounts them by subPath. */
function hasFixedMount({ source, mounts }: VolumeView): boolean {
  return writtenKinds.has(source.kind) && mounts.some(({ subPath }) => subPath !== '')
}

function mountedWords(volume: VolumeView, now: number): VolumeWords {
  const { since, updatedAt, renewsAt, failure } = volume
  const renewal = renewsAt === null ? [] : [words.renews(renewsAt, now)]
  const update = updatedAt === null ? [] : [words.updated(updatedAt)]
  const main = [words.mounted(since), ...update, ...renewal].join('; ')
  const fixed = hasFixedMount(volume) ? [words.subPath] : []
  if (failure === null) return { tone: 'quiet', main, more: fixed }
  return {
    tone: 'warn',
    main: words.stale(failure.firstAt),
    more: [failure.message, main, ...fixed],
  }
}

/** How a volume is, at a time. `isKnown`: a kubelet has the pod. Pure. */
export function volumeWords(volume: VolumeView, now: number, isKnown: boolean): VolumeWords {
  const held = heldUpWords(volume, now)
  if (held !== undefined) return held
  const { state, since, failure } = volume
  const unmounting = failure === null ? [] : [words.unmountFailed(failure.count, failure.message)]
  switch (state) {
    case 'mounted':
      return mountedWords(volume, now)
    case 'mounting':
      return { tone: 'quiet', main: words.mounting(since, now), more: [] }
    case 'unmounting':
    case 'uncertain':
      return { tone: failure === null ? 'quiet' : 'warn', main: words[state], more: unmounting }
    case 'absent':
      return { tone: 'quiet', main: isKnown ? words.absent : words.unknown, more: [] }
    case 'unused':
    case 'waiting':
      return { tone: 'quiet', main: words[state], more: [] }
  }
}
