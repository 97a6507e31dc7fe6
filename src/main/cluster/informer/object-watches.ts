import type { ObjectChange, WatchObject } from '../../kubelet/ports.ts'
import { Reflector } from './reflector.ts'
import type { ReflectorDeps, StoreChange } from './reflector.ts'

type ObjectWatchesDeps = Pick<ReflectorDeps<'secrets'>, 'transport' | 'clock' | 'random' | 'log'>

/** As the kubelet sets it, so that the many watches are reopened rarely: pkg/kubelet/util/manager newReflectorLocked. */
const minWatchTimeoutSeconds = 1800

interface WithVersion {
  readonly metadata: { readonly uid: string; readonly resourceVersion?: string | undefined }
}

/** How the object of that name has changed; undefined if it is as before. */
function changeOf<T extends WithVersion>(
  key: string,
  store: ReadonlyMap<string, T>,
  change: StoreChange<T>,
): ObjectChange | undefined {
  const now = store.get(key)
  const before = change.type === 'REPLACED' ? change.before.get(key) : change.before
  const { uid = '', resourceVersion = '' } = now?.metadata ?? {}
  if (before?.metadata.resourceVersion === now?.metadata.resourceVersion) return undefined
  const type = now === undefined ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED'
  return { change: type, uid, resourceVersion, causes: change.causes }
}

/** Watches of single objects, as the kubelet's managers of Secrets and ConfigMaps have them. */
export class ObjectWatches {
  readonly #deps: ObjectWatchesDeps
  readonly #running = new Set<{ readonly retryNow: () => void }>()

  constructor(deps: ObjectWatchesDeps) {
    this.#deps = deps
  }

  readonly watch: WatchObject = ({ resource, namespace, name }, onChange) => {
    const key = `${namespace}/${name}`
    const reflector = new Reflector<typeof resource>({
      ...this.#deps,
      random: this.#deps.random.fork(`${resource} ${key}`),
      resource,
      namespace,
      fieldSelector: `metadata.name=${name}`,
      minWatchTimeoutSeconds,
      onChange: (store, change) => {
        const found = changeOf(key, store, change)
        if (found !== undefined) onChange(found)
      },
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
