import type { ConfigMap, Secret } from '../../../shared/kubernetes/objects.ts'
import type { ReferredKind, ReferredObject } from '../../../shared/model/inside-pod/pod-volumes.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { PeekedObject } from '../object-managers/watch-based-manager.ts'
import type { ApiError } from '../ports.ts'

/** What the kubelet's caches have of the ConfigMaps and Secrets of one namespace. */
export interface PeekObjects {
  readonly ConfigMap: (name: string) => PeekedObject<ConfigMap>
  readonly Secret: (name: string) => PeekedObject<Secret>
}

const maxKeys = 100

type Data = Pick<ConfigMap, 'data' | 'binaryData'>

/** The keys of a ConfigMap or Secret, those of binary values too. */
export function keysOf({ data = {}, binaryData = {} }: Data): ReadonlySet<string> {
  return new Set([...Object.keys(data), ...Object.keys(binaryData)])
}

interface Reference {
  readonly kind: ReferredKind
  readonly name: string
  /** Empty: all. */
  readonly keys: readonly string[]
  readonly isOptional: boolean
}

/** A reference with what the kubelet knows of its object. Pure. */
export function referredObject(reference: Reference, peek: PeekObjects): ReferredObject {
  const { kind, name, keys, isOptional } = reference
  const peeked = peek[kind](name)
  const common = { kind, name, isOptional, state: peeked.state, keys: keys.slice(0, maxKeys) }
  if (peeked.state === 'unread') return { ...common, missingKeys: [], keyCount: null, asOf: null }
  const asOf = peeked.asOf ?? null
  if (peeked.state === 'missing') return { ...common, missingKeys: [], keyCount: null, asOf }
  const has = keysOf(peeked.object)
  const missingKeys = keys.filter((key) => !has.has(key)).slice(0, maxKeys)
  return { ...common, missingKeys, keyCount: has.size, asOf }
}

/** What was peeked as the answer to a read; `unread` is an error of the kind `unknown`. */
export function readResult<T>(kind: ReferredKind, name: string, peeked: PeekedObject<T>) {
  const answer: Result<T, ApiError> =
    peeked.state === 'found'
      ? ok(peeked.object)
      : peeked.state === 'missing'
        ? err({ kind: 'not-found', message: `${kind.toLowerCase()} "${name}" not found` })
        : err({ kind: 'unknown', message: `${kind.toLowerCase()} "${name}" not read` })
  return Promise.resolve(answer)
}
