import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { objectKey } from '../../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../controller.ts'
import { WorkQueue } from '../work-queue.ts'
import type { Outcome } from '../workloads/workload-controller.ts'

/** The pods that no Job tracks any more and that still have the finalizer. Source: pkg/controller/job syncOrphanPod (v1.34). */
export class OrphanPods {
  readonly #context: ControllerContext
  readonly #queue: WorkQueue
  readonly #release: (pod: Pod, causes: TraceCauses) => Promise<Outcome>

  constructor(
    context: ControllerContext,
    { release }: { readonly release: (pod: Pod, causes: TraceCauses) => Promise<Outcome> },
  ) {
    this.#context = context
    this.#release = release
    const handle = (key: string, causes: TraceCauses): Promise<void> => this.#sync(key, causes)
    this.#queue = new WorkQueue({ ...context, handle, backOff: { baseMs: 1000, maxMs: 60_000 } })
  }

  add({ metadata }: Pod, causes: TraceCauses): void {
    this.#queue.add(objectKey(metadata), causes)
  }

  stop(): void {
    this.#queue.stop()
  }

  async #sync(key: string, causes: TraceCauses): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const { jobs, pods } = this.#context
    const pod = pods.get(namespace, name)
    // Without all Jobs, the pods of every Job would look like orphans.
    if (pod !== undefined && !jobs.hasSynced()) {
      this.#queue.addAfter(key, causes, 100)
      return
    }
    const error = pod === undefined ? undefined : await this.#release(pod, causes)
    if (error === undefined) this.#queue.forget(key)
    else this.#queue.addRateLimited(key, causes)
  }
}
