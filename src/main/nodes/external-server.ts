import type { Result } from '../../shared/result.ts'
import type { SandboxApiServer } from '../sandbox/api-server.ts'
import { connectTarget } from '../sandbox/connect/connect-request.ts'
import { serverError, statusResponse } from '../sandbox/api-status.ts'

/** The API server as clients outside of this process call it. */
export type ExternalServer = Pick<
  SandboxApiServer,
  'allowsAnonymous' | 'callerOfToken' | 'connect' | 'handle' | 'refusal' | 'stream' | 'useTokens'
>

/** Requests as all clients make them. */
interface ClientRequests {
  readonly handle: SandboxApiServer['handle']
  /** Throws while the server is made to be down. */
  readonly refuseInOutage: () => void
}

/** Where the objects of a server are kept. */
export interface WrittenState {
  /** Resolves when everything that was recorded before is kept. Error: a sentence. */
  readonly written: () => Promise<Result<undefined, string>>
  /** Why nothing can be kept now, as a sentence. */
  readonly problem: () => string | undefined
}

/**
 * The server of clients outside of this process. Where objects are kept, it answers a write when that is done, and refuses writes
 * while nothing can be kept. Clients in this process call `handle` itself: they end with it, and their writes are kept in the same
 * order, so that virtual time never waits for a disk.
 */
export function externalServer(
  server: SandboxApiServer,
  { handle, refuseInOutage }: ClientRequests,
  kept: WrittenState | undefined,
): ExternalServer {
  return {
    allowsAnonymous: server.allowsAnonymous,
    useTokens: (callerOfToken) => {
      server.useTokens(callerOfToken)
    },
    callerOfToken: (token) => server.callerOfToken(token),
    connect: (request, caller) => {
      if (connectTarget(request) !== undefined) refuseInOutage()
      return server.connect(request, caller)
    },
    stream: (request, parameters, caller) => {
      refuseInOutage()
      return server.stream(request, parameters, caller)
    },
    refusal: (caller, attributes) => server.refusal(caller, attributes),
    handle: kept === undefined ? handle : keptHandle(handle, kept),
  }
}

function keptHandle(
  handle: SandboxApiServer['handle'],
  { written, problem }: WrittenState,
): SandboxApiServer['handle'] {
  return async (request, caller) => {
    if (request.method === 'GET') return handle(request, caller)
    const before = problem()
    if (before !== undefined) return statusResponse(serverError(before))
    const answer = await handle(request, caller)
    const kept = await written()
    return kept.ok ? answer : statusResponse(serverError(kept.error))
  }
}
