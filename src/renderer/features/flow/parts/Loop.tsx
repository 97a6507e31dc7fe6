import type { ReactNode } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { countText } from '../../../words/time.ts'
import type { Box } from '../layout/box.ts'
import { center } from '../layout/box.ts'
import { useFlow } from '../flow-context.ts'
import { useMotion } from '../arrows/motion.ts'
import styles from './Picture.module.css'
import { useAgo } from '../arrows/WireWords.tsx'
import { Text } from './Text.tsx'

/** Degrees from the top; the arrows come in between. */
const ticks = [35, 65, 115, 145, 215, 245, 295, 325].map((degrees) => {
  const angle = (degrees * Math.PI) / 180
  const at = (radius: number): string =>
    `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`
  return `M${at(53)}L${at(60)}`
})

/** Turns a sixth with every iteration: it stands while nothing happens, and where only counts may move. */
export function LoopFace({ box }: { readonly box: Box }): ReactNode {
  const motion = useMotion()
  const { x, y } = center(box)
  const iterations = useFlow((flow) => flow.syncLoop.iterations) ?? 0
  const ago = useAgo(useFlow((flow) => flow.syncLoop.last?.at ?? null) ?? null)
  return (
    <g transform={`translate(${x} ${y})`} textAnchor="middle">
      {ticks.map((path) => (
        <path key={path} d={path} className={styles['tick']} />
      ))}
      <g
        className={classNames(styles['turn'], motion === 'packets' && styles['turning'])}
        style={{ transform: `rotate(${motion === 'counts' ? 0 : iterations * 60}deg)` }}
      >
        <path
          d="M12 -46.5a48 48 0 1 1-24 0"
          className={styles['ring']}
          markerEnd="url(#flow-head-beam)"
        />
      </g>
      <Text y={-6} look="title">
        sync loop
      </Text>
      <Text y={13} look="mono strong">
        {countText(iterations)}
      </Text>
      <Text y={28} look="faint">
        {ago}
      </Text>
    </g>
  )
}
