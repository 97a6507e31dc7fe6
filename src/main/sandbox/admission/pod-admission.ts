import { objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { KubeObject, Toleration } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { configMirrorAnnotation } from '../../kubelet/pod/identity.ts'
import { withSpec } from '../registry/strategy.ts'
import { withPriority } from './priority.ts'
import { withRuntimeClass } from './runtime-class.ts'

const outageTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const

function tolerates(tolerations: readonly Toleration[], key: string): boolean {
  return tolerations.some(
    (toleration) =>
      (!toleration.key || toleration.key === key) &&
      (!toleration.effect || toleration.effect === 'NoExecute'),
  )
}

/** DefaultTolerationSeconds: by default, a pod tolerates a node that is not ready or unreachable for five minutes. */
function withDefaultTolerations(pod: KubeObject): KubeObject {
  const given = objectsAt(objectAt(pod, 'spec'), 'tolerations') as readonly Toleration[]
  const added = outageTaints
    .filter((key) => !tolerates(given, key))
    .map((key): Toleration => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    }))
  return added.length === 0 ? pod : withSpec(pod, { tolerations: [...given, ...added] })
}

function mirrorRefusal(pod: KubeObject): string | undefined {
  const spec = objectAt(pod, 'spec')
  if (textAt(spec, 'serviceAccountName') !== '') {
    return 'a mirror pod may not reference service accounts'
  }
  const hasSecret = objectsAt(spec, 'volumes').some((volume) => volume['secret'] !== undefined)
  return hasSecret ? 'a mirror pod may not reference secrets' : undefined
}

function withServiceAccount(
  pod: KubeObject,
  accountNamed: (name: string) => KubeObject | undefined,
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
  const given = objectsAt(spec, 'imagePullSecrets')
  const imagePullSecrets = given.length > 0 ? given : objectsAt(account, 'imagePullSecrets')
  return ok(
    withSpec(pod, {
      serviceAccountName: name,
      serviceAccount: name,
      ...(imagePullSecrets.length === 0 ? {} : { imagePullSecrets }),
    }),
  )
}

/** The objects that the admission of pods needs. */
export interface PodAdmissionLookups {
  readonly accountNamed: (name: string) => KubeObject | undefined
  readonly runtimeClassNamed: (name: string) => KubeObject | undefined
  readonly priorityClasses: readonly KubeObject[]
}

/**
 * Applies the admission plugins ServiceAccount (without the token volume), Priority, DefaultTolerationSeconds and RuntimeClass to
 * a new pod. The error is the reason of the refusal.
 */
export function admitNewPod(
  pod: KubeObject,
  lookups: PodAdmissionLookups,
): Result<KubeObject, string> {
  const withAccount = withServiceAccount(pod, lookups.accountNamed)
  if (!withAccount.ok) return withAccount
  const prioritized = withPriority(withAccount.value, lookups.priorityClasses)
  if (!prioritized.ok) return prioritized
  return withRuntimeClass(withDefaultTolerations(prioritized.value), lookups.runtimeClassNamed)
}

/** The same for an updated pod: restores the values from admission that the update omits. */
export function admitUpdatedPod(pod: KubeObject, old: KubeObject): KubeObject {
  const spec = objectAt(pod, 'spec')
  const oldSpec = objectAt(old, 'spec')
  const missing = ['priority', 'preemptionPolicy'].filter(
    (field) => spec[field] === undefined && oldSpec[field] !== undefined,
  )
  const fields = Object.fromEntries(missing.map((field) => [field, oldSpec[field]]))
  return withDefaultTolerations(missing.length === 0 ? pod : withSpec(pod, fields))
}
