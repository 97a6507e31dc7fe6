import type { ActError, Bridge, NodeRef, Receipt } from '../../../shared/ipc/contract.ts'
import type { BehaviorName } from '../../../shared/simulated-behavior.ts'
import type { PressureView } from '../../../shared/model/pressure/pressure-view.ts'
import type { StarvedResource } from '../../../shared/model/pressure/signals.ts'
import { assumedKey } from '../../../shared/model/pressure/what-if.ts'
import type { AssumedUse } from '../../../shared/model/pressure/what-if.ts'
import type { Result } from '../../../shared/result.ts'
import { requestResult } from '../../store/request-result.ts'
import type { RowTable } from '../../store/rows/row-table.ts'
import { text } from '../../text/text.ts'
import { podKeyOn } from './use-pressure.ts'

/** The annotation that sets a pod's use of a resource. */
function behaviorOf(resource: StarvedResource): BehaviorName {
  switch (resource) {
    case 'memory':
      return 'memory'
    case 'ephemeral-storage':
      return 'disk'
    case 'pids':
      return 'processes'
    case 'inodes':
      return 'inodes'
  }
}

interface ContainerUse {
  readonly uid: string
  readonly podName: string
  readonly container: string
  readonly name: BehaviorName
  readonly value: string
}

/** What each container is to use, so that the pods use as much as is assumed. Pure. */
function containerUses(
  { rankings }: Pick<PressureView, 'rankings'>,
  { pods }: AssumedUse,
  containersOf: (uid: string) => readonly string[],
): readonly ContainerUse[] {
  const seen = new Set<string>()
  return rankings.flatMap(({ resource, pods: ranked }) =>
    ranked.flatMap(({ uid, name: podName }) => {
      const key = assumedKey(resource, uid)
      const amount = pods[key]
      const name = behaviorOf(resource)
      if (amount === undefined || seen.has(key)) return []
      seen.add(key)
      const containers = containersOf(uid)
      return containers.map((container, index): ContainerUse => {
        // The first one takes what cannot be divided.
        const share = Math.floor(amount / containers.length)
        const rest = index === 0 ? amount - share * containers.length : 0
        return { uid, podName, container, name, value: String(share + rest) }
      })
    }),
  )
}

type Answer = Result<Receipt, ActError>

/** Makes the assumed uses real: the other use of the machine, and annotations of pods. Returns a sentence for each refusal. */
export async function applyAssumed(
  { bridge, rows }: { readonly bridge: Bridge; readonly rows: RowTable },
  node: NodeRef,
  view: PressureView,
  assumed: AssumedUse,
): Promise<readonly string[]> {
  const { memoryBytes = null, diskBytes = null, inodes = null, processes = null } = assumed.other
  const advice = text.frame.connection.checkPod
  const send = async (name: string, request: Promise<Answer>): Promise<readonly string[]> => {
    const answer = await requestResult(request, advice)
    return answer.ok ? [] : [text.pressure.whatIf.failed(name, answer.error.message)]
  }
  const ofNode =
    Object.keys(assumed.other).length === 0
      ? []
      : await send(
          node.node,
          bridge.request('node.useOther', { ...node, memoryBytes, diskBytes, inodes, processes }),
        )
  const uses = containerUses(
    view,
    assumed,
    (uid) => rows.get(podKeyOn(node, uid))?.bricks.map(({ name }) => name) ?? [],
  )
  const failures: string[] = [...ofNode]
  for (const { uid, podName, container, name, value } of uses) {
    const key = podKeyOn(node, uid)
    const change = { key, container, name, value }
    failures.push(...(await send(podName, bridge.request('pod.setBehavior', change))))
  }
  return failures
}
