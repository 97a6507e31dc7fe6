import { numberAt, objectAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { withSpec } from '../registry/strategy.ts'

function valueOf(priorityClass: KubeObject): number {
  return Number(priorityClass['value'])
}

/** The default class; the one with the lowest value if there are several, which old servers allowed. */
function defaultClass(classes: readonly KubeObject[]): KubeObject | undefined {
  const defaults = classes.filter((one) => one['globalDefault'] === true)
  return defaults.toSorted((a, b) => valueOf(a) - valueOf(b))[0]
}

function classOf(
  className: string,
  classes: readonly KubeObject[],
): Result<KubeObject | undefined, string> {
  if (className === '') return ok(defaultClass(classes))
  const found = classes.find(({ metadata }) => metadata.name === className)
  return found === undefined ? err(`no PriorityClass with name ${className} was found`) : ok(found)
}

/** A new pod with the priority of its class. Source: plugin/pkg/admission/priority (v1.34). */
export function withPriority(
  pod: KubeObject,
  classes: readonly KubeObject[],
): Result<KubeObject, string> {
  const spec = objectAt(pod, 'spec')
  const found = classOf(textAt(spec, 'priorityClassName'), classes)
  if (!found.ok) return found
  const priority = found.value === undefined ? 0 : valueOf(found.value)
  const policy = textAt({ ...found.value }, 'preemptionPolicy') || 'PreemptLowerPriority'
  const given = numberAt(spec, 'priority')
  if (given !== undefined && given !== priority) {
    return err(
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    )
  }
  const preemption = textAt(spec, 'preemptionPolicy')
  if (preemption !== '' && preemption !== policy) {
    return err(
      `the string value of PreemptionPolicy (${preemption}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    )
  }
  const name = found.value?.metadata.name
  return ok(
    withSpec(pod, {
      ...(name === undefined ? {} : { priorityClassName: name }),
      priority,
      preemptionPolicy: policy,
    }),
  )
}

/** Refuses a second default class. */
export function defaultClassRefusal(
  priorityClass: KubeObject,
  classes: readonly KubeObject[],
): string | undefined {
  if (priorityClass['globalDefault'] !== true) return undefined
  const other = defaultClass(classes)?.metadata.name
  if (other === undefined || other === priorityClass.metadata.name) return undefined
  return `PriorityClass ${other} is already marked as default. Only one default can exist`
}
