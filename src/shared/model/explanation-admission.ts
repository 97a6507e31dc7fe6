import type { Sentences } from './explanation-sentences.ts'
import { said } from './explanation-sentences.ts'
import { spanWords } from './explanation-words.ts'

/** Preemption at admission, and the active deadline: what the core itself ends pods for. */
export const admissionSentences: Pick<
  Sentences,
  'pod.deadlineExceeded' | 'preemption.decided' | 'preemption.requested' | 'preemption.completed'
> = {
  'pod.deadlineExceeded': ({ activeMs, activeDeadlineSeconds }) =>
    said(
      '5.9',
      `The pod has been active for ${spanWords(activeMs)} and may be for ${activeDeadlineSeconds} s: the kubelet makes it Failed, which stops it.`,
    ),
  'preemption.decided': ({ missing, victims }) =>
    said(
      '8.10',
      `The critical pod lacks ${missing}, and for it the kubelet kills ${victims.join(', ')}; the sync loop waits until they have stopped.`,
    ),
  'preemption.requested': ({ forPod }) =>
    said(
      '8.10',
      `The kubelet kills the pod with its own grace, to make room for the critical pod ${forPod}.`,
    ),
  'preemption.completed': ({ timedOut }) =>
    timedOut
      ? said(
          '4.11',
          'The containers did not end within one and a half times the grace (10 s at least); the critical pod is admitted all the same, and the stopping goes on.',
        )
      : said(
          '8.10',
          'The containers of the preempted pod have stopped; its object stays in the API.',
        ),
}
