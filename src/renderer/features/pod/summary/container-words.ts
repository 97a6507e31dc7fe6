import { timeOf } from '../../../../shared/kubernetes/printers/age.ts'
import { exitCodeWords } from '../../../../shared/kubernetes/printers/exit-code.ts'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import { lastingText } from '../../../words/time.ts'

/** `exit 137, ended by SIGKILL`. */
export function exitText(exitCode: number): string {
  const words = exitCodeWords(exitCode)
  return words === '' ? `exit ${exitCode}` : `exit ${exitCode}, ${words}`
}

/** kubectl's word for the state, with its reason. Pure. */
export function stateText({ state, reason, exitCode }: ContainerView): string {
  const exit = exitCode === null ? '' : `, ${exitText(exitCode)}`
  return reason === '' ? `${state}${exit}` : `${state}: ${reason}${exit}`
}

/** The reasons of a container that waits as it should (containers#reasons); every other one is a failure. */
const plainWaits = new Set(['', 'ContainerCreating', 'PodInitializing'])

/** Whether a person has to look at it. Pure. */
export function isAmiss({ state, reason, exitCode }: ContainerView): boolean {
  return (exitCode !== null && exitCode !== 0) || (state === 'waiting' && !plainWaits.has(reason))
}

/** `ran 12 s`; empty where one of its ends is not known. Pure. */
export function ranText(startedAt: string | null, finishedAt: string | null): string {
  const start = timeOf(startedAt)
  const end = timeOf(finishedAt)
  return start === null || end === null ? '' : `ran ${lastingText(end - start)}`
}

/** How much of a back-off is over, 0 to 1; it runs from the container's end. Pure. */
export function backOffShare({
  endedAt,
  until,
  now,
}: {
  readonly endedAt: number | null
  readonly until: number
  readonly now: number
}): number {
  if (endedAt === null || until <= endedAt) return now >= until ? 1 : 0
  return Math.min(1, Math.max(0, (now - endedAt) / (until - endedAt)))
}
