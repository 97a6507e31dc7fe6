import type { KubeRequest } from '../../../shared/kubernetes/request.ts'
import { isOn } from '../../../shared/go/query.ts'

/** How long a real server keeps a watch without a timeout open. */
const ordinaryLimitSeconds = 3600
const watchPath = /^\/(api|apis\/[^/]+)\/[^/]+\/watch\//
// Longer than any run, and still a valid number for the server.
const endlessSeconds = 1_000_000_000

export interface LimitedRequest {
  readonly request: KubeRequest
  /** Real ms after which a watch ends; `undefined` for other requests. */
  readonly limitMs: number | undefined
}

/**
 * Removes the time limit of a watch from the request, because the server would measure it on the sandbox's clock, which can run
 * a thousand times faster than real time or stand still.
 */
export function withRealTimeLimit(request: KubeRequest): LimitedRequest {
  const { method, path, query = {} } = request
  const requested = query['timeoutSeconds'] ?? ''
  const isWatch = method === 'GET' && (isOn(query['watch']) || watchPath.test(path))
  // The server refuses a text that is not a number.
  if (!isWatch || !/^\d{0,9}$/.test(requested)) return { request, limitMs: undefined }
  const seconds = Number(requested) > 0 ? Number(requested) : ordinaryLimitSeconds
  return {
    request: { ...request, query: { ...query, timeoutSeconds: String(endlessSeconds) } },
    limitMs: seconds * 1000,
  }
}
