import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../shared/kubernetes/objects.ts'
import { Collection } from './object-store.ts'
import type { StoreEvent } from './object-store.ts'

function object(name: string, namespace = 'default'): KubeObject {
  return { metadata: { name, namespace, uid: name } }
}

function event(
  resourceVersion: number,
  change: StoreEvent['change'],
  value: KubeObject,
): StoreEvent {
  return { resourceVersion, change, object: value, previous: undefined, causes: [] }
}

describe('a collection', () => {
  it('lists in the order of keys, regardless of the order of writes', () => {
    const collection = new Collection({ events: 10, size: 1_000_000 })
    const names = [object('b'), object('a'), object('a', 'a-b'), object('x', 'a')]
    names.forEach((value, index) => {
      collection.commit(event(index, 'ADDED', value))
    })
    const keys = collection.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    // A dash sorts before the slash, as in etcd.
    expect(keys).toEqual(['a-b/a', 'a/x', 'default/a', 'default/b'])
  })

  it('returns the writes after a version, oldest first, despite gaps from other resources', () => {
    const collection = new Collection({ events: 10, size: 1_000_000 })
    for (const version of [3, 7, 9]) collection.commit(event(version, 'MODIFIED', object('a')))
    const after = (version: number) =>
      collection.eventsAfter(version)?.map((one) => one.resourceVersion)
    expect([after(0), after(3), after(6), after(7), after(9), after(100)]).toEqual([
      [3, 7, 9],
      [7, 9],
      [7, 9],
      [9],
      [],
      [],
    ])
  })

  it('knows the versions that it can no longer start from', () => {
    const collection = new Collection({ events: 3, size: 1_000_000 })
    for (let version = 1; version <= 20; version++) {
      collection.commit(event(version, 'MODIFIED', object('a')))
      const oldest = Math.max(0, version - 3)
      expect(collection.oldestVersion).toBe(oldest)
      expect(collection.eventsAfter(oldest)?.length).toBe(Math.min(3, version))
      if (oldest > 0) expect(collection.eventsAfter(oldest - 1)).toBeUndefined()
    }
  })

  it('removes deleted objects and notifies listeners until they unsubscribe', () => {
    const collection = new Collection({ events: 3, size: 1_000_000 })
    const heard: string[] = []
    const leave = collection.listen((one) => heard.push(one.change))
    collection.commit(event(1, 'ADDED', object('a')))
    collection.commit(event(2, 'DELETED', object('a')))
    leave()
    collection.commit(event(3, 'ADDED', object('b')))
    expect(heard).toEqual(['ADDED', 'DELETED'])
    expect(collection.get({ namespace: 'default', name: 'a' })).toBeUndefined()
    expect(collection.list()).toHaveLength(1)
  })

  it('limits the size of its events, and keeps no dropped events', () => {
    const collection = new Collection({ events: 1000, size: 10_000 })
    for (let version = 1; version <= 50; version++) {
      const value = { ...object('a'), data: { text: 'x'.repeat(900) } }
      collection.commit(event(version, 'MODIFIED', value))
    }
    expect(collection.eventsAfter(collection.oldestVersion)).toHaveLength(10)
    expect(collection.oldestVersion).toBe(40)
    expect(collection.eventsAfter(39)).toBeUndefined()
  })

  it('knows the size of its objects after every write', () => {
    const collection = new Collection({ events: 10, size: 10_000 })
    const short = object('a')
    const long = { ...object('a'), data: { text: 'x'.repeat(900) } }
    collection.commit(event(1, 'ADDED', short))
    collection.commit(event(2, 'ADDED', object('b')))
    collection.commit(event(3, 'MODIFIED', long))
    expect(collection.bytes).toBe(JSON.stringify(long).length + JSON.stringify(short).length)
    collection.commit(event(4, 'DELETED', { ...long, data: {} }))
    expect(collection.bytes).toBe(JSON.stringify(short).length)
  })
})
