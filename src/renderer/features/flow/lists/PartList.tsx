import type { ReactNode } from 'react'
import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { preciseClockText } from '../../../words/time.ts'
import { useIsBroken } from '../arrows/Arrow.tsx'
import { useAgo, useArrow, useFlowPlace, useTables } from '../flow-context.ts'
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

function Part({ part }: { readonly part: FlowPartRow }): ReactNode {
  const { open, toggle } = useFlowPlace()
  const isOpen = open === part.id
  const { summary } = usePartContent(part)
  const out = useTables().arrows.filter(({ from }) => from === part.id)
  return (
    <li className={styles['part']}>
      <button
        type="button"
        className={styles['head']}
        aria-expanded={isOpen}
        onClick={() => toggle(part.id)}
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

/** The picture for a narrow window: its parts in order, with counts and last moves. */
export function PartList(): ReactNode {
  const { parts } = useTables()
  return (
    <>
      <Steps />
      <ol className={styles['list']} aria-label={words.label}>
        {parts.map((part) => (
          <Part key={part.id} part={part} />
        ))}
      </ol>
    </>
  )
}
