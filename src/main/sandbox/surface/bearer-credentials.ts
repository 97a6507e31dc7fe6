import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../api-server.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import type { Refusal } from './refusal.ts'

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** As `kubectl --as` asks: what follows is done in another name. */
function impersonated(incoming: IncomingMessage, caller: Caller): Result<Caller, Refusal> {
  const user = incoming.headers['impersonate-user']
  if (typeof user !== 'string') return ok(caller)
  if (!caller.groups.includes('system:masters')) {
    const message = `users "${user}" is forbidden: User "${caller.user}" cannot impersonate resource "users" in API group "" at the cluster scope`
    return err({ kind: 'forbidden', message })
  }
  const groups = incoming.headersDistinct['impersonate-group'] ?? []
  return ok({ ...caller, user, groups: [...groups, 'system:authenticated'] })
}

/** Who may call, by bearer token. Comparing digests takes the same time however much of a token was guessed. */
export class BearerCredentials {
  readonly #known: readonly { readonly digest: Buffer; readonly caller: Caller }[]

  constructor(callerByToken: ReadonlyMap<string, Caller>) {
    this.#known = [...callerByToken].map(([token, caller]) => ({ digest: digest(token), caller }))
  }

  /** The caller of a request. Without a known token it is refused, whatever else it carries. */
  authenticate(incoming: IncomingMessage): Result<Caller, Refusal> {
    const caller = this.#callerOf(incoming.headers.authorization ?? '')
    if (caller === undefined) return err({ kind: 'unauthorized', message: 'Unauthorized' })
    return impersonated(incoming, caller)
  }

  #callerOf(authorization: string): Caller | undefined {
    const match = /^bearer +(\S+)$/i.exec(authorization)
    const presented = digest(match?.[1] ?? '')
    let caller: Caller | undefined
    // Every token is compared, also after a hit.
    for (const known of this.#known) {
      if (timingSafeEqual(known.digest, presented)) caller = known.caller
    }
    return match === null ? undefined : caller
  }
}
