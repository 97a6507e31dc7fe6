import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const

/** The names without empty ones, which the API accepts in references. */
export function namedOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name) => name !== ''))
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

function projectedNames(volumes: readonly JsonObject[], kind: string): readonly string[] {
  return volumes
    .flatMap((volume) => objectsAt(objectAt(volume, 'projected'), 'sources'))
    .map((source) => textAt(objectAt(source, kind), 'name'))
}

function volumeSecretNames(volumes: readonly JsonObject[]): readonly string[] {
  return [
    ...volumes
      .flatMap((volume) => Object.values(volume).filter(isJsonObject))
      .flatMap((source) => [
        textAt(source, 'secretName'),
        textAt(objectAt(source, 'secretRef'), 'name'),
        textAt(objectAt(source, 'nodePublishSecretRef'), 'name'),
      ]),
    ...projectedNames(volumes, 'secret'),
  ]
}

/** The Secrets that a pod with this spec refers to. Source: pkg/api/v1/pod/util.go VisitPodSecretNames. */
export function podSecretNames(spec: JsonObject): ReadonlySet<string> {
  return namedOf([
    ...objectsAt(spec, 'imagePullSecrets').map((reference) => textAt(reference, 'name')),
    ...environmentNames(spec, 'secretKeyRef', 'secretRef'),
    ...volumeSecretNames(objectsAt(spec, 'volumes')),
  ])
}

/** The ConfigMaps that a pod with this spec refers to. Source: pkg/api/v1/pod/util.go VisitPodConfigmapNames. */
export function podConfigMapNames(spec: JsonObject): ReadonlySet<string> {
  const volumes = objectsAt(spec, 'volumes')
  return namedOf([
    ...environmentNames(spec, 'configMapKeyRef', 'configMapRef'),
    ...volumes.map((volume) => textAt(objectAt(volume, 'configMap'), 'name')),
    ...projectedNames(volumes, 'configMap'),
  ])
}
