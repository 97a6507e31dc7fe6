import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRecording } from './read-recording.ts'

const header = {
  schema: 1,
  program: 'nodescope',
  version: '1',
  startedAt: '2026-01-01T00:00:00.000Z',
  cluster: 'c',
  server: 's',
  nodes: ['n1'],
  clock: { virtual: true, startAt: 1 },
  seed: null,
}

function event(seq: number, at = seq) {
  return {
    event: {
      seq,
      at,
      cluster: 'c',
      node: 'n1',
      kind: 'loop.sync',
      subject: { kind: 'node' },
      causes: [],
      data: { pods: 0 },
    },
  }
}

const rows = { at: 1, whole: true, rows: [], removed: [] }
const end = (events: number, dropped = 0) => ({
  end: { at: 9, endedAt: 'now', events, dropped },
})

function text(...lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

describe('readRecording', () => {
  it('reads a complete recording', () => {
    expect(
      readRecording(text(header, rows, event(1), { dropped: 2 }, event(4), end(2, 2))),
    ).toEqual({
      ok: true,
      value: {
        header,
        lines: [{ ...rows, details: [] }, event(1), event(4)],
        events: [event(1).event, event(4).event],
        rows: [{ ...rows, details: [] }],
        dropped: 2,
        end: { at: 9, endedAt: 'now', events: 2, dropped: 2 },
      },
    })
  })

  it('reads a recording that ends in the middle of a line', () => {
    expect(readRecording(`${text(header, event(1))}{"event":{"se`)).toMatchObject({
      ok: true,
      value: { events: [{ seq: 1 }], end: null },
    })
  })

  it('accepts a system clock that was set back', () => {
    const clock = { virtual: false, startAt: 1 }
    expect(readRecording(text({ ...header, clock }, event(1, 5), event(2, 4)))).toMatchObject({
      ok: true,
      value: { events: [{ at: 5 }, { at: 4 }] },
    })
  })

  it('reads the example in docs/recordings.md', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/recordings.md'), 'utf8')
    const example = /```\n(\{"schema".*?)```/s.exec(page)?.[1] ?? ''
    expect(readRecording(example)).toMatchObject({
      ok: true,
      value: { header: { seed: 5 }, end: { events: 2 } },
    })
  })

  const bad: readonly (readonly [string, string])[] = [
    ['', 'Line 1 is not the header of a recording.'],
    [text({ ...header, schema: 3 }), 'It has schema 3; this version of Nodescope reads 1 and 2.'],
    [text({ ...header, seed: 'x' }), 'Line 1 is not the header of a recording.'],
    [`${text(header)}nonsense\n`, 'Line 2 is not a JSON object.'],
    [text(header, { other: 1 }), 'Line 2 is of an unknown kind.'],
    [text(header, { event: {} }), 'Line 2 is not an event.'],
    [text(header, event(2), event(4)), 'Line 3 is the event 4, not 3.'],
    [text(header, event(1), event(1)), 'Line 3 repeats the event 1.'],
    [text(header, event(1, 5), event(2, 4)), 'Line 3 goes back in time.'],
    [
      text(header, { ...rows, whole: false }),
      'Line 2 changes rows before a complete list of rows.',
    ],
    [text(header, { ...rows, rows: [{}] }), 'Line 2 contains an invalid row.'],
    [text(header, { ...rows, removed: [1] }), 'Line 2 contains an invalid key.'],
    [text(header, { ...rows, details: [{}] }), 'Line 2 contains an invalid detail.'],
    [text(header, { at: 1, view: 1 }), 'Line 2 contains an invalid view.'],
    [text(header, { flow: {} }), 'Line 2 is a view without a time.'],
    [text(header, { dropped: 0 }), 'Line 2 counts no dropped line.'],
    [text(header, event(1), end(2)), 'Line 3 counts 2 events, not 1.'],
    [text(header, end(0, 1)), 'Line 2 counts 1 lost lines, not 0.'],
    [text(header, end(0), event(1)), 'Line 3 comes after the end.'],
  ]
  it.each(bad)('refuses %j', (recording, message) => {
    expect(readRecording(recording)).toEqual({ ok: false, error: message })
  })
})
