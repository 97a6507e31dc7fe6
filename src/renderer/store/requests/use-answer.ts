import { useEffect, useRef, useState } from 'react'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import { useStore } from '../store-context.ts'
import type { Answer, KeyedRequest } from './keyed-request.ts'
import { noAnswer } from './keyed-request.ts'

/**
 * The answer of `ask` about the key, requested once while the component is mounted, again when `version` changes, and
 * again after failures; `ask` must stay the same function.
 */
export function useAnswer<K, T>(
  what: string,
  key: K | null,
  ask: (bridge: Bridge, key: K) => Promise<T | null>,
  version: unknown = null,
): Answer<T> {
  const { bridge, requests } = useStore()
  const [answer, publish] = useState<Answer<T>>(noAnswer)
  const request = useRef<KeyedRequest<K, T>>(null)
  useEffect(() => {
    const added = requests.add<K, T>(what, { ask: (asked) => ask(bridge, asked), publish })
    request.current = added
    return () => requests.remove(added)
  }, [bridge, requests, what, ask])
  useEffect(() => request.current?.refresh(), [version])
  useEffect(() => {
    request.current?.setKey(key)
  })
  return answer
}
