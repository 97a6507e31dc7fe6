import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import type { ApiError } from '../../../kubelet/ports.ts'
import { Controller } from '../controller.ts'
import type { ControllerContext } from '../controller.ts'
import { EventWriter } from '../event-writer.ts'

const syncPollMs = 100

/** `undefined`: it succeeded. */
export type Outcome = ApiError | undefined

/**
 * A controller whose failed syncs are tried again with back-off, and which waits for its caches before the first one. A key is
 * `namespace/name`.
 */
export abstract class WorkloadController extends Controller {
  protected readonly events: EventWriter
  readonly #caches: readonly { readonly hasSynced: () => boolean }[]
  readonly #maxRetries: number

  constructor(
    context: ControllerContext,
    options: {
      readonly component: string
      readonly caches: readonly { readonly hasSynced: () => boolean }[]
      /** How often a key that fails is tried again. Default: always. */
      readonly maxRetries?: number
      readonly backOff?: { readonly baseMs: number; readonly maxMs: number }
    },
  ) {
    super(context, options.backOff)
    this.events = new EventWriter({ ...context, component: options.component })
    this.#caches = options.caches
    this.#maxRetries = options.maxRetries ?? Infinity
  }

  protected async sync(key: string, causes: TraceCauses): Promise<void> {
    if (!this.#caches.every((cache) => cache.hasSynced())) {
      this.queue.addAfter(key, causes, syncPollMs)
      return
    }
    const [namespace = '', name = ''] = key.split('/', 2)
    const error = await this.reconcile(namespace, name, causes)
    if (error === undefined) {
      this.queue.forget(key)
      return
    }
    const { message } = error
    this.context.log.debug('a controller tries again', { key, message })
    if (this.queue.failuresOf(key) < this.#maxRetries) this.queue.addRateLimited(key, causes)
    else this.queue.forget(key)
  }

  protected abstract reconcile(
    namespace: string,
    name: string,
    causes: TraceCauses,
  ): Promise<Outcome>
}
