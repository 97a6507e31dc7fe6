import type {
  KubeObject,
  ObjectMeta,
  OwnerReference,
} from '../../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { addressOf, resourceType } from '../../../cluster/client/resource-paths.ts'
import type { AnyResource, AnyResources } from '../../../cluster/client/resource-paths.ts'
import type { TransportApiClient } from '../../../cluster/client/api-client.ts'
import type { ApiError } from '../../../kubelet/ports.ts'

interface Owned {
  readonly metadata: ObjectMeta
}

/** The owner reference of the managing controller. Source: apimachinery metav1.GetControllerOf. */
export function controllerOf({ metadata }: Owned): OwnerReference | undefined {
  return metadata.ownerReferences?.find((owner) => owner.controller === true)
}

/** Source: apimachinery metav1.NewControllerRef. */
export function newControllerRef(resource: AnyResource, { metadata }: Owned): OwnerReference {
  const { apiVersion = '', kind = '' } = resourceType(resource)
  const { name, uid } = metadata
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/** The index value under which an object's controller finds it; objects without one are under their namespace's. */
export function controllerIndexOf(object: Owned): string {
  return controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace)
}

/** The index value of the objects without a controller in a namespace. */
export function orphansOf(namespace = ''): string {
  return `orphans in ${namespace}`
}

interface Claim<R extends AnyResource> {
  readonly client: TransportApiClient
  /** The controller and its resource. */
  readonly owner: { readonly resource: AnyResource; readonly object: KubeObject }
  readonly resource: R
  readonly candidates: readonly AnyResources[R][]
  readonly matches: (object: AnyResources[R]) => boolean
  /** A finalizer that adopted objects get and released objects lose. */
  readonly finalizer?: string
  readonly causes: TraceCauses
}

async function mayAdopt<R extends AnyResource>({
  client,
  owner,
}: Claim<R>): Promise<ApiError | undefined> {
  const { resource, object } = owner
  const { uid, name } = object.metadata
  const fresh = await client.get(addressOf(resource, object))
  if (!fresh.ok) return fresh.error
  if (fresh.value.metadata.uid !== uid) return { kind: 'conflict', message: `${name} is gone` }
  if (fresh.value.metadata.deletionTimestamp === undefined) return undefined
  return { kind: 'conflict', message: `${name} has just been deleted` }
}

async function adopt<R extends AnyResource>(
  { client, owner, resource, finalizer, causes }: Claim<R>,
  object: AnyResources[R],
): Promise<Result<boolean, ApiError>> {
  const metadata = {
    uid: object.metadata.uid,
    ownerReferences: [newControllerRef(owner.resource, owner.object)],
    ...(finalizer === undefined ? {} : { finalizers: [finalizer] }),
  }
  const patch = { type: 'strategic', body: { metadata } } as const
  const patched = await client.patch(addressOf(resource, object), patch, causes)
  if (patched.ok) return ok(true)
  return patched.error.kind === 'not-found' ? ok(false) : patched
}

/** Takes the controller's owner reference away from an object. An object that is gone or another one by now is no error. */
async function release<R extends AnyResource>(
  { client, owner, resource, finalizer, causes }: Claim<R>,
  object: AnyResources[R],
): Promise<Result<boolean, ApiError>> {
  const metadata = {
    uid: object.metadata.uid,
    ownerReferences: [{ $patch: 'delete', uid: owner.object.metadata.uid }],
    ...(finalizer === undefined ? {} : { '$deleteFromPrimitiveList/finalizers': [finalizer] }),
  }
  const patch = { type: 'strategic', body: { metadata } } as const
  const patched = await client.patch(addressOf(resource, object), patch, causes)
  const isGone = !patched.ok && ['not-found', 'invalid'].includes(patched.error.kind)
  return patched.ok || isGone ? ok(false) : patched
}

/**
 * The candidates that a controller owns, after it has adopted matching ones without a controller and released its own that no
 * longer match. If some of this failed, the error. Source: pkg/controller/controller_ref_manager.go ClaimObject (v1.34).
 */
export async function claimObjects<R extends AnyResource>(
  claim: Claim<R>,
): Promise<Result<readonly AnyResources[R][], ApiError>> {
  const { owner, candidates, matches } = claim
  const { uid, namespace, deletionTimestamp } = owner.object.metadata
  const claimed: AnyResources[R][] = []
  let failed: ApiError | undefined
  let refusal: { readonly error: ApiError | undefined } | undefined
  for (const object of candidates) {
    const controller = controllerOf(object)
    if (controller !== undefined && controller.uid !== uid) continue
    const isMatch = matches(object)
    if (controller !== undefined) {
      if (isMatch) claimed.push(object)
      else if (deletionTimestamp === undefined) {
        const released = await release(claim, object)
        if (!released.ok) failed ??= released.error
      }
      continue
    }
    const isAdoptable =
      isMatch &&
      deletionTimestamp === undefined &&
      object.metadata.deletionTimestamp === undefined &&
      object.metadata.namespace === namespace
    if (!isAdoptable) continue
    refusal ??= { error: await mayAdopt(claim) }
    const adopted = refusal.error === undefined ? await adopt(claim, object) : err(refusal.error)
    if (!adopted.ok) failed ??= adopted.error
    else if (adopted.value) claimed.push(object)
  }
  return failed === undefined ? ok(claimed) : err(failed)
}
