import { objectAt, objectsAt } from '../../../shared/json.ts'
import type { KubeObject, Toleration } from '../../../shared/kubernetes/objects.ts'
import type { Result } from '../../../shared/result.ts'
import type { Random } from '../../kubelet/ports.ts'
import { withSpec } from '../registry/strategy.ts'
import { withPriority } from './priority.ts'
import { withRuntimeClass } from './runtime-class.ts'
import { withServiceAccount } from './service-account.ts'

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

/** The objects that the admission of pods needs. */
export interface PodAdmissionLookups {
  readonly accountNamed: (name: string) => KubeObject | undefined
  readonly runtimeClassNamed: (name: string) => KubeObject | undefined
  readonly priorityClasses: readonly KubeObject[]
  /** For the names of token volumes. */
  readonly random: Random
}

/**
 * Applies the admission plugins ServiceAccount, Priority, DefaultTolerationSeconds and RuntimeClass to a new pod. The error is the reason of the refusal.
 */
export function admitNewPod(
  pod: KubeObject,
  lookups: PodAdmissionLookups,
): Result<KubeObject, string> {
  const withAccount = withServiceAccount(pod, lookups.accountNamed, lookups.random)
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
