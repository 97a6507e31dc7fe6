import type { ReactNode } from 'react'
import type { FlowPart } from '../../../../shared/model/flow-parts.ts'
import type { PodSource } from '../../../../shared/model/pod-source.ts'
import type { Box } from '../layout/box.ts'
import { LanesFace, LanesPods } from './Lanes.tsx'
import { LeaseRing } from './LeaseRing.tsx'
import { LoopFace } from './Loop.tsx'
import { RuntimeFace, RuntimePods } from './RuntimeBand.tsx'
import { ServerFace } from './Bands.tsx'
import { Sign, sourceInks } from './Sign.tsx'

type Drawing = (props: { readonly box: Box }) => ReactNode

interface PartDrawing {
  /** In the place of title and lines. */
  readonly Face?: Drawing
  /** In addition to them. */
  readonly Over?: Drawing
  /** Buttons of its pods. */
  readonly Pods?: Drawing
  /** What a sign before the title takes. */
  readonly titleInset?: number
}

function source(name: PodSource): PartDrawing {
  return {
    titleInset: 22,
    Over: ({ box: { x, y } }) => (
      <Sign name={name} x={x + 14} y={y + 12} size={14} ink={sourceInks[name]} />
    ),
  }
}

const drawings: Readonly<Partial<Record<FlowPart, PartDrawing>>> = {
  apiServer: { Face: ServerFace },
  api: source('api'),
  file: source('file'),
  http: source('http'),
  syncLoop: { Face: LoopFace },
  nodeController: { Over: LeaseRing },
  podWorkers: { Face: LanesFace, Pods: LanesPods },
  runtime: { Face: RuntimeFace, Pods: RuntimePods },
}

/** What parts draw in addition to the title and lines of their frame; most draw nothing. */
export const partDrawings: Readonly<Record<string, PartDrawing | undefined>> = drawings
