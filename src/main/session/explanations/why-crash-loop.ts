import type { ContainerView } from '../../../shared/model/pod-detail.ts'
import type { WhyAnswer } from '../../../shared/model/why.ts'
import { timeOfDay } from '../../../shared/kubernetes/timestamps.ts'
import { whyAnswer } from '../../../shared/model/explanation/why-steps.ts'
import type { WhyFacts } from './why-facts.ts'

const question = 'Why is it in CrashLoopBackOff?'

export function crashLooping(containers: readonly ContainerView[]): ContainerView | undefined {
  return containers.find(({ reason }) => reason === 'CrashLoopBackOff')
}

function endedWords({ name, lastTermination, restarts }: ContainerView): string {
  const restarted = `${restarts} ${restarts === 1 ? 'restart' : 'restarts'} so far`
  if (lastTermination === null) return `Container ${name} exited, ${restarted}.`
  const { exitCode, reason, finishedAt } = lastTermination
  const at = finishedAt === null ? '' : ` at ${timeOfDay(Date.parse(finishedAt))}`
  return `Container ${name} ended${at} with exit code ${exitCode}${reason === '' ? '' : `, ${reason}`}; ${restarted}.`
}

/** For a container in CrashLoopBackOff: it waits for the back-off, then for the next sync. */
export function whyCrashLoop(facts: WhyFacts): WhyAnswer | null {
  const container = crashLooping(facts.containers)
  if (container === undefined) return null
  const { backOffUntil } = container
  const { nextSyncAt = null } = facts.known.worker ?? {}
  const again = nextSyncAt === null ? '' : `, at ${timeOfDay(nextSyncAt)}`
  return whyAnswer(question, [
    {
      isDone: true,
      done: endedWords(container),
      source: `containerStatuses[${container.name}].lastState.terminated`,
      section: 'containers#back-off',
    },
    {
      isDone: backOffUntil !== null && backOffUntil <= facts.now,
      done: `Its back-off has ended${backOffUntil === null ? '' : `, at ${timeOfDay(backOffUntil)}`}.`,
      now: `Its back-off delays the restart${backOffUntil === null ? '' : ` until ${timeOfDay(backOffUntil)}`}: 10 s at first, doubled each time, at most 5 minutes.`,
      source: 'container.backOff',
      section: 'containers#back-off',
    },
    {
      now: `The first sync after the back-off starts it; the worker syncs next${again === '' ? ' within 15 s' : again}.`,
      next: `Then the first sync after that starts it; the worker syncs next${again === '' ? ' within 15 s' : again}.`,
      source: 'worker.nextSyncAt',
      section: 'containers#back-off',
    },
    {
      next: 'If it then runs for more than 10 minutes, the back-off restarts at 10 s.',
      source: 'container.backOff',
      section: 'containers#back-off',
    },
  ])
}
