import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type { DrainOptions, DrainProgress } from '../../../../shared/model/seen/drain.ts'
import type { ApiClient, ApiError, CancelTimer, Clock } from '../../../kubelet/ports.ts'
import { podNamespace } from '../../../kubelet/pod/identity.ts'
import { inParallel } from '../../../../shared/in-parallel.ts'
import { refusedWords } from '../../cluster/refused-words.ts'

/** kubectl drain asks again after a 429 (pkg/drain/drain.go evictPods). */
const againAfterMs = 5000
/** How often it looks whether evicted pods are gone; they are watched, so that nothing is sent for it. */
const lookAgainMs = 1000

interface NodeDrainDeps {
  readonly node: string
  /** Those that the rehearsal evicts or finds blocked. */
  readonly pods: readonly Pod[]
  readonly options: DrainOptions
  readonly api: Pick<ApiClient, 'evict' | 'get'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** Whether the API server still has the pod. */
  readonly isThere: (uid: string) => boolean
  readonly mayChange: () => boolean
  readonly onChange: () => void
}

interface Waiting {
  readonly pod: Pod
  readonly why: string
  /** Its eviction was accepted; it is still terminating. */
  readonly isEvicted: boolean
  /** The last eviction may have been accepted: the pod is looked at before another one is sent. */
  readonly isUnknown?: boolean
  /** The server refused the credentials, which are renewed then. */
  readonly isUnauthorized?: boolean
}

function podName(pod: Pod): string {
  return `${podNamespace(pod)}/${pod.metadata.name}`
}

/** Evicts the pods of a node as kubectl drain does, until all are gone, it is stopped, or changes are no longer allowed. */
export class NodeDrain {
  readonly #deps: NodeDrainDeps
  readonly #startedAt: number
  #waiting: readonly Waiting[]
  #evicted = 0
  #state: DrainProgress['state'] = 'running'
  #problem = ''
  #wake: (() => void) | undefined

  constructor(deps: NodeDrainDeps) {
    this.#deps = deps
    this.#startedAt = deps.clock.now()
    this.#waiting = deps.pods.map((pod) => ({ pod, why: '', isEvicted: false }))
  }

  view(): DrainProgress {
    return {
      node: this.#deps.node,
      startedAt: this.#startedAt,
      state: this.#state,
      evicted: this.#evicted,
      waiting: this.#waiting.map(({ pod, why }) => ({ pod: podName(pod), why })),
      problem: this.#problem,
    }
  }

  get isRunning(): boolean {
    return this.#state === 'running'
  }

  /** Sends no more evictions; those that were accepted go on. */
  stop(problem: string): void {
    if (!this.isRunning) return
    this.#state = 'stopped'
    this.#problem = problem
    this.#wake?.()
    this.#deps.onChange()
  }

  async run(): Promise<void> {
    const { onChange } = this.#deps
    while (this.isRunning) {
      await this.#evictAll()
      await this.#untilGone(againAfterMs)
      if (this.isRunning && this.#waiting.length === 0) {
        this.#state = 'done'
        onChange()
      }
    }
  }

  async #evictAll(): Promise<void> {
    const left = this.#waiting.filter(({ isEvicted }) => !isEvicted)
    const answers = await inParallel(left, async (one) => this.#evict(one))
    const byUid = new Map(answers.map((one) => [one.pod.metadata.uid, one]))
    this.#waiting = this.#waiting.map((one) => byUid.get(one.pod.metadata.uid) ?? one)
    this.#removeGone()
  }

  async #evict(one: Waiting): Promise<Waiting> {
    if (!this.isRunning) return one
    if (!this.#deps.mayChange()) {
      this.stop('Changes are no longer allowed. The node stays cordoned.')
      return one
    }
    const { pod } = one
    if (one.isUnknown === true) {
      const found = await this.#found(pod)
      if (found === 'unknown') return one
      if (found === 'evicted') return this.#accepted(pod)
    }
    const { gracePeriodSeconds } = this.#deps.options
    const answer = await this.#deps.api.evict(
      { namespace: podNamespace(pod), name: pod.metadata.name },
      {
        preconditions: { uid: pod.metadata.uid },
        ...(gracePeriodSeconds === null ? {} : { gracePeriodSeconds }),
      },
    )
    if (answer.ok) return this.#accepted(pod)
    const { error } = answer
    if (error.kind === 'not-found') return { pod, why: 'terminating', isEvicted: true }
    const isUnauthorized = error.kind === 'unauthorized'
    const isFinal = isUnauthorized ? one.isUnauthorized === true : !isRetried(error)
    if (isFinal) this.stop(`The eviction of ${podName(pod)} was refused: ${error.message}`)
    const isUnknown = mayBeDone(error)
    // A cause names the budget, and what it needs and has.
    const refusal = [error.message, ...(error.causes ?? [])].join(' ')
    const why = isUnknown ? refusedWords('Eviction', error) : refusal
    return { pod, why, isEvicted: false, isUnknown, isUnauthorized }
  }

  #accepted(pod: Pod): Waiting {
    this.#evicted++
    return { pod, why: 'terminating', isEvicted: true }
  }

  /** What has become of a pod whose eviction was not answered. */
  async #found(pod: Pod): Promise<'there' | 'evicted' | 'unknown'> {
    const { name, uid } = pod.metadata
    const answer = await this.#deps.api.get({
      resource: 'pods',
      namespace: podNamespace(pod),
      name,
    })
    if (!answer.ok) return answer.error.kind === 'not-found' ? 'evicted' : 'unknown'
    const { metadata } = answer.value
    return metadata.uid === uid && metadata.deletionTimestamp === undefined ? 'there' : 'evicted'
  }

  /** Looks until nothing waits that was evicted, or the time is over. */
  async #untilGone(ms: number): Promise<void> {
    const { clock } = this.#deps
    const end = clock.now() + ms
    while (this.isRunning && clock.now() < end) {
      this.#removeGone()
      if (this.#waiting.length === 0) return
      await this.#sleep(lookAgainMs)
    }
  }

  #removeGone(): void {
    const before = this.#waiting.length
    this.#waiting = this.#waiting.filter(
      ({ pod, isEvicted }) => !isEvicted || this.#deps.isThere(pod.metadata.uid),
    )
    if (this.#waiting.length !== before) this.#deps.onChange()
  }

  async #sleep(ms: number): Promise<void> {
    let cancel: CancelTimer = () => undefined
    await new Promise<void>((resolve) => {
      cancel = this.#deps.clock.after(ms, resolve)
      this.#wake = resolve
    })
    cancel()
    this.#wake = undefined
  }
}

/** A budget in the way, a server that is busy or away, another pod of the same name: asked again. */
function isRetried({ kind }: ApiError): boolean {
  return ['too-many-requests', 'timeout', 'unavailable', 'conflict'].includes(kind)
}

/** Whether the eviction may have been accepted. */
function mayBeDone({ kind, isUnsent }: ApiError): boolean {
  return isUnsent !== true && ['timeout', 'unavailable', 'conflict'].includes(kind)
}
