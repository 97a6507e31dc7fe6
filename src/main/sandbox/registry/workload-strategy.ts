import { equalJson } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { plainStrategy, withFieldOf } from './strategy.ts'
import type { ResourceStrategy } from './strategy.ts'

/** Keeps the status; a changed spec has the next generation. */
function prepareForUpdate(next: KubeObject, old: KubeObject): KubeObject {
  const prepared = withFieldOf(next, 'status', old)
  if (equalJson(prepared['spec'], old['spec'])) return prepared
  const generation = (old.metadata.generation ?? 0) + 1
  return { ...prepared, metadata: { ...prepared.metadata, generation } }
}

/** What the strategies of kinds with controllers share. Source: pkg/registry/apps, pkg/registry/batch (v1.34). */
export const workloadStrategy: ResourceStrategy = plainStrategy({
  prepareForCreate: ({ status: _, ...object }) => ({
    ...object,
    metadata: { ...object.metadata, generation: 1 },
    status: {},
  }),
  prepareForUpdate,
  prepareForStatusUpdate: (next, old) => withFieldOf(next, 'spec', old),
})
