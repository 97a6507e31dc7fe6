import { describe, expect, it } from 'vitest'
import { fakeCluster, fakeRow, fakeStaticRow } from '../../bridge/fake-views.ts'
import { commandEntries } from './entries.ts'
import { findEntries, podNames } from './find-entries.ts'
import { Best, matchScore } from './match.ts'

describe('matching', () => {
  it.each([
    ['loud', 'loud', 'loud-two'],
    ['lo', 'loud', 'cloud'],
    ['web', 'my-web', 'cobweb'],
    ['load', 'unload', 'l-o-x-a-x-d'],
    ['kl', 'kube-log', 'a-ku-bel'],
  ])('of %s puts %s before %s', (query, better, worse) => {
    expect(matchScore(better, query)).toBeGreaterThan(matchScore(worse, query))
  })

  it('finds nothing if a letter is missing', () => {
    expect(matchScore('loud', 'loudx')).toBe(0)
  })

  it('keeps the best few, the earlier of equals first', () => {
    const best = new Best<string>(2)
    best.add('a', 1)
    best.add('b', 3)
    best.add('c', 3)
    best.add('d', 2)
    best.add('e', 0)
    expect(best.values).toEqual(['b', 'c'])
  })
})

describe('the entries for a line', () => {
  const rows = [
    fakeStaticRow({ name: 'web-scope-node-1', uid: 'abcdef12', mirrorUid: 'fedcba98-0000' }),
    fakeRow({ name: 'web-shop', namespace: 'shop' }),
    fakeRow({ name: 'loud' }),
  ]
  const source = {
    commands: commandEntries(fakeCluster(), ['web.yaml']),
    pods: podNames(rows),
    choices: [],
    current: undefined,
  }
  const titles = (line: string, part: Partial<typeof source> = {}): readonly string[] =>
    findEntries({ ...source, ...part }, line).map(({ title }) => title)

  it('are the commands while it is empty', () => {
    expect(titles('')[0]).toBe('Go to Flow')
    expect(titles('').length).toBe(12)
  })

  it('with a slash match the namespace too', () => {
    expect(titles('shop/web')).toEqual(['web-shop'])
  })

  it('have the view of that name before sections of the handbook', () => {
    expect(titles('mirrors').slice(0, 2)).toEqual([
      'Go to Mirror pods',
      'Handbook: Orphaned mirrors',
    ])
  })

  it('are only the pod if it is one of its UIDs', () => {
    expect(titles('abcdef12')).toEqual(['web-scope-node-1'])
    expect(titles('FEDCBA98')).toEqual(['web-scope-node-1'])
  })

  it('include the deletion of the mirror for a static pod, and both deletions for another pod', () => {
    expect(titles('delete web').slice(0, 3)).toEqual([
      'Delete web-shop…',
      'Delete web-shop by force…',
      'Delete the mirror of web-scope-node-1…',
    ])
  })

  it('have different ids for two versions of one static pod', () => {
    const old = fakeStaticRow({ name: 'web-scope-node-1', uid: '0ld' })
    const found = findEntries({ ...source, pods: podNames([...rows, old]) }, 'kill web-scope')
    expect(new Set(found.map(({ id }) => id)).size).toBe(2)
  })

  it('list recent choices before equal matches, not before better ones', () => {
    expect(titles('theme', { choices: ['theme.light'] as never[] })[0]).toBe('Theme: light')
    expect(titles('loud', { choices: ['theme.light'] as never[] })[0]).toBe('loud')
  })
})
