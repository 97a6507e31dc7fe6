import type { ReactNode } from 'react'
import type { FlowMove, FlowView } from '../../../../shared/model/flow.ts'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { useAppState } from '../../../store/store-context.ts'
import { Bricks } from '../../../ui/signs/Bricks.tsx'
import { Glyph } from '../../../ui/signs/Glyph.tsx'
import { StatusWord } from '../../../ui/signs/StatusWord.tsx'
import { countText, fullTimeText, preciseClockText } from '../../../words/time.ts'
import { useFlow } from '../flow-context.ts'
import styles from './PartLists.module.css'
import { useShowPods } from './show-pods.ts'
import { usePods } from './use-pods.ts'

/** A pod, and the way to it. */
function PodLink({ row }: { readonly row: PodRow }): ReactNode {
  const openDrawer = useAppState((state) => state.openDrawer)
  return (
    <button
      type="button"
      className={styles['link']}
      aria-label={`${row.namespace}/${row.name}`}
      title={`${row.namespace}/${row.name}\n${row.uid}`}
      onClick={() => openDrawer(row.key)}
    >
      <Glyph name={row.source} />
      <span className={styles['name']}>
        <span className={styles['faint']}>{row.namespace}/</span>
        {row.name}
      </span>
    </button>
  )
}

export function Heading({ children }: { readonly children: ReactNode }): ReactNode {
  return <h3 className={styles['heading']}>{children}</h3>
}

export function Quiet({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className={styles['quiet']}>{children}</p>
}

/** The pods that pass `test`, one line each; `note` says more about one, under its name. */
export function Pods({
  test,
  filter,
  without,
  note,
  side,
}: {
  readonly test: (row: PodRow) => boolean
  readonly filter: string
  readonly without: string
  readonly note?: (row: PodRow) => string
  readonly side?: (row: PodRow) => ReactNode
}): ReactNode {
  const { rows, more } = usePods(test)
  const showPods = useShowPods()
  if (rows.length === 0) return <Quiet>{without}</Quiet>
  return (
    <ul className={styles['list']}>
      {rows.map((row) => {
        const said = note?.(row) ?? ''
        return (
          <li key={row.key} className={styles['pod']}>
            <PodLink row={row} />
            <span className={styles['side']}>
              {side === undefined ? <StatusWord word={row.status} tone={row.tone} /> : side(row)}
            </span>
            {said === '' ? null : <span className={styles['note']}>{said}</span>}
          </li>
        )
      })}
      {more === 0 ? null : (
        <li>
          <button type="button" className={styles['more']} onClick={() => showPods(filter)}>
            and {countText(more)} more, in the table
          </button>
        </li>
      )}
    </ul>
  )
}

export function PodBricks({ row }: { readonly row: PodRow }): ReactNode {
  return <Bricks bricks={row.bricks} />
}

const movesListed = 12

/** The newest moves of all and, of each arrow, the last one, which newer ones of others may have pushed out. */
function movesAlong(flow: FlowView, along: readonly string[]): readonly FlowMove[] {
  const lasts = flow.arrows.flatMap(({ last }) => last ?? [])
  const bySeq = new Map(
    [...lasts, ...flow.recent]
      .filter(({ arrow }) => along.includes(arrow))
      .map((move) => [move.seq, move]),
  )
  return [...bySeq.values()].toSorted((a, b) => b.seq - a.seq).slice(0, movesListed)
}

/** What moved last along some arrows, newest first. */
export function Moves({
  arrows,
  without,
}: {
  readonly arrows: readonly string[]
  readonly without: string
}): ReactNode {
  const moves = useFlow((flow) => movesAlong(flow, arrows)) ?? []
  if (moves.length === 0) return <Quiet>{without}</Quiet>
  return (
    <ol className={styles['list']}>
      {moves.map(({ seq, at, text, podName }) => (
        <li key={seq} className={styles['move']}>
          <time className={styles['at']} title={`#${seq}, ${fullTimeText(at)}`}>
            {preciseClockText(at)}
          </time>
          <span className={styles['what']}>{text}</span>
          <span className={styles['who']}>{podName}</span>
        </li>
      ))}
    </ol>
  )
}
