import { listAt, numberAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject, ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import { timeOf } from '../../../shared/kubernetes/printers/age.ts'
import type { OwnerKind, OwnerView } from '../../../shared/model/workloads/workloads.ts'

/** What is read of an owner besides its metadata. */
type OwnerFacts = Pick<OwnerView, 'wanted' | 'ready' | 'note' | 'tone' | 'isPaused'>

function condition(status: JsonObject, type: string): JsonObject | undefined {
  return objectsAt(status, 'conditions').find((one) => one['type'] === type)
}

function isTrue(one: JsonObject | undefined): one is JsonObject {
  return one?.['status'] === 'True'
}

/** A condition that says what keeps the controller from making pods. */
function failure(status: JsonObject): string {
  const failed = condition(status, 'ReplicaFailure')
  return isTrue(failed) ? textAt(failed, 'message') : ''
}

function countsOf(spec: JsonObject, status: JsonObject): OwnerFacts {
  const wanted = numberAt(spec, 'replicas') ?? 1
  const ready = numberAt(status, 'readyReplicas') ?? 0
  const broken = failure(status)
  return {
    wanted,
    ready,
    note: broken,
    tone: broken !== '' ? 'bad' : ready < wanted ? 'wait' : 'plain',
    isPaused: false,
  }
}

function replicaSet({ metadata }: KubeObject, spec: JsonObject, status: JsonObject): OwnerFacts {
  const facts = countsOf(spec, status)
  const made = numberAt(status, 'replicas') ?? 0
  const revision = metadata.annotations?.['deployment.kubernetes.io/revision']
  const parts = [
    ...(revision === undefined ? [] : [`revision ${revision}`]),
    ...(made === facts.wanted ? [] : [`wants ${facts.wanted}, counts ${made}`]),
    ...(facts.note === '' ? [] : [facts.note]),
  ]
  return { ...facts, note: parts.join('; ') }
}

function deployment({ metadata }: KubeObject, spec: JsonObject, status: JsonObject): OwnerFacts {
  const facts = countsOf(spec, status)
  const { wanted } = facts
  const isPaused = spec['paused'] === true
  const updated = numberAt(status, 'updatedReplicas') ?? 0
  const all = numberAt(status, 'replicas') ?? 0
  const available = numberAt(status, 'availableReplicas') ?? 0
  const progressing = condition(status, 'Progressing')
  const hasSeen = (numberAt(status, 'observedGeneration') ?? 0) >= (metadata.generation ?? 0)
  if (facts.note !== '') return { ...facts, isPaused }
  if (isPaused) return { ...facts, note: 'paused', isPaused }
  if (!hasSeen) return { ...facts, note: 'its controller has not seen the change yet', isPaused }
  if (progressing?.['status'] === 'False')
    return { ...facts, note: textAt(progressing, 'message'), tone: 'bad', isPaused }
  const wait = (note: string): OwnerFacts => ({ ...facts, note, tone: 'wait', isPaused })
  if (wanted !== null && updated < wanted)
    return wait(`${updated} of ${wanted} have the new template`)
  if (all > updated)
    return wait(`${all - updated} old ${all - updated === 1 ? 'pod' : 'pods'} left`)
  if (available < updated) return wait(`${available} of ${updated} available`)
  return { ...facts, isPaused }
}

function statefulSet(_: KubeObject, spec: JsonObject, status: JsonObject): OwnerFacts {
  const facts = countsOf(spec, status)
  const { currentRevision, updateRevision } = status
  const updated = numberAt(status, 'updatedReplicas') ?? 0
  const isRolling = updateRevision !== undefined && updateRevision !== currentRevision
  if (!isRolling || facts.note !== '') return facts
  return { ...facts, note: `${updated} of ${facts.wanted} have the new template`, tone: 'wait' }
}

function daemonSet(_: KubeObject, _spec: JsonObject, status: JsonObject): OwnerFacts {
  const wanted = numberAt(status, 'desiredNumberScheduled') ?? null
  const ready = numberAt(status, 'numberReady') ?? 0
  const misscheduled = numberAt(status, 'numberMisscheduled') ?? 0
  const updated = numberAt(status, 'updatedNumberScheduled') ?? 0
  const parts = [
    ...(wanted !== null && updated < wanted
      ? [`${updated} of ${wanted} nodes have the new template`]
      : []),
    ...(misscheduled === 0 ? [] : [`${misscheduled} on nodes that should not have it`]),
  ]
  const tone = wanted !== null && ready < wanted ? 'wait' : 'plain'
  return { wanted, ready, note: parts.join('; '), tone, isPaused: false }
}

function job(_: KubeObject, spec: JsonObject, status: JsonObject): OwnerFacts {
  const wanted = numberAt(spec, 'completions') ?? null
  const ready = numberAt(status, 'succeeded') ?? 0
  const failed = numberAt(status, 'failed') ?? 0
  const isPaused = spec['suspend'] === true
  const ended = condition(status, 'Failed')
  const counts = { wanted, ready, isPaused }
  if (isTrue(ended)) return { ...counts, note: textAt(ended, 'message'), tone: 'bad' }
  if (isTrue(condition(status, 'Complete'))) return { ...counts, note: 'complete', tone: 'done' }
  if (isPaused) return { ...counts, note: 'suspended', tone: 'wait' }
  const active = numberAt(status, 'active') ?? 0
  const parts = [`${active} active`, ...(failed === 0 ? [] : [`${failed} failed`])]
  return { ...counts, note: parts.join(', '), tone: 'wait' }
}

function cronJob(_: KubeObject, spec: JsonObject, status: JsonObject): OwnerFacts {
  const isPaused = spec['suspend'] === true
  const zone = textAt(spec, 'timeZone')
  const schedule = `${textAt(spec, 'schedule')}${zone === '' ? '' : ` in ${zone}`}`
  const note = isPaused ? `${schedule}, suspended` : schedule
  const ready = listAt(status, 'active').length
  return { wanted: null, ready, note, tone: 'plain', isPaused }
}

type ReadFacts = (object: KubeObject, spec: JsonObject, status: JsonObject) => OwnerFacts

const readers: Readonly<Record<OwnerKind, ReadFacts>> = {
  CronJob: cronJob,
  DaemonSet: daemonSet,
  Deployment: deployment,
  Job: job,
  ReplicaSet: replicaSet,
  ReplicationController: replicaSet,
  StatefulSet: statefulSet,
}

/** UID of the controller of an object; null without one. */
export function controllerUid({ metadata }: { readonly metadata: ObjectMeta }): string | null {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? null
}

/**
 * How an owner stands, in the words of its status. Pure. Source: kubectl's pkg/polymorphichelpers/rollout_status.go
 * (DeploymentStatusViewer.Status) for the order of the questions about a rollout.
 */
export function ownerView(kind: OwnerKind, object: KubeObject): OwnerView {
  const { uid, namespace = '', name, creationTimestamp, deletionTimestamp } = object.metadata
  const facts = readers[kind](object, objectAt(object, 'spec'), objectAt(object, 'status'))
  return {
    uid,
    kind,
    namespace,
    name,
    parent: controllerUid(object),
    ...facts,
    createdAt: timeOf(creationTimestamp),
    deletedAt: timeOf(deletionTimestamp),
  }
}
