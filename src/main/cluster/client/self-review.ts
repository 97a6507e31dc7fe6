import { isJsonObject, objectAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ApiError } from '../../kubelet/ports.ts'
import { callApi } from './api-call.ts'

/** What a server says about its own user, or about the rights of another one. Such reviews are created and change nothing. */
export type SelfReview =
  | { readonly kind: 'SelfSubjectReview' }
  | { readonly kind: 'SelfSubjectAccessReview'; readonly spec: JsonObject }
  | { readonly kind: 'SubjectAccessReview'; readonly spec: JsonObject }
  | { readonly kind: 'SelfSubjectRulesReview'; readonly spec: JsonObject }

/** The status of a review. */
export async function selfReview(
  transport: Transport,
  review: SelfReview,
): Promise<Result<JsonObject, ApiError>> {
  const group = review.kind === 'SelfSubjectReview' ? 'authentication' : 'authorization'
  const apiVersion = `${group}.k8s.io/v1`
  const answer = await callApi(transport, {
    method: 'POST',
    path: `/apis/${apiVersion}/${review.kind.toLowerCase()}s`,
    headers: { 'content-type': 'application/json' },
    body: { apiVersion, ...review },
  })
  if (!answer.ok) return answer
  return ok(isJsonObject(answer.value) ? objectAt(answer.value, 'status') : {})
}
