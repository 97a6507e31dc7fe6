import type { KubeStatus } from '../../../shared/kubernetes/objects.ts'
import type { KubeResponse } from '../../../shared/kubernetes/request.ts'

// Codes and reasons of metav1.Status, as kubectl maps them to its own sentences.
const codeAndReason = {
  malformed: [400, 'BadRequest'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  'method-not-allowed': [405, 'MethodNotAllowed'],
  'too-large': [413, 'RequestEntityTooLarge'],
  'unsupported-media-type': [415, 'UnsupportedMediaType'],
  internal: [500, 'InternalError'],
} as const

/** Why the listener itself answers, before or instead of the API server. */
export type RefusalKind = keyof typeof codeAndReason

export interface Refusal {
  readonly kind: RefusalKind
  readonly message: string
}

/** The answer that says so, with a Status as its body. */
export function refusalResponse(refusal: Refusal): KubeResponse {
  const [code, reason] = codeAndReason[refusal.kind]
  const body: KubeStatus = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: refusal.message,
    reason,
    code,
  }
  return { kind: 'object', status: code, body }
}
