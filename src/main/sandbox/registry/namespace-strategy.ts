import { invalidField } from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { listAt, objectAt } from '../../../shared/json.ts'
import { dnsLabelProblems } from '../../../shared/kubernetes/validation/name-rules.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { plainStrategy, withFieldOf } from './strategy.ts'
import type { ResourceStrategy } from './strategy.ts'

const nameLabel = 'kubernetes.io/metadata.name'

function withNameLabel(namespace: KubeObject): KubeObject {
  const { metadata } = namespace
  if (!metadata.name) return namespace
  return {
    ...namespace,
    metadata: { ...metadata, labels: { ...metadata.labels, [nameLabel]: metadata.name } },
  }
}

function prepareForCreate(namespace: KubeObject): KubeObject {
  const finalizers = listAt(objectAt(namespace, 'spec'), 'finalizers')
  const hasOwn = finalizers.includes('kubernetes')
  return {
    // A generated name is not known at decoding.
    ...withNameLabel(namespace),
    spec: { finalizers: hasOwn ? finalizers : [...finalizers, 'kubernetes'] },
    status: { phase: 'Active' },
  }
}

function statusProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const phase = objectAt(next, 'status')['phase']
  const isDeleting = old.metadata.deletionTimestamp !== undefined
  const expected = isDeleting ? 'Terminating' : 'Active'
  if (phase === expected) return []
  const detail = isDeleting
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty"
  return [invalidField('status.Phase', phase, detail)]
}

/** Namespaces. Source: pkg/registry/core/namespace/strategy.go (v1.34). */
export const namespaceStrategy: ResourceStrategy = plainStrategy({
  nameRule: dnsLabelProblems,
  withDefaults: withNameLabel,
  prepareForCreate,
  prepareForUpdate: (next, old) => withFieldOf(withFieldOf(next, 'spec', old), 'status', old),
  prepareForStatusUpdate: (next, old) => withFieldOf(next, 'spec', old),
  statusProblems,
})

/** The finalize subresource changes only the finalizers of the spec. */
export function prepareForFinalize(next: KubeObject, old: KubeObject): KubeObject {
  const finalizers = listAt(objectAt(next, 'spec'), 'finalizers')
  return {
    ...withFieldOf(next, 'status', old),
    spec: finalizers.length === 0 ? {} : { finalizers },
  }
}

/** True if a namespace that is being deleted has no finalizers left. */
export function isFinalized(namespace: KubeObject): boolean {
  return (
    namespace.metadata.deletionTimestamp !== undefined &&
    listAt(objectAt(namespace, 'spec'), 'finalizers').length === 0 &&
    (namespace.metadata.finalizers ?? []).length === 0
  )
}
