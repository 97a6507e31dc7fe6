import type { LeaseVerdict } from '../../cluster/join/lease-guard.ts'
import type { StartError } from '../start-error.ts'

/** Starts a node when no other kubelet holds its lease. Settles only if one does: why the node was not started. */
export function startWhenFree(
  guard: { readonly run: () => Promise<LeaseVerdict> },
  start: () => void,
): Promise<StartError> {
  return new Promise((resolve) => {
    guard
      .run()
      .then((verdict) => {
        if (verdict.kind === 'free') start()
        if (verdict.kind === 'held') resolve({ exitCode: 2, message: verdict.message })
      })
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        resolve({ exitCode: 1, message: `The node could not be started: ${reason}` })
      })
  })
}
