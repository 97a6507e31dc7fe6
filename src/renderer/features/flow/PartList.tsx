import type { ReactNode } from 'react'
import type { FlowArrow } from '../../../shared/model/flow.ts'
import { flowArrows } from '../../../shared/model/flow.ts'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { preciseClockText } from '../../words/time.ts'
import { arrowLooks, isToServer } from './arrows.ts'
import { useArrow } from './flow-context.ts'
import { useFollowedContext } from './followed-context.ts'
import { PartBody } from './PartBody.tsx'
import styles from './PartList.module.css'
import type { FlowPart } from './parts.ts'
import { flowParts, isSource, partPurposes, partTitles } from './parts.ts'
import { usePartSummary } from './use-part-summary.ts'
import { useAgo } from './WireWords.tsx'

function LastOut({ arrow }: { readonly arrow: FlowArrow }): ReactNode {
  const { at, text, podName, lastMinute } = useArrow(arrow)
  const ago = useAgo(at)
  const isAway = useAppState((state) => shownCluster(state)?.connection.kind === 'away')
  const isBroken = isAway && isToServer(arrow)
  if (at === null && !isBroken) return null
  const { to } = arrowLooks[arrow]
  return (
    <span className={classNames(styles['out'], isBroken && styles['broken'])}>
      <Icon name={isBroken ? 'unlink' : 'arrow'} />
      <span>
        to {partTitles[to]}: {isBroken ? 'blocked. ' : ''}
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
  readonly part: FlowPart
  readonly isOpen: boolean
  readonly onOpen: (part: FlowPart) => void
}): ReactNode {
  const summary = usePartSummary(part)
  const title = isSource(part) ? `${partTitles[part]} source` : partTitles[part]
  const out = flowArrows.filter((arrow) => arrowLooks[arrow].from === part)
  return (
    <li className={styles['part']}>
      <button
        type="button"
        className={styles['head']}
        aria-expanded={isOpen}
        onClick={() => onOpen(part)}
      >
        <Icon name={isOpen ? 'down' : 'right'} />
        <span className={styles['title']}>{title}</span>
        <span className={styles['summary']}>{summary}</span>
      </button>
      {out.map((arrow) => (
        <LastOut key={arrow} arrow={arrow} />
      ))}
      {isOpen ? (
        <div className={styles['body']}>
          <p className={styles['purpose']}>{partPurposes[part]}</p>
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
  readonly open: FlowPart | null
  readonly onOpen: (part: FlowPart) => void
}): ReactNode {
  const sources = useAppState((state) => shownNode(state)?.sources)
  const parts = flowParts.filter(
    (part) => !isSource(part) || sources?.some(({ source }) => source === part) === true,
  )
  return (
    <>
      <Steps />
      <ol className={styles['list']} aria-label="Parts of the kubelet">
        {parts.map((part) => (
          <Part key={part} part={part} isOpen={open === part} onOpen={onOpen} />
        ))}
      </ol>
    </>
  )
}
