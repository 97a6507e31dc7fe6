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

function kindOf(worker: PodWorkerSync): readonly [string, string] {
  if (!worker.hasConfig) return ['runtime_only', 'unknown']
  return [worker.orphan ? 'orphan' : 'desired', staticLabel(worker.static)]
}

/** Sets `kubelet_working_pods` (HandlePodCleanups). A combination that no worker has is 0. */
export function countWorkingPods(
  { workingPods }: Pick<KubeletMetrics, 'workingPods'>,
  workers: Iterable<PodWorkerSync>,
): void {
  for (const lifecycle of lifecycles)
    for (const kind of kinds) workingPods.with(lifecycle, ...kind).set(0)
  for (const worker of workers) workingPods.with(worker.state, ...kindOf(worker)).increment()
}
