import type { StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../shared/ipc/contract.ts'
import type { PodEventList, PodObjects } from '../../shared/model/pod-objects.ts'
import { PacedAsk } from './detail-paced-ask.ts'
import type { DetailSlice } from './detail-slice.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'

/** What is looked at is asked again at most this often; a count on a tab says little, and waits. */
const shownPaceMs = 1000
const countPaceMs = 5000

interface Drawer extends DetailSlice {
  readonly cursor: PodKey | null
}

/** Objects and events of the drawer's pod, asked for when a tab shows them and again when the detail has changed. */
export class DetailFeed {
  readonly #state: StoreApi<Drawer>
  readonly #objects: PacedAsk<PodObjects>
  readonly #events: PacedAsk<PodEventList>
  #leave: (() => void) | undefined

  constructor(deps: { readonly bridge: Bridge; readonly state: StoreApi<Drawer> }) {
    const { bridge, state } = deps
    this.#state = state
    this.#objects = new PacedAsk({
      ask: (key) => bridge.request('pod.objects', { key }),
      publish: (podObjects) => state.setState({ podObjects }),
    })
    this.#events = new PacedAsk({
      ask: (key) => bridge.request('pod.events', { key }),
      publish: (podEvents) => state.setState({ podEvents }),
    })
  }

  start(): void {
    this.#leave = this.#state.subscribe((now, before) => this.#look(now, before))
    this.#look(this.#state.getState(), undefined)
  }

  stop(): void {
    this.#leave?.()
    this.#objects.stop()
    this.#events.stop()
  }

  #look(now: Drawer, before: Drawer | undefined): void {
    const key = now.isDrawerOpen ? now.cursor : null
    const { drawerTab, detail } = now
    this.#objects.about(key)
    this.#events.about(key)
    this.#objects.want(drawerTab === 'summary' || drawerTab === 'yaml', shownPaceMs)
    this.#events.want(true, drawerTab === 'events' ? shownPaceMs : countPaceMs)
    // The first detail of a pod tells nothing that the first answers will not.
    if (detail === before?.detail || before?.detail === null || detail?.row.key !== key) return
    this.#objects.grewOld()
    this.#events.grewOld()
  }
}
