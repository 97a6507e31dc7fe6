import {
  isJsonObject,
  numberAt,
  objectAt,
  textAt,
  type JsonObject,
} from '../../../src/shared/json.ts'

/** The answers after which the object of a call is gone: how often a kubelet asks again depends on its pace. */
const goneCodes = new Set([403, 404])
/** A deletion whose UID is no longer that of the object: whether it happens depends on what comes first. */
const conflictCode = 409
/** How many statuses are written depends on how many changes a kubelet finds at a time. */
const statusCalls = new Set(['get pods', 'patch pods/status'])

function isPodCallOf(node: string): (entry: JsonObject) => boolean {
  return (entry) =>
    textAt(objectAt(entry, 'user'), 'username') === `system:node:${node}` &&
    textAt(objectAt(entry, 'objectRef'), 'resource') === 'pods' &&
    textAt(objectAt(entry, 'objectRef'), 'namespace') !== ''
}

function callOf(entry: JsonObject): { readonly pod: string; readonly call: string; code: number } {
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

/**
 * The calls about pods of one namespace that a node made, by the pod's name, until the server first answered that the
 * pod is gone. `audit` is an audit log of kube-apiserver.
 */
export function podCalls(
  audit: string,
  node: string,
  namespace: string,
): Readonly<Record<string, PodCalls>> {
  const calls = new Map<string, PodCalls>()
  const gone = new Set<string>()
  const entries = audit
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
    .filter(isJsonObject)
    .filter(isPodCallOf(node))
    .filter((entry) => textAt(objectAt(entry, 'objectRef'), 'namespace') === namespace)
  for (const { pod, call, code } of entries.map(callOf)) {
    if (goneCodes.has(code)) gone.add(pod)
    if (code === conflictCode || (gone.has(pod) && call !== 'create pods')) continue
    gone.delete(pod)
    const { kinds, count } = calls.get(pod) ?? { kinds: [], count: 0 }
    const kind = statusCalls.has(call) ? 'write statuses' : call
    const isSame = kind === 'write statuses' && kinds.at(-1) === kind
    calls.set(pod, { kinds: isSame ? kinds : [...kinds, kind], count: count + 1 })
  }
  return Object.fromEntries([...calls].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
