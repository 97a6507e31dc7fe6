import { timeOf } from '../../../../shared/kubernetes/printers/age.ts'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import { text } from '../../../text/text.ts'
import { lastingText } from '../../../words/time.ts'

/** The reasons of a container that waits normally (containers#reasons); every other one is a failure. */
const normalWaits = new Set(['', 'ContainerCreating', 'PodInitializing'])

/** Whether the container failed or cannot start. Pure. */
export function isFailing({ state, reason, exitCode }: ContainerView): boolean {
  return (exitCode !== null && exitCode !== 0) || (state === 'waiting' && !normalWaits.has(reason))
}

/** `ran 12 s`; empty unless both times are known. Pure. */
export function ranText(startedAt: string | null, finishedAt: string | null): string {
  const start = timeOf(startedAt)
  const end = timeOf(finishedAt)
  return start === null || end === null ? '' : text.pod.containers.ran(lastingText(end - start))
}
