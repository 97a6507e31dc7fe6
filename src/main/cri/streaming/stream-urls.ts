import { randomBytes } from 'node:crypto'
import type { StreamRequest, Streaming } from '../../runtimes/simulated/streams.ts'

/** As the kubelet's streaming library has it (k8s.io/kubelet/pkg/cri/streaming/request_cache.go). */
const urlLifetimeMs = 60_000
const maxUrls = 1000

/** A stream that a client may open. */
export type PendingStream =
  | {
      readonly kind: 'command'
      readonly request: StreamRequest
      readonly run: Parameters<Streaming['command']>[1]
    }
  | { readonly kind: 'port-forward'; readonly connect: Parameters<Streaming['portForward']>[0] }

interface Pending {
  readonly stream: PendingStream
  readonly expiry: NodeJS.Timeout
}

/** The URLs of streams that have not been opened yet. */
export class StreamUrls implements Streaming {
  readonly #base: () => string
  readonly #pending = new Map<string, Pending>()

  /** `base`: what every URL begins with. */
  constructor(base: () => string) {
    this.#base = base
  }

  readonly command: Streaming['command'] = (request, run) =>
    this.#urlOf({ kind: 'command', request, run })

  readonly portForward: Streaming['portForward'] = (connect) =>
    this.#urlOf({ kind: 'port-forward', connect })

  /** What the URL ends with names it. It stays until it is taken. */
  find(url: string): PendingStream | undefined {
    return this.#pending.get(tokenOf(url))?.stream
  }

  take(url: string): PendingStream | undefined {
    const pending = this.#pending.get(tokenOf(url))
    clearTimeout(pending?.expiry)
    this.#pending.delete(tokenOf(url))
    return pending?.stream
  }

  clear(): void {
    for (const { expiry } of this.#pending.values()) clearTimeout(expiry)
    this.#pending.clear()
  }

  #urlOf(stream: PendingStream): string {
    const token = randomBytes(16).toString('base64url')
    const expiry = setTimeout(() => this.#pending.delete(token), urlLifetimeMs)
    expiry.unref()
    this.#pending.set(token, { stream, expiry })
    const [oldest] = this.#pending.keys()
    if (this.#pending.size > maxUrls && oldest !== undefined) this.take(oldest)
    return `${this.#base()}/${token}`
  }
}

function tokenOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}
