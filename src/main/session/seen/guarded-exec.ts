import { err, ok } from '../../../shared/result.ts'
import type { OpenExec } from '../terminals/pod-terminals.ts'
import type { Changes } from './changes.ts'

const closedBecause = 'Changes are no longer allowed here, so the terminal was closed.'

/** Terminals that live while changes are allowed: what is typed extends the time, and its end closes them. */
export class GuardedExec {
  readonly #changes: Pick<Changes, 'refusal' | 'extend'>
  readonly #closeOpen = new Set<() => void>()

  constructor(changes: Pick<Changes, 'refusal' | 'extend'>) {
    this.#changes = changes
  }

  guard(openExec: OpenExec, cluster: string): OpenExec {
    return async (pod, command, listener) => {
      const refusal = this.#changes.refusal(cluster)
      if (refusal !== '') return err(refusal)
      this.#changes.extend()
      let closeNow = (): void => undefined
      const opened = await openExec(pod, command, {
        printed: listener.printed,
        ended: (end) => {
          this.#closeOpen.delete(closeNow)
          listener.ended(end)
        },
      })
      if (!opened.ok) return opened
      const stream = opened.value
      closeNow = () => {
        this.#closeOpen.delete(closeNow)
        stream.close()
        listener.ended({ exitCode: null, message: closedBecause })
      }
      this.#closeOpen.add(closeNow)
      return ok({
        resize: stream.resize,
        write: (text) => {
          this.#changes.extend()
          stream.write(text)
        },
        close: () => {
          this.#closeOpen.delete(closeNow)
          stream.close()
        },
      })
    }
  }

  closeAll(): void {
    for (const closeNow of this.#closeOpen) closeNow()
  }
}
