import { STATUS_CODES } from 'node:http'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { SourceProblem } from '../../shared/model/cluster-view.ts'
import type { ManifestsView } from '../../shared/model/manifests.ts'
import type { TraceCauses, TraceSeq } from '../../shared/model/trace-event.ts'
import type { SourcePod } from '../kubelet/config/pod-config.ts'
import { parseInPlace } from '../parsing/kubernetes-text.ts'
import type { ParseText, TextProblem } from '../parsing/kubernetes-text.ts'
import type { CancelTimer, Hash, HoldableClock, Log, Trace } from '../kubelet/ports.ts'
import type { FetchManifestUrl, ManifestUrlResponse, UrlHeader } from './manifest-request.ts'
import { shownUrl } from './shown-url.ts'
import { SourceFailure } from './source-failure.ts'
import { readStaticPods } from './static-pod-list.ts'

/** The kubelet's third source: --manifest-url and its options. */
export interface ManifestUrlConfig {
  readonly url: string
  /** A value may be a secret: it is not logged, shown or recorded. */
  readonly headers: readonly UrlHeader[]
  readonly checkFrequencyMs: number
}

export interface ManifestUrlDeps {
  readonly url: string
  readonly checkFrequencyMs: number
  readonly fetch: FetchManifestUrl
  readonly nodeName: string
  readonly hash: Hash
  /** Default: parses on the main thread. */
  readonly parse?: ParseText | undefined
  readonly clock: HoldableClock
  readonly trace: Trace
  readonly log: Log
  /** A SET: all static pods of this source. Only those that are new since the last SET name causes. */
  readonly onPods: (pods: readonly SourcePod[], causes: TraceCauses) => void
  /** After each poll, when the view may have changed. */
  readonly onChange: () => void
}

type UrlView = NonNullable<ManifestsView['url']>

const subject = { kind: 'source', source: 'http' } as const

/**
 * Static pods from a URL (sources#http-source; kubelet pkg/kubelet/config/http.go). Polled at start and then a fixed time
 * after each response; the clock is held during a poll. A failed poll changes nothing. The same bytes as in the last
 * response with a body are ignored, even if they were invalid or an empty response came in between.
 */
export class ManifestUrlSource {
  readonly #deps: ManifestUrlDeps
  readonly #shown: string
  readonly #stopped = new AbortController()
  #lastBody: Buffer | undefined
  #sent: readonly Pod[] = []
  /** An empty response has stopped the pods since the last response with a body. */
  #isEmptied = false
  /** The problem of the content; kept while the bytes stay the same. */
  #contentProblem: SourceProblem | undefined
  readonly #failure: SourceFailure
  #isPolling = false
  #lastAnswer = ''
  #polledAt: number | null = null
  #nextPollAt: number | null = null
  #cancelPoll: CancelTimer | undefined

  constructor(deps: ManifestUrlDeps) {
    this.#deps = deps
    this.#shown = shownUrl(deps.url)
    this.#failure = new SourceFailure({ ...deps, source: 'http', where: this.#shown })
  }

