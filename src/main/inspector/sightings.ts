import type { Sightings } from '../../shared/model/inspect/evidence.ts'

interface Place {
  readonly first: number
  /** Null: still there. */
  readonly goneAt: number | null
}

/** `mark` tells one such state of a pod from the next. */
interface State {
  readonly mark: string
  readonly since: number
}

type StateName = 'differs' | 'unreported'

type PlaceName = 'api' | 'pods' | 'running'

/** How long a pod that no origin has is remembered. */
const rememberedMs = 60_000

/** When which UID was seen where. What happened between two readings is dated by the later one. */
export class SightingsLog {
  readonly #places: Readonly<Record<PlaceName, Map<string, Place>>> = {
    api: new Map(),
    pods: new Map(),
    running: new Map(),
  }

  readonly #states: Readonly<Record<StateName, Map<string, State>>> = {
    differs: new Map(),
    unreported: new Map(),
  }

  readonly #final = new Set<string>()

  /** One reading of one place, with all its UIDs. */
  saw(place: PlaceName, uids: ReadonlySet<string>, at: number): void {
    const known = this.#places[place]
    for (const uid of uids) {
      const before = known.get(uid)
      if (before === undefined || before.goneAt !== null)
        known.set(uid, { first: at, goneAt: null })
    }
    for (const [uid, { first, goneAt }] of known) {
      if (uids.has(uid)) continue
      if (goneAt === null) known.set(uid, { first, goneAt: at })
      else if (at - goneAt > rememberedMs) known.delete(uid)
    }
  }

  /** The marks of all pods that are in a state, by UID. */
  sawState(state: StateName, marks: ReadonlyMap<string, string>, at: number): void {
    const known = this.#states[state]
    for (const uid of known.keys()) if (!marks.has(uid)) known.delete(uid)
    for (const [uid, mark] of marks)
      if (known.get(uid)?.mark !== mark) known.set(uid, { mark, since: at })
  }

  /** UIDs that the API has with a final phase. */
  sawFinalPhases(uids: ReadonlySet<string>): void {
    for (const uid of uids) this.#final.add(uid)
    for (const uid of this.#final) if (!this.#places.api.has(uid)) this.#final.delete(uid)
  }

  get all(): ReadonlyMap<string, Sightings> {
    const uids = new Set(Object.values(this.#places).flatMap((known) => [...known.keys()]))
    return new Map([...uids].map((uid) => [uid, this.#of(uid)]))
  }

  #of(uid: string): Sightings {
    const { api, pods, running } = this.#places
    return {
      firstInApiAt: api.get(uid)?.first ?? null,
      goneFromApiAt: api.get(uid)?.goneAt ?? null,
      goneFromPodsAt: pods.get(uid)?.goneAt ?? null,
      goneFromRunningAt: running.get(uid)?.goneAt ?? null,
      hadFinalPhase: this.#final.has(uid),
      differsSince: this.#states.differs.get(uid)?.since ?? null,
      unreportedSince: this.#states.unreported.get(uid)?.since ?? null,
    }
  }
}
