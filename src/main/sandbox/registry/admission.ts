import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { forbidden, notFound } from '../api-status.ts'
import type { Caller } from '../auth/caller.ts'
import { nodeNameOf, nodeWriteRefusal } from '../auth/node-restriction.ts'
import type { NodeWrite } from '../auth/node-restriction.ts'
import { withNotReadyTaint } from './node-strategy.ts'
import { nodeTokenRefusal } from '../auth/token-restriction.ts'
import type { ObjectName, ObjectStore } from '../object-store.ts'
import { isSystemPriorityClass } from './class-strategies.ts'
import { admitNewPod, admitUpdatedPod } from './pod-admission.ts'
import { defaultClassRefusal } from './priority-admission.ts'
import { resourceTypes } from './resource-types.ts'
import type { ResourceType } from './resource-type.ts'
import { admitNewClaim, resizeRefusal, volumeProtection } from './storage-class-admission.ts'
import { withFinalizer } from './strategy.ts'

function typeOfKind(kind: string): ResourceType {
  const type = resourceTypes.find((candidate) => candidate.kind === kind)
  if (type === undefined) throw new Error(`no resource of kind ${kind}`)
  return type
}

/**
 * The admission chain of a server with its default plugins, as far as the sandbox's resources are
 * concerned: NamespaceLifecycle, ServiceAccount, NodeRestriction, TaintNodesByCondition, Priority,
 * DefaultTolerationSeconds, RuntimeClass, DefaultStorageClass, StorageObjectInUseProtection, PersistentVolumeClaimResize.
 */
export class Admission {
  readonly #store: ObjectStore
  readonly #namespaces = typeOfKind('Namespace')
  readonly #nodes = typeOfKind('Node')
  readonly #pods = typeOfKind('Pod')
  readonly #serviceAccounts = typeOfKind('ServiceAccount')
  readonly #priorityClasses = typeOfKind('PriorityClass')
  readonly #runtimeClasses = typeOfKind('RuntimeClass')
  readonly #storageClasses = typeOfKind('StorageClass')

  constructor(deps: { readonly store: ObjectStore }) {
    this.#store = deps.store
  }

  admitCreate(
    type: ResourceType,
    object: KubeObject,
    caller: Caller,
  ): Result<KubeObject, KubeStatus> {
    const { name, namespace = '' } = object.metadata
    const closed = type.namespaced ? this.#namespaceRefusal(type, name, namespace) : undefined
    if (closed !== undefined) return err(closed)
    const admitted = this.#admitNew(type, object)
    if (!admitted.ok) return err(forbidden(type, name ?? '', admitted.error))
    const write = { type, verb: 'create', subresource: '', object, old: undefined } as const
    const refusal = this.#nodeRefusal({ ...write, namespace, name: name ?? '' }, caller)
    return refusal === undefined ? admitted : err(refusal)
  }

  admitUpdate(
    type: ResourceType,
    update: { readonly next: KubeObject; readonly old: KubeObject; readonly subresource: string },
    caller: Caller,
  ): Result<KubeObject, KubeStatus> {
    const { next, old, subresource } = update
    const { name, namespace = '' } = old.metadata
    const write = { type, verb: 'update', subresource, namespace, name, object: next, old } as const
    const refusal = this.#nodeRefusal(write, caller)
    if (refusal !== undefined) return err(refusal)
    if (subresource !== '') return ok(next)
    const forbiddance = this.#updateRefusal(type, next, old)
    if (forbiddance !== undefined) return err(forbidden(type, name, forbiddance))
    return ok(type.kind === 'Pod' ? admitUpdatedPod(next, old) : next)
  }

  refuseDelete(type: ResourceType, old: KubeObject, caller: Caller): KubeStatus | undefined {
    const { name } = old.metadata
    if (type.kind === 'PriorityClass' && isSystemPriorityClass(name)) {
      return forbidden(type, name, 'this is a system priority class and cannot be deleted')
    }
    return this.#refuse(type, { verb: 'delete', subresource: '' }, old, caller)
  }

