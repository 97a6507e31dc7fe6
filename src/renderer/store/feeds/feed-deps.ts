import type { StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { KeyedRequests } from '../requests/keyed-requests.ts'
import type { RowTable } from '../rows/row-table.ts'
import type { State } from '../state.ts'

/** What a feed needs to request data from main and to publish it. */
export interface FeedDeps<T = State> {
  readonly bridge: Bridge
  readonly requests: KeyedRequests
  readonly state: StoreApi<T>
}

/** The same for a feed that also reads the rows. */
export interface RowFeedDeps extends FeedDeps {
  readonly rows: RowTable
}
