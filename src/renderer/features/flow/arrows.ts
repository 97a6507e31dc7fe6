import type { FlowArrow } from '../../../shared/model/flow.ts'
import type { FlowPart } from './parts.ts'

interface Point {
  readonly x: number
  readonly y: number
}

export interface ArrowLook {
  readonly from: FlowPart
  readonly to: FlowPart
  /** What the arrow stands for, for those who hear the picture. */
  readonly meaning: string
  readonly path: string
  /** Where its number in a followed cause stands. */
  readonly badge: Point
  /** Where the count of the last minute stands; null where a part already shows it. */
  readonly count: (Point & { readonly anchor: 'start' | 'middle' | 'end' }) | null
  readonly isDashed?: boolean
}

const start = 'start' as const
const middle = 'middle' as const
const end = 'end' as const

export const arrowLooks: Readonly<Record<FlowArrow, ArrowLook>> = {
  'apiServer-api': {
    from: 'apiServer',
    to: 'api',
    meaning: 'watch of the pods of this node',
    path: 'M124 66V228',
    badge: { x: 124, y: 190 },
    count: { x: 116, y: 216, anchor: end },
  },
  'api-podConfig': {
    from: 'api',
    to: 'podConfig',
    meaning: 'pods of the API server',
    path: 'M204 265H230Q236 265 236 271V303Q236 309 242 309H254',
    badge: { x: 236, y: 287 },
    count: { x: 208, y: 260, anchor: start },
  },
  'file-podConfig': {
    from: 'file',
    to: 'podConfig',
    meaning: 'static pods of the folder',
    path: 'M204 345H254',
    badge: { x: 234, y: 345 },
    count: { x: 208, y: 340, anchor: start },
  },
  'http-podConfig': {
    from: 'http',
    to: 'podConfig',
    meaning: 'static pods of the URL',
    path: 'M204 425H230Q236 425 236 419V387Q236 381 242 381H254',
    badge: { x: 236, y: 403 },
    count: { x: 208, y: 440, anchor: start },
  },
  'podConfig-syncLoop': {
    from: 'podConfig',
    to: 'syncLoop',
    meaning: 'what the merge says is new',
    path: 'M384 345H446',
    badge: { x: 418, y: 345 },
    count: { x: 389, y: 340, anchor: start },
  },
  'syncLoop-podManager': {
    from: 'syncLoop',
    to: 'podManager',
    meaning: 'pods that should be here, or no longer',
    path: 'M506 285V210',
    badge: { x: 506, y: 230 },
    count: { x: 498, y: 272, anchor: end },
  },
  'podManager-mirrorClient': {
    from: 'podManager',
    to: 'mirrorClient',
    meaning: 'which mirror UID belongs to which static UID',
    path: 'M596 167H628',
    badge: { x: 610, y: 167 },
    count: { x: 613, y: 184, anchor: middle },
    isDashed: true,
  },
  'syncLoop-podWorkers': {
    from: 'syncLoop',
    to: 'podWorkers',
    meaning: 'UpdatePod',
    path: 'M566 345H628',
    badge: { x: 594, y: 345 },
    count: { x: 598, y: 367, anchor: middle },
  },
  'podWorkers-mirrorClient': {
    from: 'podWorkers',
    to: 'mirrorClient',
    meaning: 'a static pod asks for its mirror',
    path: 'M726 244V210',
    badge: { x: 726, y: 230 },
    count: { x: 740, y: 233, anchor: start },
  },
  'podWorkers-statusManager': {
    from: 'podWorkers',
    to: 'statusManager',
    meaning: 'statuses of pods',
    path: 'M941 244V210',
    badge: { x: 941, y: 230 },
    count: { x: 955, y: 233, anchor: start },
  },
  'mirrorClient-apiServer': {
    from: 'mirrorClient',
    to: 'apiServer',
    meaning: 'POST and DELETE of mirror pods',
    path: 'M726 128V70',
    badge: { x: 726, y: 112 },
    count: null,
  },
  'statusManager-apiServer': {
    from: 'statusManager',
    to: 'apiServer',
    meaning: 'PATCH of pod statuses',
    path: 'M941 128V70',
    badge: { x: 941, y: 112 },
    count: null,
  },
  'nodeController-apiServer': {
    from: 'nodeController',
    to: 'apiServer',
    meaning: 'PUT of the lease, PATCH of the node',
    path: 'M1134 128V70',
    badge: { x: 1134, y: 112 },
    count: null,
  },
  'podWorkers-runtime-start': {
    from: 'podWorkers',
    to: 'runtime',
    meaning: 'sandboxes and containers to start',
    path: 'M858 604V658',
    badge: { x: 858, y: 633 },
    count: { x: 846, y: 637, anchor: end },
  },
  'podWorkers-runtime-stop': {
    from: 'podWorkers',
    to: 'runtime',
    meaning: 'containers and sandboxes to stop',
    path: 'M1027 604V658',
    badge: { x: 1027, y: 633 },
    count: { x: 1015, y: 637, anchor: end },
  },
  'runtime-pleg': {
    from: 'runtime',
    to: 'pleg',
    meaning: 'containers as the runtime lists them',
    path: 'M506 662V564',
    badge: { x: 506, y: 600 },
    count: { x: 498, y: 645, anchor: end },
  },
  'pleg-syncLoop': {
    from: 'pleg',
    to: 'syncLoop',
    meaning: 'containers that have started or died',
    path: 'M506 516V408',
    badge: { x: 506, y: 440 },
    count: { x: 498, y: 470, anchor: end },
  },
  'podWorkers-podWorkers': {
    from: 'podWorkers',
    to: 'podWorkers',
    meaning: 'workers forgotten by SyncKnownPods, made anew where the pod is wanted again',
    path: 'M1208 535H1215Q1221 535 1221 529V294Q1221 288 1215 288H865Q859 288 859 294V297',
    badge: { x: 1221, y: 410 },
    count: { x: 1196, y: 284, anchor: end },
  },
}

/** The arrows that end when the API server is away. */
export function isToServer(arrow: FlowArrow): boolean {
  const { from, to } = arrowLooks[arrow]
  return from === 'apiServer' || to === 'apiServer'
}
