import { defined } from '../../shared/json.ts'
import type { Log } from '../kubelet/ports.ts'

/** The events of a process for uncaught errors. */
export interface ErrorSource {
  readonly on: (
    event: 'uncaughtException' | 'unhandledRejection',
    listener: (error: unknown) => void,
  ) => unknown
}

export function errorFields(error: unknown): { readonly error: string; readonly stack?: string } {
  if (!(error instanceof Error)) return { error: String(error) }
  return defined({ error: error.message, stack: error.stack })
}

/**
 * Logs uncaught errors instead of ending the process: one failed connection or worker must not stop the whole cluster.
 */
export function logUncaughtErrors(source: ErrorSource, log: Log): void {
  source.on('uncaughtException', (error) => {
    log.error('uncaught exception', errorFields(error))
  })
  source.on('unhandledRejection', (error) => {
    log.error('unhandled rejection', errorFields(error))
  })
}
