import type { FlowArrow } from '../../../shared/model/flow.ts'
import type { FlowPart } from './parts.ts'

export interface ArrowLook {
  readonly from: FlowPart
  readonly to: FlowPart
  /** What the arrow stands for, for those who hear the picture. */
  readonly meaning: string
  readonly isDashed?: boolean
}

export const arrowLooks: Readonly<Record<FlowArrow, ArrowLook>> = {
  'apiServer-api': {
    from: 'apiServer',
    to: 'api',
    meaning: 'watch of the pods of this node',
  },
  'api-podConfig': {
    from: 'api',
    to: 'podConfig',
    meaning: 'pods of the API server',
  },
  'file-podConfig': {
    from: 'file',
    to: 'podConfig',
    meaning: 'static pods of the folder',
  },
  'http-podConfig': {
    from: 'http',
    to: 'podConfig',
    meaning: 'static pods of the URL',
  },
  'podConfig-syncLoop': {
    from: 'podConfig',
    to: 'syncLoop',
    meaning: 'what changed in the merge',
  },
  'syncLoop-podManager': {
    from: 'syncLoop',
    to: 'podManager',
    meaning: 'pods added or removed',
  },
  'podManager-mirrorClient': {
    from: 'podManager',
    to: 'mirrorClient',
    meaning: 'mirror UIDs mapped to static UIDs',
    isDashed: true,
  },
  'syncLoop-podWorkers': {
    from: 'syncLoop',
    to: 'podWorkers',
    meaning: 'UpdatePod',
  },
  'podWorkers-mirrorClient': {
    from: 'podWorkers',
    to: 'mirrorClient',
    meaning: 'a static pod needs its mirror',
  },
  'podWorkers-statusManager': {
    from: 'podWorkers',
    to: 'statusManager',
    meaning: 'statuses of pods',
  },
  'mirrorClient-apiServer': {
    from: 'mirrorClient',
    to: 'apiServer',
    meaning: 'POST and DELETE of mirror pods',
  },
  'statusManager-apiServer': {
    from: 'statusManager',
    to: 'apiServer',
    meaning: 'PATCH of pod statuses',
  },
  'nodeController-apiServer': {
    from: 'nodeController',
    to: 'apiServer',
    meaning: 'PUT of the lease, PATCH of the node',
  },
  'podWorkers-runtime-start': {
    from: 'podWorkers',
    to: 'runtime',
    meaning: 'sandboxes and containers to start',
  },
  'podWorkers-runtime-stop': {
    from: 'podWorkers',
    to: 'runtime',
    meaning: 'containers and sandboxes to stop',
  },
  'runtime-pleg': {
    from: 'runtime',
    to: 'pleg',
    meaning: 'containers listed by the runtime',
  },
  'pleg-syncLoop': {
    from: 'pleg',
    to: 'syncLoop',
    meaning: 'containers that started or exited',
  },
  'podWorkers-podWorkers': {
    from: 'podWorkers',
    to: 'podWorkers',
    meaning: 'workers removed by SyncKnownPods; recreated if the pod is wanted again',
  },
}

/** The arrows that end when the API server is away. */
export function isToServer(arrow: FlowArrow): boolean {
  const { from, to } = arrowLooks[arrow]
  return from === 'apiServer' || to === 'apiServer'
}
