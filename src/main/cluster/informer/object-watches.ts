import type { WatchObject } from '../../kubelet/ports.ts'
import { Reflector } from './reflector.ts'
import type { ReflectorDeps } from './reflector.ts'

type ObjectWatchesDeps = Pick<ReflectorDeps<'secrets'>, 'transport' | 'clock' | 'random' | 'log'>

/** As the kubelet sets it, so that the many watches are reopened rarely: pkg/kubelet/util/manager newReflectorLocked. */
const minWatchTimeoutSeconds = 1800

/** Watches of single objects, as the kubelet's managers of Secrets and ConfigMaps have them. */
export class ObjectWatches {
  readonly #deps: ObjectWatchesDeps
  readonly #running = new Set<{ readonly retryNow: () => void }>()

  constructor(deps: ObjectWatchesDeps) {
    this.#deps = deps
  }

  readonly watch: WatchObject = ({ resource, namespace, name }) => {
    const key = `${namespace}/${name}`
    const reflector = new Reflector<typeof resource>({
      ...this.#deps,
      random: this.#deps.random.fork(`${resource} ${key}`),
      resource,
      namespace,
      fieldSelector: `metadata.name=${name}`,
      minWatchTimeoutSeconds,
      onChange: () => undefined,
    })
    this.#running.add(reflector)
    reflector.start()
    return {
      hasSynced: reflector.hasSynced,
      // By name, in case a server ignores the field selector.
      get: () => reflector.store.get(key),
      stop: () => {
        this.#running.delete(reflector)
        reflector.stop()
      },
    }
  }

  /** See `Reflector.retryNow`. */
  retryNow(): void {
    for (const reflector of this.#running) reflector.retryNow()
  }
}