  start(): void {
    if (this.#isPolling || this.#cancelPoll !== undefined) return
    void this.#poll()
  }

  stop(): void {
    this.#stopped.abort()
    this.#cancelPoll?.()
  }

  /** For the page. */
  view(): UrlView {
    return {
      url: this.#shown,
      lastAnswer: this.#lastAnswer,
      polledAt: this.#polledAt,
      nextPollAt: this.#nextPollAt,
      pods: this.#sent.map(({ metadata }) => ({
        namespace: metadata.namespace ?? '',
        podName: metadata.name,
        uid: metadata.uid,
      })),
    }
  }

  problems(): readonly SourceProblem[] {
    const { message } = this.#failure
    const failure = message === undefined ? [] : [this.#problem(message)]
    return this.#contentProblem === undefined ? failure : [...failure, this.#contentProblem]
  }

  async #poll(): Promise<void> {
    const { clock, fetch, checkFrequencyMs, log } = this.#deps
    const release = clock.hold()
    this.#isPolling = true
    try {
      this.#nextPollAt = null
      const response = await fetch(this.#stopped.signal)
      if (this.#stopped.signal.aborted) return
      this.#polledAt = clock.now()
      await this.#takeResponse(response)
    } catch (error) {
      log.error('the manifest URL broke', { url: this.#shown, error: String(error) })
    } finally {
      this.#isPolling = false
      this.#pollAfter(checkFrequencyMs)
      release()
    }
  }

  #pollAfter(delayMs: number): void {
    if (this.#stopped.signal.aborted) return
    this.#nextPollAt = this.#deps.clock.now() + delayMs
    this.#cancelPoll = this.#deps.clock.after(delayMs, () => void this.#poll())
    this.#deps.onChange()
  }

  async #takeResponse(response: ManifestUrlResponse): Promise<void> {
    if (response.kind === 'failed') {
      this.#lastAnswer = response.reason
      this.#failure.fail(`${this.#shown} cannot be read: ${response.reason}.`)
    } else if (response.status !== 200) {
      this.#lastAnswer = `${response.status} ${STATUS_CODES[response.status] ?? ''}`.trim()
      this.#failure.fail(`${this.#shown} answers ${this.#lastAnswer}, not 200.`)
    } else if (response.body.length === 0) {
      this.#takeEmpty()
    } else {
      this.#failure.recovered()
      await this.#takeBody(response.body)
    }
  }

  /** An empty response stops the pods, and marks the source as ready. */
  #takeEmpty(): void {
    this.#lastAnswer = '200, empty body'
    this.#isEmptied = true
    this.#contentProblem = undefined
    const { message } = this.#failure
    this.#failure.fail(`${this.#shown} returned an empty body: it defines no pods.`)
    if (message === this.#failure.message) return this.#send([], [])
    this.#send([], [this.#changed('removed')])
  }

  async #takeBody(body: Buffer): Promise<void> {
    if (this.#lastBody?.equals(body) === true) {
      this.#lastAnswer = '200, same bytes'
      if (this.#isEmptied)
        this.#contentProblem = this.#problem(
          `${this.#shown} returned the same bytes as before the empty response. The kubelet treats this as no change: its pods start again only when the bytes change.`,
        )
      return
    }
    this.#isEmptied = false
    const change = this.#lastBody === undefined ? 'added' : 'modified'
    this.#lastBody = body
    const { url, nodeName, hash, parse = parseInPlace } = this.#deps
    const parsed = await parse(body.toString())
    if (this.#stopped.signal.aborted) return
    const origin = { source: 'http', nodeName, location: url, hash } as const
    const reading = readStaticPods(parsed, origin)
    const seq = this.#changed(change)
    if (!reading.ok) return this.#reject(reading.error, seq)
    const { pods, warnings } = reading.value
    this.#lastAnswer = `200, ${pods.length === 1 ? '1 pod' : `${pods.length} pods`}`
    const [warning] = warnings
    this.#contentProblem = warning === undefined ? undefined : { where: this.#shown, ...warning }
    this.#send(pods, [seq])
  }

  #reject(problem: TextProblem, cause: TraceSeq): void {
    const { message } = problem
    this.#lastAnswer = '200, not valid'
    const keepRunning =
      this.#sent.length === 0 ? '' : ' The pods of the previous response keep running.'
    this.#contentProblem = { ...problem, where: this.#shown, message: `${message}${keepRunning}` }
    this.#deps.log.warn('manifest URL rejected', { url: this.#shown, message })
    const data = { path: this.#shown, message }
    this.#deps.trace.emit({ kind: 'manifest.rejected', subject, causes: [cause], data })
  }

  #changed(change: 'added' | 'modified' | 'removed'): TraceSeq {
    const data = { path: this.#shown, change }
    return this.#deps.trace.emit({ kind: 'manifest.changed', subject, causes: [], data })
  }

  #send(pods: readonly Pod[], causes: TraceCauses): void {
    const before = new Set(this.#sent.map(({ metadata }) => metadata.uid))
    this.#sent = pods
    this.#deps.onPods(
      pods.map((pod) => (before.has(pod.metadata.uid) ? { pod } : { pod, causes })),
      causes,
    )
  }

  #problem(message: string): SourceProblem {
    return { where: this.#shown, message, line: null, column: null }
  }
}
