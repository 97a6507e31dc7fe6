import type { Log } from '../kubelet/ports.ts'

/** The two events of a process that nobody else caught. */
export interface ErrorSource {
  readonly on: (
    event: 'uncaughtException' | 'unhandledRejection',
    listener: (error: unknown) => void,
  ) => unknown
}

export function errorFields(error: unknown): { readonly error: string; readonly stack?: string } {
  if (!(error instanceof Error)) return { error: String(error) }
  return error.stack === undefined
    ? { error: error.message }
    : { error: error.message, stack: error.stack }
}

/**
 * The last net of a host: what nobody caught is logged and the rest goes on, since one broken
 * connection or worker must not take a whole cluster with it.
 */
export function installLastNet(source: ErrorSource, log: Log): void {
  source.on('uncaughtException', (error) => {
    log.error('uncaught exception', errorFields(error))
  })
  source.on('unhandledRejection', (error) => {
    log.error('unhandled rejection', errorFields(error))
  })
}
