import { describe, expect, it } from 'vitest'
import { Top } from './top.ts'

interface Scored {
  readonly name: string
  readonly score: number
}

function topOf(limit: number, items: readonly Scored[]): Top<Scored> {
  const top = new Top<Scored>(limit, (left, right) => left.score - right.score)
  for (const item of items) top.add(item)
  return top
}

describe('Top', () => {
  it('keeps the first items in order, and equal items in the order in which they came', () => {
    const top = topOf(3, [
      { name: 'c', score: 3 },
      { name: 'a', score: 1 },
      { name: 'b', score: 2 },
      { name: 'a2', score: 1 },
      { name: 'b2', score: 2 },
    ])
    expect(top.items.map(({ name }) => name)).toEqual(['a', 'a2', 'b'])
  })

  it('has a last item only if it is full', () => {
    expect(topOf(2, [{ name: 'a', score: 1 }]).last).toBeUndefined()
    expect(topOf(1, [{ name: 'a', score: 1 }]).last).toEqual({ name: 'a', score: 1 })
  })
})
