import { expect, it } from 'vitest'
import { err, ok } from '../../../shared/result.ts'
import type { TerminalListener } from '../../cri/streaming/terminal-stream.ts'
import { PageTerminals } from './page-terminals.ts'

const size = { columns: 80, rows: 24 }

/** A page whose timer a test fires. */
function setUp() {
  const sent: unknown[] = []
  const calls: string[] = []
  const due: (() => void)[] = []
  const listeners: TerminalListener[] = []
  const terminals = new PageTerminals({
    send: (name, payload) => sent.push([name, payload]),
    clock: {
      now: () => 0,
      after: (_, fire) => {
        due.push(fire)
        return () => due.splice(due.indexOf(fire), 1)
      },
    },
  })
  const open = (id: number) =>
    terminals.open(id, size, (listener) => {
      listeners.push(listener)
      return Promise.resolve(
        ok({
          write: (text) => calls.push(`${id} write ${text}`),
          resize: ({ columns, rows }) => calls.push(`${id} resize ${columns}x${rows}`),
          close: () => calls.push(`${id} close`),
        }),
      )
    })
  const fire = (): void => {
    for (const each of due.splice(0)) each()
  }
  return { terminals, sent, calls, listeners, open, fire, due }
}

it('sends the output in batches, the rest before the end, and nothing after it', async () => {
  const { terminals, sent, calls, listeners, open, fire } = setUp()
  expect(await open(1)).toEqual(ok(null))
  listeners[0]?.printed('a')
  listeners[0]?.printed('b')
  expect(sent).toEqual([])
  fire()
  expect(sent.splice(0)).toEqual([['terminal.printed', { id: 1, text: 'ab', dropped: 0 }]])
  terminals.write(1, 'x')
  terminals.resize(1, { columns: 90, rows: 30 })
  listeners[0]?.printed('c')
  listeners[0]?.ended({ exitCode: 0, message: '' })
  expect(sent.splice(0)).toEqual([
    ['terminal.printed', { id: 1, text: 'c', dropped: 0 }],
    ['terminal.ended', { id: 1, exitCode: 0, message: '' }],
  ])
  listeners[0]?.printed('late')
  fire()
  terminals.write(1, 'late')
  terminals.close(1)
  expect(sent).toEqual([])
  expect(calls).toEqual(['1 resize 80x24', '1 write x', '1 resize 90x30'])
})

it('keeps what is typed, and the last size, until the terminal is open', async () => {
  const { terminals, calls, open } = setUp()
  const opening = open(1)
  terminals.write(1, 'e')
  terminals.resize(1, { columns: 90, rows: 30 })
  terminals.write(1, 'cho')
  terminals.write(1, 'y'.repeat(70_000))
  expect(calls).toEqual([])
  await opening
  terminals.write(1, ' x')
  expect(calls).toEqual(['1 resize 90x30', '1 write echo', '1 write  x'])
})

it('drops what a fast command prints too much, and counts it', async () => {
  const { sent, listeners, open, fire } = setUp()
  await open(1)
  for (let count = 0; count < 3; count++) listeners[0]?.printed('y'.repeat(100_000))
  fire()
  expect(sent).toEqual([
    ['terminal.printed', { id: 1, text: 'y'.repeat(131_072), dropped: 300_000 - 131_072 }],
  ])
})

it('closes all terminals of a page that is gone', async () => {
  const { terminals, sent, calls, listeners, open, fire, due } = setUp()
  await open(1)
  await open(2)
  listeners[0]?.printed('never seen')
  terminals.closeAll()
  expect(calls.slice(2)).toEqual(['1 close', '2 close'])
  expect(due).toEqual([])
  fire()
  expect(sent).toEqual([])
})

it('closes a stream that opens after the page has closed its terminal', async () => {
  const { terminals } = setUp()
  let isClosed = false
  const opening = terminals.open(1, size, () =>
    Promise.resolve(
      ok({
        write: () => undefined,
        resize: () => undefined,
        close: () => {
          isClosed = true
        },
      }),
    ),
  )
  terminals.close(1)
  await opening
  expect(isClosed).toBe(true)
})

it('refuses a number twice, and more than 16 terminals; a refused one counts no longer', async () => {
  const { terminals, open } = setUp()
  const failed = () =>
    Promise.resolve(err({ kind: 'failed', message: 'The runtime is gone.' } as const))
  expect(await terminals.open(1, size, failed)).toMatchObject({
    error: { message: 'The runtime is gone.' },
  })
  for (let id = 1; id <= 16; id++) expect(await open(id)).toEqual(ok(null))
  expect(await open(1)).toMatchObject({ error: { kind: 'refused' } })
  expect(await open(17)).toMatchObject({
    error: { message: 'This page has 16 terminals open. End one of them first.' },
  })
})
