import type { ReactNode } from 'react'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { clockText, preciseClockText } from '../../../words/time.ts'
import { Badge } from '../arrows/ArrowTexts.tsx'
import {
  useAgo,
  useFlow,
  useFlowPlace,
  useIsFlowKnown,
  useIsLogged,
  useLayout,
} from '../flow-context.ts'
import { fitText, title as titleRuler } from '../layout/fit.ts'
import styles from '../parts/Picture.module.css'
import type { ButtonOfPicture } from '../parts/drawing.tsx'
import { Pressable, Text } from '../parts/drawing.tsx'
import { useFollowed } from './followed.ts'
import { stepId, stepsShown } from './steps.ts'

const causesShown = 6

function Title({ words }: { readonly words: string }): ReactNode {
  const { x, y } = useLayout().legend
  return <Text x={x} y={y - 16} words={words} classes="title" />
}

interface LineProps {
  readonly index: number
  readonly words: string
  readonly classes?: string
  readonly time?: string
  /** The number of a step, before its time. */
  readonly step?: number
  /** The whole line is a button. */
  readonly button?: ButtonOfPicture
}

function Line({ index, words, classes = 'faint', time = '', step, button }: LineProps): ReactNode {
  const { x, y: top, width, line } = useLayout().legend
  const y = top + index * line
  const [timeAt, wordsAt] = step !== undefined ? [23, 74] : time !== '' ? [0, 64] : [0, 0]
  const content = (
    <>
      {step === undefined ? null : <Badge x={x + 7} y={y} number={step} radius={7} />}
      <Text x={x + timeAt} y={y + 4} words={time} classes="mono faint" />
      <Text x={x + wordsAt} y={y + 4} words={fitText(words, width - wordsAt)} classes={classes} />
    </>
  )
  if (button === undefined) return content
  const frame = { x: x - 4, y: y - 9, width: width + 4, height: line, rx: 3 }
  return (
    <Pressable {...button} frame={<rect {...frame} className={styles['room']} />}>
      {content}
    </Pressable>
  )
}

/** The causes from outside that can be followed. */
function Causes(): ReactNode {
  const words = text.flow.legend
  const { cluster } = useFlowPlace()
  const setFollow = useAppState((state) => state.setFollow)
  const isKnown = useIsFlowKnown()
  const isLogged = useIsLogged()
  const roots = useFlow((flow) => flow.roots)
  const areKnown = useFlow((flow) => flow.roots !== null) ?? true
  const causes = roots ?? []
  if (!isKnown) return null
  return (
    <>
      <Title words={words.causes} />
      {causes.length > 0
        ? null
        : (areKnown ? words.noCauses : words.causesNotKnown(isLogged)).map((line, index) => (
            <Line key={line} index={index} words={line} />
          ))}
      {causes.slice(0, causesShown).map(({ seq, at, text: cause }, index) => (
        <Line
          key={seq}
          index={index}
          time={clockText(at)}
          words={cause}
          classes="strong"
          button={{
            label: words.follow(cause),
            title: words.followEffects(cause),
            onPress: () => setFollow({ kind: 'cause', cluster, seq, at, text: cause }),
          }}
        />
      ))}
    </>
  )
}

/** The age is never cut; the title is cut to the room that the age leaves. */
function titleWithAge(title: string, ago: string, width: number): string {
  const after = ago === '' ? '' : `, ${ago}`
  return `${fitText(title, width - titleRuler(after), titleRuler)}${after}`
}

/** The steps of what is followed; one whose line has no room for all that moved opens a panel. */
function FollowedSteps(): ReactNode {
  const { open, toggle, layout } = useFlowPlace()
  const words = text.flow.legend
  const { steps, title, at, shownSteps } = useFollowed()
  const { width } = layout.legend
  const chainState = useAppState((state) => state.chainState)
  const isCut = useAppState((state) => state.chain?.isCut ?? false)
  const isPod = useAppState((state) => state.follow.kind === 'pod')
  const ago = useAgo(at)
  const note =
    steps.length === 0
      ? words.noSteps(isPod, chainState)
      : isCut && steps.length < stepsShown
        ? words.causeGone
        : ''
  return (
    <>
      <Title words={titleWithAge(title, ago, width)} />
      {steps.map(({ number, at: stepAt, sentence, moves }, index) => {
        const isLong = moves.length > 1
        const button = {
          label: words.allMoves(moves.length, number),
          title: sentence,
          opens: stepId(number),
          isExpanded: stepId(number) === open,
          onPress: () => toggle(stepId(number)),
        }
        return (
          <Line
            key={number}
            index={index}
            step={number}
            time={preciseClockText(stepAt).slice(6)}
            words={sentence}
            classes={`${number > shownSteps ? 'faint' : 'strong'} ${isLong ? 'more' : ''}`}
            {...(isLong ? { button } : {})}
          />
        )
      })}
      {note === '' ? null : <Line index={steps.length} words={note} />}
    </>
  )
}

/** Under the sources: what can be followed, or what is followed, step by step. */
export function Legend(): ReactNode {
  const isEverything = useAppState((state) => state.follow.kind === 'everything')
  return isEverything ? <Causes /> : <FollowedSteps />
}
