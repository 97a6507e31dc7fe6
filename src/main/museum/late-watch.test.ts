import { describe, expect, it } from 'vitest'
import type { FolderWatchListener, WatchFolder } from '../sources/folder-watch.ts'
import { LateWatch } from './late-watch.ts'

function listenerOf(): {
  readonly listener: FolderWatchListener
  readonly told: readonly unknown[]
} {
  const told: unknown[] = []
  const listener: FolderWatchListener = {
    onChanged: (names) => told.push(names),
    onFailed: (error) => told.push(error),
  }
  return { listener, told }
}

/** A watch that is told what was touched. */
function makeWatch() {
  const watched = new Map<string, FolderWatchListener>()
  const watchFolder: WatchFolder = (folder, listener) => {
    watched.set(folder, listener)
    return { close: () => watched.delete(folder) }
  }
  return { watched, watch: new LateWatch({ watchFolder }) }
}

describe('LateWatch', () => {
  it('watches nothing before it begins, then all that was asked for and not closed', () => {
    const { watched, watch } = makeWatch()
    const { listener, told } = listenerOf()
    const a = watch.watchFolder('/a', listener)
    watch.watchFolder('/b', listener).close()
    expect([...watched.keys()]).toEqual([])
    watch.begin()
    expect([...watched.keys()]).toEqual(['/a'])
    watched.get('/a')?.onChanged(['web.yaml'])
    expect(told).toEqual([['web.yaml']])
    a.close()
    expect([...watched.keys()]).toEqual([])
  })

  it('is the watch beneath once it has begun', () => {
    const { watched, watch } = makeWatch()
    watch.begin()
    watch.watchFolder('/a', listenerOf().listener)
    expect([...watched.keys()]).toEqual(['/a'])
  })

  it('tells of a folder that cannot be watched when it begins', () => {
    const error = new Error('too many watches')
    const watch = new LateWatch({
      watchFolder: () => {
        throw error
      },
    })
    const { listener, told } = listenerOf()
    watch.watchFolder('/a', listener).close()
    watch.watchFolder('/b', listener)
    watch.begin()
    expect(told).toEqual([error])
  })
})
