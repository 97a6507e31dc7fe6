import type { TimelineLane } from '../../../shared/model/timeline/timeline.ts'
import type { At, PodLane } from './pod-lane.ts'
import { closeSegment, enterState, mergeLane, newLane } from './pod-lane.ts'

/** Beyond it a log is of many days of short pods; their lines can still be searched. */
const maxLanes = 50_000

/**
 * The workers that a log tells of. A line has a pod's full name, its UID, or both; a name without a UID is that of a lane
 * whose UID a later line tells.
 */
export class PodLanes {
  readonly #lanes = new Set<PodLane>()
  readonly #byUid = new Map<string, PodLane>()
  readonly #byName = new Map<string, PodLane[]>()
  /** Those that may be open: a log has many pods, and most have ended. */
  readonly #live = new Set<PodLane>()
  #lastId = 0
  /** Where the running kubelet, or the log, began. */
  #start: At | undefined
  leftOut = 0

  get all(): Iterable<PodLane> {
    return this.#lanes
  }

  get size(): number {
    return this.#lanes.size
  }

  /** A kubelet has started: whatever workers there were, there are none now. */
  restart(at: At): void {
    this.#start = at
    for (const lane of this.#live) closeSegment(lane, at)
    this.#live.clear()
  }

  began(at: At): void {
    this.#start ??= at
  }

  /** The lane that a name means now: the last one, or with `where` the last one of those. */
  named(fullName: string, where: (lane: PodLane) => boolean = () => true): PodLane | undefined {
    return this.#byName.get(fullName)?.findLast((lane) => !lane.isGone && where(lane))
  }

  /** The first of the name that is so: of two static pods, the one that ends. */
  firstNamed(fullName: string, where: (lane: PodLane) => boolean): PodLane | undefined {
    const lanes = this.#byName.get(fullName)?.filter((each) => !each.isGone && where(each)) ?? []
    // After a restart of the kubelet, the lane that was added again.
    const lane = lanes.find(({ isOpen }) => isOpen) ?? lanes[0]
    if (lane !== undefined) this.#live.add(lane)
    return lane
  }

  /** A worker of which the log tells from its first line. */
  create(fullName: string, source: TimelineLane['source'], at: At): PodLane | undefined {
    const lane = this.#make(fullName, null, at)
    if (lane !== undefined) lane.source = source
    return lane
  }

  /** The lane of a line. Without one, a new lane that is assumed to have synced until now. */
  find(fullName: string, uid: string, at: At): PodLane | undefined {
    const lane = uid === '' ? this.named(fullName) : this.#withUid(fullName, uid)
    if (lane === undefined) return this.#make(fullName, uid === '' ? null : uid, at, true)
    this.#live.add(lane)
    return lane
  }

  /** The lane of a UID, if a line has told of it. */
  known(uid: string): PodLane | undefined {
    return this.#byUid.get(uid)
  }

  #withUid(fullName: string, uid: string): PodLane | undefined {
    const known = this.#byUid.get(uid)
    if (fullName === '') return known
    const isPending = (lane: PodLane): boolean => lane.uid === null && !lane.isGone
    const lane = known ?? this.#byName.get(fullName)?.find(isPending)
    if (lane === undefined) return undefined
    if (lane.fullName === '') this.#rename(lane, fullName)
    lane.uid = uid
    this.#byUid.set(uid, lane)
    // After a restart of the kubelet the name was added again: it is the same worker's.
    const again = this.#byName.get(fullName)?.find((other) => isPending(other) && other.isOpen)
    if (again !== undefined && !lane.isOpen) this.#merge(lane, again)
    return lane
  }

  /** With what no line says: a name without a UID that was added again after a restart is taken for the same pod. */
  settled(): readonly PodLane[] {
    const lanes = new Map([...this.#lanes].map((lane) => [lane, lane]))
    for (const lane of this.#lanes) {
      if (lane.uid !== null) continue
      const before = this.#byName
        .get(lane.fullName)
        ?.findLast((other) => other !== lane && !other.isOpen && other.firstLine < lane.firstLine)
      const whole = before === undefined ? undefined : lanes.get(before)
      if (before === undefined || whole === undefined) continue
      if (before.isRemoved || before.source !== lane.source) continue
      const copy = { ...whole, segments: [...whole.segments], chains: [...whole.chains] }
      mergeLane(copy, lane)
      lanes.delete(lane)
      lanes.set(before, copy)
    }
    return [...lanes.values()]
  }

  #merge(into: PodLane, later: PodLane): void {
    mergeLane(into, later)
    this.#live.add(into)
    this.#remove(later)
  }

  #make(fullName: string, uid: string | null, at: At, isAssumed = false): PodLane | undefined {
    if (this.#lanes.size >= maxLanes) {
      this.leftOut++
      return undefined
    }
    const lane = newLane(++this.#lastId, fullName, uid, at)
    this.#lanes.add(lane)
    this.#live.add(lane)
    if (uid !== null) this.#byUid.set(uid, lane)
    if (fullName !== '') this.#list(fullName).push(lane)
    if (isAssumed) enterState(lane, 'sync', this.#start ?? at, 'assumed')
    return lane
  }

  #list(fullName: string): PodLane[] {
    const known = this.#byName.get(fullName)
    if (known !== undefined) return known
    const list: PodLane[] = []
    this.#byName.set(fullName, list)
    return list
  }

  #rename(lane: PodLane, fullName: string): void {
    lane.fullName = fullName
    this.#list(fullName).push(lane)
  }

  #remove(lane: PodLane): void {
    this.#lanes.delete(lane)
    const list = this.#list(lane.fullName)
    list.splice(list.indexOf(lane), 1)
  }
}
