import type { ReactNode } from 'react'
import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { preciseClockText } from '../../../words/time.ts'
import { useIsBroken } from '../arrows/Arrow.tsx'
import { useAgo, useArrow, useTables } from '../flow-context.ts'
import { useFollowed } from '../follow/followed.ts'
import { partName } from '../layout/flow-tables.ts'
import { usePartContent } from '../parts/part-forms.tsx'
import { PartBody } from './PartBody.tsx'
import styles from './PartList.module.css'

const words = text.flow.list

function LastMoveTo({ arrow }: { readonly arrow: FlowArrowRow }): ReactNode {
  const numbers = useArrow(arrow.id)
  const { parts } = useTables()
  const ago = useAgo(numbers.at)
  const isBroken = useIsBroken(arrow)
  if (numbers.at === null && !isBroken) return null
  const to = parts.find(({ id }) => id === arrow.to)?.title ?? arrow.to
  return (
    <span className={classNames(styles['out'], isBroken && styles['broken'])}>
      <Icon name={isBroken ? 'unlink' : 'arrow'} />
      <span>{words.lastMove(to, isBroken, numbers, ago)}</span>
    </span>
  )
}

interface PartProps {
  readonly part: FlowPartRow
  readonly isOpen: boolean
  readonly onOpen: (part: string) => void
}

function Part({ part, isOpen, onOpen }: PartProps): ReactNode {
  const { summary } = usePartContent(part)
  const out = useTables().arrows.filter(({ from }) => from === part.id)
  return (
    <li className={styles['part']}>
      <button
        type="button"
        className={styles['head']}
        aria-expanded={isOpen}
        onClick={() => onOpen(part.id)}
      >
        <Icon name={isOpen ? 'down' : 'right'} />
        <span className={styles['title']}>{partName(part)}</span>
        <span className={styles['summary']}>{summary}</span>
      </button>
      {out.map((arrow) => (
        <LastMoveTo key={arrow.id} arrow={arrow} />
      ))}
      {isOpen ? (
        <div className={styles['body']}>
          <PartBody part={part} />
        </div>
      ) : null}
    </li>
  )
}

function Steps(): ReactNode {
  const { steps, title, shownSteps } = useFollowed()
  if (title === '') return null
  return (
    <section className={styles['steps']} aria-label={text.flow.steps.of(title)}>
      <h2>{title}</h2>
      {steps.length === 0 ? <p className={styles['purpose']}>{text.flow.steps.none}</p> : null}
      <ol>
        {steps.map(({ number, at, moves }) => (
          <li key={number} className={classNames(number > shownSteps && styles['later'])}>
            <span className={styles['number']}>{number}</span>
            <time className={styles['at']}>{preciseClockText(at).slice(6)}</time>
            <span>{moves.map(({ sentence }) => sentence).join(', ')}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface PartListProps {
  readonly open: string | null
  readonly onOpen: (part: string) => void
}

/** The picture for a narrow window: its parts in order, with counts and last moves. */
export function PartList({ open, onOpen }: PartListProps): ReactNode {
  const { parts } = useTables()
  return (
    <>
      <Steps />
      <ol className={styles['list']} aria-label={words.label}>
        {parts.map((part) => (
          <Part key={part.id} part={part} isOpen={open === part.id} onOpen={onOpen} />
        ))}
      </ol>
    </>
  )
}
