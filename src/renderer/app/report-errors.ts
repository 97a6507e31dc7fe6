import type { Bridge } from '../../shared/ipc/contract.ts'

/** Sends an error of the page to the program's log. */
export interface ErrorReport {
  readonly error: (cause: unknown) => void
}

/** A limit, since a component can fail at every frame. */
const reportsAtMost = 50

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** Sends uncaught errors to main's log; `target` is the window. */
export function reportErrors(bridge: Bridge, target: EventTarget): ErrorReport {
  let reports = 0
  let unsent = 0
  const error = (cause: unknown): void => {
    reports++
    if (reports > reportsAtMost) return
    const stack = cause instanceof Error ? (cause.stack ?? '') : ''
    bridge
      .request('log.write', {
        level: 'error',
        message: `page: ${messageOf(cause)}`,
        detail: unsent === 0 ? stack : `${stack}\n(${unsent} reports before could not be sent)`,
      })
      .catch(() => {
        unsent++
      })
  }
  target.addEventListener('error', (event) => {
    if (event instanceof ErrorEvent) error(event.error ?? event.message)
  })
  target.addEventListener('unhandledrejection', (event) => {
    if (event instanceof PromiseRejectionEvent) error(event.reason)
  })
  return { error }
}
