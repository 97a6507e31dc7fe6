import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowView } from '../../../../shared/model/flow.ts'
import { useStore } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import hidden from '../../../ui/text.module.css'
import { arrowOf, useFlow, useFlowPlace, useTables } from '../flow-context.ts'
import { useFollowed } from '../follow/followed.ts'
import type { FlowTables } from '../layout/flow-tables.ts'
import { useIsPaused, useIsReduced } from './motion.ts'

/** A live region that changes more often would interrupt itself. */
const everyMs = 2000

/** `PodConfig to sync loop` */
export function arrowName({ from, to }: FlowArrowRow, { parts }: FlowTables): string {
  const titleOf = (id: string): string => parts.find((part) => part.id === id)?.title ?? id
  return text.flow.arrows.name(titleOf(from), titleOf(to))
}

/** An arrow in one sentence. Pure. */
function arrowSentence(flow: FlowView, arrow: FlowArrowRow, tables: FlowTables): string {
  const view = arrowOf(flow, arrow.id) ?? { lastMinute: 0, last: null, sight: 'recorded' }
  return text.flow.arrows.sentence(arrowName(arrow, tables), arrow.meaning, view)
}

/** The last move, as the live region says it; empty without one. Pure. */
function lastMoveSentence({ recent: [last] }: FlowView, tables: FlowTables): string {
  const arrow = tables.arrows.find(({ id }) => id === last?.arrow)
  if (last === undefined || arrow === undefined) return ''
  return text.flow.arrows.move(arrowName(arrow, tables), last)
}

/** The arrows as a list, and the steps of what is followed: the picture for screen readers. */
export function ArrowList(): ReactNode {
  const tables = useTables()
  const sentences = useFlow((flow) =>
    tables.arrows.map((arrow) => arrowSentence(flow, arrow, tables)),
  )
  const { steps, title } = useFollowed()
  return (
    <div className={hidden['hidden']}>
      <ul aria-label={text.flow.arrows.list}>
        {sentences?.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {steps.length === 0 ? null : (
        <ol aria-label={text.flow.steps.of(title)}>
          {steps.map(({ number, moves }) => (
            <li key={number}>{moves.map(({ sentence }) => sentence).join(', ')}</li>
          ))}
        </ol>
      )}
    </div>
  )
}

/** Says the last move when motion is reduced. */
export function LastMove(): ReactNode {
  const { flow } = useStore()
  const { tables } = useFlowPlace()
  const isReduced = useIsReduced()
  const isPaused = useIsPaused()
  const [sentence, setSentence] = useState('')
  useEffect(() => {
    if (!isReduced) return undefined
    let last = flow.current()?.recent[0]?.seq
    const timer = setInterval(() => {
      const view = flow.current()
      const seq = view?.recent[0]?.seq
      if (view === null || seq === last) return
      last = seq
      setSentence(lastMoveSentence(view, tables))
    }, everyMs)
    return () => clearInterval(timer)
  }, [flow, tables, isReduced, isPaused])
  return (
    <output className={hidden['hidden']} aria-live="polite" aria-label={text.flow.arrows.lastMove}>
      {sentence}
    </output>
  )
}
