import { listAt, objectAt, objectsAt, ownField } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { podConfigMapNames, podSecretNames } from './object-names.ts'

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

/** Source type and its fields, for each volume. */
function volumeSources(pod: Pod): readonly (readonly [string, JsonObject, string])[] {
  return (pod.spec.volumes ?? []).flatMap((volume) =>
    Object.entries(volume)
      .filter(([key, value]) => key !== 'name' && value !== undefined && value !== null)
      .map(([key]) => [key, objectAt(volume, key), volume.name] as const),
  )
}

function projectedRefusal(source: JsonObject, volume: string): string | undefined {
  for (const part of objectsAt(source, 'sources')) {
    const [type] = Object.keys(part)
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
  if (podSecretNames(pod.spec).size > 0) return 'static pods may not reference secrets'
  if (podConfigMapNames(pod.spec).size > 0) return 'static pods may not reference configmaps'
  if (listAt(pod.spec, 'resourceClaims').length > 0)
    return 'static pods may not reference resourceclaims'
  return volumeRefusal(pod)
}
