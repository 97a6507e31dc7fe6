import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { isOnNode } from '../auth/pod-references.ts'
import { uidMismatchMessage } from '../endpoints/token-request.ts'

/** True if a volume of the pod requests a token for the audience; an empty audience is the API server. */
function hasAudience(pod: KubeObject, audience: string): boolean {
  return objectsAt(objectAt(pod, 'spec'), 'volumes').some((volume) =>
    objectsAt(objectAt(volume, 'projected'), 'sources').some((source) => {
      const token = source['serviceAccountToken']
      return isJsonObject(token) && textAt(token, 'audience') === audience
    }),
  )
}

function audienceRefusal(node: string, request: KubeObject, pod: KubeObject): string | undefined {
  const audiences = listAt(objectAt(request, 'spec'), 'audiences').map(String)
  if (audiences.length > 1) return 'node may only request 0 or 1 audiences'
  const audience = audiences[0] ?? ''
  if (hasAudience(pod, audience)) return undefined
  return `audience ${JSON.stringify(audience)} not found in pod spec volume, system:node:${node} is not authorized to request tokens for this audience`
}

/**
 * Why a node may not have a token: it must be bound to a pod of the node. `podNamed` looks in the service account's namespace.
 * The error is the reason of a refusal, or the pod that does not exist.
 * Source: plugin/pkg/admission/noderestriction admitServiceAccount (v1.34).
 */
export function nodeTokenRefusal(
  node: string,
  request: KubeObject,
  podNamed: (name: string) => KubeObject | undefined,
): string | { readonly missingPod: string } | undefined {
  const reference = objectAt(objectAt(request, 'spec'), 'boundObjectRef')
  const name = textAt(reference, 'name')
  const uid = textAt(reference, 'uid')
  const isPod = reference['apiVersion'] === 'v1' && reference['kind'] === 'Pod' && name !== ''
  if (!isPod) return 'node requested token not bound to a pod'
  if (uid === '') return 'node requested token with a pod binding without a uid'
  const pod = podNamed(name)
  if (pod === undefined) return { missingPod: name }
  if (uid !== pod.metadata.uid) return uidMismatchMessage(uid)
  if (!isOnNode(pod, node)) {
    return 'node requested token bound to a pod scheduled on a different node'
  }
  return audienceRefusal(node, request, pod)
}
