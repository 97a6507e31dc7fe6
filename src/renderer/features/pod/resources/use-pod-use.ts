import type { Bridge } from '../../../../shared/ipc/contract.ts'
import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import type { PodKey } from '../../../../shared/model/pod-row.ts'
import type { PodUse } from '../../../../shared/model/inside-pod/pod-use.ts'
import type { Answer } from '../../../store/requests/keyed-request.ts'
import { useAnswer } from '../../../store/requests/use-answer.ts'
import { useTicking } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'

/** Of the cluster's clock. */
const everyMs = 5000

function askUse(bridge: Bridge, key: PodKey): Promise<PodUse | null> {
  return bridge.request('pod.use', { key })
}

/** The use of the pod's containers, measured again every five seconds of the cluster's clock and when its detail changes. */
export function usePodUse(key: PodKey, cluster: string, detail: PodDetail | null): Answer<PodUse> {
  const due = useTicking(cluster, (now) => Math.floor(now / everyMs), 0)
  return useAnswer(text.pod.resources.asked, key, askUse, `${detail?.trace[0]?.seq ?? ''} ${due}`)
}
