import type { ReactNode } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { clockText, preciseClockText } from '../../words/time.ts'
import { fitText, title as titleRuler } from './fit.ts'
import { useFlow } from './flow-context.ts'
import { useFollowedContext } from './followed-context.ts'
import { useLayout } from './layout.ts'
import { rootsShown } from './steps.ts'
import styles from './Picture.module.css'
import { sentenceRoom, stepsShown } from './steps.ts'
import { useAgo } from './WireWords.tsx'

function Title({ children }: { readonly children: ReactNode }): ReactNode {
  const { legendY } = useLayout()
  return (
    <text x="44" y={legendY - 16} className={styles['title']}>
      {children}
    </text>
  )
}

function Line({
  index,
  children,
}: {
  readonly index: number
  readonly children: ReactNode
}): ReactNode {
  const { legendY, legendLine } = useLayout()
  return (
    <text x="44" y={legendY + index * legendLine + 4} className={styles['faint']}>
      {children}
    </text>
  )
}

/** What came from outside: the causes that can be followed. */
function Roots(): ReactNode {
  const { legendY, legendLine } = useLayout()
  const roots = useFlow((flow) =>
    flow.roots.slice(0, rootsShown).map(({ at, text }) => `${clockText(at)} ${text}`),
  )
  if (roots === undefined) return null
  return (
    <>
      <Title>External causes</Title>
      {roots.length === 0 ? (
        <>
          <Line index={0}>None yet. Edit a manifest, or use kubectl:</Line>
          <Line index={1}>what follows from it is drawn here step by step.</Line>
        </>
      ) : null}
      {roots.map((line, index) => (
        // Two of them can read the same within a second; their places tell them apart.
        // oxlint-disable-next-line react/no-array-index-key
        <g key={`${index} ${line}`}>
          <text
            x="44"
            y={legendY + index * legendLine + 4}
            className={classNames(styles['mono'], styles['faint'])}
          >
            {line.slice(0, 8)}
          </text>
          <text x="108" y={legendY + index * legendLine + 4} className={styles['strong']}>
            {fitText(line.slice(9), 338)}
          </text>
        </g>
      ))}
    </>
  )
}

function Steps(): ReactNode {
  const { legendY, legendLine } = useLayout()
  const { steps, shownSteps } = useFollowedContext()
  return steps.map(({ number, at, sentence, moves }, index) => {
    const y = legendY + index * legendLine
    const isLater = number > shownSteps
    return (
      <g key={number}>
        <g data-badge="">
          <circle
            cx="51"
            cy={y}
            r="7"
            className={isLater ? styles['badgeLater'] : styles['badge']}
            strokeWidth="0"
          />
          <text
            x="51"
            y={y + 3.8}
            textAnchor="middle"
            className={classNames(styles['badgeText'], isLater && styles['badgeTextLater'])}
          >
            {number}
          </text>
        </g>
        <text x="67" y={y + 4} className={classNames(styles['mono'], styles['faint'])}>
          {preciseClockText(at).slice(6)}
        </text>
        <text
          x="118"
          y={y + 4}
          className={classNames(
            isLater ? styles['faint'] : styles['strong'],
            moves.length > 1 && styles['more'],
          )}
        >
          {fitText(sentence, sentenceRoom)}
        </text>
      </g>
    )
  })
}

/** The age is said whole: the name is cut to what it leaves. */
function titleWith(title: string, ago: string): string {
  const after = ago === '' ? '' : `, ${ago}`
  return `${fitText(title, 404 - titleRuler(after), titleRuler)}${after}`
}

function Followed(): ReactNode {
  const { steps, title, at } = useFollowedContext()
  const chainState = useAppState((state) => state.chainState)
  const isCut = useAppState((state) => state.chain?.isCut ?? false)
  const isPod = useAppState((state) => state.follow.kind === 'pod')
  const ago = useAgo(at)
  return (
    <>
      <Title>{titleWith(title, ago)}</Title>
      <Steps />
      {steps.length > 0 ? null : isPod ? (
        <Line index={0}>No recent moves. The pod is marked in its parts.</Line>
      ) : chainState === 'loading' ? (
        <Line index={0}>reading what followed from it</Line>
      ) : chainState === 'gone' ? (
        <Line index={0}>No longer in the trace.</Line>
      ) : (
        <Line index={0}>No effects yet.</Line>
      )}
      {isCut && steps.length > 0 && steps.length < stepsShown ? (
        <Line index={steps.length}>what caused it has left the trace</Line>
      ) : null}
    </>
  )
}

/** Under the sources: what can be followed, or what is followed, step by step. */
export function Legend(): ReactNode {
  const isEverything = useAppState((state) => state.follow.kind === 'everything')
  return <g>{isEverything ? <Roots /> : <Followed />}</g>
}
