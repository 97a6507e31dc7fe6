import { useEffect, useState } from 'react'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { isInScope } from '../../store/shown-node.ts'
import { useStore } from '../../store/store-context.ts'
import type { ShutdownPod } from './shutdown-plan.ts'
import { hasWorker } from '../../words/worker-word.ts'

/** So many are asked about one by one; the rest is counted. */
const podsAsked = 60

export interface ShutdownPods {
  readonly known: readonly ShutdownPod[]
  /** Pods that are ended too and not told apart here. */
  readonly more: number
  readonly isLoading: boolean
}

/** A pod that counts against the node: its worker has not come to its end. */
function isActive(row: PodRow): boolean {
  const { worker, kind } = row
  return kind !== 'mirror' && hasWorker(row) && worker !== 'finished' && worker !== 'TerminatedPod'
}

/** Priority and grace of the pods that a shutdown of the node would end, as they are when the dialog opens. */
export function useShutdownPods(node: NodeRef | null): ShutdownPods {
  const { bridge, rows } = useStore()
  const [pods, setPods] = useState<ShutdownPods>({ known: [], more: 0, isLoading: true })
  const [cluster, name] = [node?.cluster ?? '', node?.node ?? '']
  useEffect(() => {
    if (name === '') return undefined
    let isLeft = false
    const active = [...rows.values()]
      .filter((row) => isInScope(row, { cluster, node: name }) && isActive(row))
      .toSorted((one, two) => (one.key < two.key ? -1 : 1))
    const asked = active.slice(0, podsAsked)
    const describe = async (row: PodRow): Promise<ShutdownPod> => {
      const detail = await bridge.request('pod.describe', { key: row.key })
      const { key, namespace } = row
      return {
        key,
        namespace,
        name: row.name,
        priority: detail?.facts.priority ?? 0,
        specGraceSeconds: detail?.facts.specGraceSeconds ?? 30,
      }
    }
    Promise.all(asked.map(describe)).then(
      (known) => {
        if (!isLeft) setPods({ known, more: active.length - known.length, isLoading: false })
      },
      // The connection is lost, which the dialog says anyway.
      () => {
        if (!isLeft) setPods({ known: [], more: active.length, isLoading: false })
      },
    )
    return () => {
      isLeft = true
    }
  }, [bridge, rows, cluster, name])
  return pods
}
