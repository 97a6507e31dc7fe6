import { describe, expect, it } from 'vitest'
import { podLogOptions } from '../../../shared/kubernetes/pod-log-options.ts'
import type { ContainerLogCursor, ContainerLogLine } from '../host/container-log-reader.ts'
import { readLogs } from './read-logs.ts'

const start = Date.UTC(2026, 0, 1)

function line(text: string, seconds = 0, isWhole = true): ContainerLogLine {
  return { at: start + seconds * 1000, stream: 'stdout', isWhole, text }
}

/** What is read: the lines, then those that come while it is followed. */
async function read(
  query: Readonly<Record<string, string>>,
  lines: readonly ContainerLogLine[],
  later: readonly (readonly ContainerLogLine[])[] = [],
): Promise<{ readonly text: string; readonly isClosed: boolean }> {
  const pending = [lines, ...later]
  let isClosed = false
  const cursor: ContainerLogCursor = {
    read: () => Promise.resolve(pending.shift() ?? []),
    more: () => Promise.resolve(pending.length > 0),
    close: () => {
      isClosed = true
    },
  }
  const options = podLogOptions(query)
  if (!options.ok) throw new Error(options.error)
  let text = ''
  for await (const chunk of readLogs(cursor, options.value, start + 60_000)) text += chunk
  return { text, isClosed }
}

describe('readLogs', () => {
  it('writes parts of a line as one line', async () => {
    const parts = [line('a', 0, false), line('b'), line('c', 0, false)]
    expect(await read({}, parts)).toEqual({ text: 'ab\nc', isClosed: true })
  })

  it('writes the time once for each line', async () => {
    const parts = [line('a', 1, false), line('b', 2), line('c', 3)]
    expect((await read({ timestamps: 'true' }, parts)).text).toBe(
      '2026-01-01T00:00:01.000000000Z ab\n2026-01-01T00:00:03.000000000Z c\n',
    )
  })

  it.each([
    ['sinceSeconds', { sinceSeconds: '30' }, 'late\n'],
    ['sinceTime', { sinceTime: '2026-01-01T00:00:30Z' }, 'late\n'],
    ['the time of the first line', { sinceTime: '2026-01-01T00:00:10Z' }, 'early\nlate\n'],
  ])('leaves out lines before %s', async (_title, query, text) => {
    expect((await read(query, [line('early', 10), line('late', 30)])).text).toBe(text)
  })

  it.each([
    ['3', 'a\nb'],
    ['4', 'a\nb\n'],
    ['100', 'a\nb\nü\n'],
    ['5', 'a\nb\n\udcc3'],
  ])('ends after %s bytes', async (limitBytes, text) => {
    expect((await read({ limitBytes }, [line('a'), line('b'), line('ü')])).text).toBe(text)
  })

  it('follows until there is no more', async () => {
    const later = [[line('b')], [], [line('c')]]
    expect((await read({ follow: 'true' }, [line('a')], later)).text).toBe('a\nb\nc\n')
    expect((await read({}, [line('a')], later)).text).toBe('a\n')
  })

  it('stops following when all bytes are written', async () => {
    const later = [[line('b')], [line('c')]]
    expect((await read({ follow: 'true', limitBytes: '4' }, [line('a')], later)).text).toBe(
      'a\nb\n',
    )
  })
})
