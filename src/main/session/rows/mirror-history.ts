import { assertNever } from '../../../shared/assert-never.ts'
import type { MirrorMoment } from '../../../shared/model/pod-objects.ts'
import type { TraceData, TraceEvent } from '../../../shared/model/trace-event.ts'

const momentsKept = 50
const namesKept = 1000

function createdText(why: TraceData['mirror.created']['why']): string {
  switch (why) {
    case 'missing':
      return 'Created: no mirror existed.'
    case 'replaced':
      return 'Recreated after the previous one was deleted.'
    default:
      return assertNever(why, 'why')
  }
}

function deletedText(why: TraceData['mirror.deleted']['why']): string {
  switch (why) {
    case 'stale':
      return 'Deleted: created from another version of the manifest.'
    case 'deleting':
      return 'Deleted: a delete was requested through the API.'
    case 'orphan':
      return 'Deleted by housekeeping: the node had no static pod of its name.'
    default:
      return assertNever(why, 'why')
  }
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/\.+$/, '')}.`
}

/** What an event says of a mirror; undefined for events of other things. */
function momentOf(event: TraceEvent): MirrorMoment | undefined {
  const { seq, at, subject } = event
  const staticUid = subject.kind === 'pod' ? subject.uid : ''
  const base = { seq, at, staticUid, mirrorUid: '' }
  switch (event.kind) {
    case 'mirror.created':
      return {
        ...base,
        kind: 'created',
        mirrorUid: event.data.mirrorUid,
        text: createdText(event.data.why),
      }
    case 'mirror.deleted':
      return {
        ...base,
        kind: 'deleted',
        mirrorUid: event.data.mirrorUid,
        text: deletedText(event.data.why),
      }
    case 'mirror.failed':
      return {
        ...base,
        kind: 'failed',
        text: sentence(`not ${event.data.act}d: ${event.data.message}`),
      }
    case 'mirror.skipped':
      return { ...base, kind: 'skipped', text: sentence(event.data.message) }
    case 'uid.linked':
      return {
        ...base,
        ...event.data,
        kind: 'linked',
        text: 'The pod manager maps its UID to the static pod’s: they share a name.',
      }
    case 'uid.unlinked':
      return {
        ...base,
        ...event.data,
        kind: 'unlinked',
        text: 'The pod manager no longer maps its UID: the mirror is gone from the API.',
      }
    default:
      return undefined
  }
}

function isRepeated(before: MirrorMoment | undefined, moment: MirrorMoment): boolean {
  return (
    (moment.kind === 'failed' || moment.kind === 'skipped') &&
    before?.kind === moment.kind &&
    before.text === moment.text &&
    before.staticUid === moment.staticUid
  )
}

/** Comings and goings of mirrors by full name, over all uids that a static pod has had. Bounded. */
export class MirrorHistory {
  readonly #byName = new Map<string, MirrorMoment[]>()

  take(event: TraceEvent): void {
    const moment = momentOf(event)
    const { subject } = event
    if (moment === undefined || (subject.kind !== 'pod' && subject.kind !== 'object')) return
    const name = `${subject.namespace}/${subject.name}`
    const moments = this.#byName.get(name) ?? []
    // Each sync tries again; only the first try of a kind says something new.
    if (isRepeated(moments[0], moment)) return
    // Those whose mirrors were touched last stay.
    this.#byName.delete(name)
    this.#byName.set(name, [moment, ...moments].slice(0, momentsKept))
    const oldest = this.#byName.keys().next().value
    if (this.#byName.size > namesKept && oldest !== undefined) this.#byName.delete(oldest)
  }

  /** Newest first. */
  of(namespace: string, name: string): readonly MirrorMoment[] {
    return this.#byName.get(`${namespace}/${name}`) ?? []
  }
}
