import type { Pod } from '../../shared/kubernetes/objects.ts'
import { podColumns } from '../../shared/kubernetes/printers/pod-columns.ts'
import { containerBrick } from '../../shared/model/container-brick.ts'
import { inferWorker } from '../../shared/model/inspect/infer-worker.ts'
import type { InspectRow, RunningBrick } from '../../shared/model/inspect/inspect-view.ts'
import { joinEvidence } from '../../shared/model/inspect/join-evidence.ts'
import type { JoinedPod, NodeEvidence } from '../../shared/model/inspect/join-evidence.ts'

/** The squares of RUNNING. `names`: of /runningpods. */
function bricksOf(names: readonly string[], told: Pod | null): readonly RunningBrick[] {
  const { initContainerStatuses = [], containerStatuses = [] } = told?.status ?? {}
  const statuses = [...initContainerStatuses, ...containerStatuses]
  const containers = told?.spec.containers.map(({ name }) => name) ?? []
  return [...new Set([...names, ...containers])].flatMap((name) => {
    const status = statuses.find((one) => one.name === name)
    const isRunning = status?.state?.running !== undefined
    if (names.includes(name)) return { name, state: isRunning ? containerBrick(status) : 'up' }
    return isRunning ? [] : { name, state: containerBrick(status) }
  })
}

function statusWord(pod: Pod, now: number): string {
  return podColumns(pod, now).status
}

function rowOf({ namespace, name, evidence, pair }: JoinedPod, now: number): InspectRow {
  const { uid, isStatic, api, told, running } = evidence
  const object = api.value
  const columns = object === null ? null : podColumns(object, now)
  return {
    uid,
    apiUid: object?.metadata.uid ?? null,
    namespace,
    name,
    isStatic,
    mirror: pair?.state ?? null,
    status: columns?.status ?? null,
    ready: columns === null ? null : `${columns.readyContainers}/${columns.totalContainers}`,
    ...(told === null ? {} : { told: told.value === null ? null : statusWord(told.value, now) }),
    ...(running === null
      ? {}
      : { running: bricksOf(running.value?.containers ?? [], told?.value ?? null) }),
    ...inferWorker(evidence, pair, now),
  }
}

function inOrder(a: InspectRow, b: InspectRow): number {
  const marked = Number(b.disagreement !== null) - Number(a.disagreement !== null)
  if (marked !== 0) return marked
  const [one, other] = [`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`]
  if (one !== other) return one < other ? -1 : 1
  return a.uid < b.uid ? -1 : 1
}

/** The rows of one node: disagreements first, then by namespace and name. Pure; `now` in ms. */
export function inspectRows(node: NodeEvidence, now: number): readonly InspectRow[] {
  return joinEvidence(node)
    .map((joined) => rowOf(joined, now))
    .toSorted(inOrder)
}
