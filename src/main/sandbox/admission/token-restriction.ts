import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
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

/** Why a node may not have a token. `missing`: the pod does not exist, which has its own answer. */
export type TokenRefusal =
  | { readonly kind: 'forbidden'; readonly why: string }
  | { readonly kind: 'missing'; readonly pod: string }

/**
 * The tokens of a node must be bound to its own pods. `podNamed` looks in the service account's namespace.
 * Source: plugin/pkg/admission/noderestriction admitServiceAccount (v1.34).
 */
export function nodeTokenRefusal(
  node: string,
  request: KubeObject,
  podNamed: (name: string) => KubeObject | undefined,
): TokenRefusal | undefined {
  const reference = objectAt(objectAt(request, 'spec'), 'boundObjectRef')
  const name = textAt(reference, 'name')
  const uid = textAt(reference, 'uid')
  const isPod = reference['apiVersion'] === 'v1' && reference['kind'] === 'Pod' && name !== ''
  const forbidden = (why: string): TokenRefusal => ({ kind: 'forbidden', why })
  if (!isPod) return forbidden('node requested token not bound to a pod')
  if (uid === '') return forbidden('node requested token with a pod binding without a uid')
  const pod = podNamed(name)
  if (pod === undefined) return { kind: 'missing', pod: name }
  if (uid !== pod.metadata.uid) return forbidden(uidMismatchMessage(uid))
  if (textAt(objectAt(pod, 'spec'), 'nodeName') !== node) {
    return forbidden('node requested token bound to a pod scheduled on a different node')
  }
  const why = audienceRefusal(node, request, pod)
  return why === undefined ? undefined : forbidden(why)
}
