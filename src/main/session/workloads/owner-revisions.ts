import { stringify } from 'yaml'
import { equalJson, isJsonObject, objectAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { ControllerRevision, ReplicaSet } from '../../../shared/kubernetes/workloads.ts'
import { lineDiff } from '../../../shared/model/apply/line-diff.ts'
import type { DiffLine } from '../../../shared/model/apply/line-diff.ts'
import type { RevisionView } from '../../../shared/model/workloads/owner-act.ts'
import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { ApiError } from '../../kubelet/ports.ts'
import {
  hashLabel,
  notCopied,
  revisionOf,
} from '../../sandbox/control-plane/deployment/revisions.ts'
import { controllerUid } from './owner-view.ts'
import type { OwnerResource } from './workloads.ts'

type Patch = Parameters<TransportApiClient['patch']>[1]

/** A template that an owner has had, and the patch that puts it back, as kubectl sends it. */
interface OwnerRevision extends RevisionView {
  readonly template: JsonObject
  readonly patch: Patch
}

/** What an undo is about. */
export interface Undo {
  readonly revisions: readonly RevisionView[]
  /** `undefined`: there is none to go back to. */
  readonly chosen: OwnerRevision | undefined
  readonly diff: readonly DiffLine[]
}

export const noUndo: Undo = { revisions: [], chosen: undefined, diff: [] }

const changeCause = 'kubernetes.io/change-cause'

function templateOf(object: KubeObject): JsonObject {
  return objectAt(objectAt(object, 'spec'), 'template')
}

/** Without the label that a Deployment's controller adds. */
function withoutHash(template: JsonObject): JsonObject {
  const { [hashLabel]: _, ...labels } = objectAt(objectAt(template, 'metadata'), 'labels')
  return { ...template, metadata: { ...objectAt(template, 'metadata'), labels } }
}

/** Source: kubectl pkg/polymorphichelpers/rollback.go DeploymentRollbacker (v1.34). */
function ofReplicaSet(deployment: KubeObject, set: ReplicaSet): OwnerRevision | undefined {
  const revision = revisionOf(set)
  if (revision === undefined || revision === 0) return undefined
  const template = withoutHash(templateOf(set))
  const annotations = Object.fromEntries([
    ...Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) =>
      notCopied.has(name),
    ),
    ...Object.entries(set.metadata.annotations ?? {}).filter(([name]) => !notCopied.has(name)),
  ])
  const operation = (op: string, path: string, value: unknown): object => ({ op, path, value })
  return {
    revision,
    isCurrent: equalJson(withoutHash(templateOf(deployment)), template),
    changeCause: set.metadata.annotations?.[changeCause] ?? '',
    template,
    patch: {
      type: 'json',
      body: [
        operation('test', '/metadata/uid', deployment.metadata.uid),
        operation('replace', '/spec/template', template),
        operation('replace', '/metadata/annotations', annotations),
      ],
    },
  }
}

/** Source: rollback.go DaemonSetRollbacker, StatefulSetRollbacker. */
function ofControllerRevision(
  owner: KubeObject,
  { revision, data, metadata }: ControllerRevision,
): OwnerRevision {
  const body = isJsonObject(data) ? data : {}
  const { $patch: _, ...template } = objectAt(objectAt(body, 'spec'), 'template')
  return {
    revision,
    isCurrent: equalJson(templateOf(owner), template),
    changeCause: metadata.annotations?.[changeCause] ?? '',
    template,
    patch: { type: 'strategic', body: { ...body, metadata: { uid: owner.metadata.uid } } },
  }
}

async function listed(
  api: TransportApiClient,
  resource: OwnerResource,
  owner: KubeObject,
): Promise<Result<readonly OwnerRevision[], ApiError>> {
  const { namespace = '', uid } = owner.metadata
  if (resource === 'apps/v1/deployments') {
    const sets = await api.list({ resource: 'apps/v1/replicasets', namespace })
    if (!sets.ok) return sets
    const own = sets.value.filter((set) => controllerUid(set) === uid)
    return ok(own.flatMap((set) => ofReplicaSet(owner, set) ?? []))
  }
  const all = await api.list({ resource: 'apps/v1/controllerrevisions', namespace })
  if (!all.ok) return all
  const own = all.value.filter((one) => controllerUid(one) === uid)
  return ok(own.map((one) => ofControllerRevision(owner, one)))
}

/** The revisions of an owner, newest first, and what a way back to one of them changes; 0: to the one before the newest. */
export async function undoOf(
  api: TransportApiClient,
  resource: OwnerResource,
  owner: KubeObject,
  revision: number,
): Promise<Result<Undo, ApiError>> {
  const found = await listed(api, resource, owner)
  if (!found.ok) return found
  const newestFirst = found.value.toSorted((one, other) => other.revision - one.revision)
  const chosen =
    revision === 0 ? newestFirst[1] : newestFirst.find((one) => one.revision === revision)
  const written = (template: JsonObject): string =>
    stringify(template, { lineWidth: 0, sortMapEntries: true })
  return ok({
    revisions: newestFirst.map(({ revision, isCurrent, changeCause }) => ({
      revision,
      isCurrent,
      changeCause,
    })),
    chosen,
    diff:
      chosen === undefined
        ? []
        : lineDiff(written(withoutHash(templateOf(owner))), written(withoutHash(chosen.template))),
  })
}
