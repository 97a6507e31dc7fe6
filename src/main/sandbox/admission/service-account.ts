import { freezeJson, listAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { configMirrorAnnotation } from '../../kubelet/pod/identity.ts'
import { podSecretNames } from '../../kubelet/pod/object-names.ts'
import type { Random } from '../../kubelet/ports.ts'
import { generatedName } from '../object-identity.ts'
import { rootCaConfigMap } from '../registry/root-ca.ts'
import { withSpec } from '../registry/strategy.ts'

const volumePrefix = 'kube-api-access-'
const tokenMountPath = '/var/run/secrets/kubernetes.io/serviceaccount'

/** One object for all pods (TokenVolumeSource). With these seconds, the server extends the token to a year and warns. */
const tokenVolumeSource: JsonObject = freezeJson({
  defaultMode: 0o644,
  sources: [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: rootCaConfigMap } },
    {
      downwardAPI: {
        items: [
          { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' }, path: 'namespace' },
        ],
      },
    },
  ],
})

function mirrorRefusal(pod: KubeObject): string | undefined {
  const spec = objectAt(pod, 'spec')
  if (textAt(spec, 'serviceAccountName') !== '')
    return 'a mirror pod may not reference service accounts'
  if (podSecretNames(spec).size > 0) return 'a mirror pod may not reference secrets'
  const hasToken = objectsAt(spec, 'volumes')
    .flatMap((volume) => objectsAt(objectAt(volume, 'projected'), 'sources'))
    .some((source) => source['serviceAccountToken'] !== undefined)
  return hasToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined
}

/** Where neither says so, the token is mounted (shouldAutomount). */
function shouldAutomount(account: KubeObject, pod: KubeObject): boolean {
  const field = 'automountServiceAccountToken'
  return (objectAt(pod, 'spec')[field] ?? account[field] ?? true) === true
}

/** The token in each container that mounts nothing else at its path (mountServiceAccountToken). */
function withTokenVolume(pod: KubeObject, random: Random): KubeObject {
  const spec = objectAt(pod, 'spec')
  const volumes = objectsAt(spec, 'volumes')
  const existing = volumes
    .map((volume) => textAt(volume, 'name'))
    .find((name) => name.startsWith(volumePrefix))
  const name = existing ?? generatedName(volumePrefix, random)
  const mount = { name, mountPath: tokenMountPath, readOnly: true }
  let isMounted = false
  const mounting = (list: string): readonly JsonObject[] =>
    objectsAt(spec, list).map((container) => {
      const mounts = objectsAt(container, 'volumeMounts')
      if (mounts.some((each) => each['mountPath'] === tokenMountPath)) return container
      isMounted = true
      return { ...container, volumeMounts: [...mounts, mount] }
    })
  const initContainers = mounting('initContainers')
  const containers = mounting('containers')
  if (!isMounted) return pod
  return withSpec(pod, {
    ...(existing === undefined
      ? { volumes: [...volumes, { name, projected: tokenVolumeSource }] }
      : {}),
    ...(initContainers.length === 0 ? {} : { initContainers }),
    containers,
  })
}

/**
 * A new pod with its service account, and with a volume of its token. The error is the reason of the refusal.
 * Source: plugin/pkg/admission/serviceaccount/admission.go.
 */
export function withServiceAccount(
  pod: KubeObject,
  accountNamed: (name: string) => KubeObject | undefined,
  random: Random,
): Result<KubeObject, string> {
  if (pod.metadata.annotations?.[configMirrorAnnotation] !== undefined) {
    const refusal = mirrorRefusal(pod)
    return refusal === undefined ? ok(pod) : err(refusal)
  }
  const spec = objectAt(pod, 'spec')
  const name = textAt(spec, 'serviceAccountName') || 'default'
  const account = accountNamed(name)
  if (account === undefined) {
    const key = `${pod.metadata.namespace}/${name}`
    return err(`error looking up service account ${key}: serviceaccount "${name}" not found`)
  }
  const given = listAt(spec, 'imagePullSecrets')
  const imagePullSecrets = given.length > 0 ? given : objectsAt(account, 'imagePullSecrets')
  const withAccount = withSpec(pod, {
    serviceAccountName: name,
    serviceAccount: name,
    ...(imagePullSecrets.length === 0 ? {} : { imagePullSecrets }),
  })
  return ok(shouldAutomount(account, pod) ? withTokenVolume(withAccount, random) : withAccount)
}
