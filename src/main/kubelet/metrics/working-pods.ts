import type { PodWorkerSync } from '../workers/sync-known-pods.ts'
import { staticLabel } from './kubelet-metrics.ts'
import type { KubeletMetrics } from './kubelet-metrics.ts'

const lifecycles = ['sync', 'terminating', 'terminated'] as const

/** The combinations that there are, as the metric's labels `config` and `static` name them. */
const kinds: readonly (readonly [string, string])[] = [
  ['desired', staticLabel(true)],
  ['desired', staticLabel(false)],
  ['orphan', staticLabel(true)],
  ['orphan', staticLabel(false)],
  ['runtime_only', 'unknown'],
]

/** Its place among the kinds. */
function kindOf(worker: PodWorkerSync): number {
  if (!worker.hasConfig) return 4
  return (worker.orphan ? 2 : 0) + (worker.static ? 0 : 1)
}

/** Sets `kubelet_working_pods` (HandlePodCleanups). A combination that no worker has is 0. */
export function countWorkingPods(
  { workingPods }: Pick<KubeletMetrics, 'workingPods'>,
  workers: Iterable<PodWorkerSync>,
): void {
  const counts = {
    sync: kinds.map(() => 0),
    terminating: kinds.map(() => 0),
    terminated: kinds.map(() => 0),
  }
  for (const worker of workers) {
    const ofState = counts[worker.state]
    const kind = kindOf(worker)
    ofState[kind] = (ofState[kind] ?? 0) + 1
  }
  for (const lifecycle of lifecycles)
    for (const [index, kind] of kinds.entries())
      workingPods.with(lifecycle, ...kind).set(counts[lifecycle][index] ?? 0)
}
