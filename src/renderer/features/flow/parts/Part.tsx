import type { KeyboardEvent, ReactNode } from 'react'
import type { FlowArea, FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import { classNames } from '../../../ui/class-names.ts'
import { countText } from '../../../words/time.ts'
import { useFlowPlace, useLayout, useTables } from '../flow-context.ts'
import type { Point } from '../layout/box.ts'
import { bottom, center, right } from '../layout/box.ts'
import { fitText, mono, plain, title as titleRuler } from '../layout/fit.ts'
import { partName } from '../layout/flow-tables.ts'
import { partBox } from '../layout/layout.ts'
import { nextPart } from '../layout/next-part.ts'
import type { Fact, PartContent } from './part-forms.tsx'
import { partForm, usePartContent } from './part-forms.tsx'
import styles from './Picture.module.css'
import type { PartProps } from './drawing.tsx'
import { Pressable, Text } from './drawing.tsx'

/** From a frame's edge to its words. */
const inset = 14
/** The width of a source's sign before its title. */
const signWidth = 22
/** A text may go so far beyond its share of the line. */
const spare = 6
/** Lines are spread evenly; if they would be closer than `closest`, they keep away from the title. */
const [closest, tight] = [20, 14]
/** From a frame's top to the base line of its title. */
const titleY = 23
/** Between two facts of a line. */
const factGap = 7
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
function Frame({ row, box }: PartProps): ReactNode {
  const { x, y } = center(box)
  return row.area === 'loop' ? (
    <circle cx={x} cy={y} r={box.width / 2} className={styles['part']} />
  ) : (
    <rect {...box} {...(frames[row.area] ?? usual)} data-frame={row.title} />
  )
}

interface FactProps extends Point {
  readonly fact: Fact
  /** Of the line, or of its share of it. */
  readonly width: number
}

function FactView({ fact, x, y, width }: FactProps): ReactNode {
  const { kind, words, count, classes } = fact
  if (kind === 'text')
    return <Text x={x} y={y} words={fitText(words, width + spare)} classes={classes} />
  if (kind === 'figure') {
    const number = countText(count)
    const before = 8 + number.length * 9
    return (
      <>
        <Text x={x} y={y} words={number} classes={`number ${classes}`} />
        <Text x={x + before} y={y} words={fitText(words, width - before)} classes={classes} />
      </>
    )
  }
  const shade = count === 0 ? 'mono faint' : 'mono strong'
  const mark = { x: x - 7, y: y - 14, width: width + 14, height: 20, rx: 3 }
  const name = fitText(words, width - mono(String(count)) - 6, mono)
  return (
    <>
      {fact.isMarked ? <rect {...mark} className={styles['opRow']} /> : null}
      <Text x={x} y={y} words={name} classes={shade} />
      <Text x={x + width} y={y} anchor="end" words={count} classes={shade} />
    </>
  )
}

type WordsProps = PartProps & { readonly content: PartContent }

/** How wide a number with its words is drawn. */
function figureWidth({ count, words }: Fact): number {
  return 8 + countText(count).length * 9 + plain(words)
}

/** Where each fact of a line begins: at its share of the line, or after the fact before it. */
function starts(facts: readonly Fact[], width: number): readonly number[] {
  let end = 0
  return facts.map((fact, place) => {
    const start = Math.max((place * width) / facts.length, end)
    end = start + (fact.kind === 'figure' ? figureWidth(fact) + factGap : 0)
    return start
  })
}

/** The lines of a frame, spread over its height below the title; facts share a line. */
function Lines({ box, content: { lines } }: WordsProps): ReactNode {
  const width = box.width - 2 * inset
  const last = bottom(box) - 9.5
  const even = (last - box.y - titleY) / lines.length
  const pitch = even < closest ? tight : even
  return lines.map((facts, index) => {
    const at = starts(facts, width)
    return facts.map((fact, place) => (
      <FactView
        // Lines and their facts stay in their places.
        // oxlint-disable-next-line react/no-array-index-key
        key={`${index} ${place}`}
        fact={fact}
        x={box.x + inset + (at[place] ?? 0)}
        y={last - pitch * (lines.length - 1 - index)}
        width={(at[place + 1] ?? width + (fact.kind === 'figure' ? spare : 0)) - (at[place] ?? 0)}
      />
    ))
  })
}

/** Title, a large number, and lines; in a low frame the title and one line, centered. */
function Words(props: WordsProps): ReactNode {
  const { row, box, content } = props
  if (box.height < centeredBelow) {
    const { x, y } = center(box)
    const room = box.width - 8
    const line = content.lines[0]?.[0]
    return (
      <g textAnchor="middle">
        <Text x={x} y={y - 3} words={fitText(row.title, room, titleRuler)} classes="title" />
        <Text x={x} y={y + 12.5} words={fitText(line?.words ?? '', room)} classes={line?.classes} />
      </g>
    )
  }
  const x = box.x + inset + (row.area === 'sources' ? signWidth : 0)
  const end = right(box) - inset
  const y = box.y + titleY
  return (
    <>
      <Text x={x} y={y} words={fitText(row.title, end - x, titleRuler)} classes="title" />
      <Text x={end} y={y + 5} anchor="end" words={content.figure} classes="figure" />
      <Lines {...props} />
    </>
  )
}

/** The arrow keys lead from a part to the next one on that side. */
function useArrowKeys(from: string): (event: KeyboardEvent<SVGGElement>) => void {
  const layout = useLayout()
  const known = useTables().parts
  return (event) => {
    const boxes = new Map(known.map(({ id }) => [id, layout.parts.get(id)]))
    const next = nextPart(boxes, from, event.key)
    if (next === undefined) return
    event.preventDefault()
    const picture = event.currentTarget.ownerSVGElement
    picture?.querySelector<SVGElement>(`[data-part='${next}']`)?.focus()
  }
}

/** One part: a button with its frame and what it holds; pods inside it are buttons of their own. */
export function Part({ row }: { readonly row: FlowPartRow }): ReactNode {
  const { open, toggle, layout } = useFlowPlace()
  const box = partBox(layout, row.id)
  const handleKey = useArrowKeys(row.id)
  const content = usePartContent(row, box.width - 2 * inset)
  const { Drawing, Sign } = partForm(row)
  const name = partName(row)
  return (
    <>
      <Pressable
        label={content.summary === '' ? name : `${name}: ${content.summary}`}
        opens={row.id}
        isExpanded={open === row.id}
        frame={<Frame row={row} box={box} />}
        onPress={() => toggle(row.id)}
        onKey={handleKey}
      >
        {Drawing === undefined ? <Words row={row} box={box} content={content} /> : null}
        {Sign === undefined ? null : <Sign row={row} box={box} />}
      </Pressable>
      {Drawing === undefined ? null : <Drawing row={row} box={box} />}
    </>
  )
}
