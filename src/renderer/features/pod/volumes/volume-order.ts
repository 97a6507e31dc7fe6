import type { VariableView, VolumeView } from '../../../../shared/model/inside-pod/pod-volumes.ts'
import { isLacking, objectsOf } from './missing-objects.ts'

/** Whether containers cannot start because of the volume. Pure. */
export function isHoldingUp({ state, failure }: VolumeView): boolean {
  return state === 'waiting' && failure !== null
}

function rankOf(volume: VolumeView): number {
  if (isHoldingUp(volume)) return 0
  return volume.failure === null && !objectsOf(volume.source).some(isLacking) ? 2 : 1
}

/** What holds the pod up first, then what lacks something; otherwise as in the spec. Pure. */
export function orderedVolumes(volumes: readonly VolumeView[]): readonly VolumeView[] {
  return volumes.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Whether the container does not start without it, and it is not there. Pure. */
export function isMissing({ state }: VariableView): boolean {
  return state === 'objectMissing' || state === 'keyMissing' || state === 'refused'
}

/** What is missing first; otherwise in the kubelet's order. Pure. */
export function orderedVariables(variables: readonly VariableView[]): readonly VariableView[] {
  return [...variables.filter(isMissing), ...variables.filter((variable) => !isMissing(variable))]
}
