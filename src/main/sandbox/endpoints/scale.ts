import { defined, numberAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { internalError, invalid, uidConflict } from '../api-status.ts'
import { stepsOf, valueAtPath, withValueAtPath } from '../registry/custom/structural-schema.ts'
import { resource } from '../registry/resource-types.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { creationProblems, plainStrategy, withSpec } from '../registry/strategy.ts'
import { nonnegativeFields } from '../registry/workload/number-problems.ts'
import { selectorOf } from '../registry/workload/pod-template.ts'
import { ageColumn, column, integer, tableOf } from '../surface/tables/columns.ts'
import { selectorText } from '../surface/tables/workload-tables.ts'

const scaleTable = tableOf(
  [
    column('Name', 'name', 'The name of the object.'),
    column('Desired', 'desired', 'How many pods there should be.', integer),
    column('Available', 'available', 'How many pods there are.', integer),
    ageColumn,
  ],
  ({ spec, status }) => ({
    desired: numberAt({ ...(spec as JsonObject) }, 'replicas') ?? 0,
    available: numberAt({ ...(status as JsonObject) }, 'replicas') ?? 0,
  }),
)

/** The body of the subresource `scale`. It is not a resource of its own. */
const scaleType = resource('autoscaling/v1', 'Scale', 'scales', {
  strategy: plainStrategy({
    withDefaults: (scale) => ({ ...scale, spec: objectAt(scale, 'spec') }),
    createProblems: (scale) => nonnegativeFields(objectAt(scale, 'spec'), 'spec', ['replicas']),
  }),
  columns: scaleTable,
})

/** The type of the objects that a request exchanges. */
export function exchangedType(type: ResourceType, subresource: string): ResourceType {
  return subresource === 'scale' ? scaleType : type
}

function selectorOfScaled(type: ResourceType, spec: JsonObject): string {
  // A ReplicationController has a map of labels.
  const selector =
    type.kind === 'ReplicationController'
      ? { matchLabels: objectAt(spec, 'selector') as Readonly<Record<string, string>> }
      : selectorOf(spec)
  return selectorText(selector, '')
}

/** Source: apiextensions registry/customresource/etcd.go scaleFromCustomResource. */
function customScale(object: KubeObject, paths: JsonObject): Pick<JsonObject, 'spec' | 'status'> {
  const at = (path: string): unknown =>
    path === '' ? undefined : valueAtPath({ ...object }, textAt(paths, path))
  const replicas = at('specReplicasPath')
  const current = at('statusReplicasPath')
  const selector = textAt(paths, 'labelSelectorPath') === '' ? '' : at('labelSelectorPath')
  return {
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: typeof current === 'number' ? current : 0,
      ...(typeof selector === 'string' && selector !== '' ? { selector } : {}),
    },
  }
}

/** Why an object of a custom kind has no scale to read. */
export function unscalable(type: ResourceType, object: KubeObject): KubeStatus | undefined {
  const path = textAt(type.custom?.scale ?? {}, 'specReplicasPath')
  if (path === '' || valueAtPath({ ...object }, path) !== undefined) return undefined
  return internalError(`the spec replicas field ${JSON.stringify(path)} does not exist`)
}

/** The scale of an object. Source: pkg/registry/apps/deployment/storage scaleFromDeployment (v1.34). */
export function scaleOf(type: ResourceType, object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const head = {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, uid, ...defined({ namespace, resourceVersion, creationTimestamp }) },
  }
  const paths = type.custom?.scale
  if (paths !== undefined) return { ...head, ...customScale(object, paths) }
  const spec = objectAt(object, 'spec')
  const replicas = numberAt(spec, 'replicas') ?? 0
  const selector = selectorOfScaled(type, spec)
  return {
    ...head,
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberAt(objectAt(object, 'status'), 'replicas') ?? 0,
      ...(selector === '' ? {} : { selector }),
    },
  }
}

/** Why an object does not take a scale. */
export function scaleRefusal(
  type: ResourceType,
  scale: KubeObject,
  old: KubeObject,
): KubeStatus | undefined {
  const { name } = old.metadata
  // Those of a custom object are found by its strategy.
  const problems =
    type.custom === undefined
      ? creationProblems(scaleType.strategy, scale, { namespaced: true })
      : []
  if (problems.length > 0) return invalid(scaleType, name, problems)
  const { uid } = scale.metadata
  if (!uid || uid === old.metadata.uid) return undefined
  const { namespace = '' } = old.metadata
  return uidConflict(type, { namespace, name }, { given: uid, stored: old.metadata.uid })
}

/** The object with the number of replicas and the version of a scale. */
export function withScale(type: ResourceType, object: KubeObject, scale: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata
  const { resourceVersion } = scale.metadata
  const replicas = numberAt(objectAt(scale, 'spec'), 'replicas') ?? 0
  const paths = type.custom?.scale
  const scaled =
    paths === undefined
      ? withSpec(object, { replicas })
      : withValueAtPath({ ...object }, stepsOf(textAt(paths, 'specReplicasPath')), replicas)
  return { ...scaled, metadata: { ...metadata, ...defined({ resourceVersion }) } }
}
