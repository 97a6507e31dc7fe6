import type { ReactNode } from 'react'
import { useAppState } from '../../../store/store-context.ts'
import { countText } from '../../../words/time.ts'
import type { Token } from '../board/board.ts'
import type { Box } from '../layout/box.ts'
import { useFlowPlace } from '../flow-context.ts'
import styles from './Picture.module.css'
import { Pressable } from './Pressable.tsx'
import { useShowPods } from '../lists/show-pods.ts'
import { Text } from './Text.tsx'

/** A pod that is drawn: opens its panel. The keyboard finds the same pods in the opened part. */
export function PodButton({
  token: { row, isLeaving },
  frame,
  children,
}: {
  readonly token: Token
  readonly frame: ReactNode
  readonly children: ReactNode
}): ReactNode {
  const openDrawer = useAppState((state) => state.openDrawer)
  const name = `${row.namespace}/${row.name}`
  return (
    <Pressable
      label={`Show ${name}`}
      title={name}
      isTabStop={false}
      frame={frame}
      className={isLeaving ? styles['leaving'] : undefined}
      onPress={() => openDrawer(row.key)}
    >
      {children}
    </Pressable>
  )
}

/** In the place of the pods without room: leads to all of them, in the table. */
export function MoreButton({
  count,
  box: { x, y, width, height },
  filter,
  of,
  lines,
}: {
  readonly count: number
  readonly box: Box
  readonly filter: string
  readonly of: string
  readonly lines: readonly string[]
}): ReactNode {
  const showPods = useShowPods()
  const top = y + (height - (lines.length - 1) * 15) / 2 + 4
  return (
    <Pressable
      label={`Show all pods of ${of}: ${countText(count)} more than are drawn`}
      frame={<rect {...{ x, y, width, height }} rx="3" className={styles['room']} />}
      onPress={() => showPods(filter)}
    >
      {lines.map((line, index) => (
        <Text key={line} x={x + 5} y={top + index * 15} look="more">
          {line}
        </Text>
      ))}
    </Pressable>
  )
}

/** While a pointer is over these pods, none changes its place. */
export function Held({ children }: { readonly children: ReactNode }): ReactNode {
  const { board } = useFlowPlace()
  return (
    <g onPointerEnter={() => board.hold(true)} onPointerLeave={() => board.hold(false)}>
      {children}
    </g>
  )
}
