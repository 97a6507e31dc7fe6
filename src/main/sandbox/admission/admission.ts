import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock, Random } from '../../kubelet/ports.ts'
import { forbidden, notFound } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import type { Caller } from '../auth/caller.ts'
import { withRequester } from '../registry/certificate/certificate-request-strategy.ts'
import { withNotReadyTaint } from '../registry/node-strategy.ts'
import type { Collection, ObjectName, ObjectStore } from '../object-store.ts'
import { isSystemPriorityClass } from '../registry/class-strategies.ts'
import { typeOfKind } from '../registry/resource-types.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { withFinalizer } from '../registry/strategy.ts'
import { certificateSubjectRefusal } from './certificate-subject.ts'
import { limitRangeRefusal, withLimitRangeDefaults } from './limit-range.ts'
import { nodeNameOf, nodeWriteRefusal } from './node-restriction.ts'
import type { NodeWrite } from './node-restriction.ts'
import { nodeTokenRefusal } from './token-restriction.ts'
import { admitNewPod, admitUpdatedPod } from './pod-admission.ts'
import { validatePodSecurity } from './pod-security/pod-security.ts'
import { Quotas } from './quota/quota-admission.ts'
import { defaultClassRefusal } from './priority.ts'
import { admitNewClaim, resizeRefusal, volumeProtection } from './storage-class.ts'
import type { StoredWrite, Validation } from './stored-write.ts'

/**
 * The default admission plugins of a server that concern the sandbox's resources: NamespaceLifecycle, LimitRanger, ServiceAccount,
 * NodeRestriction, TaintNodesByCondition, PodSecurity, Priority, DefaultTolerationSeconds, RuntimeClass, DefaultStorageClass,
 * StorageObjectInUseProtection, PersistentVolumeClaimResize, CertificateSubjectRestriction, ResourceQuota.
 */
export class Admission {
  readonly #store: ObjectStore
  readonly #volumeNames: Random

  readonly #quotas: Quotas

  constructor(deps: {
    readonly store: ObjectStore
    readonly volumeNames: Random
    readonly clock: Clock
  }) {
    this.#store = deps.store
    this.#quotas = new Quotas({ store: deps.store, now: () => deps.clock.now() })
    this.#volumeNames = deps.volumeNames
  }

  admitCreate(type: ResourceType, object: KubeObject, caller: Caller): ApiResult<KubeObject> {
    const { name, namespace = '' } = object.metadata
    const closed = type.namespaced ? this.#namespaceRefusal(type, name, namespace) : undefined
    if (closed !== undefined) return err(closed)
    const admitted = this.#admitNew(type, object, caller)
    if (!admitted.ok) return err(forbidden(type, name ?? '', admitted.error))
    const write = { verb: 'create', subresource: '', name: name ?? '', old: undefined } as const
    const refusal = this.#nodeRefusal({ type, namespace, object, ...write }, caller)
    return refusal === undefined ? admitted : err(refusal)
  }

  admitUpdate(
    type: ResourceType,
    update: { readonly next: KubeObject; readonly old: KubeObject; readonly subresource: string },
    caller: Caller,
  ): ApiResult<KubeObject> {
    const { next, old, subresource } = update
    const { name, namespace = '' } = old.metadata
    const write = { type, verb: 'update', subresource, namespace, name, object: next, old } as const
    const refusal = this.#nodeRefusal(write, caller)
    if (refusal !== undefined) return err(refusal)
    if (subresource !== '' || type.custom !== undefined) return ok(next)
    const refused = this.#updateRefusal(type, next, old)
    if (refused !== undefined) return err(forbidden(type, name, refused))
    return ok(type.kind === 'Pod' ? admitUpdatedPod(next, old) : next)
  }

  /** Judges an object as it will be stored: validating admission, in the order of a real server. */
  validate(type: ResourceType, write: StoredWrite): Validation {
    if (type.custom !== undefined) return { refusal: this.#quotaRefusal(type, write), warnings: [] }
    const bounds = this.#limitRangeRefusal(type, write)
    if (bounds !== undefined) return { refusal: bounds, warnings: [] }
    const subject = certificateSubjectRefusal(type, write)
    if (subject !== undefined) return { refusal: subject, warnings: [] }
    const security = validatePodSecurity(type, write, {
      namespaceNamed: (name) => this.#stored('Namespace').get({ namespace: '', name }),
      podsIn: (namespace) => this.#inNamespace('Pod', namespace),
    })
    return { ...security, refusal: security.refusal ?? this.#quotaRefusal(type, write) }
  }

  #limitRangeRefusal(
    type: ResourceType,
    { next, old, subresource }: StoredWrite,
  ): KubeStatus | undefined {
    const { name, namespace = '' } = next.metadata
    const isResized = type.kind === 'PersistentVolumeClaim' || subresource === 'resize'
    if (subresource === 'status' || old?.metadata.deletionTimestamp !== undefined) return undefined
    if (old !== undefined && !isResized) return undefined
    const why = limitRangeRefusal(next, this.#limitRanges(type, namespace))
    return why === '' ? undefined : forbidden(type, name, why)
  }

  #quotaRefusal(
    type: ResourceType,
    { next, old, subresource }: StoredWrite,
  ): KubeStatus | undefined {
    if (!type.namespaced || subresource === 'status') return undefined
    const isMeasured = old === undefined || type.kind !== 'Pod' || subresource === 'resize'
    return isMeasured ? this.#quotas.refusal({ type, next, old }) : undefined
  }

  /** The quotas of a namespace whose status is out of date. */
  outdatedQuotas(namespace: string): ReturnType<Quotas['outdated']> {
    return namespace === '' ? [] : this.#quotas.outdated(namespace)
  }

  #limitRanges(type: ResourceType, namespace: string): readonly KubeObject[] {
    if (type.kind !== 'Pod' && type.kind !== 'PersistentVolumeClaim') return []
    return this.#inNamespace('LimitRange', namespace)
  }

