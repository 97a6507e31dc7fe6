import type { ReactNode } from 'react'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import type { Token } from '../board/board.ts'
import { useFlowPlace } from '../flow-context.ts'
import type { Box } from '../layout/box.ts'
import { useShowPods } from '../lists/show-pods.ts'
import styles from './Picture.module.css'
import { Pressable, Text } from './drawing.tsx'

interface PodButtonProps {
  readonly token: Token
  readonly frame: ReactNode
  readonly children: ReactNode
}

/** A pod that is drawn: opens its panel. The keyboard finds the same pods in the opened part. */
export function PodButton({ token, ...content }: PodButtonProps): ReactNode {
  const { row, isLeaving } = token
  const openDrawer = useAppState((state) => state.openDrawer)
  const name = `${row.namespace}/${row.name}`
  return (
    <Pressable
      label={text.flow.showPod(name)}
      title={name}
      isTabStop={false}
      className={isLeaving ? styles['leaving'] : undefined}
      onPress={() => openDrawer(row.key)}
      {...content}
    />
  )
}

interface MoreButtonProps {
  readonly count: number
  readonly box: Box
  /** Of the table to which it leads. */
  readonly filter: string
  readonly of: string
  readonly lines: readonly string[]
}

/** In the place of the pods without room: leads to all of them, in the table. */
export function MoreButton({ count, box, filter, of, lines }: MoreButtonProps): ReactNode {
  const showPods = useShowPods()
  const top = box.y + (box.height - (lines.length - 1) * 15) / 2 + 4
  return (
    <Pressable
      label={text.flow.showAllPods(of, count)}
      frame={<rect {...box} rx="3" className={styles['room']} />}
      onPress={() => showPods(filter)}
    >
      {lines.map((line, index) => (
        <Text key={line} x={box.x + 5} y={top + index * 15} words={line} classes="more" />
      ))}
    </Pressable>
  )
}

/** While a pointer is over these pods, none changes its place. */
export function PodPlaces({ children }: { readonly children: ReactNode }): ReactNode {
  const { board } = useFlowPlace()
  return (
    <g onPointerEnter={() => board.hold(true)} onPointerLeave={() => board.hold(false)}>
      {children}
    </g>
  )
}
