import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import type { ObjectWritten } from '../sandbox/object-store.ts'
import { FakeDatabase } from './fake-database.ts'
import { readState, stateFormat } from './kept-state.ts'
import { StateWriter } from './state-writer.ts'

function written(
  name: string,
  resourceVersion: number,
  change: ObjectWritten['change'] = 'ADDED',
): ObjectWritten {
  const metadata = { name, namespace: 'default', uid: `uid-${name}` }
  const object = { metadata: { ...metadata, resourceVersion: String(resourceVersion) } }
  return { resource: 'configmaps', object, change, resourceVersion }
}

const run = { format: stateFormat, program: '1.0.0', seed: 7, starts: 1, nodes: ['n1'] }

function stage() {
  const database = new FakeDatabase()
  const log = new FakeLog()
  const writer = new StateWriter({
    database,
    path: '/data/state',
    meta: { ...run, now: 5, resourceVersion: 0 },
    checksums: new Map(),
    log,
  })
  const kept = async () => {
    const state = readState(await database.entries())
    if (!state.ok) throw new Error(state.error.message)
    return state.value
  }
  return { database, log, writer, kept }
}

const full = new Error('the batch failed', {
  cause: new Error('IO error: /data/state/000003.log: No space left on device'),
})

describe('StateWriter', () => {
  it('acknowledges a write after the batch with it, and writes in batches', async () => {
    const { database, writer, kept } = stage()
    database.hold()
    writer.record(written('a', 1))
    writer.record(written('b', 2))
    let isAcknowledged = false
    const first = writer.written().then(() => (isAcknowledged = true))
    await new Promise(setImmediate)
    writer.record(written('c', 3))
    writer.record(written('a', 4, 'DELETED'))
    const second = writer.written()
    await new Promise(setImmediate)
    expect(isAcknowledged).toBe(false)
    database.release()
    await Promise.all([first, second])
    expect(database.batches).toEqual([
      ['objects/configmaps/default/a', 'objects/configmaps/default/b', 'meta'],
      ['objects/configmaps/default/c', 'objects/configmaps/default/a', 'meta'],
    ])
    const state = await kept()
    expect(state?.meta).toEqual({ ...run, now: 5, resourceVersion: 4 })
    expect(state?.objects.map(({ object }) => object.metadata.name)).toEqual(['b', 'c'])
  })

  it('answers at once when nothing is waiting', async () => {
    expect(await stage().writer.written()).toEqual({ ok: true, value: undefined })
  })

  it('records the time of the clock with the last batch', async () => {
    const { writer, kept } = stage()
    let now = 10
    writer.start(() => now)
    now = 1234
    expect(await writer.close()).toEqual({ ok: true, value: undefined })
    expect((await kept())?.meta.now).toBe(1234)
  })

  describe('when the disk is full', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout'] })
    })
    afterEach(() => {
      vi.useRealTimers()
    })

    const sentence =
      'The disk of /data/state is full: the sandbox keeps its state in memory and refuses changes until there is room.'

    it('says so, keeps what was to be written, and writes all of it when there is room', async () => {
      const { database, log, writer, kept } = stage()
      writer.record(written('a', 1))
      await writer.written()
      database.failure = full
      writer.record(written('b', 2))
      writer.record(written('a', 3, 'DELETED'))
      expect(await writer.written()).toEqual({ ok: false, error: sentence })
      expect(writer.problem).toBe(sentence)
      writer.record(written('c', 4))
      expect(await writer.written()).toEqual({ ok: false, error: sentence })
      await vi.advanceTimersByTimeAsync(5000)
      expect(log.problems).toEqual([sentence])
      expect((await kept())?.objects.map(({ object }) => object.metadata.name)).toEqual(['a'])
      database.failure = undefined
      await vi.advanceTimersByTimeAsync(1000)
      expect(writer.problem).toBeUndefined()
      expect(database.reopened).toBeGreaterThan(1)
      const state = await kept()
      expect(state?.objects.map(({ object }) => object.metadata.name)).toEqual(['b', 'c'])
      expect(state?.meta.resourceVersion).toBe(4)
    })

    it('says on exit what could not be written', async () => {
      const { database, writer } = stage()
      database.failure = full
      writer.record(written('b', 2))
      await writer.written()
      expect(await writer.close()).toEqual({ ok: false, error: sentence })
    })
  })
})
