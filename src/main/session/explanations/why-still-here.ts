import type { WhyAnswer } from '../../../shared/model/why.ts'
import {
  cleanUpStep,
  containersStoppedText,
  deletedObjectStep,
  manifestGoneStep,
  requestedText,
  stillHereQuestion,
  stillRunningText,
} from '../../../shared/model/explanation/stop-steps.ts'
import { endWords } from '../../../shared/model/forecast/forecast-words.ts'
import { isMirrorPod, isStaticPod } from '../../kubelet/pod/identity.ts'
import type { PodKnowledge } from '../rows/pod-knowledge.ts'
import { stopEnds } from '../rows/stop-ends.ts'
import { timeOfDay } from '../../../shared/kubernetes/timestamps.ts'
import { whyAnswer } from '../../../shared/model/explanation/why-steps.ts'
import type { WhyStep } from '../../../shared/model/explanation/why-steps.ts'
import type { WhyFacts } from './why-facts.ts'

function requested({ known }: WhyFacts): WhyStep {
  const { terminatingAt = null, terminatingBecause = '' } = known.worker ?? {}
  return {
    isDone: true,
    done: requestedText(terminatingAt, terminatingBecause),
    source: 'worker.terminatingAt',
    section: 'pod-workers#updatepod',
  }
}

function runningWords({ known, containers }: WhyFacts): { text: string; source: string } {
  const running = containers.filter(({ state }) => state === 'running').map(({ name }) => name)
  const [first] = running
  if (first === undefined)
    return {
      text: 'No container runs; the sandbox is stopped and the runtime is listed once more.',
      source: 'worker.terminatedAt',
    }
  const who = stillRunningText(running)
  const { grace } = known
  const until =
    grace === undefined
      ? `; the grace period is ${known.worker?.gracePeriodSeconds ?? 30} s`
      : ` until SIGKILL at ${timeOfDay(grace.killAt)}`
  return { text: `${who}${until}.`, source: `containerStatuses[${first}].state.running` }
}

function containersStopped(facts: WhyFacts): WhyStep {
  const { worker } = facts.known
  const { text, source } = runningWords(facts)
  const at = worker?.terminatedAt ?? null
  return {
    isDone: worker?.state !== 'TerminatingPod',
    done: containersStoppedText(at),
    now: text,
    next: 'Then its containers stop.',
    source,
    section: 'pod-workers#sync-functions',
  }
}

function cleanedUp({ known }: WhyFacts): WhyStep {
  return cleanUpStep('; this node makes no cgroup', {
    isDone: known.worker?.finished ?? false,
    source: 'worker.finished',
  })
}

function statusWritten({ known }: WhyFacts): readonly WhyStep[] {
  const { worker, localStatus, pod, mirror, isServerAway } = known
  if (localStatus === undefined || (isStaticPod(pod) && mirror === undefined)) return []
  const version = worker?.statusVersion ?? 0
  const phase = localStatus.phase ?? 'Unknown'
  const because = isServerAway ? ', the API server does not respond' : ''
  return [
    {
      isDone: (worker?.statusVersionSent ?? -1) >= version,
      done: `The final status is written: ${phase}.`,
      now: `The final status, ${phase}, is not written yet${because}.`,
      next: 'Then the final status is written.',
      source: 'status version cached, sent',
      section: 'status#sending-a-status',
    },
  ]
}

/** The phase after its containers have stopped; while they run, the possible ones. */
function finalPhase(known: PodKnowledge): string {
  if (known.worker?.state !== 'TerminatingPod')
    return known.localStatus?.phase ?? known.pod.status?.phase ?? 'Failed'
  const { exitZero, killed } = stopEnds(known)
  const ends = exitZero === killed ? [killed] : [killed, exitZero]
  return endWords(ends.map((phase) => ({ phase, reason: '' })))
}

function objectStep({ known }: WhyFacts): WhyStep {
  const { deletionTimestamp, finalizers = [] } = known.pod.metadata
  if (deletionTimestamp !== undefined)
    return deletedObjectStep({ finalizers, isServerAway: known.isServerAway })
  const stays = `object stays, with phase ${finalPhase(known)}: nothing has asked the API server to delete it.`
  return {
    now: `The ${stays}`,
    next: `Then the ${stays}`,
    source: 'metadata.deletionTimestamp',
    section: 'status#sending-a-status',
  }
}

function objectGone(facts: WhyFacts): WhyStep {
  const { known } = facts
  const forgets = 'housekeeping, every 2 s, removes the worker.'
  if (!known.isListed)
    return {
      now: `Its object is gone from the API server; ${forgets}`,
      next: `Then ${forgets} Its object is gone from the API server already.`,
      source: 'pod manager',
      section: 'pod-workers#syncknownpods',
    }
  return objectStep(facts)
}

function manifestGone({ known }: WhyFacts): WhyStep {
  const source = 'pod manager'
  if (!known.isListed) return manifestGoneStep(source)
  const stays = 'manifest is still there: it starts again only if that changes.'
  return {
    source,
    section: 'pod-workers#syncknownpods',
    now: `It has ended, and its ${stays}`,
    next: `Then it stays as ended. Its ${stays}`,
  }
}

function recreated(): WhyStep {
  return {
    now: 'Housekeeping removes the worker and starts the pod of the same UID again.',
    next: 'Then housekeeping removes the worker and starts the pod of the same UID again.',
    source: 'worker.restartRequested',
    section: 'pod-workers#reuse-of-a-uid',
  }
}

function lastStep(facts: WhyFacts): WhyStep {
  if (facts.known.worker?.restartRequested === true) return recreated()
  return isStaticPod(facts.known.pod) ? manifestGone(facts) : objectGone(facts)
}

/** For a pod that terminates or has terminated: containers, clean-up, final status, the object. */
export function whyStillHere(facts: WhyFacts): WhyAnswer | null {
  return whyAnswer(stillHereQuestion, [
    requested(facts),
    containersStopped(facts),
    cleanedUp(facts),
    ...statusWritten(facts),
    lastStep(facts),
  ])
}

/** For a mirror whose static pod is not on the node. */
export function whyOrphanStays({ known, areSourcesReady }: WhyFacts): WhyAnswer | null {
  const { finalizers = [] } = known.pod.metadata
  if (!isMirrorPod(known.pod)) return null
  return whyAnswer(stillHereQuestion, [
    {
      isDone: true,
      done: 'It is a mirror, and the node has no static pod of its name.',
      source: 'annotations[kubernetes.io/config.mirror]',
      section: 'mirror-pods#orphaned-mirrors',
    },
    {
      isDone: areSourcesReady,
      done: 'Every source has been read.',
      now: 'A source has not been read yet. Until then its static pod may still appear, and nothing is deleted.',
      source: 'sourcesReady',
      section: 'sources#sources-ready',
    },
    {
      isDone: !known.isServerAway,
      done: 'The API server responds.',
      now: 'The API server does not respond, so it cannot be deleted.',
      next: 'Then the API server must respond.',
      source: 'connection',
      section: 'mirror-pods#orphaned-mirrors',
    },
    {
      now:
        finalizers.length > 0
          ? `Housekeeping sends DELETE with grace period 0; finalizers keep the object: ${finalizers.join(', ')}.`
          : 'Housekeeping deletes it with grace period 0 in its next run, every 2 s.',
      next: 'Then housekeeping deletes it with grace period 0.',
      source: finalizers.length > 0 ? 'metadata.finalizers' : 'housekeeping',
      section: 'mirror-pods#orphaned-mirrors',
    },
  ])
}
