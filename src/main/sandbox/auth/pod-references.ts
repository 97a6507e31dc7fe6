import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { configMirrorAnnotation } from '../../kubelet/pod/identity.ts'

/** The objects that a pod refers to in its namespace, by the plural of the resource. */
export interface PodReferences {
  readonly secrets: ReadonlySet<string>
  readonly configmaps: ReadonlySet<string>
  readonly persistentvolumeclaims: ReadonlySet<string>
  readonly serviceaccounts: ReadonlySet<string>
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const

/** True for a pod on the node. */
export function isOnNode(pod: KubeObject | undefined, node: string): boolean {
  return pod !== undefined && textAt(objectAt(pod, 'spec'), 'nodeName') === node
}

/** The names that the environment variables of all containers refer to. */
function environmentNames(spec: JsonObject, key: string, from: string): readonly string[] {
  return containerLists
    .flatMap((list) => objectsAt(spec, list))
    .flatMap((container) => [
      ...objectsAt(container, 'env').map((entry) => objectAt(objectAt(entry, 'valueFrom'), key)),
      ...objectsAt(container, 'envFrom').map((source) => objectAt(source, from)),
    ])
    .map((reference) => textAt(reference, 'name'))
}

function sourcesOf(volume: JsonObject): readonly JsonObject[] {
  return Object.values(volume).filter(isJsonObject)
}

function projected(volumes: readonly JsonObject[], kind: string): readonly string[] {
  return volumes
    .flatMap((volume) => objectsAt(objectAt(volume, 'projected'), 'sources'))
    .map((source) => textAt(objectAt(source, kind), 'name'))
}

function volumeSecrets(volumes: readonly JsonObject[]): readonly string[] {
  return [
    ...volumes
      .flatMap(sourcesOf)
      .flatMap((source) => [
        textAt(source, 'secretName'),
        textAt(objectAt(source, 'secretRef'), 'name'),
        textAt(objectAt(source, 'nodePublishSecretRef'), 'name'),
      ]),
    ...projected(volumes, 'secret'),
  ]
}

/** The names of the claims that a pod uses; empty for its other volumes. */
export function claimNames(pod: KubeObject): readonly string[] {
  return objectsAt(objectAt(pod, 'spec'), 'volumes').map((volume) => {
    const claim = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
    if (claim !== '' || volume['ephemeral'] === undefined) return claim
    return `${pod.metadata.name}-${textAt(volume, 'name')}`
  })
}

function named(...names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name) => name !== ''))
}

const none: PodReferences = {
  secrets: named(),
  configmaps: named(),
  persistentvolumeclaims: named(),
  serviceaccounts: named(),
}

/** Mirror pods have no references: a node must not grant itself rights. Source: plugin/pkg/auth/authorizer/node graph.go AddPod. */
export function podReferences(pod: KubeObject): PodReferences {
  if (pod.metadata.annotations?.[configMirrorAnnotation] !== undefined) return none
  const spec = objectAt(pod, 'spec')
  const volumes = objectsAt(spec, 'volumes')
  return {
    secrets: named(
      ...objectsAt(spec, 'imagePullSecrets').map((reference) => textAt(reference, 'name')),
      ...environmentNames(spec, 'secretKeyRef', 'secretRef'),
      ...volumeSecrets(volumes),
    ),
    configmaps: named(
      ...environmentNames(spec, 'configMapKeyRef', 'configMapRef'),
      ...volumes.map((volume) => textAt(objectAt(volume, 'configMap'), 'name')),
      ...projected(volumes, 'configMap'),
    ),
    persistentvolumeclaims: named(...claimNames(pod)),
    serviceaccounts: named(textAt(spec, 'serviceAccountName')),
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
