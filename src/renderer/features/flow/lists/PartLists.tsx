import type { ReactNode } from 'react'
import type { FlowMove, FlowView } from '../../../../shared/model/flow.ts'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Glyph } from '../../../ui/signs/Glyph.tsx'
import { StatusWord } from '../../../ui/signs/StatusWord.tsx'
import { fullTimeText, preciseClockText } from '../../../words/time.ts'
import { usePods } from '../board/use-pods.ts'
import { useFlow } from '../flow-context.ts'
import styles from './PartLists.module.css'
import { useShowPods } from './show-pods.ts'

/** Opens the panel of a pod. */
function PodLink({ row }: { readonly row: PodRow }): ReactNode {
  const openDrawer = useAppState((state) => state.openDrawer)
  const name = `${row.namespace}/${row.name}`
  return (
    <button
      type="button"
      className={styles['link']}
      aria-label={name}
      title={`${name}\n${row.uid}`}
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

export function Quiet({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className={styles['quiet']}>{children}</p>
}

interface SectionProps {
  readonly heading: ReactNode
  readonly children: ReactNode
}

export function Section({ heading, children }: SectionProps): ReactNode {
  return (
    <section>
      <h3 className={styles['heading']}>{heading}</h3>
      {children}
    </section>
  )
}

export interface LineOfPart {
  readonly name: string
  readonly side: string
  /** Under the name. */
  readonly note?: string
}

interface LinesProps {
  readonly heading: string
  /** Said without any line. */
  readonly without: string
  readonly lines: readonly LineOfPart[]
  /** How many there are beyond the lines. */
  readonly more?: number
}

/** What a part holds that is no pod, one line each. */
export function Lines({ heading, without, lines, more = 0 }: LinesProps): ReactNode {
  return (
    <Section heading={heading}>
      {lines.length === 0 ? <Quiet>{without}</Quiet> : null}
      <ul className={styles['list']}>
        {lines.map(({ name, side, note = '' }) => (
          <li key={`${name} ${note}`} className={styles['pod']}>
            <span className={styles['what']}>{name}</span>
            <span className={styles['side']}>{side}</span>
            {note === '' ? null : <span className={styles['note']}>{note}</span>}
          </li>
        ))}
        {more > 0 ? <li>{text.flow.details.andMore(more)}</li> : null}
      </ul>
    </Section>
  )
}

export interface PodListForm {
  readonly heading: ReactNode
  readonly test: (row: PodRow) => boolean
  /** The table's filter for those without room. */
  readonly filter: string
  /** Said without any pod. */
  readonly without: string
  /** Under a pod's name. */
  readonly note?: (row: PodRow) => string
  /** Instead of its STATUS. */
  readonly side?: (row: PodRow) => ReactNode
}

/** The pods that pass `test`, one line each. */
export function Pods({ heading, test, filter, without, ...form }: PodListForm): ReactNode {
  const { rows, more } = usePods(test)
  const showPods = useShowPods()
  const { note = () => '', side = (row) => <StatusWord word={row.status} tone={row.tone} /> } = form
  return (
    <Section heading={heading}>
      {rows.length === 0 ? <Quiet>{without}</Quiet> : null}
      <ul className={styles['list']}>
        {rows.map((row) => (
          <li key={row.key} className={styles['pod']}>
            <PodLink row={row} />
            <span className={styles['side']}>{side(row)}</span>
            {note(row) === '' ? null : <span className={styles['note']}>{note(row)}</span>}
          </li>
        ))}
        {more === 0 ? null : (
          <li>
            <button type="button" className={styles['more']} onClick={() => showPods(filter)}>
              {text.flow.moreInTable(more)}
            </button>
          </li>
        )}
      </ul>
    </Section>
  )
}

const movesListed = 12

/** The newest moves along some arrows and the last move of each, which may no longer be among the newest. */
function movesAlong(flow: FlowView, along: readonly string[]): readonly FlowMove[] {
  const lasts = flow.arrows.flatMap(({ last }) => last ?? [])
  const bySeq = new Map(
    [...lasts, ...flow.recent]
      .filter(({ arrow }) => along.includes(arrow))
      .map((move) => [move.seq, move]),
  )
  return [...bySeq.values()].toSorted((a, b) => b.seq - a.seq).slice(0, movesListed)
}

interface MovesProps {
  readonly arrows: readonly string[]
  readonly heading: string
  readonly without: string
}

/** What moved last along some arrows, newest first. */
export function Moves({ arrows, heading, without }: MovesProps): ReactNode {
  const moves = useFlow((flow) => movesAlong(flow, arrows)) ?? []
  const isNotKnown = useFlow((flow) => {
    const own = flow.arrows.filter(({ arrow }) => arrows.includes(arrow))
    return own.length > 0 && own.every(({ sight }) => sight === 'notKnown')
  })
  return (
    <Section heading={heading}>
      {moves.length > 0 ? null : (
        <Quiet>{isNotKnown === true ? text.flow.notKnown : without}</Quiet>
      )}
      <ol className={styles['list']}>
        {moves.map(({ seq, at, text: move, podName, certainty, evidence }) => (
          <li key={`${seq} ${at}`} className={styles['move']}>
            <time className={styles['at']} title={`#${seq}, ${fullTimeText(at)}`}>
              {preciseClockText(at)}
            </time>
            <span className={styles['what']}>{move}</span>
            <span className={styles['who']}>{podName}</span>
            {certainty === null ? null : (
              <span className={styles['evidence']}>{text.flow.inferred(certainty, evidence)}</span>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
