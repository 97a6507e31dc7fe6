import { describe, expect, it } from 'vitest'
import { CachedListing } from './cached-listing.ts'

interface Item {
  readonly view: { readonly id: string; readonly isListed: boolean }
}

function item(id: string, isListed = true): Item {
  return { view: { id, isListed } }
}

function listed(listing: CachedListing<Item['view']>, items: readonly Item[]) {
  listing.changed()
  return listing.list('all', items, ({ view }) => (view.isListed ? view : undefined))
}

describe('CachedListing', () => {
  const a = item('a')
  const b = item('b')
  const c = item('c')

  it('is the very same list while it holds the same objects', () => {
    const listing = new CachedListing<Item['view']>()
    const first = listed(listing, [a, item('x', false), b])
    expect(first).toEqual([a.view, b.view])
    expect(listed(listing, [a, b, item('y', false)])).toBe(first)
  })

  it.each([
    ['one more', [a, b, c]],
    ['one less at the end', [a]],
    ['one less at the start', [b]],
    ['nothing any more', []],
    ['another order', [b, a]],
    ['an equal object in the place of one', [item('a'), b]],
  ])('is another list with %s, and the one before stays as it was', (_, items) => {
    const listing = new CachedListing<Item['view']>()
    const first = listed(listing, [a, b])
    const next = listed(listing, items)
    expect(next).toEqual(items.map(({ view }) => view))
    expect(next).not.toBe(first)
    expect(first).toEqual([a.view, b.view])
    expect(listed(listing, items)).toBe(next)
  })

  it('looks at nothing until something changes', () => {
    const listing = new CachedListing<Item['view']>()
    const first = listed(listing, [a, b])
    expect(listing.list('all', [a], ({ view }) => view)).toBe(first)
    expect(listed(listing, [a])).toEqual([a.view])
  })

  it('keeps lists of different names apart', () => {
    const listing = new CachedListing<Item['view']>()
    const all = listing.list('all', [a, b], ({ view }) => view)
    listing.list('ready', [b], ({ view }) => view)
    expect(listing.list('all', [a, b], ({ view }) => view)).toBe(all)
  })
})
