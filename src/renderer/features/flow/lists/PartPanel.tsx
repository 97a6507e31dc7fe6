import type { CSSProperties, ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import type { FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { preciseClockText } from '../../../words/time.ts'
import { arrowName } from '../arrows/ScreenReaderTexts.tsx'
import { useFlowPlace, useLayout, useTables } from '../flow-context.ts'
import type { FlowStep } from '../follow/steps.ts'
import { bottom, center, right } from '../layout/box.ts'
import { partName } from '../layout/flow-tables.ts'
import type { Layout } from '../layout/layout.ts'
import { partBox, pictureWidth } from '../layout/layout.ts'
import { usePartContent } from '../parts/part-forms.tsx'
import { PartBody } from './PartBody.tsx'
import styles from './PartPanel.module.css'

const words = text.flow.panel

function percent(value: number, of: number): string {
  return `${((value / of) * 100).toFixed(3)}%`
}

/** Grows from the corner of the part that is nearest to the picture's own. Pure. */
function panelPlace(part: string, layout: Layout): CSSProperties {
  const box = partBox(layout, part)
  const { x, y } = center(box)
  const isRight = x > pictureWidth * 0.6
  const isLow = y > layout.height * 0.6
  return {
    ...(isRight
      ? { right: percent(pictureWidth - right(box), pictureWidth) }
      : { left: percent(box.x, pictureWidth) }),
    ...(isLow
      ? { bottom: percent(layout.height - bottom(box), layout.height) }
      : { top: percent(box.y, layout.height) }),
    maxHeight: percent((isLow ? bottom(box) : layout.height - box.y) - 8, layout.height),
    minWidth: percent(Math.min(box.width, 594), pictureWidth),
    transformOrigin: `${isRight ? 'right' : 'left'} ${isLow ? 'bottom' : 'top'}`,
  }
}

interface PanelProps {
  readonly title: string
  readonly summary: string
  readonly place: CSSProperties
  readonly children: ReactNode
}

/** Opens over the picture and takes the focus. Esc closes it. */
function Panel({ title, summary, place, children }: PanelProps): ReactNode {
  const { close } = useFlowPlace()
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    panel.current?.focus()
  }, [])
  usePageKeys(({ key }) => {
    if (key === 'Escape') close()
    return key === 'Escape'
  })
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={title}
      className={styles['panel']}
      style={place}
      // Before it has grown there is nothing to scroll to.
      onAnimationEnd={({ currentTarget }) =>
        currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      }
    >
      <header className={styles['head']}>
        <h2>{title}</h2>
        <span className={styles['summary']}>{summary}</span>
        <Button
          variant="quiet"
          icon="close"
          label={words.close(title)}
          title={words.closeTitle}
          isSmall
          onClick={close}
        />
      </header>
      <div className={styles['body']}>{children}</div>
    </section>
  )
}

/** An open part: its purpose, and what it holds. */
export function PartPanel({ part }: { readonly part: FlowPartRow }): ReactNode {
  const place = panelPlace(part.id, useLayout())
  const { summary } = usePartContent(part)
  return (
    <Panel title={partName(part)} summary={summary} place={place}>
      <PartBody part={part} />
    </Panel>
  )
}

/** All moves of a step whose line in the legend has no room for them. */
export function StepPanel({ step }: { readonly step: FlowStep }): ReactNode {
  const { height, legend } = useLayout()
  const tables = useTables()
  const arrow = tables.arrows.find(({ id }) => id === step.arrow)
  const name = arrow === undefined ? '' : arrowName(arrow, tables)
  const place: CSSProperties = {
    left: percent(legend.x, pictureWidth),
    bottom: percent(height - legend.y + 28, height),
    maxHeight: percent(legend.y - 36, height),
    transformOrigin: 'left bottom',
  }
  const summary = words.moves(name, step.moves.length)
  return (
    <Panel title={words.step(step.number)} summary={summary} place={place}>
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
