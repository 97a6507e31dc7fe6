import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../kubelet/ports.ts'

/** Looks once. Resolves with the ms until it should look again; the error is one sentence. It does not reject. */
export type Check = () => Promise<Result<number, string>>

const retryMs = 10_000

/** Repeats a check until it is stopped. Each failure is said once, until another one or a success comes in between. */
export function repeatCheck(
  check: Check,
  deps: {
    readonly clock: Pick<Clock, 'after'>
    readonly firstDelayMs: number
    readonly say: (sentence: string) => void
  },
): () => void {
  const { clock, firstDelayMs, say } = deps
  let isStopped = false
  let said = ''
  const look = async (): Promise<void> => {
    const next = await check()
    if (isStopped) return
    const sentence = next.ok ? '' : next.error
    if (sentence !== '' && sentence !== said) say(sentence)
    said = sentence
    cancel = clock.after(next.ok ? next.value : retryMs, start)
  }
  const start = (): void => {
    void look()
  }
  let cancel = clock.after(firstDelayMs, start)
  return () => {
    isStopped = true
    cancel()
  }
}
