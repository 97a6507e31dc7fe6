import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { err, ok } from '../../../shared/result.ts'
import { forbidden, unauthorized } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import type { Caller } from '../api-server.ts'

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

/**
 * The function that finds the caller of a request by its bearer token; undefined: no known token. Comparing digests takes the same
 * time no matter how much of a token a client guessed.
 */
export function tokenAuthenticator(
  callerByToken: ReadonlyMap<string, Caller>,
): (incoming: IncomingMessage) => Caller | undefined {
  const callers = [...callerByToken].map(([token, caller]) => ({ digest: digest(token), caller }))
  return (incoming) => {
    const match = /^bearer +(\S+)$/i.exec(incoming.headers.authorization ?? '')
    const presented = digest(match?.[1] ?? '')
    // Every token is compared, even after a match.
    const matching = callers.filter((one) => timingSafeEqual(one.digest, presented))
    return match === null ? undefined : matching.at(-1)?.caller
  }
}

/** The same for the API server, where the caller may speak for another. A request without a known token is refused. */
export function bearerAuthenticator(
  callerByToken: ReadonlyMap<string, Caller>,
): (incoming: IncomingMessage) => ApiResult<Caller> {
  const callerOf = tokenAuthenticator(callerByToken)
  return (incoming) => {
    const caller = callerOf(incoming)
    return caller === undefined ? err(unauthorized()) : impersonated(incoming, caller)
  }
}
