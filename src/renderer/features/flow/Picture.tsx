import type { ReactNode, Ref } from 'react'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Arrow, ReplayPackets } from './arrows/Arrow.tsx'
import { ArrowTexts, Badges } from './arrows/ArrowTexts.tsx'
import { useMotion } from './arrows/motion.ts'
import { useLayout, useTables } from './flow-context.ts'
import { Legend } from './follow/Legend.tsx'
import { pictureWidth } from './layout/layout.ts'
import { KubeletFrame } from './parts/Bands.tsx'
import { Part } from './parts/Part.tsx'
import styles from './parts/Picture.module.css'
import { Drawn } from './parts/drawing.tsx'

const arrowHeads = { plain: 'arrowHead', beam: 'arrowHeadBeam', broken: 'arrowHeadBroken' }

const markerSize = {
  viewBox: '0 0 9 9',
  refX: 7,
  refY: 4.5,
  markerWidth: 9,
  markerHeight: 9,
  markerUnits: 'userSpaceOnUse',
  orient: 'auto',
}

/** Arrow heads, and the hatching of what terminates. */
function Definitions(): ReactNode {
  return (
    <defs>
      {Object.entries(arrowHeads).map(([name, className]) => (
        <marker key={name} id={`flow-head-${name}`} {...markerSize}>
          <path d="M1 1 8 4.5 1 8z" className={styles[className]} />
        </marker>
      ))}
      <pattern
        id="flow-hatch"
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(-45)"
      >
        <rect width="5" height="5" fill="var(--terminating-fill)" fillOpacity=".4" />
        <rect width="5" height="2.8" fill="var(--terminating-fill)" />
      </pattern>
    </defs>
  )
}

/** The kubelet. What lies over the parts is drawn after them: the arrow inside PodWorkers, texts, numbers. */
export function Picture({ ref }: { readonly ref: Ref<SVGSVGElement> }): ReactNode {
  const motion = useMotion()
  const { height } = useLayout()
  const { parts, arrows } = useTables()
  const drawArrows = (isWithinPart: boolean): ReactNode =>
    arrows
      .filter(({ from, to }) => (from === to) === isWithinPart)
      .map((arrow) => <Arrow key={arrow.id} arrow={arrow} motion={motion} />)
  return (
    <svg
      ref={ref}
      viewBox={`0 0 ${pictureWidth} ${height}`}
      // A drawing that holds buttons: an img would hide them, a fieldset cannot be one.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-label={text.flow.picture}
      className={classNames(styles['svg'], motion === 'still' && styles['still'])}
    >
      <Definitions />
      <KubeletFrame />
      <g aria-hidden="true">{drawArrows(false)}</g>
      {parts.map((row) => (
        <Part key={row.id} row={row} />
      ))}
      <Drawn>
        {drawArrows(true)}
        <ArrowTexts />
        <ReplayPackets motion={motion} />
        <Badges />
      </Drawn>
      <Legend />
    </svg>
  )
}
