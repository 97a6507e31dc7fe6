import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { ShortLists } from '../../../shared/short-lists.ts'
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
  readonly account: string
  readonly audience: string
  /** As the volume wants it. */
  readonly wantedSeconds: number
  readonly token: string
  /** As the server decided. */
  readonly expirationSeconds: number
  readonly expiresAt: number
}

/**
 * Tokens of service accounts for the volumes of pods, kept in memory and requested again after 80 % of their lifetime or a
 * day, up to ten seconds earlier. A token that cannot be replaced is used until it expires.
 * Source: pkg/kubelet/token/token_manager.go.
 */
export class TokenManager {
  readonly #deps: TokenManagerDeps
  /** Those that `heldToken` found due: the time of a replacement is drawn once. */
  readonly #due = new WeakSet<CachedToken>()
  /** By the UID of the pod. */
  readonly #tokens = new ShortLists<CachedToken>()

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
    const wish = { account, audience, wantedSeconds: expirationSeconds }
    const cached = this.#cached(uid, wish)
    if (cached !== undefined && !this.#due.delete(cached) && !this.#requiresRefresh(cached))
      return ok(cached.token)
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
      const token = tokenOf(created.value, wish)
      const others = this.#tokens.get(uid).filter((other) => other !== cached)
      this.#tokens.set(uid, others.concat([token]))
      return ok(token.token)
    }
    const { message } = created.error
    if (cached === undefined) return err(`failed to fetch token: ${message}`)
    if (cached.expiresAt < this.#deps.clock.now()) {
      const key = JSON.stringify([namespace, account, audience, expirationSeconds, name, uid])
      return err(`token ${key} expired and refresh failed: ${message}`)
    }
    this.#deps.log.warn('a token could not be replaced', { podUid: uid, error: message })
    return ok(cached.token)
  }

  /** The token as `getToken` answers it, if none has to be requested; else undefined. */
  heldToken(
    pod: Pod,
    { audience, expirationSeconds: wantedSeconds = defaultTokenSeconds }: TokenWish,
  ): string | undefined {
    const account = pod.spec.serviceAccountName ?? ''
    const cached = this.#cached(pod.metadata.uid, { account, audience, wantedSeconds })
    if (cached === undefined) return undefined
    if (!this.#requiresRefresh(cached)) return cached.token
    this.#due.add(cached)
    return undefined
  }

  /** The earliest time at which a sync replaces the token, without the jitter; undefined: there is none yet. */
  renewsAt(pod: Pod, wish: TokenWish): number | undefined {
    const { audience, expirationSeconds: wantedSeconds = defaultTokenSeconds } = wish
    const account = pod.spec.serviceAccountName ?? ''
    const cached = this.#cached(pod.metadata.uid, { account, audience, wantedSeconds })
    return cached === undefined ? undefined : this.#refreshesAt(cached)
  }

  /** Source: DeleteServiceAccountToken. */
  forget(podUid: string): void {
    this.#tokens.delete(podUid)
  }

  #cached(uid: string, wish: CachedWish): CachedToken | undefined {
    return this.#tokens
      .get(uid)
      .find(
        ({ account, audience, wantedSeconds }) =>
          account === wish.account &&
          audience === wish.audience &&
          wantedSeconds === wish.wantedSeconds,
      )
  }

  #requiresRefresh(cached: CachedToken): boolean {
    const { clock, random } = this.#deps
    const jitterMs = Math.floor(random.next() * maxJitterSeconds) * 1000
    return clock.now() > this.#refreshesAt(cached) - jitterMs
  }

  #refreshesAt({ expirationSeconds, expiresAt }: CachedToken): number {
    const oldAt = expiresAt - expirationSeconds * 1000 + maxAgeMs
    const lateAt = expiresAt - Math.floor((expirationSeconds * refreshPercent) / 100) * 1000
    return Math.min(oldAt, lateAt)
  }
}

type CachedWish = Pick<CachedToken, 'account' | 'audience' | 'wantedSeconds'>

function tokenOf({ spec, status }: TokenRequest, wish: CachedWish): CachedToken {
  const { account, audience, wantedSeconds } = wish
  const { token, expirationTimestamp } = status
  const { expirationSeconds } = spec
  const expiresAt = Date.parse(expirationTimestamp)
  return { account, audience, wantedSeconds, token, expirationSeconds, expiresAt }
}

interface TokenWish {
  readonly audience: string
  readonly expirationSeconds?: number | undefined
}
