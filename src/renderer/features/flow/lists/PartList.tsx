import type { ReactNode } from 'react'
import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import { shownCluster } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { preciseClockText } from '../../../words/time.ts'
import { partName } from '../arrows/arrow-words.ts'
import { useArrow, useTables } from '../flow-context.ts'
import { useFollowedContext } from '../follow/followed-context.ts'
import { PartBody } from './PartBody.tsx'
import styles from './PartList.module.css'
import { usePartContent } from '../parts/use-part-content.ts'
import { isToServer } from '../arrows/Wire.tsx'
import { useAgo } from '../arrows/WireWords.tsx'

function LastOut({ arrow }: { readonly arrow: FlowArrowRow }): ReactNode {
  const { at, text, podName, lastMinute } = useArrow(arrow.id)
  const { parts } = useTables()
  const ago = useAgo(at)
  const isAway = useAppState((state) => shownCluster(state)?.connection.kind === 'away')
  const isBroken = isAway && isToServer(arrow)
  if (at === null && !isBroken) return null
  return (
    <span className={classNames(styles['out'], isBroken && styles['broken'])}>
      <Icon name={isBroken ? 'unlink' : 'arrow'} />
      <span>
        to {parts.find(({ id }) => id === arrow.to)?.title}: {isBroken ? 'blocked. ' : ''}
        {at === null ? '' : `${lastMinute} in the last minute, last ${text} ${podName} ${ago}`}
      </span>
    </span>
  )
}

function Part({
  part,
  isOpen,
  onOpen,
}: {
  readonly part: FlowPartRow
  readonly isOpen: boolean
  readonly onOpen: (part: string) => void
}): ReactNode {
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
        <LastOut key={arrow.id} arrow={arrow} />
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
  const { steps, title, shownSteps } = useFollowedContext()
  if (title === '') return null
  return (
    <section className={styles['steps']} aria-label={`Steps of ${title}`}>
      <h2>{title}</h2>
      {steps.length === 0 ? <p className={styles['purpose']}>No effects yet.</p> : null}
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

/** The picture where there is no room for one: its parts in order, with counts and last moves. */
export function PartList({
  open,
  onOpen,
}: {
  readonly open: string | null
  readonly onOpen: (part: string) => void
}): ReactNode {
  const { parts } = useTables()
  return (
    <>
      <Steps />
      <ol className={styles['list']} aria-label="Parts of the kubelet">
        {parts.map((part) => (
          <Part key={part.id} part={part} isOpen={open === part.id} onOpen={onOpen} />
        ))}
      </ol>
    </>
  )
}
