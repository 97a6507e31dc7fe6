import type { Result } from '../../shared/result.ts'
import type { SandboxApiServer } from '../sandbox/api-server.ts'
import { serverError, statusResponse } from '../sandbox/api-status.ts'

/** The API server as clients outside of this process call it. */
export type ExternalServer = Pick<SandboxApiServer, 'handle' | 'connect' | 'stream'>

/** Where the objects of a server are kept. */
export interface WrittenState {
  /** Resolves when everything that was recorded before is kept. Error: a sentence. */
  readonly written: () => Promise<Result<undefined, string>>
  /** Why nothing can be kept now, as a sentence. */
  readonly problem: () => string | undefined
}

/**
 * A server that answers a write when it is kept, and refuses writes while nothing can be kept. Clients in this process call the
 * server itself: they end with it, and their writes are kept in the same order, so that virtual time never waits for a disk.
 */
export function externalServer(
  server: SandboxApiServer,
  { written, problem }: WrittenState,
): ExternalServer {
  return {
    connect: (request, caller) => server.connect(request, caller),
    stream: (path, parameters) => server.stream(path, parameters),
    handle: async (request, caller) => {
      if (request.method === 'GET') return server.handle(request, caller)
      const before = problem()
      if (before !== undefined) return statusResponse(serverError(before))
      const answer = await server.handle(request, caller)
      const kept = await written()
      return kept.ok ? answer : statusResponse(serverError(kept.error))
    },
  }
}
