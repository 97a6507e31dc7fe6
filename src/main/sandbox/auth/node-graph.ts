import { objectAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { ObjectStore } from '../object-store.ts'
import { typeOfKind } from '../registry/resource-types.ts'
import { isOnNode, podReferences, volumeSecretKeys } from './pod-references.ts'
import type { PodReferences } from './pod-references.ts'

/** An object that a node requests. */
interface NodeTarget {
  readonly plural: string
  readonly namespace: string
  readonly name: string
}

/**
 * True if a pod of the node refers to the object, directly or through its claims. Computed from the stored objects for each
 * request of a kubelet. Source: plugin/pkg/auth/authorizer/node graph.go (v1.34).
 */
export function hasPathFrom(store: ObjectStore, node: string, target: NodeTarget): boolean {
  const { plural, namespace, name } = target
  const pods = store.of(typeOfKind('Pod'))
  const isNamed = (kind: keyof PodReferences, inNamespace = namespace, wanted = name): boolean =>
    pods
      .list()
      .some(
        (pod) =>
          pod.metadata.namespace === inNamespace &&
          isOnNode(pod, node) &&
          podReferences(pod)[kind].has(wanted),
      )
  /** The volumes that are bound to claims of the node's pods. */
  const ownVolumes = (): readonly KubeObject[] =>
    store
      .of(typeOfKind('PersistentVolume'))
      .list()
      .filter((volume) => {
        const claim = objectAt(objectAt(volume, 'spec'), 'claimRef')
        const [claimNamespace, claimName] = [textAt(claim, 'namespace'), textAt(claim, 'name')]
        return claimName !== '' && isNamed('persistentvolumeclaims', claimNamespace, claimName)
      })
  switch (plural) {
    case 'pods':
      return isOnNode(pods.get({ namespace, name }), node)
    case 'secrets':
      return (
        isNamed('secrets') ||
        ownVolumes().some((one) => volumeSecretKeys(one).includes(`${namespace}/${name}`))
      )
    case 'configmaps':
    case 'persistentvolumeclaims':
    case 'serviceaccounts':
      return isNamed(plural)
    case 'persistentvolumes':
      return ownVolumes().some(({ metadata }) => metadata.name === name)
    default:
      return false
  }
}
