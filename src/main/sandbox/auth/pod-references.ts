import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { configMirrorAnnotation } from '../../kubelet/pod/identity.ts'
import { namedOf, podConfigMapNames, podSecretNames } from '../../kubelet/pod/object-names.ts'

/** The objects that a pod refers to in its namespace, by the plural of the resource. */
export interface PodReferences {
  readonly secrets: ReadonlySet<string>
  readonly configmaps: ReadonlySet<string>
  readonly persistentvolumeclaims: ReadonlySet<string>
  readonly serviceaccounts: ReadonlySet<string>
}

/** True for a pod on the node. */
export function isOnNode(pod: KubeObject | undefined, node: string): boolean {
  return pod !== undefined && textAt(objectAt(pod, 'spec'), 'nodeName') === node
}

function sourcesOf(volume: JsonObject): readonly JsonObject[] {
  return Object.values(volume).filter(isJsonObject)
}

/** The names of the claims that a pod uses; empty for its other volumes. */
export function claimNames(pod: KubeObject): readonly string[] {
  return objectsAt(objectAt(pod, 'spec'), 'volumes').map((volume) => {
    const claim = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
    if (claim !== '' || volume['ephemeral'] === undefined) return claim
    return `${pod.metadata.name}-${textAt(volume, 'name')}`
  })
}

const none: PodReferences = {
  secrets: new Set(),
  configmaps: new Set(),
  persistentvolumeclaims: new Set(),
  serviceaccounts: new Set(),
}

/** Mirror pods have no references: a node must not grant itself rights. Source: plugin/pkg/auth/authorizer/node graph.go AddPod. */
export function podReferences(pod: KubeObject): PodReferences {
  if (pod.metadata.annotations?.[configMirrorAnnotation] !== undefined) return none
  const spec = objectAt(pod, 'spec')
  return {
    secrets: podSecretNames(spec),
    configmaps: podConfigMapNames(spec),
    persistentvolumeclaims: namedOf(claimNames(pod)),
    serviceaccounts: namedOf([textAt(spec, 'serviceAccountName')]),
  }
}

const volumeSecretFields = [
  'secretRef',
  'nodeStageSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
]

/** The secrets that a node needs for a persistent volume, as `namespace/name`. Source: pkg/api/persistentvolume VisitPVSecretNames. */
export function volumeSecretKeys(volume: KubeObject): readonly string[] {
  const spec = objectAt(volume, 'spec')
  const ownNamespace = textAt(objectAt(spec, 'claimRef'), 'namespace')
  return sourcesOf(spec).flatMap((source) => {
    const references = volumeSecretFields.map((field) => objectAt(source, field))
    const file = textAt(source, 'secretName')
    return [
      ...references
        .filter((reference) => textAt(reference, 'name') !== '')
        .map((one) => `${textAt(one, 'namespace') || ownNamespace}/${textAt(one, 'name')}`),
      ...(file === '' ? [] : [`${textAt(source, 'secretNamespace') || ownNamespace}/${file}`]),
    ]
  })
}
