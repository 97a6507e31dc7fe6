import {
  isJsonObject,
  numberAt,
  objectAt,
  textAt,
  type JsonObject,
} from '../../../src/shared/json.ts'

/**
 * 403 and 404: the object is gone, or the node authorizer has not seen yet that it is bound to the node. 409: the UID of a
 * deletion is no longer that of the object. How often a kubelet meets them depends on its pace.
 */
const refusedCodes = new Set([403, 404, 409])
/** How many statuses are written depends on how many changes a kubelet finds at a time. */
const statusCalls = new Set(['get pods', 'patch pods/status'])

function isPodCallOf(node: string): (entry: JsonObject) => boolean {
  return (entry) =>
    textAt(objectAt(entry, 'user'), 'username') === `system:node:${node}` &&
    textAt(objectAt(entry, 'objectRef'), 'resource') === 'pods' &&
    textAt(objectAt(entry, 'objectRef'), 'namespace') !== ''
}

interface PodCall {
  readonly pod: string
  readonly call: string
  readonly code: number
}

function callOf(entry: JsonObject): PodCall {
  const about = objectAt(entry, 'objectRef')
  const named = textAt(objectAt(objectAt(entry, 'requestObject'), 'metadata'), 'name')
  const part = textAt(about, 'subresource')
  return {
    pod: textAt(about, 'name') || named,
    call: `${textAt(entry, 'verb')} pods${part === '' ? '' : `/${part}`}`,
    code: numberAt(objectAt(entry, 'responseStatus'), 'code') ?? 0,
  }
}

/** What a node did to a pod's name, and in how many calls. */
export interface PodCalls {
  /** In their order: `create pods`, `delete pods`, and `write statuses` for any number of GET and PATCH in a row. */
  readonly kinds: readonly string[]
  readonly count: number
}

/** The calls about pods of one namespace that a node made, in order. `audit` is an audit log of kube-apiserver. */
function callsOf(audit: string, node: string, namespace: string): readonly PodCall[] {
  return audit
    .split('\n')
    .filter((line) => line.includes(`"${namespace}"`))
    .map((line): unknown => JSON.parse(line))
    .filter(isJsonObject)
    .filter(isPodCallOf(node))
    .filter((entry) => textAt(objectAt(entry, 'objectRef'), 'namespace') === namespace)
    .map(callOf)
}

/** The calls that the server did not refuse, by the pod's name. */
export function podCalls(
  audit: string,
  node: string,
  namespace: string,
): Readonly<Record<string, PodCalls>> {
  const calls = new Map<string, PodCalls>()
  for (const { pod, call, code } of callsOf(audit, node, namespace)) {
    if (refusedCodes.has(code)) continue
    const { kinds, count } = calls.get(pod) ?? { kinds: [], count: 0 }
    const kind = statusCalls.has(call) ? 'write statuses' : call
    const isSame = kind === 'write statuses' && kinds.at(-1) === kind
    calls.set(pod, { kinds: isSame ? kinds : [...kinds, kind], count: count + 1 })
  }
  return Object.fromEntries([...calls].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The calls that the server refused, each once: `web: delete pods 409`. */
export function refusedPodCalls(audit: string, node: string, namespace: string): readonly string[] {
  const refused = callsOf(audit, node, namespace).filter(({ code }) => refusedCodes.has(code))
  const lines = refused.map(({ pod, call, code }) => `${pod}: ${call} ${code}`)
  return [...new Set(lines)].toSorted()
}
