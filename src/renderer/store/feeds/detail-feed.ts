import type { StoreApi } from 'zustand/vanilla'
import type { PodEventList, PodObjects } from '../../../shared/model/pod-objects.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { KeyedRequest } from '../requests/keyed-request.ts'
import type { DetailSlice } from '../slices/detail-slice.ts'
import type { FeedDeps } from './feed-deps.ts'
import { text } from '../../text/text.ts'

/** The shortest time between two requests, for the shown tab and for the count on a tab. */
const shownPaceMs = 1000
const countPaceMs = 5000

interface Drawer extends DetailSlice {
  readonly cursor: PodKey | null
}

/** Requests the objects and events of the drawer's pod when a tab shows them, and again when the detail changes. */
export class DetailFeed {
  readonly #state: StoreApi<Drawer>
  readonly #objects: KeyedRequest<PodKey, PodObjects>
  readonly #events: KeyedRequest<PodKey, PodEventList>

  constructor({ bridge, requests, state }: FeedDeps<Drawer>) {
    this.#state = state
    this.#objects = requests.add<PodKey, PodObjects>(text.frame.requests.podObjects, {
      ask: (key) => bridge.request('pod.objects', { key }),
      publish: ({ value }) => state.setState({ podObjects: value }),
    })
    this.#events = requests.add<PodKey, PodEventList>(text.frame.requests.podEvents, {
      ask: (key) => bridge.request('pod.events', { key }),
      publish: ({ value }) => state.setState({ podEvents: value }),
    })
  }

  /** Returns a function that stops it. */
  start(): () => void {
    this.#follow(this.#state.getState(), undefined)
    return this.#state.subscribe((now, before) => this.#follow(now, before))
  }

  #follow(now: Drawer, before: Drawer | undefined): void {
    const key = now.isDrawerOpen ? now.cursor : null
    const { drawerTab, detail } = now
    this.#objects.setWanted(drawerTab === 'summary' || drawerTab === 'yaml', shownPaceMs)
    this.#events.setWanted(true, drawerTab === 'events' ? shownPaceMs : countPaceMs)
    this.#objects.setKey(key)
    this.#events.setKey(key)
    // The first requests of a pod already include its first detail.
    if (detail === before?.detail || before?.detail === null || detail?.row.key !== key) return
    this.#objects.refresh()
    this.#events.refresh()
  }
}
