import { admissionSentences } from './explanation-admission.ts'
import { loopSentences } from './explanation-loop.ts'
import { mirrorSentences } from './explanation-mirror.ts'
import { nodeSentences } from './explanation-node.ts'
import { outsideSentences } from './explanation-outside.ts'
import { runtimeSentences } from './explanation-runtime.ts'
import { shutdownSentences } from './explanation-shutdown.ts'
import type { Explanation, Sentences } from './explanation-sentences.ts'
import { workerSentences } from './explanation-worker.ts'
import type { TraceData, TraceEvent, TraceKind, TraceSubject } from './trace-event.ts'

const sentences: Sentences = {
  ...outsideSentences,
  ...loopSentences,
  ...admissionSentences,
  ...workerSentences,
  ...mirrorSentences,
  ...runtimeSentences,
  ...nodeSentences,
  ...shutdownSentences,
}

function sentenceOf<K extends TraceKind>({
  kind,
  data,
  subject,
}: {
  readonly kind: K
  readonly data: TraceData[K]
  readonly subject: TraceSubject
}): Explanation {
  const sentence: Sentences[K] = sentences[kind]
  return sentence(data, subject)
}

/** What an event of the trace means: one sentence for people, with its section of the kubelet semantics. Pure; same event, same words. */
export function explain(event: TraceEvent): Explanation {
  return sentenceOf(event)
}
