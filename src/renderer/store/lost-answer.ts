import type { ActError } from '../../shared/ipc/contract.ts'
import type { Result } from '../../shared/result.ts'
import { err } from '../../shared/result.ts'

/** What a request came to, also where the connection was lost. `advice`: what to look at before it is made again. */
export function answerOf<T>(
  request: Promise<Result<T, ActError>>,
  advice = '',
): Promise<Result<T, ActError>> {
  const message = `The connection to Nodescope was lost before it responded. ${advice}`.trim()
  return request.catch(() => err({ kind: 'failed', message }))
}
