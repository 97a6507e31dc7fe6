import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from 'react'
import { useStore as useZustandStore } from 'zustand'
import type { PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { Store } from './create-store.ts'
import type { RowTally } from './rows/row-counts.ts'
import type { RowTable } from './rows/row-table.ts'
import type { RowScope } from './shown-node.ts'
import { shownCluster } from './shown-node.ts'
import type { State } from './state.ts'
import { merged, useObserved } from './use-observed.ts'

const StoreContext = createContext<Store | null>(null)

export const StoreProvider = StoreContext.Provider

export function useStore(): Store {
  const store = useContext(StoreContext)
  if (store === null) throw new Error('no StoreProvider above this component')
  return store
}

/** Select one value at a time: a selector must not return a new object. */
export function useAppState<T>(selector: (state: State) => T): T {
  return useZustandStore(useStore().state, selector)
}

function useRowValue<T>(key: PodKey | null, read: (rows: RowTable, key: PodKey) => T): T | null {
  const { rows } = useStore()
  const subscribe = useCallback(
    (listener: () => void) => (key === null ? () => undefined : rows.subscribeRow(key, listener)),
    [rows, key],
  )
  return useSyncExternalStore(subscribe, () => (key === null ? null : read(rows, key)))
}

/** One row, rendered only when it changes; after its removal, its last version. */
export function useRow(key: PodKey): PodRow | undefined {
  return useRowValue(key, (rows) => rows.lastKnown(key)) ?? undefined
}

/** Whether the row exists now. */
export function useIsThere(key: PodKey | null): boolean {
  return useRowValue(key, (rows, pod) => rows.get(pod) !== undefined) ?? false
}

/** The value that `read` computes from a cluster's time, rendered only when the value changes, for example an age. */
export function useTicking<T extends string | number | boolean>(
  cluster: string,
  read: (now: number) => T,
  without: T,
): T {
  const { clocks } = useStore()
  return useObserved(clocks, () => {
    const now = clocks.now(cluster)
    return now === undefined ? without : read(now)
  })
}

/** The same from the time of the shown cluster. */
export function useShownTicking<T extends string | number | boolean>(
  read: (now: number) => T,
  without: T,
): T {
  return useTicking(
    useAppState((state) => shownCluster(state)?.id ?? ''),
    read,
    without,
  )
}

/** A value computed from all rows, for counts; `read` must return a primitive. */
export function useRowsValue<T extends string | number | boolean>(read: () => T): T {
  const { rows } = useStore()
  return useObserved(rows, read)
}

/** A value computed from the counts of a scope's rows, rendered only when it changes. */
export function useTally<T extends string | number>(
  of: (state: State) => RowScope | null,
  read: (tally: RowTally) => T,
): T {
  const { rows, state } = useStore()
  const changes = useMemo(() => merged(rows, state), [rows, state])
  return useObserved(changes, () => read(rows.counts.of(of(state.getState()))))
}
