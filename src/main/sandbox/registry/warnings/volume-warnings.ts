import { isJsonObject, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { fractionWarnings } from './quantity-warnings.ts'

const removed = (since: string, until: string): string =>
  `deprecated in ${since}, non-functional in ${until}+`

/** Kinds of volumes that Kubernetes no longer has. */
export const deprecatedVolumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: removed('v1.11', 'v1.16'),
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: removed('v1.16', 'v1.22'),
  flocker: removed('v1.22', 'v1.25'),
  storageos: removed('v1.22', 'v1.25'),
  quobyte: removed('v1.22', 'v1.25'),
  glusterfs: removed('v1.25', 'v1.26'),
  cephfs: removed('v1.28', 'v1.31'),
  rbd: removed('v1.28', 'v1.31'),
}

/** The field as the warning names it. */
function shownField(name: string): string {
  return name === 'storageos' ? 'storageOS' : name
}

/** Warnings about the kind of each volume. Source: pkg/api/pod warningsForPodSpecAndMeta. */
export function volumeKindWarnings(volumes: readonly JsonObject[], field: string) {
  return volumes.flatMap((volume, index) => {
    const kinds = Object.entries(deprecatedVolumes).filter(([name]) => isJsonObject(volume[name]))
    const claim = objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate')
    const at = `${field}[${index}]`
    return [
      ...kinds.map(([name, why]) => `${at}.${shownField(name)}: ${why}`),
      ...fractionWarnings(
        objectAt(objectAt(claim, 'spec'), 'resources'),
        `${at}.ephemeral.volumeClaimTemplate.spec.resources`,
        ['storage'],
      ),
    ]
  })
}

/** A path that a volume makes, and what it comes from; without a source where the volume has one only. */
interface MadePath {
  readonly path: string
  readonly source: string
}

function shown({ path, source }: MadePath): string {
  return source === '' ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`
}

function overlaps(one: MadePath, other: MadePath): boolean {
  const [first, second] = [`${one.path}/`, `${other.path}/`]
  return first.startsWith(second) || second.startsWith(first)
}

/** `"a/b" with "a"` for each path inside an earlier one, around it or the same. */
function overlapTexts(paths: readonly MadePath[]): readonly string[] {
  const trimmed = paths.map(({ path, source }) => ({ path: path.replace(/\/+$/, ''), source }))
  return trimmed.flatMap((one, index) => {
    if (one.path === '') return []
    const earlier = trimmed.slice(0, index).filter(({ path }) => path !== '')
    return earlier
      .filter((other) => overlaps(one, other))
      .map((other) => `${shown(one)} with ${shown(other)}`)
  })
}

function itemPaths(source: JsonObject, text: string): readonly MadePath[] {
  return objectsAt(source, 'items').map((item) => ({ path: textAt(item, 'path'), source: text }))
}

function named(kind: string, source: JsonObject, field = 'name'): string {
  return `${kind} ${JSON.stringify(textAt(source, field))}`
}

function projectedPaths(projection: JsonObject): readonly MadePath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = projection
  if (isJsonObject(configMap) && configMap['items'] !== undefined)
    return itemPaths(configMap, named('ConfigMap', configMap))
  if (isJsonObject(secret) && secret['items'] !== undefined)
    return itemPaths(secret, named('Secret', secret))
  if (isJsonObject(downwardAPI) && downwardAPI['items'] !== undefined)
    return itemPaths(downwardAPI, 'DownwardAPI')
  if (isJsonObject(serviceAccountToken))
    return [{ path: textAt(serviceAccountToken, 'path'), source: 'ServiceAccountToken' }]
  if (!isJsonObject(clusterTrustBundle)) return []
  const by = clusterTrustBundle['name'] === undefined ? 'signerName' : 'name'
  const source = named('ClusterTrustBundle', clusterTrustBundle, by)
  return [{ path: textAt(clusterTrustBundle, 'path'), source }]
}

function projectedWarnings(name: string, sources: readonly JsonObject[]): readonly string[] {
  const empty = sources.filter((source) => Object.keys(source).length === 0)
  return [
    ...empty.map(() => `volume ${name} (Projected) has no sources provided`),
    ...overlapTexts(sources.flatMap(projectedPaths)).map(
      (text) => `volume ${name} (Projected): overlapping paths: ${text}`,
    ),
  ]
}

/** Source: pkg/api/pod warningsForOverlappingVirtualPaths (v1.34). */
export function volumePathWarnings(volumes: readonly JsonObject[]): readonly string[] {
  return volumes.flatMap((volume) => {
    const name = JSON.stringify(textAt(volume, 'name'))
    const of = (field: string, text: (source: JsonObject) => string): readonly string[] => {
      const source = objectAt(volume, field)
      return overlapTexts(itemPaths(source, '')).map(
        (overlap) => `volume ${name} (${text(source)}): overlapping paths: ${overlap}`,
      )
    }
    return [
      ...of('configMap', (source) => named('ConfigMap', source)),
      ...of('secret', (source) => named('Secret', source, 'secretName')),
      ...of('downwardAPI', () => 'DownwardAPI'),
      ...projectedWarnings(name, objectsAt(objectAt(volume, 'projected'), 'sources')),
    ]
  })
}
