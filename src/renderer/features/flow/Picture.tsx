import type { ReactNode, Ref } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { KubeletFrame } from './parts/Bands.tsx'
import { useTables } from './flow-context.ts'
import { useLayout } from './layout/layout-context.ts'
import { pictureWidth } from './layout/layout.ts'
import { Legend } from './follow/Legend.tsx'
import { useMotion } from './arrows/motion.ts'
import { Part } from './parts/Part.tsx'
import styles from './parts/Picture.module.css'
import { ReplayPackets, Wire } from './arrows/Wire.tsx'
import { Badges, WireWords } from './arrows/WireWords.tsx'

function Head({ id, look }: { readonly id: string; readonly look: string | undefined }): ReactNode {
  return (
    <marker
      id={id}
      viewBox="0 0 9 9"
      refX="7"
      refY="4.5"
      markerWidth="9"
      markerHeight="9"
      markerUnits="userSpaceOnUse"
      orient="auto"
    >
      <path d="M1 1 8 4.5 1 8z" className={look} />
    </marker>
  )
}

function Definitions(): ReactNode {
  return (
    <defs>
      <Head id="flow-head-plain" look={styles['arrowHead']} />
      <Head id="flow-head-beam" look={styles['arrowHeadBeam']} />
      <Head id="flow-head-broken" look={styles['arrowHeadBroken']} />
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

/** What lies over the parts is drawn after them: the arrow inside PodWorkers, words, numbers. */
export function Picture({
  ref,
  open,
  onOpen,
  onOpenStep,
}: {
  readonly ref: Ref<SVGSVGElement>
  readonly open: string | null
  readonly onOpen: (part: string) => void
  readonly onOpenStep: (step: number) => void
}): ReactNode {
  const motion = useMotion()
  const { height } = useLayout()
  const { parts, arrows } = useTables()
  const wires = (isWithin: boolean): ReactNode =>
    arrows
      .filter(({ from, to }) => (from === to) === isWithin)
      .map((arrow) => <Wire key={arrow.id} arrow={arrow} motion={motion} />)
  return (
    <svg
      ref={ref}
      viewBox={`0 0 ${pictureWidth} ${height}`}
      // A drawing that holds buttons: an img would hide them, a fieldset cannot be one.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-label="The kubelet: sources, merge, sync loop, pod manager, pod workers, runtime, and its connection to the API server"
      className={classNames(styles['svg'], motion === 'still' && styles['still'])}
    >
      <Definitions />
      <KubeletFrame />
      <g aria-hidden="true">{wires(false)}</g>
      {parts.map((row) => (
        <Part key={row.id} row={row} isOpen={open === row.id} onOpen={onOpen} />
      ))}
      <g aria-hidden="true" className={styles['over']}>
        {wires(true)}
        <WireWords />
        <ReplayPackets motion={motion} />
        <Badges />
      </g>
      <Legend onOpenStep={onOpenStep} />
    </svg>
  )
}
