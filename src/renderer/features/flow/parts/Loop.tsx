import type { ReactNode } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { text } from '../../../text/text.ts'
import { countText } from '../../../words/time.ts'
import { useMotion } from '../arrows/motion.ts'
import { useAgo, useFlow, useIsFlowKnown } from '../flow-context.ts'
import { center } from '../layout/box.ts'
import styles from './Picture.module.css'
import type { PartProps } from './drawing.tsx'
import { Drawn, Text } from './drawing.tsx'

/** Degrees from the top; the arrows come in between. */
const ticks = [35, 65, 115, 145, 215, 245, 295, 325].map((degrees) => {
  const angle = (degrees * Math.PI) / 180
  const at = (radius: number): string =>
    `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`
  return `M${at(53)}L${at(60)}`
})

/** Turns a sixth with every iteration, except while only counts may change. */
export function SyncLoop({ row, box }: PartProps): ReactNode {
  const motion = useMotion()
  const isKnown = useIsFlowKnown()
  const { x, y } = center(box)
  const iterations = useFlow((flow) => flow.syncLoop?.iterations ?? null) ?? null
  const ago = useAgo(useFlow((flow) => flow.syncLoop?.last?.at ?? null) ?? null)
  const turn = motion === 'counts' || iterations === null ? 0 : iterations * 60
  const ring = 'M12 -46.5a48 48 0 1 1-24 0'
  return (
    <Drawn>
      <g transform={`translate(${x} ${y})`} textAnchor="middle">
        {ticks.map((path) => (
          <path key={path} d={path} className={styles['tick']} />
        ))}
        <g
          className={classNames(styles['turn'], motion === 'packets' && styles['turning'])}
          style={{ transform: `rotate(${turn}deg)` }}
        >
          <path d={ring} className={styles['ring']} markerEnd="url(#flow-head-beam)" />
        </g>
        <Text y={-6} words={row.title} classes="title" />
        {iterations === null ? (
          <Text y={13} words={isKnown ? text.flow.notKnown : ''} classes="faint" />
        ) : (
          <Text y={13} words={countText(iterations)} classes="mono strong" />
        )}
        <Text y={28} words={ago} classes="faint" />
      </g>
    </Drawn>
  )
}
