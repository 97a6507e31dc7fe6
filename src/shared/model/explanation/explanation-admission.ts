import type { EventTable } from './event-words.ts'
import { timedOutKill } from './event-words.ts'
import { spanWords } from './explanation-words.ts'

/** Preemption at admission, and the active deadline: what the core itself ends pods for. */
export const admissionEvents = {
  'pod.deadlineExceeded': {
    section: 'termination#active-deadline',
    sentence: ({ activeMs, activeDeadlineSeconds }) =>
      `The pod has been active for ${spanWords(activeMs)}; the limit is ${activeDeadlineSeconds} s: the kubelet makes it Failed, which stops it.`,
  },
  'preemption.decided': {
    section: 'admission#preemption',
    sentence: ({ missing, victims }) =>
      `The critical pod lacks ${missing}, so the kubelet preempts ${victims.join(', ')}; the sync loop waits until they have stopped.`,
  },
  'preemption.requested': {
    section: 'admission#preemption',
    sentence: ({ forPod }) =>
      `The kubelet kills the pod with its own grace period to make room for the critical pod ${forPod}.`,
  },
  'preemption.completed': {
    section: 'admission#preemption',
    sentence: ({ timedOut }) =>
      timedOut
        ? timedOutKill('. The critical pod is admitted anyway; termination continues.')
        : 'The containers of the preempted pod have stopped; its object stays in the API.',
  },
} satisfies Partial<EventTable>
