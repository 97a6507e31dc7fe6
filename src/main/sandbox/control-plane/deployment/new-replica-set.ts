import type { JsonObject } from '../../../../shared/json.ts'
import type { Deployment, ReplicaSet } from '../../../../shared/kubernetes/workloads.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import type { TransportApiClient } from '../../../cluster/client/api-client.ts'
import type { ApiError } from '../../../kubelet/ports.ts'
import { controllerOf, newControllerRef } from '../workloads/controller-ref.ts'
import { isNamespaceTerminating } from '../workloads/pod-control.ts'
import { podTemplateHash } from '../workloads/template-hash.ts'
import {
  equalIgnoringHash,
  hashLabel,
  maxRevision,
  newSetAnnotations,
  replicasAnnotations,
} from './revisions.ts'
import { desiredReplicas, maxSurge, newSetReplicas } from './rolling-update.ts'

/** `collision`: another template has the same hash. */
export type NewSet =
  | {
      readonly kind: 'created'
      readonly set: ReplicaSet
      /** False if the cache did not show it yet. */
      readonly isNew: boolean
      readonly revision: string
    }
  | { readonly kind: 'collision'; readonly error: ApiError }
  | {
      readonly kind: 'failed'
      readonly error: ApiError
      readonly name: string
      readonly isTerminating: boolean
    }

interface NewSetDeps {
  readonly client: TransportApiClient
  readonly causes: TraceCauses
  readonly setNamed: (name: string) => ReplicaSet | undefined
  readonly deployment: Deployment
  readonly old: readonly ReplicaSet[]
}

const longestName = 253

function setName(deployment: string, hash: string): string {
  return `${deployment.slice(0, longestName - 1 - hash.length)}-${hash}`
}

function setOf({ deployment, old }: NewSetDeps, hash: string, revision: number): JsonObject {
  const { name, namespace } = deployment.metadata
  const { template, minReadySeconds, selector } = deployment.spec
  const labels = { ...template.metadata?.labels, [hashLabel]: hash }
  const desired = desiredReplicas(deployment)
  return {
    metadata: {
      name: setName(name, hash),
      namespace,
      ownerReferences: [newControllerRef('apps/v1/deployments', deployment)],
      labels,
      annotations: {
        ...newSetAnnotations(deployment, {}, revision),
        ...replicasAnnotations(desired, desired + maxSurge(deployment)),
      },
    },
    spec: {
      replicas: newSetReplicas(deployment, old, 0),
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}

/**
 * Creates the ReplicaSet of a Deployment's template. One of the same name is taken if it is the Deployment's and has the same
 * template. Source: pkg/controller/deployment/sync.go getNewReplicaSet (v1.34).
 */
export async function createNewSet(deps: NewSetDeps): Promise<NewSet> {
  const { client, causes, setNamed, deployment, old } = deps
  const { namespace = '', uid } = deployment.metadata
  const { template } = deployment.spec
  const hash = podTemplateHash({ ...template }, deployment.status?.collisionCount)
  const name = setName(deployment.metadata.name, hash)
  const revision = maxRevision(old) + 1
  const created = await client.create(
    { resource: 'apps/v1/replicasets', namespace },
    setOf(deps, hash, revision),
    causes,
  )
  if (created.ok)
    return { kind: 'created', set: created.value, isNew: true, revision: String(revision) }
  const { error } = created
  if (error.kind !== 'already-exists') {
    return { kind: 'failed', error, name, isTerminating: isNamespaceTerminating(error) }
  }
  const known = setNamed(name)
  if (known === undefined) return { kind: 'failed', error, name, isTerminating: true }
  const isOwn = controllerOf(known)?.uid === uid && equalIgnoringHash(known.spec.template, template)
  return isOwn
    ? { kind: 'created', set: known, isNew: false, revision: String(revision) }
    : { kind: 'collision', error }
}
