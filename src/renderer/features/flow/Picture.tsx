import type { ReactNode, Ref } from 'react'
import { flowArrows } from '../../../shared/model/flow.ts'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { arrowLooks } from './arrows.ts'
import { ApiBand, KubeletFrame } from './Bands.tsx'
import { PodWorkersPart } from './Lanes.tsx'
import { Legend } from './Legend.tsx'
import {
  LoopPart,
  MirrorClientPart,
  NodeControllerPart,
  PlegPart,
  PodManagerPart,
  StatusManagerPart,
} from './Managers.tsx'
import { useMotion } from './motion.ts'
import { pictureWidth, useLayout } from './layout.ts'
import { isSource } from './parts.ts'
import styles from './Picture.module.css'
import { RuntimeBand } from './RuntimeBand.tsx'
import { PodConfigPart, SourceParts } from './SourceParts.tsx'
import { ReplayPackets, Wire } from './Wire.tsx'
import { Badges, WireWords } from './WireWords.tsx'

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

/** What lies over the parts is drawn after them: the wire inside PodWorkers, words, numbers. */
export function Picture({ ref }: { readonly ref: Ref<SVGSVGElement> }): ReactNode {
  const motion = useMotion()
  const { height } = useLayout()
  const sources = useAppState((state) => shownNode(state)?.sources)
  const known = new Set(sources?.map(({ source }) => source))
  const arrows = flowArrows.filter((arrow) => {
    const { from, to } = arrowLooks[arrow]
    return [from, to].every((part) => !isSource(part) || known.has(part))
  })
  return (
    <svg
      ref={ref}
      viewBox={`0 0 ${pictureWidth} ${height}`}
      // A drawing of live parts: an img element could not hold them.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label="The kubelet: sources, merge, sync loop, pod manager, pod workers, runtime, and its connection to the API server"
      className={classNames(styles['svg'], motion === 'still' && styles['still'])}
    >
      <Definitions />
      <ApiBand />
      <KubeletFrame />
      <RuntimeBand />
      {arrows
        .filter((arrow) => arrow !== 'podWorkers-podWorkers')
        .map((arrow) => (
          <Wire key={arrow} arrow={arrow} motion={motion} />
        ))}
      <SourceParts />
      <PodConfigPart />
      <LoopPart motion={motion} />
      <PodManagerPart />
      <MirrorClientPart />
      <StatusManagerPart />
      <NodeControllerPart />
      <PodWorkersPart />
      <PlegPart />
      <Wire arrow="podWorkers-podWorkers" motion={motion} />
      <WireWords />
      <ReplayPackets motion={motion} />
      <Badges />
      <Legend />
    </svg>
  )
}
