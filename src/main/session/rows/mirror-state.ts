import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { MirrorState } from '../../../shared/model/pod-row.ts'
import { isMirrorPodOf } from '../../kubelet/pod/identity.ts'

/** Whether a static pod has a current mirror. Pure. */
export function mirrorState(pod: Pod, mirror: Pod | undefined): MirrorState {
  if (mirror === undefined) return 'missing'
  if (mirror.metadata.deletionTimestamp !== undefined) return 'deleting'
  return isMirrorPodOf(mirror, pod) ? 'matched' : 'stale'
}
