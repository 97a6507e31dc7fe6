import { describe, expect, it } from 'vitest'
import { schemaNamed, schemaNames, schemaOfKind, structIn } from './api-schema.ts'

const schemas = schemaNames.map(schemaNamed)

describe('the table', () => {
  it('refers only to schemas that it has, and each field is readable', () => {
    const names = new Set(schemaNames)
    const missing = schemas.flatMap((schema) =>
      [...schema.fields.values()]
        .map(({ type }) => structIn(type))
        .filter((name) => name !== undefined && !names.has(name)),
    )
    expect(missing).toEqual([])
    expect(schemas.reduce((sum, { fields }) => sum + fields.size, 0)).toBeGreaterThan(1400)
  })

  it('names as merge keys only fields that the items have', () => {
    const wrong = schemas.flatMap((schema) =>
      [...schema.fields].filter(([, { type, patchMergeKey }]) => {
        if (patchMergeKey === undefined) return false
        return !schemaNamed(structIn(type) ?? '').fields.has(patchMergeKey)
      }),
    )
    expect(wrong).toEqual([])
  })

  it('finds a schema by group, version and kind', () => {
    expect(schemaOfKind({ group: '', version: 'v1', kind: 'Pod' })?.name).toBe('core.v1.Pod')
    const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role' }
    expect(schemaOfKind(rbac)?.name).toBe('rbac.v1.Role')
    expect(schemaOfKind({ group: '', version: 'v1', kind: '__proto__' })).toBeUndefined()
  })

  // The merge keys of Kubernetes' own types (v1.34) for what is patched in practice.
  it.each([
    ['core.v1.PodSpec', 'containers', 'merge', 'name'],
    ['core.v1.PodSpec', 'volumes', 'merge,retainKeys', 'name'],
    ['core.v1.PodSpec', 'tolerations', undefined, undefined],
    ['core.v1.PodSpec', 'topologySpreadConstraints', 'merge', 'topologyKey'],
    ['core.v1.PodSpec', 'imagePullSecrets', 'merge', 'name'],
    ['core.v1.PodSpec', 'hostAliases', 'merge', 'ip'],
    ['core.v1.Container', 'ports', 'merge', 'containerPort'],
    ['core.v1.Container', 'env', 'merge', 'name'],
    ['core.v1.Container', 'envFrom', undefined, undefined],
    ['core.v1.Container', 'volumeMounts', 'merge', 'mountPath'],
    ['core.v1.PodStatus', 'conditions', 'merge', 'type'],
    ['core.v1.PodStatus', 'podIPs', 'merge', 'ip'],
    ['core.v1.PodStatus', 'containerStatuses', undefined, undefined],
    ['core.v1.NodeStatus', 'conditions', 'merge', 'type'],
    ['core.v1.NodeStatus', 'addresses', 'merge', 'type'],
    ['core.v1.NodeSpec', 'taints', undefined, undefined],
    ['meta.v1.ObjectMeta', 'ownerReferences', 'merge', 'uid'],
    ['meta.v1.ObjectMeta', 'finalizers', 'merge', undefined],
    ['core.v1.ServiceAccount', 'secrets', 'merge', 'name'],
    ['policy.v1.PodDisruptionBudgetSpec', 'selector', 'replace', undefined],
    ['policy.v1.PodDisruptionBudgetStatus', 'conditions', 'merge', 'type'],
  ])('%s.%s is merged by %s %s', (schema, field, strategy, key) => {
    const { patchStrategy, patchMergeKey } = schemaNamed(schema).fields.get(field) ?? {}
    expect([patchStrategy, patchMergeKey]).toEqual([strategy, key])
  })
})