  refuseEviction(type: ResourceType, old: KubeObject, caller: Caller): KubeStatus | undefined {
    return this.#refuse(type, { verb: 'create', subresource: 'eviction' }, old, caller)
  }

  refuseBinding(type: ResourceType, old: KubeObject, caller: Caller): KubeStatus | undefined {
    return this.#refuse(type, { verb: 'create', subresource: 'binding' }, old, caller)
  }

  /** Of a token of the service account `place`. */
  refuseToken(
    type: ResourceType,
    place: ObjectName,
    request: KubeObject,
    caller: Caller,
  ): KubeStatus | undefined {
    const node = nodeNameOf(caller)
    if (node === undefined) return undefined
    const { namespace } = place
    const refusal = nodeTokenRefusal(node, request, (name) =>
      this.#store.of(this.#pods).get({ namespace, name }),
    )
    if (refusal === undefined) return undefined
    // The singular is the original's: its cache says so, not the server.
    if (refusal.kind === 'missing') return notFound({ ...this.#pods, plural: 'pod' }, refusal.pod)
    return forbidden(type, place.name, refusal.why)
  }

  #refuse(
    type: ResourceType,
    act: Pick<NodeWrite, 'verb' | 'subresource'>,
    old: KubeObject,
    caller: Caller,
  ): KubeStatus | undefined {
    const { name, namespace = '' } = old.metadata
    return this.#nodeRefusal({ type, ...act, namespace, name, object: undefined, old }, caller)
  }

  #namespaceRefusal(
    type: ResourceType,
    name: string | undefined,
    namespace: string,
  ): KubeStatus | undefined {
    const found = this.#store.of(this.#namespaces).get({ namespace: '', name: namespace })
    if (found === undefined) return notFound(this.#namespaces, namespace)
    if (found.metadata.deletionTimestamp === undefined) return undefined
    return forbidden(
      type,
      name ?? '',
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    )
  }

  #admitNew(type: ResourceType, object: KubeObject): Result<KubeObject, string> {
    switch (type.kind) {
      case 'Pod': {
        const { namespace = '' } = object.metadata
        return admitNewPod(object, {
          accountNamed: (name) => this.#store.of(this.#serviceAccounts).get({ namespace, name }),
          runtimeClassNamed: (name) =>
            this.#store.of(this.#runtimeClasses).get({ namespace: '', name }),
          priorityClasses: this.#store.of(this.#priorityClasses).list(),
        })
      }
      case 'PersistentVolumeClaim':
        return ok(admitNewClaim(object, this.#store.of(this.#storageClasses).list()))
      case 'PersistentVolume':
        return ok(withFinalizer(object, volumeProtection))
      case 'PriorityClass': {
        const refusal = this.#defaultClassRefusal(object)
        return refusal === undefined ? ok(object) : err(refusal)
      }
      case 'Node':
        return ok(withNotReadyTaint(object))
      default:
        return ok(object)
    }
  }

  #updateRefusal(type: ResourceType, next: KubeObject, old: KubeObject): string | undefined {
    switch (type.kind) {
      case 'PriorityClass':
        return this.#defaultClassRefusal(next)
      case 'PersistentVolumeClaim':
        return resizeRefusal(next, old, this.#store.of(this.#storageClasses).list())
      default:
        return undefined
    }
  }

  #defaultClassRefusal(priorityClass: KubeObject): string | undefined {
    return defaultClassRefusal(priorityClass, this.#store.of(this.#priorityClasses).list())
  }

  #nodeRefusal(write: NodeWrite, caller: Caller): KubeStatus | undefined {
    const node = nodeNameOf(caller)
    if (node === undefined) return undefined
    const nodes = this.#store.of(this.#nodes)
    const refusal = nodeWriteRefusal(node, write, {
      uidOfNode: (name) => nodes.get({ namespace: '', name })?.metadata.uid,
    })
    return refusal === undefined ? undefined : forbidden(write.type, write.name, refusal)
  }
}
