import { objectAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { ObjectStore } from '../object-store.ts'
import { typeOfKind } from '../registry/resource-types.ts'
import { podReferences, volumeSecretKeys } from './pod-references.ts'
import type { PodReferences } from './pod-references.ts'

const pods = typeOfKind('Pod')
const volumes = typeOfKind('PersistentVolume')

/** An object that a node requests. */
export interface NodeTarget {
  readonly plural: string
  readonly namespace: string
  readonly name: string
}

/**
 * Which objects a node may read: those that its pods name. Computed from the stored objects for each request of a kubelet.
 * Source: plugin/pkg/auth/authorizer/node graph.go (v1.34).
 */
export class NodeGraph {
  readonly #store: ObjectStore

  constructor(store: ObjectStore) {
    this.#store = store
  }

  /** True if a pod of the node refers to the object. */
  has(node: string, target: NodeTarget): boolean {
    const { plural, namespace, name } = target
    switch (plural) {
      case 'pods':
        return this.#isOwn(this.#store.of(pods).get({ namespace, name }), node)
      case 'secrets':
        return (
          this.#isNamed(node, target, 'secrets') ||
          this.#ownVolumes(node).some((one) =>
            volumeSecretKeys(one).includes(`${namespace}/${name}`),
          )
        )
      case 'configmaps':
      case 'persistentvolumeclaims':
      case 'serviceaccounts':
        return this.#isNamed(node, target, plural)
      case 'persistentvolumes':
        return this.#ownVolumes(node).some(({ metadata }) => metadata.name === name)
      default:
        return false
    }
  }

  #isOwn(pod: KubeObject | undefined, node: string): boolean {
    return pod !== undefined && textAt(objectAt(pod, 'spec'), 'nodeName') === node
  }

  #isNamed(node: string, { namespace, name }: NodeTarget, plural: keyof PodReferences): boolean {
    return this.#store
      .of(pods)
      .list()
      .some(
        (pod) =>
          pod.metadata.namespace === namespace &&
          this.#isOwn(pod, node) &&
          podReferences(pod)[plural].has(name),
      )
  }

  /** The volumes that are bound to claims of the node's pods. */
  #ownVolumes(node: string): readonly KubeObject[] {
    return this.#store
      .of(volumes)
      .list()
      .filter((volume) => {
        const claim = objectAt(objectAt(volume, 'spec'), 'claimRef')
        const target = {
          plural: '',
          namespace: textAt(claim, 'namespace'),
          name: textAt(claim, 'name'),
        }
        return target.name !== '' && this.#isNamed(node, target, 'persistentvolumeclaims')
      })
  }
}
