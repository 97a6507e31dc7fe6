import type { LoopEntry } from '../cluster-view.ts'
import type { TraceData, TraceEvent, TraceKind, TraceSubject } from '../trace-event.ts'
import type { EventTable, EventWords, Explanation } from './event-words.ts'
import { admissionEvents } from './explanation-admission.ts'
import { loopEvents } from './explanation-loop.ts'
import { mirrorEvents } from './explanation-mirror.ts'
import { nodeEvents } from './explanation-node.ts'
import { outsideEvents } from './explanation-outside.ts'
import { runtimeEvents } from './explanation-runtime.ts'
import { shutdownEvents } from './explanation-shutdown.ts'
import { ended } from './explanation-words.ts'
import { workerEvents } from './explanation-worker.ts'

const events: EventTable = {
  ...outsideEvents,
  ...loopEvents,
  ...admissionEvents,
  ...workerEvents,
  ...mirrorEvents,
  ...runtimeEvents,
  ...nodeEvents,
  ...shutdownEvents,
}

/** `TraceEvent` without what does not change its words; generic, so that row and data belong together. */
interface Worded<K extends TraceKind> {
  readonly kind: K
  readonly data: TraceData[K]
  readonly subject: TraceSubject
}

/** What an event of the trace means: one sentence for people, with its section of the handbook. Pure; same event, same words. */
export function explain<K extends TraceKind>({ kind, data, subject }: Worded<K>): Explanation {
  const words: EventWords<K> = events[kind]
  const worded = words.sentence(data, subject)
  const { sentence, section } =
    typeof worded === 'string' ? { sentence: worded, section: words.section } : worded
  return { sentence: ended(sentence), section }
}

/** A word or two for the event on its arrow. Pure. */
export function eventWord<K extends TraceKind>({ kind, data, subject }: Worded<K>): string {
  const { word = kind }: EventWords<K> = events[kind]
  return typeof word === 'string' ? word : word(data, subject)
}

/** A cause from outside, who did what: `kubectl deleted pod default/web`, `liveness failure of web`. Pure. */
export function eventCause<K extends TraceKind>(event: Worded<K>): string {
  const { kind, data, subject } = event
  const { cause }: EventWords<K> = events[kind]
  return cause?.(data, 'name' in subject ? subject.name : '') ?? eventWord(event)
}

/** What an event did on its arrow, in a few words. `name`: how the page calls the pod or object. Pure. */
export function eventStep<K extends TraceKind>(
  { kind, data, subject }: Worded<K>,
  name: string,
): string {
  const { step }: EventWords<K> = events[kind]
  return step === undefined ? `${kind} ${name}` : step(data, name, subject)
}

/** What the sync loop did, in the words of its strip; undefined for events of other parts. Pure. */
export function loopEntry<K extends TraceKind>({
  kind,
  data,
  subject,
  seq,
  at,
}: Worded<K> & Pick<TraceEvent, 'seq' | 'at'>): LoopEntry | undefined {
  const { line }: EventWords<K> = events[kind]
  return line && { seq, at, ...line(data, subject) }
}
