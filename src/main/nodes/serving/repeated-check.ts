import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../kubelet/ports.ts'

/** Looks once. Resolves with the ms until it should look again; the error is one sentence. It does not reject. */
export type Check = () => Promise<Result<number, string>>

const retryMs = 10_000

/**
 * Repeats a check until it is stopped. `first`: its first result. Each failure is said once, until another one or a success comes in
 * between.
 */
export function repeatCheck(
  check: Check,
  deps: {
    readonly clock: Pick<Clock, 'after'>
    readonly first: Result<number, string>
    readonly say: (sentence: string) => void
  },
): () => void {
  const { clock, first, say } = deps
  let isStopped = false
  let said = ''
  let cancel = (): void => undefined
  const take = (next: Result<number, string>): void => {
    if (isStopped) return
    const sentence = next.ok ? '' : next.error
    if (sentence !== '' && sentence !== said) say(sentence)
    said = sentence
    cancel = clock.after(next.ok ? next.value : retryMs, () => {
      void check().then(take)
    })
  }
  take(first)
  return () => {
    isStopped = true
    cancel()
  }
}
