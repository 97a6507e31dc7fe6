import { assertNever } from '../../../shared/assert-never.ts'
import type { LeaseVerdict } from '../../cluster/join/lease-guard.ts'
import type { StartError } from '../start-error.ts'

/** Starts a node when no other kubelet holds its lease. Settles only if one does: why the node was not started. */
export function startWhenFree(
  guard: { readonly run: () => Promise<LeaseVerdict> },
  start: () => void,
): Promise<StartError> {
  return new Promise((resolve) => {
    const judge = (verdict: LeaseVerdict): void => {
      switch (verdict.kind) {
        case 'free':
          start()
          break
        case 'held':
          resolve({ exitCode: 2, message: verdict.message })
          break
        case 'stopped':
          break
        default:
          assertNever(verdict, 'verdict of the lease guard')
      }
    }
    guard
      .run()
      .then(judge)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        resolve({ exitCode: 1, message: `The node could not be started: ${reason}` })
      })
  })
}
