import type { KubeObject, KubeStatus } from '../../shared/kubernetes/objects.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { forbidden, notFound } from './api-status.ts'
import type { Caller } from './caller.ts'
import { nodeNameOf, nodeWriteRefusal } from './node-restriction.ts'
import type { NodeWrite } from './node-restriction.ts'
import { withNotReadyTaint } from './node-strategy.ts'
import type { ObjectStore } from './object-store.ts'
import { admitNewPod, admitUpdatedPod } from './pod-admission.ts'
import { resourceTypes } from './resource-types.ts'
import type { ResourceType } from './resource-types.ts'

function typeOfKind(kind: string): ResourceType {
  const type = resourceTypes.find((candidate) => candidate.kind === kind)
  if (type === undefined) throw new Error(`no resource of kind ${kind}`)
  return type
}

/**
 * The admission chain of a server with its default plugins, as far as the sandbox's resources are
 * concerned: NamespaceLifecycle, ServiceAccount, NodeRestriction, TaintNodesByCondition, Priority,
 * DefaultTolerationSeconds.
 */
export class Admission {
  readonly #store: ObjectStore
  readonly #namespaces = typeOfKind('Namespace')
  readonly #nodes = typeOfKind('Node')
  readonly #serviceAccounts = typeOfKind('ServiceAccount')

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
    const isPod = type.kind === 'Pod' && subresource === ''
    return ok(isPod ? admitUpdatedPod(next, old) : next)
  }

  refuseDelete(type: ResourceType, old: KubeObject, caller: Caller): KubeStatus | undefined {
    return this.#refuse(type, { verb: 'delete', subresource: '' }, old, caller)
  }

  refuseEviction(type: ResourceType, old: KubeObject, caller: Caller): KubeStatus | undefined {
    return this.#refuse(type, { verb: 'create', subresource: 'eviction' }, old, caller)
  }

  refuseBinding(type: ResourceType, old: KubeObject, caller: Caller): KubeStatus | undefined {
    return this.#refuse(type, { verb: 'create', subresource: 'binding' }, old, caller)
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
        const accounts = this.#store.of(this.#serviceAccounts)
        const hasServiceAccount = (name: string): boolean =>
          accounts.get({ namespace, name }) !== undefined
        return admitNewPod(object, { hasServiceAccount })
      }
      case 'Node':
        return ok(withNotReadyTaint(object))
      default:
        return ok(object)
    }
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
