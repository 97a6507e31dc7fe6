import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { podNamespace } from '../pod/identity.ts'
import type { Clock, Log, Random, TokenClient, TokenRequest } from '../ports.ts'

const maxAgeMs = 24 * 60 * 60 * 1000
const maxJitterSeconds = 10
/** The last part of its lifetime, in which a token is replaced. */
const refreshPercent = 20
/** What a token is valid for where a volume does not say it. */
export const defaultTokenSeconds = 3600

interface TokenManagerDeps {
  readonly tokenClient: TokenClient
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly log: Log
}

interface CachedToken {
  readonly request: TokenRequest
  readonly podUid: string
}

/**
 * Tokens of service accounts for the volumes of pods, kept in memory and requested again after 80 % of their lifetime or a
 * day, up to ten seconds earlier. A token that cannot be replaced is used until it expires.
 * Source: pkg/kubelet/token/token_manager.go.
 */
export class TokenManager {
  readonly #deps: TokenManagerDeps
  readonly #tokens = new Map<string, CachedToken>()

  constructor(deps: TokenManagerDeps) {
    this.#deps = deps
  }

  /** `audience` empty: the API server. The error is Go's text. */
  async getToken(
    pod: Pod,
    { audience, expirationSeconds = defaultTokenSeconds }: TokenWish,
    causes: TraceCauses,
  ): Promise<Result<string, string>> {
    const namespace = podNamespace(pod)
    const { name, uid } = pod.metadata
    const account = pod.spec.serviceAccountName ?? ''
    const key = keyOf(pod, { audience, expirationSeconds })
    const cached = this.#tokens.get(key)?.request
    if (cached !== undefined && !this.#requiresRefresh(cached)) return ok(cached.status.token)
    const spec = {
      audiences: audience === '' ? [] : [audience],
      expirationSeconds,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
    } as const
    const created = await this.#deps.tokenClient.createToken(
      { namespace, name: account },
      spec,
      causes,
    )
    if (created.ok) {
      this.#tokens.set(key, { request: created.value, podUid: uid })
      return ok(created.value.status.token)
    }
    const { message } = created.error
    if (cached === undefined) return err(`failed to fetch token: ${message}`)
    if (this.#expiresAt(cached) < this.#deps.clock.now())
      return err(`token ${key} expired and refresh failed: ${message}`)
    this.#deps.log.warn('a token could not be replaced', { podUid: uid, error: message })
    return ok(cached.status.token)
  }

  /** The earliest time at which a sync replaces the token, without the jitter; undefined: there is none yet. */
  renewsAt(pod: Pod, wish: TokenWish): number | undefined {
    const cached = this.#tokens.get(keyOf(pod, wish))?.request
    return cached === undefined ? undefined : this.#refreshesAt(cached)
  }

  /** Source: DeleteServiceAccountToken. */
  forget(podUid: string): void {
    for (const [key, token] of this.#tokens) if (token.podUid === podUid) this.#tokens.delete(key)
  }

  #expiresAt({ status }: TokenRequest): number {
    return Date.parse(status.expirationTimestamp)
  }

  #requiresRefresh(request: TokenRequest): boolean {
    const { clock, random } = this.#deps
    const jitterMs = Math.floor(random.next() * maxJitterSeconds) * 1000
    return clock.now() > this.#refreshesAt(request) - jitterMs
  }

  #refreshesAt(request: TokenRequest): number {
    const { expirationSeconds } = request.spec
    const expiresAt = this.#expiresAt(request)
    const oldAt = expiresAt - expirationSeconds * 1000 + maxAgeMs
    const lateAt = expiresAt - Math.floor((expirationSeconds * refreshPercent) / 100) * 1000
    return Math.min(oldAt, lateAt)
  }
}

function keyOf(pod: Pod, { audience, expirationSeconds = defaultTokenSeconds }: TokenWish): string {
  const { name, uid } = pod.metadata
  const account = pod.spec.serviceAccountName ?? ''
  const namespace = podNamespace(pod)
  return JSON.stringify([namespace, account, audience, expirationSeconds, name, uid])
}

interface TokenWish {
  readonly audience: string
  readonly expirationSeconds?: number | undefined
}
