import { useCallback } from 'react'
import type { Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAnswer } from '../../store/requests/use-answer.ts'
import { isInScope } from '../../store/shown-node.ts'
import { useStore } from '../../store/store-context.ts'
import type { ShutdownPod } from './shutdown-plan.ts'
import { text } from '../../text/text.ts'
import { hasWorker } from '../../words/worker-state.ts'

/** The most pods that are described one by one; the others are only counted. */
const describedAtMost = 60

/** Whether the kubelet still runs or terminates the pod. */
function isActive(row: PodRow): boolean {
  const { worker, kind } = row
  return kind !== 'mirror' && hasWorker(row) && worker !== 'finished' && worker !== 'TerminatedPod'
}

async function describe(bridge: Bridge, row: PodRow): Promise<ShutdownPod> {
  const { key, namespace, name } = row
  const facts = (await bridge.request('pod.describe', { key }))?.facts
  const specGraceSeconds = facts?.specGraceSeconds ?? 30
  return { key, namespace, name, priority: facts?.priority ?? 0, specGraceSeconds }
}

/** Priority and grace of the pods that a shutdown of the node terminates; null until they are known. `more`: how many others. */
export function useShutdownPods(
  node: NodeRef,
): { readonly known: readonly ShutdownPod[]; readonly more: number } | null {
  const { rows } = useStore()
  const ask = useCallback(
    async (bridge: Bridge, of: NodeRef) => {
      const active = [...rows.values()]
        .filter((row) => isInScope(row, of) && isActive(row))
        .toSorted((one, two) => (one.key < two.key ? -1 : 1))
      const asked = active.slice(0, describedAtMost).map((row) => describe(bridge, row))
      return { known: await Promise.all(asked), more: Math.max(0, active.length - describedAtMost) }
    },
    [rows],
  )
  return useAnswer(text.nodes.shutdown.asked, node, ask).value
}
