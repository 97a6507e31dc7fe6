import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { shownCluster } from '../../../store/shown-node.ts'
import { useAppState, useStore } from '../../../store/store-context.ts'
import text from '../../../ui/text.module.css'
import { arrowSentence, lastMoveSentence } from './arrow-words.ts'
import { useFlow, useFlowPlace, useTables } from '../flow-context.ts'
import { useFollowedContext } from '../follow/followed-context.ts'
import { useIsReduced } from './motion.ts'

/** A live region that says more would only be interrupted by itself. */
const saidEveryMs = 2000

/** The arrows as a list, and what is followed step by step: the picture for those who hear it. */
export function SpokenArrows(): ReactNode {
  const tables = useTables()
  const sentences = useFlow((flow) =>
    tables.arrows.map((arrow) => arrowSentence(flow, arrow, tables)),
  )
  const { steps, title } = useFollowedContext()
  return (
    <div className={text['hidden']}>
      <ul aria-label="Arrows">
        {sentences?.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {steps.length === 0 ? null : (
        <ol aria-label={`Steps of ${title}`}>
          {steps.map(({ number, moves }) => (
            <li key={number}>{moves.map(({ sentence }) => sentence).join(', ')}</li>
          ))}
        </ol>
      )}
    </div>
  )
}

/** Says the last move where nothing may move on the screen. */
export function SpokenMoves(): ReactNode {
  const { flow } = useStore()
  const { tables } = useFlowPlace()
  const isReduced = useIsReduced()
  const isPaused = useAppState((state) => shownCluster(state)?.clock.paused ?? false)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (!isReduced) return undefined
    let last = flow.current()?.recent[0]?.seq
    const timer = setInterval(() => {
      const view = flow.current()
      const seq = view?.recent[0]?.seq
      if (view === null || seq === last) return
      last = seq
      setSaid(lastMoveSentence(view, tables))
    }, saidEveryMs)
    return () => clearInterval(timer)
  }, [flow, tables, isReduced, isPaused])
  return (
    <output className={text['hidden']} aria-live="polite" aria-label="Last move">
      {said}
    </output>
  )
}
