import type { ApiResult } from '../api-status.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { err, ok } from '../../../shared/result.ts'
import type { Caller } from '../api-server.ts'
import { forbidden, unauthorized } from '../api-status.ts'

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The user and groups that `kubectl --as` names. */
function impersonated(incoming: IncomingMessage, caller: Caller): ApiResult<Caller> {
  const user = incoming.headers['impersonate-user']
  if (typeof user !== 'string') return ok(caller)
  if (!caller.groups.includes('system:masters')) {
    const why = `User "${caller.user}" cannot impersonate resource "users" in API group "" at the cluster scope`
    return err(forbidden({ group: '', plural: 'users' }, user, why))
  }
  const groups = incoming.headersDistinct['impersonate-group'] ?? []
  return ok({ ...caller, user, groups: [...groups, 'system:authenticated'] })
}

/** The callers by bearer token. Comparing digests takes the same time no matter how much of a token a client guessed. */
export class BearerCredentials {
  readonly #known: readonly { readonly digest: Buffer; readonly caller: Caller }[]

  constructor(callerByToken: ReadonlyMap<string, Caller>) {
    this.#known = [...callerByToken].map(([token, caller]) => ({ digest: digest(token), caller }))
  }

  /** The caller of a request. A request without a known token is refused. */
  authenticate(incoming: IncomingMessage): ApiResult<Caller> {
    const caller = this.#callerOf(incoming.headers.authorization ?? '')
    if (caller === undefined) return err(unauthorized())
    return impersonated(incoming, caller)
  }

  #callerOf(authorization: string): Caller | undefined {
    const match = /^bearer +(\S+)$/i.exec(authorization)
    const presented = digest(match?.[1] ?? '')
    let caller: Caller | undefined
    // Every token is compared, even after a match.
    for (const known of this.#known) {
      if (timingSafeEqual(known.digest, presented)) caller = known.caller
    }
    return match === null ? undefined : caller
  }
}
