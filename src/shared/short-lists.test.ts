import { describe, expect, it } from 'vitest'
import { ShortLists } from './short-lists.ts'

const [a, b] = [{ name: 'a' }, { name: 'b' }]

describe('ShortLists', () => {
  it.each([
    ['no item', []],
    ['one item', [a]],
    ['several items, in order', [b, a]],
  ])('has a list of %s', (_, items) => {
    const lists = new ShortLists<{ readonly name: string }>()
    lists.set('key', [a, b])
    lists.set('key', items)
    expect(lists.get('key')).toEqual(items)
    expect([...lists.keys()]).toEqual(items.length === 0 ? [] : ['key'])
  })

  it('has an empty list for a key that was deleted, or never set', () => {
    const lists = new ShortLists<{ readonly name: string }>()
    lists.set('key', [a])
    lists.delete('key')
    expect(lists.get('key')).toEqual([])
    expect(lists.get('other')).toEqual([])
  })
})
