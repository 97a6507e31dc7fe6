import type { Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import type { PressureView } from '../../../shared/model/pressure/pressure-view.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { useAnswer } from '../../store/requests/use-answer.ts'
import type { Answer } from '../../store/requests/keyed-request.ts'
import { useWallSeconds } from '../../store/use-wall-seconds.ts'
import { text } from '../../text/text.ts'

const ask = (bridge: Bridge, node: NodeRef): Promise<PressureView | null> =>
  bridge.request('node.pressure', node)

/** The node's signals and rankings, measured once a second while they are shown. */
export function usePressure(node: NodeRef): Answer<PressureView> {
  return useAnswer(text.pressure.request, node, ask, useWallSeconds())
}

export function podKeyOn({ cluster, node }: NodeRef, uid: string): PodKey {
  return `${cluster}/${node}/${uid}`
}
