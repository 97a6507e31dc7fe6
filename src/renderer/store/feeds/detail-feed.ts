import type { StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { PodEventList, PodObjects } from '../../../shared/model/pod-objects.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { KeyedRequest } from '../requests/keyed-request.ts'
import type { KeyedRequests } from '../requests/keyed-requests.ts'
import type { DetailSlice } from '../slices/detail-slice.ts'

/** What is looked at is asked again at most this often; a count on a tab says little, and waits. */
const shownPaceMs = 1000
const countPaceMs = 5000

interface Drawer extends DetailSlice {
  readonly cursor: PodKey | null
}

/** Objects and events of the drawer's pod, asked for when a tab shows them and again when the detail has changed. */
export class DetailFeed {
  readonly #state: StoreApi<Drawer>
  readonly #objects: KeyedRequest<PodKey, PodObjects>
  readonly #events: KeyedRequest<PodKey, PodEventList>
  #leave: (() => void) | undefined

  constructor({
    bridge,
    requests,
    state,
  }: {
    readonly bridge: Bridge
    readonly requests: KeyedRequests
    readonly state: StoreApi<Drawer>
  }) {
    this.#state = state
    this.#objects = requests.add<PodKey, PodObjects>('objects of the pod', {
      ask: (key) => bridge.request('pod.objects', { key }),
      publish: ({ value }) => state.setState({ podObjects: value }),
    })
    this.#events = requests.add<PodKey, PodEventList>('events of the pod', {
      ask: (key) => bridge.request('pod.events', { key }),
      publish: ({ value }) => state.setState({ podEvents: value }),
    })
  }

  start(): void {
    this.#leave = this.#state.subscribe((now, before) => this.#look(now, before))
    this.#look(this.#state.getState(), undefined)
  }

  stop(): void {
    this.#leave?.()
  }

  #look(now: Drawer, before: Drawer | undefined): void {
    const key = now.isDrawerOpen ? now.cursor : null
    const { drawerTab, detail } = now
    this.#objects.want(drawerTab === 'summary' || drawerTab === 'yaml', shownPaceMs)
    this.#events.want(true, drawerTab === 'events' ? shownPaceMs : countPaceMs)
    this.#objects.about(key)
    this.#events.about(key)
    // The first detail of a pod tells nothing that the first answers will not.
    if (detail === before?.detail || before?.detail === null || detail?.row.key !== key) return
    this.#objects.refresh()
    this.#events.refresh()
  }
}
