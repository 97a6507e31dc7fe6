import type { ReactNode } from 'react'
import type { SourceView } from '../../../shared/model/cluster-view.ts'
import type { ConfigOp, PodSource } from '../../../shared/model/trace-event.ts'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { fitText } from './fit.ts'
import { useArrow, useFlow } from './flow-context.ts'
import { useLayout } from './layout.ts'
import styles from './Picture.module.css'
import { Sign, sourceInks } from './Sign.tsx'
import { useAgo } from './WireWords.tsx'

export const sourceArrows: Readonly<
  Record<PodSource, 'api-podConfig' | 'file-podConfig' | 'http-podConfig'>
> = { api: 'api-podConfig', file: 'file-podConfig', http: 'http-podConfig' }

/** What a source reads, in the room of one line. Pure. */
function sourceText({ source, location }: SourceView): string {
  switch (source) {
    case 'api':
      return 'watching pods'
    case 'file':
      return `in ${location.split(/[\\/]/).findLast((part) => part !== '') ?? location}`
    case 'http':
    default:
      return location.replace(/^https?:\/\//, '')
  }
}

function SourceState({ view, y }: { readonly view: SourceView; readonly y: number }): ReactNode {
  const { at, text } = useArrow(sourceArrows[view.source])
  const ago = useAgo(at)
  if (view.problems.length > 0)
    return (
      <text x="58" y={y} className={styles['error']}>
        {view.problems.length === 1 ? '1 problem' : `${view.problems.length} problems`}
      </text>
    )
  if (!view.ready)
    return (
      <text x="58" y={y} className={styles['warn']}>
        not ready yet
      </text>
    )
  return (
    <text x="58" y={y} className={styles['faint']}>
      {ago === '' ? 'nothing sent yet' : fitText(`${text} ${ago}`, 136)}
    </text>
  )
}

function SourcePart({ view }: { readonly view: SourceView }): ReactNode {
  const { x, y, width, height } = useLayout().parts[view.source]
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="6"
        className={styles['part']}
        data-frame={view.source}
      />
      <Sign name={view.source} x={58} y={y + 13} size={14} ink={sourceInks[view.source]} />
      <text x="80" y={y + 24} className={styles['title']}>
        {view.source}
      </text>
      <text x="190" y={y + 29} textAnchor="end" className={styles['figure']}>
        {view.pods}
      </text>
      <text x="58" y={y + 43}>
        {fitText(sourceText(view), 128)}
      </text>
      <SourceState view={view} y={y + 57} />
    </g>
  )
}

/** The sources that the node has; without them nothing comes in. */
export function SourceParts(): ReactNode {
  const sources = useAppState((state) => shownNode(state)?.sources)
  return sources?.map((view) => <SourcePart key={view.source} view={view} />)
}

const ops: readonly ConfigOp[] = ['ADD', 'UPDATE', 'REMOVE', 'RECONCILE', 'DELETE']

function OpRow({ op, y }: { readonly op: ConfigOp; readonly y: number }): ReactNode {
  const count = useFlow((flow) => flow.podConfig.ops[op]) ?? 0
  const isFresh = useFlow((flow) => {
    const [last] = flow.recent.filter((move) => move.arrow.endsWith('-podConfig'))
    return last !== undefined && flow.now - last.at < 10_000 && last.text.startsWith(op)
  })
  const look = classNames(styles['mono'], count === 0 ? styles['faint'] : styles['strong'])
  return (
    <>
      {isFresh === true ? (
        <rect x="265" y={y - 14} width="112" height="20" rx="3" className={styles['opRow']} />
      ) : null}
      <text x="272" y={y} className={look}>
        {op}
      </text>
      <text x="370" y={y} textAnchor="end" className={look}>
        {count}
      </text>
    </>
  )
}

export function PodConfigPart(): ReactNode {
  const { x, y, width, height } = useLayout().parts.podConfig
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="6"
        className={styles['part']}
        data-frame="PodConfig"
      />
      <text x="272" y={y + 23} className={styles['title']}>
        PodConfig
      </text>
      <text x="272" y={y + 40} className={styles['faint']}>
        merged, last minute
      </text>
      {ops.map((op, index) => (
        <OpRow key={op} op={op} y={y + 64 + index * 22} />
      ))}
    </g>
  )
}
