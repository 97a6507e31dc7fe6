import { ownField } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'

type Fields = Readonly<Record<string, unknown>>

/** Volume types that need nothing from the API server, apart from secrets that some of them may name. */
const localVolumes: ReadonlySet<string> = new Set([
  'awsElasticBlockStore',
  'azureDisk',
  'cephfs',
  'cinder',
  'downwardAPI',
  'emptyDir',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'hostPath',
  'image',
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'portworxVolume',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
])

const refusedVolumes: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via configmap volumes)',
  secret: 'secrets (via secret volumes)',
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
  azureFile: 'secrets (via azureFile volumes)',
}

const refusedProjections: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via projected volumes)',
  secret: 'secrets (via projected volumes)',
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
}

function fieldsOf(value: unknown): Fields {
  // A manifest's unmodelled parts: whatever is no object has no fields.
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isNamed(reference: unknown, key = 'name'): boolean {
  const name = fieldsOf(reference)[key]
  return typeof name === 'string' && name !== ''
}

function allContainers(pod: Pod): readonly Container[] {
  const { initContainers, containers, ephemeralContainers } = pod.spec
  return [...(initContainers ?? []), ...containers, ...(ephemeralContainers ?? [])]
}

function environmentNames(pod: Pod, key: string, from: string): boolean {
  return allContainers(pod).some(
    (container) =>
      listOf(container.env).some((entry) => isNamed(fieldsOf(fieldsOf(entry)['valueFrom'])[key])) ||
      listOf(container.envFrom).some((entry) => isNamed(fieldsOf(entry)[from])),
  )
}

/** Source type and its fields, for each volume. */
function volumeSources(pod: Pod): readonly (readonly [string, Fields, string])[] {
  return (pod.spec.volumes ?? []).flatMap((volume) =>
    Object.entries(volume)
      .filter(([key, value]) => key !== 'name' && value !== undefined && value !== null)
      .map(([key, value]) => [key, fieldsOf(value), volume.name] as const),
  )
}

function namesSecrets(pod: Pod): boolean {
  if (listOf(pod.spec.imagePullSecrets).some((reference) => isNamed(reference))) return true
  if (environmentNames(pod, 'secretKeyRef', 'secretRef')) return true
  return volumeSources(pod).some(
    ([, source]) =>
      isNamed(source, 'secretName') ||
      isNamed(source['secretRef']) ||
      isNamed(source['nodePublishSecretRef']) ||
      listOf(source['sources']).some((part) => isNamed(fieldsOf(part)['secret'])),
  )
}

function namesConfigMaps(pod: Pod): boolean {
  if (environmentNames(pod, 'configMapKeyRef', 'configMapRef')) return true
  return volumeSources(pod).some(
    ([type, source]) =>
      (type === 'configMap' && isNamed(source)) ||
      listOf(source['sources']).some((part) => isNamed(fieldsOf(part)['configMap'])),
  )
}

function projectedRefusal(source: Fields, volume: string): string | undefined {
  for (const part of listOf(source['sources'])) {
    const type = Object.keys(fieldsOf(part))[0]
    if (type === 'downwardAPI') continue
    const refused = type === undefined ? undefined : ownField(refusedProjections, type)
    return refused === undefined
      ? `unknown source for projected volume "${volume}"`
      : `static pods may not reference ${refused}`
  }
  return undefined
}

function volumeRefusal(pod: Pod): string | undefined {
  for (const [type, source, volume] of volumeSources(pod)) {
    if (localVolumes.has(type)) continue
    const refused = ownField(refusedVolumes, type)
    if (refused !== undefined) return `static pods may not reference ${refused}`
    if (type !== 'projected') return `unknown volume type for volume "${volume}"`
    const refusal = projectedRefusal(source, volume)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/**
 * Why a static pod may not run because of the API objects that it names (identity#static-pods step 10), or
 * undefined. Kubernetes pkg/api/pod HasAPIObjectReference, v1.34, where the gate is on by default.
 */
export function apiReferenceRefusal(pod: Pod): string | undefined {
  // Defaulting copies serviceAccountName into the deprecated serviceAccount and back.
  if (pod.spec.serviceAccountName || pod.spec.serviceAccount)
    return 'static pods may not reference serviceaccounts'
  if (namesSecrets(pod)) return 'static pods may not reference secrets'
  if (namesConfigMaps(pod)) return 'static pods may not reference configmaps'
  if (listOf(pod.spec['resourceClaims']).length > 0)
    return 'static pods may not reference resourceclaims'
  return volumeRefusal(pod)
}
