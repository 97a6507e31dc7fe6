import type { FakeApiClient } from '../fake-api-client.ts'
import type { Clock, WatchObject } from '../ports.ts'

/** Watches of what the fake server stores: the first list takes 5 ms, a change is known at once. */
export function fakeWatchObject(api: FakeApiClient, clock: Clock): WatchObject {
  return (key) => {
    let isSynced = false
    let isStopped = false
    let last = api.object(key)
    clock.after(5, () => {
      isSynced = !isStopped
    })
    const get = (): typeof last => {
      if (!isStopped) last = api.object(key)
      return last
    }
    return {
      hasSynced: () => isSynced,
      get: () => (isSynced ? get() : undefined),
      stop: () => {
        get()
        isStopped = true
      },
    }
  }
}
