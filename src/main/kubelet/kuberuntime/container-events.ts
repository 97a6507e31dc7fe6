import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { EventRecorder } from '../ports.ts'
import { containerFieldPath } from './container-spec.ts'

/** An event about one container of a pod. `causes`: what led to it. */
export interface ContainerEvent {
  readonly pod: Pod
  readonly containerName: string
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** Replaced by the container's name in the message: ids would make every event another one. */
  readonly containerId?: string
  readonly causes: TraceCauses
}

/**
 * Records an event about a container, pointing to it by field path (kubelet recordContainerEvent). Of a container that
 * the pod does not have nothing is recorded (FilterEventRecorder).
 */
export function recordContainerEvent(recorder: EventRecorder, event: ContainerEvent): void {
  const { pod, containerName, containerId, type, reason, causes } = event
  const fieldPath = containerFieldPath(pod, containerName)
  if (fieldPath === undefined) return
  const message =
    containerId === undefined || containerId === ''
      ? event.message
      : event.message.replaceAll(containerId, containerName)
  recorder.event({ kind: 'pod', pod, fieldPath }, type, reason, message, causes)
}
