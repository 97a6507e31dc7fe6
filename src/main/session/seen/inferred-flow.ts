import type { FlowArrow } from '../../../shared/model/flow-arrows.ts'
import type { FlowMove, FlowSight } from '../../../shared/model/flow.ts'
import type { TraceData, TraceEvent } from '../../../shared/model/trace-event.ts'
import type { FlowReading } from '../flow/flow-recorder.ts'

/** The arrow that an event of a kubelet is about, by its reason (pkg/kubelet/events/event.go). */
const arrowOfReason: Readonly<Record<string, FlowArrow>> = {
  Pulling: 'imageManager-runtime',
  Pulled: 'imageManager-podWorkers',
  ErrImageNeverPull: 'imageManager-podWorkers',
  InspectFailed: 'imageManager-podWorkers',
  Created: 'podWorkers-runtime-start',
  FailedPostStartHook: 'podWorkers-runtime-start',
  Killing: 'podWorkers-runtime-stop',
  FailedPreStopHook: 'podWorkers-runtime-stop',
  Unhealthy: 'runtime-prober',
  ProbeWarning: 'runtime-prober',
  Evicted: 'evictionManager-podWorkers',
  FailedMount: 'volumeManager-podWorkers',
}

type Said = Pick<FlowMove, 'text' | 'certainty' | 'evidence'>
type Inferred = Said & { readonly arrow: FlowArrow }

function ofEvent({ reason, by = 'kubelet' }: TraceData['event.recorded']): Inferred | undefined {
  const arrow = by === 'kubelet' ? arrowOfReason[reason] : undefined
  const evidence = `event ${reason} of the kubelet`
  return arrow && { arrow, text: reason, certainty: 'certain', evidence }
}

function ofWrite({ change, user, subresource }: TraceData['object.written']): Inferred {
  const isOfKubelet = user.startsWith('system:node:')
  if (subresource === 'status')
    return {
      arrow: 'statusManager-apiServer',
      text: 'PATCH',
      certainty: isOfKubelet ? 'certain' : 'likely',
      evidence: isOfKubelet ? 'status and managedFields of the pod' : 'status of the pod',
    }
  if (isOfKubelet)
    return {
      arrow: 'mirrorClient-apiServer',
      text: 'POST',
      certainty: 'certain',
      evidence: 'annotation kubernetes.io/config.mirror',
    }
  return {
    arrow: 'apiServer-api',
    text: change,
    certainty: 'likely',
    evidence: 'object of the pod, which the watch of its kubelet receives',
  }
}

/** A worker that is told to sync or to terminate was told by UpdatePod; its other states follow by themselves. */
function ofWorker({
  state,
  certainty,
  because,
  isContinued,
}: TraceData['worker.observed']): Inferred | undefined {
  if (isContinued === true) return undefined
  if (state !== 'SyncPod' && state !== 'TerminatingPod') return undefined
  const least = certainty === 'possible' ? 'possible' : 'likely'
  return { arrow: 'syncLoop-podWorkers', text: state, certainty: least, evidence: because }
}

/** What a fact about a pod of a real node says of its kubelet: something moved along an arrow. Pure. */
export function inferredMove(event: TraceEvent): Inferred | undefined {
  switch (event.kind) {
    case 'container.started':
      return {
        arrow: 'podWorkers-runtime-start',
        text: 'StartContainer',
        certainty: 'certain',
        evidence: 'status of the container: running.startedAt',
      }
    case 'container.exited':
      return {
        arrow: 'runtime-pleg',
        text: 'ContainerDied',
        certainty: 'likely',
        evidence: 'status of the container: terminated.finishedAt',
      }
    case 'event.recorded':
      return ofEvent(event.data)
    case 'object.written':
      return ofWrite(event.data)
    case 'worker.observed':
      return ofWorker(event.data)
    default:
      return undefined
  }
}

/** Arrows whose moves can leave a fact. That of the lease has no event: its renewals are counted. */
const inferredArrows: ReadonlySet<FlowArrow> = new Set([
  ...Object.values(arrowOfReason),
  'statusManager-apiServer',
  'mirrorClient-apiServer',
  'nodeController-apiServer',
  'apiServer-api',
  'syncLoop-podWorkers',
  'runtime-pleg',
])

function sightOf(arrow: FlowArrow): FlowSight {
  return inferredArrows.has(arrow) ? 'inferred' : 'notKnown'
}

/** Of a kubelet that is not this program. */
export const inferredFlow: FlowReading = {
  arrowsOf: (event) => {
    const move = inferredMove(event)
    return move === undefined ? [] : [move.arrow]
  },
  says: (event) => inferredMove(event) ?? { text: event.kind, certainty: 'possible', evidence: '' },
  sightOf,
}
