import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../api-server.ts'

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Who may call, by bearer token. Comparing digests takes the same time however much of a token was guessed. */
export class BearerCredentials {
  readonly #known: readonly { readonly digest: Buffer; readonly caller: Caller }[]

  constructor(callerByToken: ReadonlyMap<string, Caller>) {
    this.#known = [...callerByToken].map(([token, caller]) => ({ digest: digest(token), caller }))
  }

  /** The caller that the Authorization header names; `undefined` for none, a wrong token or another scheme. */
  authenticate(headers: IncomingHttpHeaders): Caller | undefined {
    const match = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')
    const presented = digest(match?.[1] ?? '')
    let caller: Caller | undefined
    // Every token is compared, also after a hit.
    for (const known of this.#known) {
      if (timingSafeEqual(known.digest, presented)) caller = known.caller
    }
    return match === null ? undefined : caller
  }
}
