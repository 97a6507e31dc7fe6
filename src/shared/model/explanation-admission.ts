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
      `The pod has been active for ${spanWords(activeMs)}; the limit is ${activeDeadlineSeconds} s: the kubelet makes it Failed, which stops it.`,
    ),
  'preemption.decided': ({ missing, victims }) =>
    said(
      '8.10',
      `The critical pod lacks ${missing}, so the kubelet preempts ${victims.join(', ')}; the sync loop waits until they have stopped.`,
    ),
  'preemption.requested': ({ forPod }) =>
    said(
      '8.10',
      `The kubelet kills the pod with its own grace period to make room for the critical pod ${forPod}.`,
    ),
  'preemption.completed': ({ timedOut }) =>
    timedOut
      ? said(
          '4.11',
          'The containers did not exit within 1.5 times the grace period (at least 10 s). The critical pod is admitted anyway; termination continues.',
        )
      : said(
          '8.10',
          'The containers of the preempted pod have stopped; its object stays in the API.',
        ),
}
