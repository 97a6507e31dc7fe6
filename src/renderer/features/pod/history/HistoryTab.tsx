import type { ReactNode } from 'react'
import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Bridge } from '../../../../shared/ipc/contract.ts'
import type { CausalChain } from '../../../../shared/model/pod-objects.ts'
import type { TraceEvent, TraceSeq } from '../../../../shared/model/trace-event.ts'
import { useAnswer } from '../../../store/requests/use-answer.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { CauseChain } from './CauseChain.tsx'
import { historyLineId, HistoryLine } from './HistoryLine.tsx'
import styles from './HistoryTab.module.css'
import type { HistoryPart } from './history-parts.ts'
import { countParts, historyParts, partOf } from './history-parts.ts'

const words = text.pod.history

/** A click shows the rest. */
const shownAtOnce = 40

interface Asked {
  /** The line that names the event. */
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

function PartFilter({
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
        aria-label={words.part}
        value={part}
        onChange={(event) => {
          onChange(historyParts.find((known) => known === event.target.value) ?? 'all')
        }}
      >
        <option value="all">{words.allParts(events.length)}</option>
        {historyParts.map((value) => (
          <option key={value} value={value}>
            {words.partCount(words.parts[value], counts.get(value) ?? 0)}
          </option>
        ))}
      </select>
      <span className={styles['keys']}>
        <Kbd>[</Kbd> <Kbd>]</Kbd>
        {words.keys}
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

/** What happened to the pod, newest first: each event in a sentence, with links to its causes. */
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
    words.asked,
    asked === null ? null : { cluster, seq: asked.about },
    askChain,
  )
  const follow = (from: TraceSeq, to: TraceSeq): void => {
    if (!listed.has(to)) {
      setAsked({ under: from, about: to })
      return
    }
    // A line that is filtered out or not shown yet must be drawn before it can take the focus.
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
  const forgetWanted = useAppState((state) => state.clearWantedEvent)
  const showWanted = useEffectEvent((seq: TraceSeq) => {
    follow(seq, seq)
    forgetWanted()
  })
  useEffect(() => {
    // `follow` uses flushSync, which an effect must not call.
    if (wanted !== null) queueMicrotask(() => showWanted(wanted))
  }, [wanted])
  const goBy = (key: string, from: TraceSeq): boolean => {
    const to = eventAfter(key, from, { shown, all: events })
    if (to !== undefined) follow(from, to)
    return to !== undefined
  }

  if (events.length === 0) return <EmptyState title={words.none}>{words.noneMeaning}</EmptyState>
  return (
    <section className={styles['history']} aria-label={text.pod.tabs.history}>
      <PartFilter events={events} part={part} onChange={setPart} />
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
        <p className={styles['none']}>{words.noneOfPart(events.length)}</p>
      ) : null}
      {shown.length === filtered.length ? null : (
        <div className={styles['more']}>
          <Button onClick={() => setCount(filtered.length)}>
            {words.showAll(filtered.length)}
          </Button>
        </div>
      )}
    </section>
  )
}
