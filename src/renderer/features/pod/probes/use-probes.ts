import { useEffect, useRef } from 'react'
import type { Bridge } from '../../../../shared/ipc/contract.ts'
import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import type { PodKey } from '../../../../shared/model/pod-row.ts'
import type { ProbeView } from '../../../../shared/model/probe-view.ts'
import { useAnswer } from '../../../store/requests/use-answer.ts'
import { useTicking } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'

const none: readonly ProbeView[] = []

function askProbes(bridge: Bridge, key: PodKey): Promise<readonly ProbeView[] | null> {
  return bridge.request('pod.probes', { key })
}

/** The probes of the pod, requested again when its detail changes and when the next tick of one has passed. */
export function useProbes(
  key: PodKey,
  cluster: string,
  detail: PodDetail | null,
): readonly ProbeView[] {
  const shown = useRef(none)
  const due = useTicking(
    cluster,
    (now) =>
      shown.current.some(({ nextTick }) => nextTick === null || nextTick <= now)
        ? Math.floor(now / 1000)
        : 0,
    0,
  )
  const version = `${detail?.trace[0]?.seq ?? ''} ${due}`
  const { value } = useAnswer(text.pod.probes.asked, key, askProbes, version)
  useEffect(() => {
    shown.current = value ?? none
  })
  return value ?? none
}
