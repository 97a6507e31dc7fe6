import type { KubeRequest } from '../../../shared/kubernetes/request.ts'
import { isOn } from '../endpoints/list-options.ts'

/** As long as a real server leaves a watch open that does not say how long it shall be. */
const ordinaryLimitSeconds = 3600
// On any clock longer than anybody looks, and still a number that the server takes.
const endlessSeconds = 1_000_000_000

export interface LimitedRequest {
  readonly request: KubeRequest
  /** Real ms after which the answer is to end; `undefined` for all but watches. */
  readonly limitMs: number | undefined
}

/**
 * Takes the time limit of a watch from the server, which would count it on the sandbox's clock: a
 * thousand times too fast for a kubectl beside a fast-forward, never while the clock stands.
 */
export function withRealTimeLimit(request: KubeRequest): LimitedRequest {
  const { method, query = {} } = request
  const asked = query['timeoutSeconds'] ?? ''
  const isWatch = method === 'GET' && isOn(query['watch'])
  // What is no number is left for the server to refuse.
  if (!isWatch || !/^\d{0,9}$/.test(asked)) return { request, limitMs: undefined }
  const seconds = Number(asked) > 0 ? Number(asked) : ordinaryLimitSeconds
  return {
    request: { ...request, query: { ...query, timeoutSeconds: String(endlessSeconds) } },
    limitMs: seconds * 1000,
  }
}
