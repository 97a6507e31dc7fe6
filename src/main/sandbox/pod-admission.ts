import { numberAt, objectsAt, textAt, ownField } from '../../shared/json.ts'
import type { KubeObject, Toleration } from '../../shared/kubernetes/objects.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { fieldOf } from './strategy.ts'

/** The annotation of a mirror pod. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror'

const systemPriorities: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
}

const outageTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const

function withSpec(pod: KubeObject, fields: Readonly<Record<string, unknown>>): KubeObject {
  return { ...pod, spec: { ...fieldOf(pod, 'spec'), ...fields } }
}

function tolerates(tolerations: readonly Toleration[], key: string): boolean {
  return tolerations.some(
    (toleration) =>
      (!toleration.key || toleration.key === key) &&
      (!toleration.effect || toleration.effect === 'NoExecute'),
  )
}

/** DefaultTolerationSeconds: an ordinary pod stays five minutes on a node that is not ready or unreachable. */
function withDefaultTolerations(pod: KubeObject): KubeObject {
  const given = objectsAt(fieldOf(pod, 'spec'), 'tolerations') as readonly Toleration[]
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

function withPriority(pod: KubeObject): Result<KubeObject, string> {
  const spec = fieldOf(pod, 'spec')
  const className = textAt(spec, 'priorityClassName')
  const priority = className === '' ? 0 : ownField(systemPriorities, className)
  if (priority === undefined) return err(`no PriorityClass with name ${className} was found`)
  const given = numberAt(spec, 'priority')
  if (given !== undefined && given !== priority) {
    return err(
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    )
  }
  const preemption = textAt(spec, 'preemptionPolicy')
  if (preemption !== '' && preemption !== 'PreemptLowerPriority') {
    return err(
      `the string value of PreemptionPolicy (${preemption}) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name`,
    )
  }
  return ok(withSpec(pod, { priority, preemptionPolicy: 'PreemptLowerPriority' }))
}

function mirrorRefusal(pod: KubeObject): string | undefined {
  const spec = fieldOf(pod, 'spec')
  if (textAt(spec, 'serviceAccountName') !== '') {
    return 'a mirror pod may not reference service accounts'
  }
  const hasSecret = objectsAt(spec, 'volumes').some((volume) => volume['secret'] !== undefined)
  return hasSecret ? 'a mirror pod may not reference secrets' : undefined
}

function withServiceAccount(
  pod: KubeObject,
  hasServiceAccount: (name: string) => boolean,
): Result<KubeObject, string> {
  if (pod.metadata.annotations?.[mirrorAnnotation] !== undefined) {
    const refusal = mirrorRefusal(pod)
    return refusal === undefined ? ok(pod) : err(refusal)
  }
  const name = textAt(fieldOf(pod, 'spec'), 'serviceAccountName') || 'default'
  if (!hasServiceAccount(name)) {
    const key = `${pod.metadata.namespace}/${name}`
    return err(`error looking up service account ${key}: serviceaccount "${name}" not found`)
  }
  return ok(withSpec(pod, { serviceAccountName: name, serviceAccount: name }))
}

/**
 * What the ordinary admission plugins make of a new pod: ServiceAccount (without the token's volume),
 * Priority, DefaultTolerationSeconds. The error is why it is forbidden.
 */
export function admitNewPod(
  pod: KubeObject,
  lookups: { readonly hasServiceAccount: (name: string) => boolean },
): Result<KubeObject, string> {
  const withAccount = withServiceAccount(pod, lookups.hasServiceAccount)
  if (!withAccount.ok) return withAccount
  const prioritised = withPriority(withAccount.value)
  return prioritised.ok ? ok(withDefaultTolerations(prioritised.value)) : prioritised
}

/** The same for an updated pod: what an update left out of what admission had set is put back. */
export function admitUpdatedPod(pod: KubeObject, old: KubeObject): KubeObject {
  const spec = fieldOf(pod, 'spec')
  const oldSpec = fieldOf(old, 'spec')
  const missing = ['priority', 'preemptionPolicy'].filter(
    (field) => spec[field] === undefined && oldSpec[field] !== undefined,
  )
  const fields = Object.fromEntries(missing.map((field) => [field, oldSpec[field]]))
  return withDefaultTolerations(missing.length === 0 ? pod : withSpec(pod, fields))
}
