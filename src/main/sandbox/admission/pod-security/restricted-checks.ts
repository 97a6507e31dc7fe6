import { listAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { addedCapabilities } from './baseline-checks.ts'
import {
  joinQuote,
  named,
  namesOf,
  pluralize,
  securityContextOf,
  settersText,
  sortedSet,
  use,
} from './checked-pod.ts'
import type { CheckPod } from './checked-pod.ts'

// The checks that the level `restricted` adds. Source: k8s.io/pod-security-admission policy/check_*.go (v1.34).

/** Source: check_allowPrivilegeEscalation.go allowPrivilegeEscalation_1_8. */
export const allowPrivilegeEscalation: CheckPod = ({ spec }) => {
  const bad = namesOf(spec, (context) => context['allowPrivilegeEscalation'] !== false)
  if (bad.length === 0) return undefined
  const detail = `${named('container', bad)} must set securityContext.allowPrivilegeEscalation=false`
  return { reason: 'allowPrivilegeEscalation != false', detail }
}

/** Source: check_capabilities_restricted.go capabilitiesRestricted_1_22. */
export const restrictedCapabilities: CheckPod = ({ spec }) => {
  const missing = namesOf(
    spec,
    (context) => !listAt(objectAt(context, 'capabilities'), 'drop').includes('ALL'),
  )
  const details = [
    missing.length === 0
      ? ''
      : `${named('container', missing)} must set securityContext.capabilities.drop=["ALL"]`,
    addedCapabilities(spec, (capability) => capability === 'NET_BIND_SERVICE'),
  ].filter((detail) => detail !== '')
  if (details.length === 0) return undefined
  return { reason: 'unrestricted capabilities', detail: details.join('; ') }
}

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]

const restrictedVolumeTypes = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
]

/** Source: check_restrictedVolumes.go restrictedVolumes_1_0. */
export const restrictedVolumes: CheckPod = ({ spec }) => {
  const has = (volume: JsonObject) => (type: string) => volume[type] !== undefined
  const bad = objectsAt(spec, 'volumes').filter((volume) => !allowedVolumes.some(has(volume)))
  if (bad.length === 0) return undefined
  const names = bad.map((volume) => textAt(volume, 'name'))
  const types = sortedSet(bad.map((volume) => restrictedVolumeTypes.find(has(volume)) ?? 'unknown'))
  const words = pluralize('restricted volume type', types)
  return {
    reason: 'restricted volume types',
    detail: `${named('volume', names)} ${use(names)} ${words} ${joinQuote(types)}`,
  }
}

/** Source: check_runAsNonRoot.go runAsNonRoot_1_0, with the gate UserNamespacesPodSecurityStandards off. */
export const runAsNonRoot: CheckPod = ({ spec }) => {
  const ofPod = securityContextOf(spec)['runAsNonRoot']
  const reason = 'runAsNonRoot != true'
  const setters = settersText(
    ofPod === false,
    namesOf(spec, (context) => context['runAsNonRoot'] === false),
  )
  if (setters !== '')
    return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` }
  const missing =
    ofPod === true ? [] : namesOf(spec, (context) => context['runAsNonRoot'] === undefined)
  if (missing.length === 0) return undefined
  const detail = `pod or ${named('container', missing)} must set securityContext.runAsNonRoot=true`
  return { reason, detail }
}

/** Source: check_runAsUser.go runAsUser_1_23, with the gate UserNamespacesPodSecurityStandards off. */
export const runAsUser: CheckPod = ({ spec }) => {
  const isRoot = (context: JsonObject): boolean => context['runAsUser'] === 0
  const setters = settersText(isRoot(securityContextOf(spec)), namesOf(spec, isRoot))
  if (setters === '') return undefined
  return { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` }
}
