import type { WhyAnswer } from '../../../shared/model/why.ts'
import { podNamespace } from '../../kubelet/pod/identity.ts'
import { deletingBecause, staleBecause, syncPodState } from '../rows/mirror-reason.ts'
import type { SyncPodState } from '../rows/mirror-reason.ts'
import { mirrorState } from '../rows/mirror-state.ts'
import { timeOfDay } from '../../../shared/kubernetes/timestamps.ts'
import { clause } from '../../../shared/model/explanation/explanation-words.ts'
import { whyAnswer } from '../../../shared/model/explanation/why-steps.ts'
import type { WhyStep } from '../../../shared/model/explanation/why-steps.ts'
import type { WhyFacts } from './why-facts.ts'

const noSyncPod: Readonly<Record<SyncPodState, string>> = {
  notYet: 'Its worker has not started: only SyncPod creates and replaces mirrors.',
  stopping: 'The pod is terminating: SyncPod, which creates and replaces mirrors, no longer runs.',
  ended: 'The pod has terminated: SyncPod, which creates and replaces mirrors, no longer runs.',
  runs: '',
}

function syncs({ known }: WhyFacts): WhyStep {
  const state = syncPodState(known)
  return {
    isDone: state === 'runs',
    done: 'Its worker runs SyncPod, which creates and replaces mirrors.',
    now: noSyncPod[state],
    source: 'worker.state',
    section: 'mirror-pods#reconciliation',
  }
}

function serverAnswers({ known }: WhyFacts): WhyStep {
  return {
    isDone: !known.isServerAway,
    done: 'The API server responds.',
    now: 'The API server does not respond; each SyncPod retries.',
    next: 'The API server must respond.',
    source: 'connection',
    section: 'mirror-pods#reconciliation',
  }
}

const nodeFailure = /^the node is |^failed to get the uid of node/

function nodeKnown({ known }: WhyFacts): WhyStep {
  const failure = known.mirrorFailure ?? ''
  return {
    isDone: !nodeFailure.test(failure),
    done: 'The Node object exists to own it.',
    now: `The mirror needs the Node object as its owner: ${clause(failure)}.`,
    next: 'The Node object must exist to own it.',
    source: 'metadata.ownerReferences',
    section: 'mirror-pods#creation',
  }
}

function oldDeleted({ known }: WhyFacts): readonly WhyStep[] {
  const { mirror, pod } = known
  if (mirror === undefined) return []
  const { uid } = mirror.metadata
  const because = mirrorState(pod, mirror) === 'stale' ? staleBecause : deletingBecause
  return [
    {
      now: `${because}: SyncPod deletes it with grace period 0 and precondition UID ${uid}.`,
      next: `Then SyncPod deletes it with grace period 0 and precondition UID ${uid}.`,
      source: 'annotations[kubernetes.io/config.mirror]',
      section: 'mirror-pods#reconciliation',
    },
  ]
}

function created({ known }: WhyFacts): WhyStep {
  const { mirrorFailure, worker, pod } = known
  const at = worker?.nextSyncAt ?? null
  const when =
    at === null ? 'in the next SyncPod' : `in the next SyncPod, at ${timeOfDay(at)} or before`
  const noNamespace = /^namespaces "[^"]*" not found/.test(mirrorFailure ?? '')
  const refused = noNamespace
    ? `The namespace ${podNamespace(pod)} does not exist, and the kubelet does not create it`
    : `The API server refused it: ${clause(mirrorFailure ?? '')}`
  const working =
    worker?.working === true ? 'SyncPod is running and creates it.' : `It is created ${when}.`
  return {
    now: mirrorFailure === undefined ? working : `${refused}; retried ${when}.`,
    next: 'Then SyncPod creates it with the hash of the static pod and its own UID.',
    source: mirrorFailure === undefined ? 'worker.nextSyncAt' : 'mirror.failed',
    section: 'mirror-pods#creation',
  }
}

/** For a static pod whose mirror is missing, stale or being deleted. Null if the mirror is current. */
export function whyMirror(facts: WhyFacts): WhyAnswer | null {
  const state = mirrorState(facts.known.pod, facts.known.mirror)
  if (state === 'matched') return null
  return whyAnswer(`Why is the mirror ${state}?`, [
    syncs(facts),
    serverAnswers(facts),
    nodeKnown(facts),
    ...oldDeleted(facts),
    created(facts),
  ])
}
