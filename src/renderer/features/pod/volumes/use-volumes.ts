import type { Bridge } from '../../../../shared/ipc/contract.ts'
import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import type { PodKey } from '../../../../shared/model/pod-row.ts'
import type { PodVolumes } from '../../../../shared/model/inside-pod/pod-volumes.ts'
import type { Answer } from '../../../store/requests/keyed-request.ts'
import { useAnswer } from '../../../store/requests/use-answer.ts'
import { useTicking } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'

function askVolumes(bridge: Bridge, key: PodKey): Promise<PodVolumes | null> {
  return bridge.request('pod.volumes', { key })
}

/** Asked again when the pod's detail changes, and every second of the cluster's clock: a ConfigMap tells the pod nothing. */
export function useVolumes(
  key: PodKey,
  cluster: string,
  detail: PodDetail | null,
): Answer<PodVolumes> {
  const tick = useTicking(cluster, (now) => Math.floor(now / 1000), 0)
  const version = `${detail?.trace[0]?.seq ?? ''} ${tick}`
  return useAnswer(text.pod.volumes.asked, key, askVolumes, version)
}
