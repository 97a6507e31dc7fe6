import type {
  KubeRequest,
  KubeResponse,
  Transport,
  WatchEvent,
  WatchStream,
} from '../../../shared/kubernetes/request.ts'

/** What a request is answered with; an `Error` is thrown. */
export type ScriptedAnswer =
  KubeResponse | Error | ((request: KubeRequest) => KubeResponse | Promise<KubeResponse>)

/**
 * A transport that responds from a script, in order, and records the requests. An `Error` in
 * the script is thrown. After the end of the script a request gets no response, like from a server that hangs.
 */
export class FakeTransport implements Transport {
  readonly requests: KubeRequest[] = []
  readonly #answers: ScriptedAnswer[] = []

  script(...answers: readonly ScriptedAnswer[]): this {
    this.#answers.push(...answers)
    return this
  }

  async send(request: KubeRequest): Promise<KubeResponse> {
    this.requests.push(request)
    const answer = this.#answers.shift()
    if (answer === undefined) return await new Promise<KubeResponse>(() => undefined)
    if (answer instanceof Error) throw answer
    return typeof answer === 'function' ? await answer(request) : answer
  }
}

/** A watch that the test feeds: `push`, then `close` (the server ends it) or `fail` (the connection drops). */
export class FakeWatch implements WatchStream {
  readonly #queue: WatchEvent[] = []
  #end: { readonly error?: Error } | undefined
  #wake: (() => void) | undefined
  isStopped = false

  get response(): KubeResponse {
    return { kind: 'watch', status: 200, stream: this }
  }

  push(...events: readonly WatchEvent[]): void {
    this.#queue.push(...events)
    this.#wake?.()
  }

  close(): void {
    this.#end ??= {}
    this.#wake?.()
  }

  fail(error: Error): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  readonly stop = (): void => {
    this.isStopped = true
    this.close()
  }

  get events(): AsyncIterable<WatchEvent> {
    return this.#iterate()
  }

  async *#iterate(): AsyncGenerator<WatchEvent> {
    for (;;) {
      const event = this.#queue.shift()
      if (event !== undefined) yield event
      else if (this.#end?.error !== undefined) throw this.#end.error
      else if (this.#end !== undefined) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

/** A plain answer. */
export function answer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): KubeResponse {
  return { kind: 'object', status, body, headers }
}

/** A refusal as an API server sends it. */
export function refusal(
  code: number,
  reason: string,
  message: string,
  retryAfterSeconds?: number,
): KubeResponse {
  return answer(code, status(code, reason, message, retryAfterSeconds))
}

/** A Status object, also what an ERROR watch event carries. */
export function status(
  code: number,
  reason: string,
  message: string,
  retryAfterSeconds?: number,
): unknown {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code,
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
  }
}

/** A list as an API server sends it: its items carry neither kind nor apiVersion. */
export function list(items: readonly unknown[], resourceVersion: string, next = ''): KubeResponse {
  return answer(200, {
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: { resourceVersion, ...(next === '' ? {} : { continue: next }) },
    items,
  })
}
