import type { KubeRequest, KubeResponse } from '../../../shared/kubernetes/request.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { Caller } from '../auth/caller.ts'

const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'

/** Answers `kubectl auth whoami`; `undefined` for any other request. */
export function selfSubjectReviewResponse(
  request: KubeRequest,
  caller: Caller,
  now: () => number,
): KubeResponse | undefined {
  if (request.method !== 'POST' || request.path !== path) return undefined
  return {
    kind: 'object',
    status: 201,
    body: {
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: toTimestamp(now()) },
      status: { userInfo: { username: caller.user, groups: caller.groups } },
    },
  }
}
