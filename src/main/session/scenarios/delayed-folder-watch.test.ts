import { describe, expect, it } from 'vitest'
import type { FolderWatchListener, WatchFolder } from '../../sources/folder-watch.ts'
import { DelayedFolderWatch } from './delayed-folder-watch.ts'

function listenerOf(): {
  readonly listener: FolderWatchListener
  readonly received: readonly unknown[]
} {
  const received: unknown[] = []
  const listener: FolderWatchListener = {
    onChanged: (names) => received.push(names),
    onFailed: (error) => received.push(error),
  }
  return { listener, received }
}

/** A watch over folders that the test touches. */
function makeWatch() {
  const watched = new Map<string, FolderWatchListener>()
  const watchFolder: WatchFolder = (folder, listener) => {
    watched.set(folder, listener)
    return { close: () => watched.delete(folder) }
  }
  return { watched, watch: new DelayedFolderWatch(watchFolder) }
}

describe('DelayedFolderWatch', () => {
  it('watches nothing before it begins, then every folder that was requested and not closed', () => {
    const { watched, watch } = makeWatch()
    const { listener, received } = listenerOf()
    const a = watch.watchFolder('/a', listener)
    watch.watchFolder('/b', listener).close()
    expect([...watched.keys()]).toEqual([])
    watch.begin()
    expect([...watched.keys()]).toEqual(['/a'])
    watched.get('/a')?.onChanged(['web.yaml'])
    expect(received).toEqual([['web.yaml']])
    a.close()
    expect([...watched.keys()]).toEqual([])
  })

  it('watches at once after it has begun', () => {
    const { watched, watch } = makeWatch()
    watch.begin()
    watch.watchFolder('/a', listenerOf().listener)
    expect([...watched.keys()]).toEqual(['/a'])
  })

  it('reports a folder that cannot be watched when it begins', () => {
    const error = new Error('too many watches')
    const watch = new DelayedFolderWatch(() => {
      throw error
    })
    const { listener, received } = listenerOf()
    watch.watchFolder('/a', listener).close()
    watch.watchFolder('/b', listener)
    watch.begin()
    expect(received).toEqual([error])
  })
})
