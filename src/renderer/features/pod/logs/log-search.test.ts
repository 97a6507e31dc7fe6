import { expect, it } from 'vitest'
import { kubectlLogs, logFile, matchingLines, piecesOf } from './log-search.ts'

it('finds lines in any case, and the places in a line', () => {
  const lines = ['Error: refused', 'fine', 'an error, an ERROR'].map((text) => ({
    kind: 'line' as const,
    at: 0,
    text,
  }))
  expect(matchingLines(lines, 3, 'error')).toEqual([0, 2])
  expect(matchingLines(lines, 2, 'error')).toEqual([0])
  expect(matchingLines(lines, 3, '')).toEqual([])
  expect(piecesOf('an error, an ERROR', 'Error')).toEqual(['an ', 'error', ', an ', 'ERROR', ''])
  expect(piecesOf('İ error', 'error')).toEqual(['İ error'])
})

it('writes the command for the same lines', () => {
  const all = { namespace: 'shop', pod: 'web', container: 'c', hasTimes: true }
  expect(kubectlLogs({ ...all, previous: false, sinceSeconds: 600, isFollowing: true })).toBe(
    'kubectl logs -n shop web -c c --since=10m --timestamps --follow',
  )
  expect(
    kubectlLogs({ ...all, previous: true, sinceSeconds: null, isFollowing: true, hasTimes: false }),
  ).toBe('kubectl logs -n shop web -c c --previous')
})

it('writes the shown lines as a file, with times if wanted', () => {
  const at = Date.parse('2026-11-21T14:02:30.250Z')
  const lines = [
    { kind: 'line', at, text: 'last words' },
    { kind: 'restart', at, text: '' },
    { kind: 'line', at, text: 'begins' },
    { kind: 'line', at, text: 'came later' },
  ] as const
  const log = { lines, count: 3 }
  expect(logFile(log, { hasTimes: false, restarted: 'restarted' }).join('')).toBe(
    'last words\n--- restarted\nbegins\n',
  )
  expect(logFile(log, { hasTimes: true, restarted: 'restarted' }).join('')).toBe(
    '2026-11-21T14:02:30.250Z last words\n--- restarted\n2026-11-21T14:02:30.250Z begins\n',
  )
})
