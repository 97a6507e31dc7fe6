import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { qualifiedNameProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'
import type { CustomKind } from '../resource-type.ts'
import { uncheckedRules } from './definition-strategy.ts'

const standardFinalizers: ReadonlySet<string> = new Set([
  'orphan',
  'foregroundDeletion',
  'kubernetes',
])

function finalizerWarnings(finalizer: string): readonly string[] {
  const about = `metadata.finalizers: ${JSON.stringify(finalizer)}: `
  const problems = qualifiedNameProblems(finalizer).map((problem) => `${about}${problem}`)
  if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return problems
  const path = finalizer.includes('.') ? ' including a path (/)' : ''
  return [
    ...problems,
    `${about}prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
  ]
}

/** About a new or changed object of a custom kind. Source: apiextensions registry/customresource/strategy.go. */
export function customWarnings(
  { hasUncheckedRules }: CustomKind,
  next: KubeObject,
  old: KubeObject | undefined,
): readonly string[] {
  const before = old?.metadata.finalizers ?? []
  const added = (next.metadata.finalizers ?? []).filter((one) => !before.includes(one))
  return [
    ...added.toSorted().flatMap(finalizerWarnings),
    ...(hasUncheckedRules ? [uncheckedRules] : []),
  ]
}
