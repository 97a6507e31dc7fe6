import type { ActError } from '../../shared/ipc/contract.ts'
import type { Result } from '../../shared/result.ts'
import { err } from '../../shared/result.ts'
import { text } from '../text/text.ts'

/** The result of a request; an error if the connection was lost. `advice`: what to check before a retry. */
export function requestResult<T>(
  request: Promise<Result<T, ActError>>,
  advice = '',
): Promise<Result<T, ActError>> {
  const message = text.frame.connection.lostBefore(advice)
  return request.catch(() => err({ kind: 'failed', message }))
}
