import { equalJson, objectAt, textAt } from '../../../../shared/json.ts'
import type { KubeObject, KubeStatus } from '../../../../shared/kubernetes/objects.ts'
import { goQuote } from '../../../../shared/go/text.ts'
import { forbidden } from '../../api-status.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import type { Authorizer } from '../authorizer.ts'
import type { Caller } from '../caller.ts'

interface RequestUpdate {
  readonly type: ResourceType
  readonly subresource: string
  readonly old: KubeObject
  readonly next: KubeObject
}

function statusChanged({ old, next }: RequestUpdate): boolean {
  const [before, after] = [objectAt(old, 'status'), objectAt(next, 'status')]
  return ['certificate', 'conditions'].some((field) => !equalJson(before[field], after[field]))
}

/** The verb on a signer that an update of a request for a certificate needs; undefined: none. */
function signerVerb(update: RequestUpdate): 'approve' | 'sign' | undefined {
  if (update.type.plural !== 'certificatesigningrequests') return undefined
  if (update.subresource === 'approval') return 'approve'
  return update.subresource === 'status' && statusChanged(update) ? 'sign' : undefined
}

/**
 * Refuses to approve or sign for a signer without the right to: on the signer, or on `<domain>/*`. Source: the admission plugins
 * CertificateApproval and CertificateSigning, pkg/apis/certificates/authorization IsAuthorizedForSignerName (v1.34).
 */
export function signerRefusal(
  authorizer: Authorizer,
  caller: Caller,
  update: RequestUpdate,
): KubeStatus | undefined {
  const verb = signerVerb(update)
  if (verb === undefined) return undefined
  const { type, old } = update
  const signer = textAt(objectAt(old, 'spec'), 'signerName')
  const { group } = type
  const isAllowed = [signer, `${signer.split('/')[0] ?? ''}/*`].some((name) =>
    authorizer.allows(caller, { verb, group, resource: 'signers', name }),
  )
  if (isAllowed) return undefined
  const why = `user not permitted to ${verb} requests with signerName ${goQuote(signer)}`
  return forbidden(type, old.metadata.name, why)
}
