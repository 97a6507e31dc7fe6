import type { Informer } from '../../../cluster/informer/informer.ts'
import type { AnyResource } from '../../../cluster/client/resource-paths.ts'
import type { Clock } from '../../../kubelet/ports.ts'
import type { ResourceRegistry } from '../../registry/resource-registry.ts'
import { groupResource, groupVersion } from '../../registry/resource-type.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { typeOfKind } from '../../registry/resource-types.ts'
import type { GarbageCollector } from './garbage-collector.ts'

interface CustomMonitorsDeps {
  readonly registry: ResourceRegistry
  readonly clock: Clock
  readonly collector: GarbageCollector
  readonly informer: (resource: AnyResource) => Informer<AnyResource>
}

/** One version of each custom resource, and the definitions themselves while there are any. */
function monitored({ custom }: ResourceRegistry): ReadonlySet<AnyResource> {
  const types = new Map<string, ResourceType>()
  for (const type of custom) {
    if (!types.has(groupResource(type))) types.set(groupResource(type), type)
  }
  const definitions = types.size === 0 ? [] : [typeOfKind('CustomResourceDefinition')]
  return new Set(
    [...definitions, ...types.values()].map(
      (type): AnyResource => `${groupVersion(type)}/${type.plural}`,
    ),
  )
}

/** Shows the objects of custom kinds to the garbage collector, as definitions come and go. Source: GarbageCollector.Sync. */
export class CustomMonitors {
  readonly #deps: CustomMonitorsDeps
  readonly #informers = new Map<AnyResource, Informer<AnyResource>>()
  readonly #stopListening: () => void
  #cancel: (() => void) | undefined

  constructor(deps: CustomMonitorsDeps) {
    this.#deps = deps
    this.#sync()
    // Not within the write that changes a definition.
    this.#stopListening = deps.registry.listen(() => {
      this.#cancel ??= deps.clock.after(0, () => {
        this.#cancel = undefined
        this.#sync()
      })
    })
  }

  #sync(): void {
    const { registry, collector, informer } = this.#deps
    const wanted = monitored(registry)
    for (const [resource, one] of this.#informers) {
      if (wanted.has(resource)) continue
      one.stop()
      this.#informers.delete(resource)
      collector.forget(resource)
    }
    for (const resource of wanted) {
      if (this.#informers.has(resource)) continue
      const one = informer(resource)
      this.#informers.set(resource, one)
      collector.monitor({ resource, informer: one })
      one.start()
    }
  }

  stop(): void {
    this.#stopListening()
    this.#cancel?.()
    for (const one of this.#informers.values()) one.stop()
  }
}
