import { guardRequest } from '../../shared/ipc/guards.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import type { SessionConnection } from '../session/session-channel.ts'
import { errorFields } from './uncaught-errors.ts'

/** Checks and answers a page's request, for both hosts. Never rejects; the error is a sentence for the page. */
export async function answerRequest(
  connection: SessionConnection,
  name: unknown,
  args: unknown,
  log: Log,
): Promise<Result<unknown, string>> {
  const guarded = guardRequest(name, args)
  if (!guarded.ok) {
    log.warn('request refused', { reason: guarded.error })
    return guarded
  }
  try {
    return ok(await connection.request(guarded.value.name, guarded.value.args))
  } catch (error) {
    log.error('request failed', { request: guarded.value.name, ...errorFields(error) })
    return err(`Nodescope failed to answer ${guarded.value.name}; its log says why.`)
  }
}
