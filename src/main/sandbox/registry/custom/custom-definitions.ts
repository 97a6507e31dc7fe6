import { objectAt, textAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import type { Clock } from '../../../kubelet/ports.ts'
import { apiServerCaller } from '../../auth/caller.ts'
import type { DeleteOptions } from '../../endpoints/delete-options.ts'
import type { ObjectDeletion } from '../../endpoints/object-deletion.ts'
import type { ObjectWriter, WriteContext } from '../../endpoints/object-writer.ts'
import type { ObjectStore } from '../../object-store.ts'
import type { ResourceRegistry } from '../resource-registry.ts'
import type { ResourceType } from '../resource-type.ts'
import { typeOfKind } from '../resource-types.ts'
import { cleanupFinalizer, deletingStatus, establishedStatus } from './definition-status.ts'

interface Deps {
  readonly store: ObjectStore
  readonly registry: ResourceRegistry
  readonly writer: ObjectWriter
  readonly deletion: ObjectDeletion
  readonly clock: Clock
}

const noOptions: DeleteOptions = {
  gracePeriodSeconds: undefined,
  uid: '',
  resourceVersion: '',
  propagationPolicy: '',
  orphanDependents: undefined,
  dryRun: false,
}

function groupOf(definition: KubeObject): string {
  return textAt(objectAt(definition, 'spec'), 'group')
}

/**
 * What the controllers of a real API server do about CustomResourceDefinitions, at once: they accept their names, establish them,
 * and delete the objects of a definition that is being deleted.
 */
export class CustomDefinitions {
  readonly #deps: Deps
  readonly #type: ResourceType

  constructor(deps: Deps) {
    this.#deps = deps
    this.#type = typeOfKind('CustomResourceDefinition')
  }

  /** After each write of an object of this type. */
  afterWrite(type: ResourceType, causes: readonly number[]): void {
    if (type !== this.#type && type.custom === undefined) return
    const context = { caller: apiServerCaller, causes, dryRun: false, subresource: 'status' }
    // A name that one definition gives up can be what another waits for.
    while (this.#definitions().some((one) => this.#reconcile(one, context)));
  }

  #definitions(): readonly KubeObject[] {
    return this.#deps.store.of(this.#type).list()
  }

  /** Whether anything has changed. */
  #reconcile(definition: KubeObject, context: WriteContext): boolean {
    const { writer, clock } = this.#deps
    if (definition.metadata.deletionTimestamp !== undefined)
      return this.#cleanUp(definition, context)
    const group = groupOf(definition)
    const others = this.#definitions().filter((one) => one !== definition && groupOf(one) === group)
    const status = establishedStatus(definition, others, clock.now())
    if (status === undefined) return false
    writer.modify(this.#type, { ...definition, status }, definition, context)
    return true
  }

  #cleanUp(definition: KubeObject, context: WriteContext): boolean {
    const { store, registry, writer, deletion, clock } = this.#deps
    const { finalizers = [] } = definition.metadata
    if (!finalizers.includes(cleanupFinalizer)) return false
    const names = objectAt(objectAt(definition, 'spec'), 'names')
    const type = registry.custom.find(
      ({ group, plural }) => group === groupOf(definition) && plural === textAt(names, 'plural'),
    )
    if (type !== undefined) {
      const objects = store.of(type).list()
      let isChanged = false
      for (const object of objects) {
        if (object.metadata.deletionTimestamp !== undefined) continue
        deletion.delete(type, object, noOptions, { ...context, subresource: '' })
        isChanged = true
      }
      if (store.of(type).list().length > 0) {
        const status = deletingStatus(definition, clock.now())
        const isSaid = JSON.stringify(status) === JSON.stringify(definition['status'])
        if (!isSaid) writer.modify(this.#type, { ...definition, status }, definition, context)
        return isChanged || !isSaid
      }
    }
    const rest = finalizers.filter((one) => one !== cleanupFinalizer)
    const metadata = { ...definition.metadata, finalizers: rest }
    const next = { ...definition, metadata }
    if (rest.length > 0) writer.modify(this.#type, next, definition, context)
    else writer.remove(this.#type, definition, context)
    return true
  }
}
