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

  it('finds nothing where a letter is missing', () => {
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

describe('what a line stands for', () => {
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

  it('without a word is the commands', () => {
    expect(titles('')[0]).toBe('Go to Flow')
    expect(titles('').length).toBe(12)
  })

  it('with a slash looks at the namespace too', () => {
    expect(titles('shop/web')).toEqual(['web-shop'])
  })

  it('is the pod alone where it is one of its UIDs', () => {
    expect(titles('abcdef12')).toEqual(['web-scope-node-1'])
    expect(titles('FEDCBA98')).toEqual(['web-scope-node-1'])
  })

  it('offers a mirror’s deletion for a static pod, and both deletions for another', () => {
    expect(titles('delete web').slice(0, 3)).toEqual([
      'Delete web-shop…',
      'Delete web-shop by force…',
      'Delete the mirror of web-scope-node-1…',
    ])
  })

  it('names two versions of one static pod apart', () => {
    const old = fakeStaticRow({ name: 'web-scope-node-1', uid: '0ld' })
    const found = findEntries({ ...source, pods: podNames([...rows, old]) }, 'kill web-scope')
    expect(new Set(found.map(({ id }) => id)).size).toBe(2)
  })

  it('lifts what was chosen lately above its equals, not above a better match', () => {
    expect(titles('theme', { choices: ['theme.light'] as never[] })[0]).toBe('Theme: light')
    expect(titles('loud', { choices: ['theme.light'] as never[] })[0]).toBe('loud')
  })
})
