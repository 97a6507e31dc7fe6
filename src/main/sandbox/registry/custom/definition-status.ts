import { equalJson, listAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { aggregateText } from '../../../../shared/go/text.ts'
import { withCondition } from '../conditions.ts'
import { approvalOf } from './api-approval.ts'

const conformant = 'KubernetesAPIApprovalPolicyConformant'
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

function conditionOf(definition: KubeObject, type: string): JsonObject | undefined {
  const conditions = objectsAt(objectAt(definition, 'status'), 'conditions')
  return conditions.find((one) => one['type'] === type)
}

export function isConditionTrue(definition: KubeObject, type: string): boolean {
  return conditionOf(definition, type)?.['status'] === 'True'
}

const single = ['plural', 'singular', 'kind', 'listKind'] as const

/** The reasons of conflicts, in the order in which the last one counts. */
const conflictReasons = {
  plural: 'PluralConflict',
  singular: 'SingularConflict',
  shortNames: 'ShortNamesConflict',
  kind: 'KindConflict',
  listKind: 'ListKindConflict',
} as const

function namesOf(definition: KubeObject): JsonObject {
  return objectAt(objectAt(definition, 'status'), 'acceptedNames')
}

function conflictWith(name: string, used: ReadonlySet<string>): string | undefined {
  return used.has(name) ? `${JSON.stringify(name)} is already in use` : undefined
}

interface Naming {
  readonly names: JsonObject
  readonly reason: string
  readonly message: string
}

/** The names that a definition gets: those that no other definition of its group has. */
function naming(definition: KubeObject, others: readonly KubeObject[]): Naming {
  const accepted = others.map(namesOf)
  const resources = new Set(
    accepted.flatMap((names) => [
      textAt(names, 'plural'),
      textAt(names, 'singular'),
      ...listAt(names, 'shortNames').map(String),
    ]),
  )
  const kinds = new Set(
    accepted.flatMap((names) => [textAt(names, 'kind'), textAt(names, 'listKind')]),
  )
  const wanted = objectAt(objectAt(definition, 'spec'), 'names')
  const own = namesOf(definition)
  const names: Record<string, unknown> = { ...own }
  let problem = { reason: 'NoConflicts', message: 'no conflicts found' }
  for (const [field, reason] of Object.entries(conflictReasons)) {
    const used = field === 'kind' || field === 'listKind' ? kinds : resources
    const asked =
      field === 'shortNames' ? listAt(wanted, field).map(String) : [textAt(wanted, field)]
    const had = field === 'shortNames' ? listAt(own, field).map(String) : [textAt(own, field)]
    const conflicts = asked.flatMap((name) =>
      had.includes(name) ? [] : (conflictWith(name, used) ?? []),
    )
    const message = aggregateText(conflicts)
    if (message !== undefined) problem = { reason, message }
    else if (wanted[field] === undefined) delete names[field]
    else names[field] = wanted[field]
  }
  if (wanted['categories'] === undefined) delete names['categories']
  else names['categories'] = wanted['categories']
  for (const field of single)
    if (names[field] === '' && field !== 'plural' && field !== 'kind') delete names[field]
  return { names, ...problem }
}

/**
 * The status of a definition with the names that it gets among the other definitions of its group, and with the condition that
 * follows; undefined: nothing changes. Source: apiextensions controller/status naming_controller.go, controller/establish, controller/apiapproval (v1.34).
 */
export function establishedStatus(
  definition: KubeObject,
  others: readonly KubeObject[],
  now: number,
): JsonObject | undefined {
  const approval = approvalOf(definition)
  const before = conditionOf(definition, conformant)
  const isSaid = approval === undefined || before?.['message'] === approval.message
  if (isSaid) return namedStatus(definition, others, now)
  const status = withCondition(
    objectAt(definition, 'status'),
    { type: conformant, ...approval },
    now,
  )
  return namedStatus({ ...definition, status } as KubeObject, others, now) ?? status
}

function namedStatus(
  definition: KubeObject,
  others: readonly KubeObject[],
  now: number,
): JsonObject | undefined {
  const wanted = objectAt(objectAt(definition, 'spec'), 'names')
  if (equalJson(wanted, namesOf(definition)) && isConditionTrue(definition, 'Established'))
    return undefined
  const { names, reason, message } = naming(definition, others)
  const isAccepted = reason === 'NoConflicts'
  const before = conditionOf(definition, 'NamesAccepted')
  const isSame =
    before?.['reason'] === reason &&
    before['message'] === message &&
    equalJson(names, namesOf(definition))
  if (isSame && (!isAccepted || isConditionTrue(definition, 'Established'))) return undefined
  const named = withCondition(
    { ...objectAt(definition, 'status'), acceptedNames: names },
    { type: 'NamesAccepted', status: isAccepted ? 'True' : 'False', reason, message },
    now,
  )
  if (isConditionTrue(definition, 'Established')) return named
  const established = isAccepted
    ? ({
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      } as const)
    : ({
        status: 'False',
        reason: 'NotAccepted',
        message: 'not all names are accepted',
      } as const)
  return withCondition(named, { type: 'Established', ...established }, now)
}

/** The definition as its deletion begins. Source: apiextensions registry/customresourcedefinition/etcd.go. */
export function terminatingStatus(definition: KubeObject, now: number): JsonObject {
  return withCondition(
    objectAt(definition, 'status'),
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message:
        'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
    now,
  )
}

/** While its objects are being deleted. Source: apiextensions controller/finalizer crd_finalizer.go. */
export function deletingStatus(definition: KubeObject, now: number): JsonObject {
  return withCondition(
    objectAt(definition, 'status'),
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    },
    now,
  )
}
