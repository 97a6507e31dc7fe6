import { useState } from 'react'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import { useWallSeconds } from '../use-wall-seconds.ts'
import { useAnswer } from './use-answer.ts'

/** Asks main once a second while it is shown, and keeps the last answer until there is the next one, also about another key. */
export function useKeptAnswer<K, T>(
  what: string,
  key: K,
  ask: (bridge: Bridge, key: K) => Promise<T | null>,
): T | null {
  const { value } = useAnswer(what, key, ask, useWallSeconds())
  const [kept, keep] = useState<T | null>(null)
  if (value !== null && value !== kept) keep(value)
  return value ?? kept
}
