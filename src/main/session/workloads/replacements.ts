import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { timeOf } from '../../../shared/kubernetes/printers/age.ts'
import { isTerminalPhase } from '../../../shared/kubernetes/static-pods.ts'
import type { Replacement } from '../../../shared/model/workloads/workloads.ts'
import type { ApiPods } from '../cluster/cluster-session.ts'
import { controllerUid } from './owner-view.ts'

type Gone = Replacement['gone']

/** Of one owner. */
interface History {
  /** Pods that left and have not been replaced, the oldest first. */
  readonly left: Gone[]
  pair: Replacement | undefined
}

const keptOwners = 1000
const keptLeft = 8

/** Whether no container of it runs any more, as its status says. */
function hasEnded({ status }: Pod): boolean {
  const statuses = status?.containerStatuses ?? []
  return statuses.length > 0 && statuses.every(({ state }) => state?.terminated !== undefined)
}

function boundAt(pod: Pod): number | null {
  if ((pod.spec.nodeName ?? '') === '') return null
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
  return timeOf(scheduled?.lastTransitionTime) ?? timeOf(pod.metadata.creationTimestamp)
}

/** Why a controller no longer counts a pod; undefined: it does. Source: controller.IsPodActive. */
function whyLeft(pod: Pod | undefined): string | undefined {
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return 'deleted'
  if (!isTerminalPhase(pod.status?.phase)) return undefined
  return pod.status?.reason ?? pod.status?.phase ?? ''
}

/**
 * Which pods their owners have made in place of others, as the API tells it: a pod with a controller that is made after another
 * one of the same controller was deleted or ended. Always listens, because what a pod was is gone with it.
 */
export class Replacements {
  readonly #owners = new Map<string, History>()
  readonly #now: () => number
  readonly #onChange: () => void

  constructor(pods: ApiPods, now: () => number, onChange: () => void) {
    this.#now = now
    this.#onChange = onChange
    pods.listen(({ before, after }) => {
      this.#take(before, after)
    })
  }

  /** The newest first. */
  list(): readonly Replacement[] {
    return [...this.#owners.values()]
      .flatMap(({ pair }) => pair ?? [])
      .toSorted((one, other) => other.made.createdAt - one.made.createdAt)
  }

  #take(before: Pod | undefined, after: Pod | undefined): void {
    const pod = after ?? before
    const owner = pod === undefined ? null : controllerUid(pod)
    if (pod === undefined || owner === null) return
    const left = whyLeft(after)
    if (left !== undefined) {
      this.#noteLeft(owner, pod, {
        how: left,
        isNew: whyLeft(before) === undefined,
        isGone: after === undefined,
      })
    } else if (before === undefined) this.#noteMade(owner, pod)
    else this.#noteBound(owner, pod)
  }

  #noteLeft(
    owner: string,
    pod: Pod,
    {
      how,
      isNew,
      isGone,
    }: { readonly how: string; readonly isNew: boolean; readonly isGone: boolean },
  ): void {
    const history = this.#historyOf(owner)
    const { uid, name, creationTimestamp } = pod.metadata
    const now = this.#now()
    const ended = isGone || hasEnded(pod) ? now : null
    if (isNew) {
      history.left.push({
        uid,
        name,
        createdAt: timeOf(creationTimestamp),
        leftAt: now,
        endedAt: ended,
        how,
      })
      if (history.left.length > keptLeft) history.left.shift()
      return
    }
    const index = history.left.findIndex((gone) => gone.uid === uid)
    const waiting = history.left[index]
    if (waiting !== undefined && waiting.endedAt === null)
      history.left[index] = { ...waiting, endedAt: ended }
    const { pair } = history
    if (pair?.gone.uid !== uid || pair.gone.endedAt !== null || ended === null) return
    history.pair = { ...pair, gone: { ...pair.gone, endedAt: ended } }
    this.#onChange()
  }

  #noteMade(owner: string, pod: Pod): void {
    const history = this.#owners.get(owner)
    const gone = history?.left.shift()
    if (history === undefined || gone === undefined) return
    const { uid, name } = pod.metadata
    history.pair = {
      owner,
      gone,
      made: { uid, name, createdAt: this.#now(), boundAt: boundAt(pod) },
    }
    this.#onChange()
  }

  #noteBound(owner: string, pod: Pod): void {
    const history = this.#owners.get(owner)
    const pair = history?.pair
    if (history === undefined || pair?.made.uid !== pod.metadata.uid || pair.made.boundAt !== null)
      return
    const bound = boundAt(pod)
    if (bound === null) return
    history.pair = { ...pair, made: { ...pair.made, boundAt: this.#now() } }
    this.#onChange()
  }

  #historyOf(owner: string): History {
    const known = this.#owners.get(owner)
    if (known !== undefined) return known
    const history: History = { left: [], pair: undefined }
    this.#owners.set(owner, history)
    const [oldest] = this.#owners.keys()
    if (this.#owners.size > keptOwners && oldest !== undefined) this.#owners.delete(oldest)
    return history
  }
}
