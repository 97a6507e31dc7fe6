import { useState } from 'react'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import { useWallSeconds } from '../use-wall-seconds.ts'
import { useAnswer } from './use-answer.ts'

/** As `useAnswer`, but keeps the last answer until there is the next one, also about another key. */
export function useLastAnswer<K, T>(
  what: string,
  key: K,
  ask: (bridge: Bridge, key: K) => Promise<T | null>,
  version: unknown = null,
): T | null {
  const { value } = useAnswer(what, key, ask, version)
  const [kept, keep] = useState<T | null>(null)
  if (value !== null && value !== kept) keep(value)
  return value ?? kept
}

/** The same, asked once a second while it is shown. */
export function useKeptAnswer<K, T>(
  what: string,
  key: K,
  ask: (bridge: Bridge, key: K) => Promise<T | null>,
): T | null {
  return useLastAnswer(what, key, ask, useWallSeconds())
}
