import type { ReactNode } from 'react'
import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Bridge } from '../../../../shared/ipc/contract.ts'
import type { CausalChain } from '../../../../shared/model/pod-objects.ts'
import type { TraceEvent, TraceSeq } from '../../../../shared/model/trace-event.ts'
import { useAnswer } from '../../../store/requests/use-answer.ts'
import { useAppState } from '../../../store/store-context.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { CauseChain } from './CauseChain.tsx'
import { historyLineId, HistoryLine } from './HistoryLine.tsx'
import styles from './HistoryTab.module.css'
import type { HistoryPart } from './history-parts.ts'
import { countParts, historyParts, partOf } from './history-parts.ts'

/** As many as one looks through; the rest is a click away. */
const shownAtOnce = 40

interface Asked {
  /** The line that named the event. */
  readonly under: TraceSeq
  readonly about: TraceSeq
}

function askChain(
  bridge: Bridge,
  event: { readonly cluster: string; readonly seq: TraceSeq },
): Promise<CausalChain | null> {
  return bridge.request('trace.related', event)
}

function goTo(seq: TraceSeq): void {
  const number = document.getElementById(historyLineId(seq))
  number?.closest('li')?.scrollIntoView({ block: 'nearest' })
  number?.focus({ preventScroll: true })
}

function Filter({
  events,
  part,
  onChange,
}: {
  readonly events: readonly TraceEvent[]
  readonly part: HistoryPart | 'all'
  readonly onChange: (part: HistoryPart | 'all') => void
}): ReactNode {
  const counts = countParts(events)
  return (
    <div className={styles['filter']}>
      <select
        className={styles['select']}
        aria-label="Part of the kubelet"
        value={part}
        onChange={(event) => {
          const { value } = event.target
          onChange(historyParts.find((known) => known.part === value)?.part ?? 'all')
        }}
      >
        <option value="all">All parts, {events.length}</option>
        {historyParts.map(({ part: value, words }) => (
          <option key={value} value={value}>
            {words}, {counts.get(value) ?? 0}
          </option>
        ))}
      </select>
      <span className={styles['keys']}>
        <Kbd>[</Kbd> <Kbd>]</Kbd> cause, effect
      </span>
    </div>
  )
}

/** The event that a key leads to from `seq`. Pure. */
function eventAfter(
  key: string,
  seq: TraceSeq,
  { shown, all }: { readonly shown: readonly TraceEvent[]; readonly all: readonly TraceEvent[] },
): TraceSeq | undefined {
  const at = shown.findIndex((event) => event.seq === seq)
  switch (key) {
    case 'ArrowDown':
      return shown[at + 1]?.seq
    case 'ArrowUp':
      return shown[at - 1]?.seq
    case '[':
      return shown[at]?.causes[0]
    case ']':
      // The first effect: the list is newest first.
      return all.findLast((event) => event.causes.includes(seq))?.seq
    default:
      return undefined
  }
}

/** What happened to the pod and why, newest first: each event in a sentence, with the way to its causes. */
export function HistoryTab({
  cluster,
  events,
}: {
  readonly cluster: string
  readonly events: readonly TraceEvent[]
}): ReactNode {
  const [part, setPart] = useState<HistoryPart | 'all'>('all')
  const [count, setCount] = useState(shownAtOnce)
  const [marked, setMarked] = useState<TraceSeq | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const filtered = part === 'all' ? events : events.filter(({ kind }) => partOf(kind) === part)
  const shown = filtered.slice(0, count)
  const listed = new Set(events.map(({ seq }) => seq))
  const entry = shown.some(({ seq }) => seq === marked) ? marked : (shown[0]?.seq ?? null)

  const answer = useAnswer(
    'causes',
    asked === null ? null : { cluster, seq: asked.about },
    askChain,
  )
  const follow = (from: TraceSeq, to: TraceSeq): void => {
    if (!listed.has(to)) {
      setAsked({ under: from, about: to })
      return
    }
    // What is filtered out or folded away must be there before it can be shown.
    flushSync(() => {
      const isFiltered = !filtered.some(({ seq }) => seq === to)
      const rest = isFiltered ? events : filtered
      setMarked(to)
      if (isFiltered) setPart('all')
      setCount(Math.max(count, rest.findIndex(({ seq }) => seq === to) + 1))
    })
    goTo(to)
  }
  const wanted = useAppState((state) => state.wantedEvent)
  const forgetWanted = useAppState((state) => state.forgetWantedEvent)
  const showWanted = useEffectEvent((seq: TraceSeq) => {
    follow(seq, seq)
    forgetWanted()
  })
  useEffect(() => {
    // The line is drawn at once, which an effect may not ask for.
    if (wanted !== null) queueMicrotask(() => showWanted(wanted))
  }, [wanted])
  const goBy = (key: string, from: TraceSeq): boolean => {
    const to = eventAfter(key, from, { shown, all: events })
    if (to !== undefined) follow(from, to)
    return to !== undefined
  }

  if (events.length === 0)
    return (
      <EmptyState title="No history yet">
        Every decision of the kubelet about this pod is listed here with its cause.
      </EmptyState>
    )
  return (
    <section className={styles['history']} aria-label="History">
      <Filter events={events} part={part} onChange={setPart} />
      <ol>
        {shown.map((event) => (
          <HistoryLine
            key={event.seq}
            event={event}
            isMarked={event.seq === marked}
            isInTabOrder={event.seq === entry}
            isListed={(seq) => listed.has(seq)}
            onFollow={(seq) => follow(event.seq, seq)}
            onKey={(key) => goBy(key, event.seq)}
          >
            {asked?.under === event.seq ? (
              <CauseChain
                about={asked.about}
                answer={answer}
                onClose={() => {
                  setAsked(null)
                  goTo(event.seq)
                }}
              />
            ) : null}
          </HistoryLine>
        ))}
      </ol>
      {shown.length === 0 ? (
        <p className={styles['none']}>None of the last {events.length} events is of this part.</p>
      ) : null}
      {shown.length === filtered.length ? null : (
        <div className={styles['more']}>
          <Button onClick={() => setCount(filtered.length)}>Show all {filtered.length}</Button>
        </div>
      )}
    </section>
  )
}
