import { sentence } from '../../../shared/model/explanation/explanation-words.ts'
import type { MirrorHistoryEntry } from '../../../shared/model/pod-objects.ts'
import type { TraceData, TraceEvent } from '../../../shared/model/trace-event.ts'

const entriesKept = 50
const namesKept = 1000

const createdTexts: Readonly<Record<TraceData['mirror.created']['why'], string>> = {
  missing: 'Created: no mirror existed.',
  replaced: 'Recreated after the previous one was deleted.',
}

const deletedTexts: Readonly<Record<TraceData['mirror.deleted']['why'], string>> = {
  stale: 'Deleted: created from another version of the manifest.',
  deleting: 'Deleted: a delete was requested through the API.',
  orphan: 'Deleted by housekeeping: the node had no static pod of its name.',
}

/** The history entry of an event; undefined for events that are not about mirrors. */
function entryOf(event: TraceEvent): MirrorHistoryEntry | undefined {
  const { seq, at, subject } = event
  const base = { seq, at, staticUid: subject.kind === 'pod' ? subject.uid : '', mirrorUid: '' }
  switch (event.kind) {
    case 'mirror.created': {
      const { mirrorUid, why } = event.data
      return { ...base, kind: 'created', mirrorUid, text: createdTexts[why] }
    }
    case 'mirror.deleted': {
      const { mirrorUid, why } = event.data
      return { ...base, kind: 'deleted', mirrorUid, text: deletedTexts[why] }
    }
    case 'mirror.failed': {
      const { act, message } = event.data
      return { ...base, kind: 'failed', text: sentence(`not ${act}d: ${message}`) }
    }
    case 'mirror.skipped':
      return { ...base, kind: 'skipped', text: sentence(event.data.message) }
    case 'uid.linked': {
      const text = 'The pod manager maps its UID to the static pod’s: they share a name.'
      return { ...base, ...event.data, kind: 'linked', text }
    }
    case 'uid.unlinked': {
      const text = 'The pod manager no longer maps its UID: the mirror is gone from the API.'
      return { ...base, ...event.data, kind: 'unlinked', text }
    }
    default:
      return undefined
  }
}

function isRepeated(before: MirrorHistoryEntry | undefined, entry: MirrorHistoryEntry): boolean {
  return (
    (entry.kind === 'failed' || entry.kind === 'skipped') &&
    before?.kind === entry.kind &&
    before.text === entry.text &&
    before.staticUid === entry.staticUid
  )
}

/** What happened to mirrors, by full name, over all UIDs that a static pod has had. Bounded. */
export class MirrorHistory {
  readonly #byName = new Map<string, MirrorHistoryEntry[]>()

  take(event: TraceEvent): void {
    const entry = entryOf(event)
    const { subject } = event
    if (entry === undefined || (subject.kind !== 'pod' && subject.kind !== 'object')) return
    const name = `${subject.namespace}/${subject.name}`
    const entries = this.#byName.get(name) ?? []
    // Each sync retries; only the first of equal failures is kept.
    if (isRepeated(entries[0], entry)) return
    // The names whose mirrors changed last stay.
    this.#byName.delete(name)
    this.#byName.set(name, [entry, ...entries].slice(0, entriesKept))
    const oldest = this.#byName.keys().next().value
    if (this.#byName.size > namesKept && oldest !== undefined) this.#byName.delete(oldest)
  }

  /** Newest first. */
  of(namespace: string, name: string): readonly MirrorHistoryEntry[] {
    return this.#byName.get(`${namespace}/${name}`) ?? []
  }
}
