import type { ReactNode } from 'react'
import type { FlowRoot } from '../../../../shared/model/flow.ts'
import { useAppState } from '../../../store/store-context.ts'
import { clockText, preciseClockText } from '../../../words/time.ts'
import type { Point } from '../layout/box.ts'
import { fitText, title as titleRuler } from '../layout/fit.ts'
import { useFlow, useFlowPlace } from '../flow-context.ts'
import { useFollowedContext } from './followed-context.ts'
import { useLayout } from '../layout/layout-context.ts'
import styles from '../parts/Picture.module.css'
import { Pressable } from '../parts/Pressable.tsx'
import type { FlowStep } from './steps.ts'
import { rootsShown, stepsShown } from './steps.ts'
import { Badge, useAgo } from '../arrows/WireWords.tsx'
import { Text } from '../parts/Text.tsx'

/** Where a line of the list stands. */
function useLine(index: number): Point & { readonly width: number; readonly height: number } {
  const { x, y, width, line } = useLayout().legend
  return { x, y: y + index * line, width, height: line }
}

function Title({ children }: { readonly children: ReactNode }): ReactNode {
  const { x, y } = useLine(0)
  return (
    <Text x={x} y={y - 16} look="title">
      {children}
    </Text>
  )
}

function Line({
  index,
  children,
}: {
  readonly index: number
  readonly children: ReactNode
}): ReactNode {
  const { x, y } = useLine(index)
  return (
    <Text x={x} y={y + 4} look="faint">
      {children}
    </Text>
  )
}

/** What makes a whole line a button. */
function LineRoom({ index }: { readonly index: number }): ReactNode {
  const { x, y, width, height } = useLine(index)
  return (
    <rect x={x - 4} y={y - 9} width={width + 4} height={height} rx="3" className={styles['room']} />
  )
}

function Root({
  root: { seq, at, text },
  index,
}: {
  readonly root: FlowRoot
  readonly index: number
}): ReactNode {
  const { x, y, width } = useLine(index)
  const { cluster } = useFlowPlace()
  const setFollow = useAppState((state) => state.setFollow)
  return (
    <Pressable
      label={`Follow ${text}`}
      title={`Follow its effects: ${text}`}
      frame={<LineRoom index={index} />}
      onPress={() => setFollow({ kind: 'cause', cluster, seq, at, text })}
    >
      <Text x={x} y={y + 4} look="mono faint">
        {clockText(at)}
      </Text>
      <Text x={x + 64} y={y + 4} look="strong">
        {fitText(text, width - 64)}
      </Text>
    </Pressable>
  )
}

const none: readonly FlowRoot[] = []

/** What came from outside: the causes that can be followed. */
function Roots(): ReactNode {
  const isKnown = useFlow(() => true) ?? false
  const roots = useFlow((flow) => flow.roots) ?? none
  if (!isKnown) return null
  return (
    <>
      <Title>External causes</Title>
      {roots.length === 0 ? (
        <>
          <Line index={0}>None yet. Edit a manifest, or use kubectl:</Line>
          <Line index={1}>what follows from it is drawn here step by step.</Line>
        </>
      ) : null}
      {roots.slice(0, rootsShown).map((root, index) => (
        <Root key={root.seq} root={root} index={index} />
      ))}
    </>
  )
}

function StepLine({ step, index }: { readonly step: FlowStep; readonly index: number }): ReactNode {
  const { number, at, sentence, moves } = step
  const { shownSteps } = useFollowedContext()
  const { x, y, width } = useLine(index)
  return (
    <>
      <Badge x={x + 7} y={y} number={number} radius={7} />
      <Text x={x + 23} y={y + 4} look="mono faint">
        {preciseClockText(at).slice(6)}
      </Text>
      <Text
        x={x + 74}
        y={y + 4}
        look={`${number > shownSteps ? 'faint' : 'strong'} ${moves.length > 1 ? 'more' : ''}`}
      >
        {fitText(sentence, width - 74)}
      </Text>
    </>
  )
}

/** The steps; one whose line has no room for all that moved opens a panel. */
function Steps({ onOpen }: { readonly onOpen: (step: number) => void }): ReactNode {
  const { steps } = useFollowedContext()
  return steps.map((step, index) =>
    step.moves.length < 2 ? (
      <StepLine key={step.number} step={step} index={index} />
    ) : (
      <Pressable
        key={step.number}
        label={`All ${step.moves.length} moves of step ${step.number}`}
        title={step.sentence}
        step={step.number}
        frame={<LineRoom index={index} />}
        onPress={() => onOpen(step.number)}
      >
        <StepLine step={step} index={index} />
      </Pressable>
    ),
  )
}

/** The age is said whole: the name is cut to what it leaves. */
function titleWith(title: string, ago: string, width: number): string {
  const after = ago === '' ? '' : `, ${ago}`
  return `${fitText(title, width - titleRuler(after), titleRuler)}${after}`
}

/** Why there are no steps. */
function withoutSteps(isPod: boolean, chainState: string): string {
  if (isPod) return 'No recent moves. The pod is marked in its parts.'
  if (chainState === 'loading') return 'reading what followed from it'
  return chainState === 'gone' ? 'No longer in the trace.' : 'No effects yet.'
}

function Followed({ onOpenStep }: { readonly onOpenStep: (step: number) => void }): ReactNode {
  const { steps, title, at } = useFollowedContext()
  const { width } = useLine(0)
  const chainState = useAppState((state) => state.chainState)
  const isCut = useAppState((state) => state.chain?.isCut ?? false)
  const isPod = useAppState((state) => state.follow.kind === 'pod')
  const ago = useAgo(at)
  return (
    <>
      <Title>{titleWith(title, ago, width)}</Title>
      <Steps onOpen={onOpenStep} />
      {steps.length > 0 ? null : <Line index={0}>{withoutSteps(isPod, chainState)}</Line>}
      {isCut && steps.length > 0 && steps.length < stepsShown ? (
        <Line index={steps.length}>what caused it has left the trace</Line>
      ) : null}
    </>
  )
}

/** Under the sources: what can be followed, or what is followed, step by step. */
export function Legend({ onOpenStep }: { readonly onOpenStep: (step: number) => void }): ReactNode {
  const isEverything = useAppState((state) => state.follow.kind === 'everything')
  return isEverything ? <Roots /> : <Followed onOpenStep={onOpenStep} />
}