  #inNamespace(kind: string, namespace: string): readonly KubeObject[] {
    const all = this.#stored(kind).list()
    return all.filter(({ metadata }) => metadata.namespace === namespace)
  }

  /** Why the caller may not delete, evict or bind an object. */
  refuse(
    type: ResourceType,
    act: 'delete' | 'eviction' | 'binding',
    old: KubeObject,
    caller: Caller,
  ): KubeStatus | undefined {
    const { name, namespace = '' } = old.metadata
    const isDelete = act === 'delete'
    if (isDelete && type.kind === 'PriorityClass' && isSystemPriorityClass(name)) {
      return forbidden(type, name, 'this is a system priority class and cannot be deleted')
    }
    const verb = isDelete ? 'delete' : 'create'
    const subresource = isDelete ? '' : act
    const write = { type, verb, subresource, namespace, name, object: undefined, old } as const
    return this.#nodeRefusal(write, caller)
  }

  /** Why the caller may not create a token of a service account. */
  refuseToken(
    type: ResourceType,
    account: ObjectName,
    request: KubeObject,
    caller: Caller,
  ): KubeStatus | undefined {
    const node = nodeNameOf(caller)
    if (node === undefined) return undefined
    const { namespace } = account
    const refusal = nodeTokenRefusal(node, request, (name) =>
      this.#stored('Pod').get({ namespace, name }),
    )
    if (refusal === undefined) return undefined
    if (typeof refusal === 'string') return forbidden(type, account.name, refusal)
    // Upstream names the resource in the singular: the message comes from its lister.
    return notFound({ ...typeOfKind('Pod'), plural: 'pod' }, refusal.missingPod)
  }

  #stored(kind: string): Collection {
    return this.#store.of(typeOfKind(kind))
  }

  #namespaceRefusal(
    type: ResourceType,
    name: string | undefined,
    namespace: string,
  ): KubeStatus | undefined {
    const found = this.#stored('Namespace').get({ namespace: '', name: namespace })
    if (found === undefined) return notFound(typeOfKind('Namespace'), namespace)
    if (found.metadata.deletionTimestamp === undefined) return undefined
    const message = `namespace ${namespace} is being terminated`
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`
    return forbidden(type, name ?? '', why, [
      { reason: 'NamespaceTerminating', message, field: 'metadata.namespace' },
    ])
  }

  #admitNew(type: ResourceType, object: KubeObject, caller: Caller): Result<KubeObject, string> {
    if (type.custom !== undefined) return ok(object)
    switch (type.kind) {
      case 'Pod': {
        const { namespace = '' } = object.metadata
        return admitNewPod(withLimitRangeDefaults(object, this.#limitRanges(type, namespace)), {
          accountNamed: (name) => this.#stored('ServiceAccount').get({ namespace, name }),
          runtimeClassNamed: (name) => this.#stored('RuntimeClass').get({ namespace: '', name }),
          priorityClasses: this.#stored('PriorityClass').list(),
          random: this.#volumeNames,
        })
      }
      case 'PersistentVolumeClaim':
        return ok(admitNewClaim(object, this.#stored('StorageClass').list()))
      case 'PersistentVolume':
        return ok(withFinalizer(object, volumeProtection))
      case 'PriorityClass': {
        const refusal = defaultClassRefusal(object, this.#stored('PriorityClass').list())
        return refusal === undefined ? ok(object) : err(refusal)
      }
      case 'Node':
        return ok(withNotReadyTaint(object))
      case 'CertificateSigningRequest':
        return ok(withRequester(object, caller))
      default:
        return ok(object)
    }
  }

  #updateRefusal(type: ResourceType, next: KubeObject, old: KubeObject): string | undefined {
    switch (type.kind) {
      case 'PriorityClass':
        return defaultClassRefusal(next, this.#stored('PriorityClass').list())
      case 'PersistentVolumeClaim':
        return resizeRefusal(next, old, this.#stored('StorageClass').list())
      default:
        return undefined
    }
  }

  #nodeRefusal(write: NodeWrite, caller: Caller): KubeStatus | undefined {
    const node = nodeNameOf(caller)
    if (node === undefined) return undefined
    const uid = this.#stored('Node').get({ namespace: '', name: node })?.metadata.uid
    const refusal = nodeWriteRefusal(node, write, uid)
    return refusal === undefined ? undefined : forbidden(write.type, write.name, refusal)
  }
}
