import { useCallback, useRef, useSyncExternalStore } from 'react'

/** Calls its listeners after each change, until they unsubscribe. */
export interface Observable {
  readonly subscribe: (listener: () => void) => () => void
}

/** Several as one. */
export function merged(...observables: readonly Observable[]): Observable {
  return {
    subscribe: (listener) => {
      const unsubscribe = observables.map((observable) => observable.subscribe(listener))
      return () => {
        for (const leave of unsubscribe) leave()
      }
    },
  }
}

/** What `read` returns after each change; redrawn only when it is not the same as before. */
export function useObserved<T>(
  observable: Observable,
  read: () => T,
  isSame: (before: T, now: T) => boolean = Object.is,
): T {
  const last = useRef<{ readonly value: T } | null>(null)
  const subscribe = useCallback(
    (listener: () => void) => observable.subscribe(listener),
    [observable],
  )
  return useSyncExternalStore(subscribe, () => {
    const value = read()
    if (last.current === null || !isSame(last.current.value, value)) last.current = { value }
    return last.current.value
  })
}
