import type { KeyboardEvent, ReactNode } from 'react'
import type { FlowArea, FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import { countText } from '../../../words/time.ts'
import { classNames } from '../../../ui/class-names.ts'
import { partName } from '../arrows/arrow-words.ts'
import type { Box } from '../layout/box.ts'
import { bottom, center, right } from '../layout/box.ts'
import { fitText, mono, title as titleRuler } from '../layout/fit.ts'
import { useTables } from '../flow-context.ts'
import { useLayout, usePartBox } from '../layout/layout-context.ts'
import { nextPart } from '../layout/next-part.ts'
import type { Fact, PartContent } from './part-facts.ts'
import { partDrawings } from './part-drawings.tsx'
import styles from './Picture.module.css'
import { Pressable } from './Pressable.tsx'
import { usePartContent } from './use-part-content.ts'
import { Text } from './Text.tsx'

/** From a frame's edge to its words. */
const inset = 14
/** A text may go so far beyond its share of the line. */
const spare = 6
/** Lines are spread evenly; where they would be closer than `closest`, they keep away from the title. */
const [closest, tight] = [20, 14]
/** From a frame's top to the base line of its title. */
const titleY = 23
/** A frame that is lower centers its words. */
const centeredBelow = 60

const usual = { rx: 6, className: styles['part'] }
const band = { rx: 8, className: styles['band'] }
const frames: Readonly<Partial<Record<FlowArea, typeof usual>>> = {
  server: band,
  runtime: band,
  workers: { rx: 8, className: classNames(styles['part'], styles['wide']) },
}

/** The sync loop is round. */
function Frame({ row, box }: { readonly row: FlowPartRow; readonly box: Box }): ReactNode {
  const { x, y } = center(box)
  return row.area === 'loop' ? (
    <circle cx={x} cy={y} r={box.width / 2} className={styles['part']} />
  ) : (
    <rect {...box} {...(frames[row.area] ?? usual)} data-frame={row.title} />
  )
}

interface WordsProps {
  readonly title: string
  readonly box: Box
  readonly content: PartContent
  /** What a sign takes before the title. */
  readonly titleInset: number
}

interface FactProps {
  readonly fact: Fact
  readonly x: number
  readonly y: number
  /** Of the line, or of its share of it. */
  readonly width: number
}

function FactView({ fact, x, y, width }: FactProps): ReactNode {
  if (fact.kind === 'text')
    return (
      <Text x={x} y={y} look={fact.look}>
        {fitText(fact.text, width + spare)}
      </Text>
    )
  const { count } = fact
  if (fact.kind === 'figure') {
    const look = fact.warns === true && count > 0 ? 'warn' : ''
    const before = 8 + countText(count).length * 9
    return (
      <>
        <Text x={x} y={y} look={`number ${look}`}>
          {countText(count)}
        </Text>
        <Text x={x + before} y={y} look={look}>
          {fitText(fact.word, width - before)}
        </Text>
      </>
    )
  }
  const look = count === 0 ? 'mono faint' : 'mono strong'
  const mark = { x: x - 7, y: y - 14, width: width + 14, height: 20, rx: 3 }
  return (
    <>
      {fact.isFresh ? <rect {...mark} className={styles['opRow']} /> : null}
      <Text x={x} y={y} look={look}>
        {fitText(fact.text, width - mono(String(count)) - 6, mono)}
      </Text>
      <Text x={x + width} y={y} anchor="end" look={look}>
        {count}
      </Text>
    </>
  )
}

/** The lines of a frame, spread over its height below the title; facts share a line. */
function Lines({ box, content: { lines } }: WordsProps): ReactNode {
  const width = box.width - 2 * inset
  const last = bottom(box) - 9.5
  const even = (last - box.y - titleY) / lines.length
  const pitch = even < closest ? tight : even
  return lines.map((facts, index) =>
    facts.map((fact, place) => (
      <FactView
        // Lines and their facts stay in their places.
        // oxlint-disable-next-line react/no-array-index-key
        key={`${index} ${place}`}
        fact={fact}
        x={box.x + inset + (place * width) / facts.length}
        y={last - pitch * (lines.length - 1 - index)}
        width={width / facts.length}
      />
    )),
  )
}

/** Title and one line, in the middle of a low frame. */
function Centered({ title, box, content: { lines } }: WordsProps): ReactNode {
  const { x, y } = center(box)
  const room = box.width - 8
  const line = lines[0]?.[0]
  return (
    <g textAnchor="middle">
      <Text x={x} y={y - 4} look="title">
        {fitText(title, room, titleRuler)}
      </Text>
      <Text x={x} y={y + 12} look="faint">
        {line?.kind === 'text' ? fitText(line.text, room) : ''}
      </Text>
    </g>
  )
}

/** Title, a large number, and lines: the words of a usual part. */
function Words(props: WordsProps): ReactNode {
  const { title, box, content, titleInset } = props
  if (box.height < centeredBelow) return <Centered {...props} />
  const x = box.x + inset + titleInset
  const y = box.y + titleY
  return (
    <>
      <Text x={x} y={y} look="title">
        {fitText(title, right(box) - inset - x, titleRuler)}
      </Text>
      <Text x={right(box) - inset} y={y + 5} anchor="end" look="figure">
        {content.figure}
      </Text>
      <Lines {...props} />
    </>
  )
}

/** The arrow keys lead from a part to the next one on that side. */
function useArrowKeys(from: string): (event: KeyboardEvent<SVGGElement>) => void {
  const { parts } = useLayout()
  const known = useTables().parts
  return (event) => {
    const boxes = new Map(known.map(({ id }) => [id, parts.get(id)]))
    const next = nextPart(boxes, from, event.key)
    if (next === undefined) return
    event.preventDefault()
    const picture = event.currentTarget.ownerSVGElement
    picture?.querySelector<SVGElement>(`[data-part='${next}']`)?.focus()
  }
}

/** One part: a button with its frame and what it holds; pods inside it are buttons of their own. */
export function Part({
  row,
  isOpen,
  onOpen,
}: {
  readonly row: FlowPartRow
  readonly isOpen: boolean
  readonly onOpen: (part: string) => void
}): ReactNode {
  const box = usePartBox(row.id)
  const handleKey = useArrowKeys(row.id)
  const content = usePartContent(row, box.width - 2 * inset)
  const { Face, Over, Pods, titleInset = 0 } = partDrawings[row.id] ?? {}
  const name = partName(row)
  return (
    <>
      <Pressable
        label={content.summary === '' ? name : `${name}: ${content.summary}`}
        part={row.id}
        isExpanded={isOpen}
        frame={<Frame row={row} box={box} />}
        onPress={() => onOpen(row.id)}
        onKey={handleKey}
      >
        {Face === undefined ? (
          <Words title={row.title} box={box} content={content} titleInset={titleInset} />
        ) : (
          <Face box={box} />
        )}
        {Over === undefined ? null : <Over box={box} />}
      </Pressable>
      {Pods === undefined ? null : <Pods box={box} />}
    </>
  )
}
