import type { JsonObject } from '../../../shared/json.ts'
import { objectAt, textAt } from '../../../shared/json.ts'
import { controllerOf } from '../../sandbox/control-plane/workloads/controller-ref.ts'
import type { KeptObject } from '../../sandbox/object-store.ts'
import { savedObjects } from '../scenarios/saved-objects.ts'

/** What makes pods: of these, only the owner of the copied pod comes along. */
const makesPods: ReadonlySet<string> = new Set([
  'pods',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'replicationcontrollers',
  'jobs.batch',
  'cronjobs.batch',
])

/** Of the kinds that keep a number of pods: the field. */
const countFields: Readonly<Record<string, 'replicas' | 'parallelism'>> = {
  Deployment: 'replicas',
  ReplicaSet: 'replicas',
  StatefulSet: 'replicas',
  ReplicationController: 'replicas',
  Job: 'parallelism',
}

export interface CopiedObjects {
  /** In an order in which they can be created; the owner, or the pod that has none, is the last. With one pod only. */
  readonly objects: readonly JsonObject[]
  /** How the owner gets its other pods; null: it has no others, or makes them itself. */
  readonly scale: {
    readonly resource: string
    readonly namespace: string
    readonly patch: JsonObject
  } | null
}

/** The owner at the end of the chain; of a CronJob's pod its Job, since the CronJob waits for its time. */
function rootOf(objects: readonly KeptObject[], uid: string): KeptObject | undefined {
  let root = objects.find(({ object }) => object.metadata.uid === uid)
  for (;;) {
    const owner = objects.find(
      ({ object }) => root !== undefined && object.metadata.uid === controllerOf(root.object)?.uid,
    )
    if (owner === undefined || owner.resource === 'cronjobs.batch') return root
    root = owner
  }
}

function withoutOwner({ resource, object }: KeptObject): KeptObject {
  const { ownerReferences: _owners, ...metadata } = object.metadata
  return { resource, object: { ...object, metadata } }
}

function withOne(object: JsonObject, field: string): JsonObject {
  return { ...object, spec: { ...objectAt(object, 'spec'), [field]: 1 } }
}

/** What a sandbox needs for a copy of a pod: the pod or its owner, and everything of the cluster that makes no pods. */
export function copiedObjects(
  kept: readonly KeptObject[],
  podUid: string,
): CopiedObjects | undefined {
  const root = rootOf(kept, podUid)
  if (root === undefined) return undefined
  const others = savedObjects(kept.filter(({ resource }) => !makesPods.has(resource)))
  const [own] = savedObjects([withoutOwner(root)])
  if (own === undefined) return undefined
  const kind = textAt(own, 'kind')
  const field = countFields[kind]
  if (field === undefined) return { objects: [...others, own], scale: null }
  const { name, namespace = 'default' } = root.object.metadata
  const count = objectAt(own, 'spec')[field]
  const isOne = field === 'parallelism' || count === undefined || count === 1
  return {
    objects: [...others, withOne(own, field)],
    scale: isOne
      ? null
      : {
          resource: `${kind.toLowerCase()}/${name}`,
          namespace,
          patch: { spec: { [field]: count } },
        },
  }
}
