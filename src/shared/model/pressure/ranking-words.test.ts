import { describe, expect, it } from 'vitest'
import type { RankedPod, RankingView } from './pressure-view.ts'
import { decidedPlaces, firstSentence, placeSentence, whatIf } from './ranking-words.ts'
import { compareRanks, ranked } from './ranking.ts'
import type { StarvedResource } from './signals.ts'

const mi = 2 ** 20

function pod(name: string, use: number | null, request = 0, priority = 0, never = ''): RankedPod {
  const keys = { use, request, priority, subtracted: request }
  return { uid: name, namespace: 'default', name, keys, never }
}

function ranking(resource: StarvedResource, pods: readonly RankedPod[]): RankingView {
  const signal = resource === 'pids' ? 'pid.available' : 'memory.available'
  return { signal, resource, pods: ranked(resource, pods) }
}

const memory = ranking('memory', [
  pod('within', 100 * mi, 200 * mi),
  pod('little', 80 * mi, 64 * mi),
  pod('much', 300 * mi, 64 * mi),
  pod('important', 900 * mi, 0, 100),
  pod('static', 900 * mi, 0, 0, 'A static pod counts as critical.'),
])

describe('who goes first, in sentences', () => {
  it('names the key that decides between each pod and the next one that may be evicted', () => {
    expect(
      decidedPlaces(memory).map((one) => [one.place, placeSentence(memory.resource, one)]),
    ).toEqual([
      [null, 'A static pod counts as critical.'],
      [1, 'much goes before little: it is above its request by 236Mi, little by 16Mi.'],
      [2, 'little goes before important: its priority 0 is lower than 100.'],
      [3, 'important goes before within: it uses more than it requests, within does not.'],
      [4, 'within goes last.'],
    ])
  })

  it('tells amounts apart that are the same in Mi', () => {
    const view = ranking('memory', [pod('a', 20 * mi + 1024, 0), pod('b', 20 * mi, 0)])
    const bytes = ranking('memory', [pod('a', 20 * mi + 1, 0), pod('b', 20 * mi, 0)])
    const [first] = decidedPlaces(view)
    const [closest] = decidedPlaces(bytes)
    if (first === undefined || closest === undefined) throw new Error('no pod')
    expect([placeSentence('memory', first), placeSentence('memory', closest)]).toEqual([
      'a goes before b: it is above its request by 20481Ki, b by 20480Ki.',
      'a goes before b: it is above its request by 20971521, b by 20971520.',
    ])
  })

  it('says which keys the first one wins', () => {
    expect(firstSentence(memory)).toBe(
      'much goes first: 3 pods use more than they request; 2 of them have the lowest priority, 0; of these it has the largest use above its request, 236Mi.',
    )
    expect(firstSentence(ranking('memory', [pod('a', 5, 10), pod('b', 3, 10)]))).toBe(
      'a goes first: no pod uses more than it requests; all of them have the lowest priority, 0; of these it has the largest use above its request, -5.',
    )
    expect(firstSentence(ranking('pids', [pod('a', 5), pod('b', 9), pod('c', 50, 0, 1)]))).toBe(
      'b goes first: 2 of them have the lowest priority, 0; of these it has the most processes, 9.',
    )
    expect(firstSentence(ranking('memory', [pod('a', 5), pod('lost', null, 10, 100)]))).toBe(
      'lost goes first: nothing is known of its use.',
    )
    expect(firstSentence(ranking('memory', [pod('s', 5, 0, 0, 'never')]))).toBe('')
  })

  it('names pods that are equal, and a pod of which nothing is known', () => {
    const view = ranking('memory', [pod('lost', null), pod('a', 5), pod('b', 5)])
    expect(decidedPlaces(view).map((one) => placeSentence('memory', one))).toEqual([
      'lost goes before a: nothing is known of its use.',
      'a and b are equal in every key: which one goes first is not specified.',
      'b goes last.',
    ])
    const alone = ranking('pids', [pod('a', 5)])
    expect(decidedPlaces(alone).map((one) => placeSentence('pids', one))).toEqual([
      'a is the only pod to evict.',
    ])
    const two = ranking('pids', [pod('a', 5), pod('b', 9)])
    expect(decidedPlaces(two).map((one) => placeSentence('pids', one))).toEqual([
      'b goes before a: it has 9 processes, a has 5.',
      'a goes last.',
    ])
  })

  it('has pods with parts of a byte in their requests as equal if they are', () => {
    const one = pod('one', 1, 0.1)
    const other = pod('other', 64 * mi + 1, 64 * mi + 0.1)
    expect(compareRanks('memory', one.keys, other.keys)).toEqual({ key: 'tie', order: 0 })
  })

  it('ranks again with other uses, and leaves the pods as they are', () => {
    const changed = whatIf(memory, ({ name, keys }) => (name === 'little' ? 900 * mi : keys.use))
    expect(changed.pods.filter(({ never }) => never === '').map(({ name }) => name)).toEqual([
      'little',
      'much',
      'important',
      'within',
    ])
    expect(memory.pods.find(({ name }) => name === 'little')?.keys.use).toBe(80 * mi)
  })
})
