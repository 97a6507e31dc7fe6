import type { CSSProperties, ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { preciseClockText } from '../../../words/time.ts'
import type { FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import { arrowName, partName } from '../arrows/arrow-words.ts'
import { useTables } from '../flow-context.ts'
import { useLayout } from '../layout/layout-context.ts'
import type { Layout } from '../layout/layout.ts'
import { partBox, pictureWidth } from '../layout/layout.ts'
import { PartBody } from './PartBody.tsx'
import styles from './PartPanel.module.css'
import type { FlowStep } from '../follow/steps.ts'
import { usePartContent } from '../parts/use-part-content.ts'

function percent(value: number, of: number): string {
  return `${((value / of) * 100).toFixed(3)}%`
}

/** Grows from the part's own corner, the one that is nearest to the picture's. Pure. */
function panelPlace(part: string, layout: Layout): CSSProperties {
  const { x, y, width, height } = partBox(layout, part)
  const isRight = x + width / 2 > pictureWidth * 0.6
  const isLow = y + height / 2 > layout.height * 0.6
  return {
    ...(isRight
      ? { right: percent(pictureWidth - x - width, pictureWidth) }
      : { left: percent(x, pictureWidth) }),
    ...(isLow
      ? { bottom: percent(layout.height - y - height, layout.height) }
      : { top: percent(y, layout.height) }),
    maxHeight: percent(isLow ? y + height - 8 : layout.height - y - 8, layout.height),
    minWidth: percent(Math.min(width, 594), pictureWidth),
    transformOrigin: `${isRight ? 'right' : 'left'} ${isLow ? 'bottom' : 'top'}`,
  }
}

interface PanelProps {
  readonly title: string
  readonly summary: string
  readonly place: CSSProperties
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Opens over the picture and takes the focus. Esc closes it. */
function Panel({ title, summary, place, onClose, children }: PanelProps): ReactNode {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    panel.current?.focus()
  }, [])
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      const { target } = event
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (target instanceof Element && target.closest('input, textarea, dialog') !== null) return
      event.preventDefault()
      onClose()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [onClose])
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={title}
      className={styles['panel']}
      style={place}
      // Before it has grown it has no place to scroll to.
      onAnimationEnd={({ currentTarget }) =>
        currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      }
    >
      <header className={styles['head']}>
        <h2>{title}</h2>
        <span className={styles['summary']}>{summary}</span>
        <Button
          look="quiet"
          icon="close"
          label={`Close ${title}`}
          title="Close (Esc)"
          isSmall
          onClick={onClose}
        />
      </header>
      <div className={styles['body']}>{children}</div>
    </section>
  )
}

/** A part that is open: what it is for, and what it holds. */
export function PartPanel({
  part,
  onClose,
}: {
  readonly part: FlowPartRow
  readonly onClose: () => void
}): ReactNode {
  const place = panelPlace(part.id, useLayout())
  const { summary } = usePartContent(part)
  return (
    <Panel title={partName(part)} summary={summary} place={place} onClose={onClose}>
      <PartBody part={part} />
    </Panel>
  )
}

/** All that moved along the arrow of a step, where its line has room for the first of it only. */
export function StepPanel({
  step,
  onClose,
}: {
  readonly step: FlowStep
  readonly onClose: () => void
}): ReactNode {
  const { height, legend } = useLayout()
  const tables = useTables()
  const arrow = tables.arrows.find(({ id }) => id === step.arrow)
  const place: CSSProperties = {
    left: percent(legend.x, pictureWidth),
    bottom: percent(height - legend.y + 28, height),
    maxHeight: percent(legend.y - 36, height),
    transformOrigin: 'left bottom',
  }
  return (
    <Panel
      title={`Step ${step.number}`}
      summary={`${arrow === undefined ? '' : arrowName(arrow, tables)}: ${step.moves.length} moves`}
      place={place}
      onClose={onClose}
    >
      <ol>
        {step.moves.map(({ at, sentence }) => (
          <li key={sentence} className={styles['move']}>
            <time>{preciseClockText(at)}</time>
            <span>{sentence}</span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
