import { equalJson } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import type { ControllerRevision, PodTemplate } from '../../../../shared/kubernetes/workloads.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import type { TransportApiClient } from '../../../cluster/client/api-client.ts'
import { addressOf } from '../../../cluster/client/resource-paths.ts'
import type { AnyResource } from '../../../cluster/client/resource-paths.ts'
import type { ApiError } from '../../../kubelet/ports.ts'
import { controllerOf, newControllerRef } from './controller-ref.ts'
import type { Outcome } from './workload-controller.ts'

const resource = 'apps/v1/controllerrevisions'

interface TemplateOwner extends KubeObject {
  readonly spec: { readonly template: PodTemplate; readonly revisionHistoryLimit?: number }
}

/** What a ControllerRevision keeps of a set: a patch that puts the template back. */
export function templatePatch({ spec }: TemplateOwner): JsonObject {
  return { spec: { template: { $patch: 'replace', ...spec.template } } }
}

function byRevision(a: ControllerRevision, b: ControllerRevision): number {
  if (a.revision !== b.revision) return a.revision - b.revision
  const [timeA = '', timeB = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp]
  if (timeA !== timeB) return timeA < timeB ? -1 : 1
  return a.metadata.name < b.metadata.name ? -1 : 1
}

/** The revision of the present template, and the others, oldest first. */
export interface History {
  readonly current: ControllerRevision
  readonly old: readonly ControllerRevision[]
}

interface HistoryDeps {
  readonly client: TransportApiClient
  readonly causes: TraceCauses
  readonly owner: { readonly resource: AnyResource; readonly object: TemplateOwner }
  readonly revisions: readonly ControllerRevision[]
  /** The name and the labels of a new revision; a collision changes the name. */
  readonly named: (collisionCount: number | undefined) => {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
  }
  readonly collisionCount: number | undefined
  /** Called if another revision has the name. */
  readonly onCollision: () => Promise<void>
}

/**
 * Finds or makes the revision of the present template, and gives it the highest number. Source: pkg/controller/daemon/update.go
 * constructHistory, pkg/controller/history (v1.34).
 */
export async function constructHistory(deps: HistoryDeps): Promise<Result<History, ApiError>> {
  const { client, causes, owner } = deps
  const sorted = deps.revisions.toSorted(byRevision)
  const data = templatePatch(owner.object)
  const current = sorted.findLast((one) => equalJson(one.data, data))
  const old = sorted.filter((one) => one !== current)
  const next = (old.at(-1)?.revision ?? 0) + 1
  if (current !== undefined) {
    if (current.revision >= next) return ok({ current, old })
    const updated = await client.update(
      addressOf(resource, current),
      { ...current, revision: next },
      causes,
    )
    return updated.ok ? ok({ current: updated.value, old }) : updated
  }
  const created = await createRevision(deps, data, next)
  return created.ok ? ok({ current: created.value, old }) : created
}

async function createRevision(
  { client, causes, owner, named, collisionCount, onCollision }: HistoryDeps,
  data: JsonObject,
  revision: number,
): Promise<Result<ControllerRevision, ApiError>> {
  const { namespace = '', annotations = {} } = owner.object.metadata
  const { name, labels } = named(collisionCount)
  const ownerReferences = [newControllerRef(owner.resource, owner.object)]
  const object = {
    metadata: { name, namespace, labels, annotations, ownerReferences },
    data,
    revision,
  }
  const created = await client.create({ resource, namespace }, object, causes)
  if (created.ok || created.error.kind !== 'already-exists') return created
  const existing = await client.get({ resource, namespace, name })
  if (!existing.ok) return existing
  const isOwn = controllerOf(existing.value)?.uid === owner.object.metadata.uid
  if (isOwn && equalJson(existing.value.data, data)) return existing
  await onCollision()
  return err(created.error)
}

/** Deletes the oldest revisions beyond the limit that no pod has. `isLive`: whether a pod has it. */
export async function truncateHistory(
  { client, causes }: Pick<HistoryDeps, 'client' | 'causes'>,
  old: readonly ControllerRevision[],
  {
    limit,
    isLive,
  }: { readonly limit: number; readonly isLive: (one: ControllerRevision) => boolean },
): Promise<Outcome> {
  const unused = old.filter((one) => !isLive(one))
  for (const one of unused.slice(0, Math.max(0, unused.length - limit))) {
    const deleted = await client.delete(addressOf(resource, one), {}, causes)
    if (!deleted.ok && deleted.error.kind !== 'not-found') return deleted.error
  }
  return undefined
}
