import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtModule } from '../../../test/built-module.ts'
import { parseText } from './kubernetes-text.ts'
import { ParserThread } from './parser-thread.ts'

let built: Awaited<ReturnType<typeof builtModule>>
let program: URL

beforeAll(async () => {
  built = await builtModule('parsing/parser-program.ts')
  program = pathToFileURL(built.path)
})

afterAll(() => {
  built.remove()
})

function manifest(annotations: number): string {
  const lines = Array.from({ length: annotations }, (_, index) => `    key-${index}: "${index}"`)
  return ['kind: Pod', 'metadata:', '  name: a', '  annotations:', ...lines].join('\n')
}

describe('ParserThread', () => {
  it('returns the same as parsing on the main thread', async () => {
    const { parse } = new ParserThread(program)
    const texts = ['a: 1', manifest(1000), `${manifest(1000)}\nkind: Pod\n`, '['.repeat(100_000)]
    const json = JSON.stringify({ kind: 'Pod', text: 'x'.repeat(10_000) })
    for (const text of [...texts, json, `${json}}`])
      expect(await parse(text)).toEqual(parseText(text))
  })

  it('does not block the event loop', async () => {
    const { parse } = new ParserThread(program)
    await parse(manifest(1000))
    let turns = 0
    let isDone = false
    const parsed = parse(manifest(20_000)).finally(() => {
      isDone = true
    })
    while (!isDone) {
      turns++
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await parsed).ok).toBe(true)
    expect(turns).toBeGreaterThan(100)
  })

  it('aborts a text at the deadline, reports it, and parses the next one on a new thread', async () => {
    const { parse } = new ParserThread(program, { deadlineMs: 1 })
    const [first, second] = await Promise.all([parse(manifest(40_000)), parse(manifest(40_001))])
    for (const one of [first, second])
      expect(one).toEqual({
        ok: false,
        error: {
          line: null,
          column: null,
          message:
            'This text is not read: parsing it takes longer than 0.001 s. Make it shorter or simpler.',
          isGivenUp: true,
        },
      })
    expect(await parse('a: 1')).toMatchObject({ ok: true, value: { value: { a: 1 } } })
  })

  it('excludes the start of the thread and a busy main thread from the deadline', async () => {
    const { parse } = new ParserThread(program, { deadlineMs: 500 })
    const busy = (ms: number): void => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    }
    const starting = parse(manifest(300))
    busy(1500)
    expect(await starting).toEqual(parseText(manifest(300)))
    // Timers come next after an immediate: the deadline is found passed while the answer waits to be taken.
    const parsed = [parse(manifest(301)), parse(manifest(302))]
    for (let turn = 0; turn < 3; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      busy(700)
    }
    expect(await Promise.all(parsed)).toEqual([parseText(manifest(301)), parseText(manifest(302))])
  })

  it('ignores a late result of an aborted text', async () => {
    const { parse } = new ParserThread(program, { deadlineMs: 20 })
    const parsed = await Promise.all([parse(manifest(40_000)), parse(manifest(300))])
    expect(parsed[0]).toMatchObject({ ok: false })
    const own = parseText(manifest(300))
    expect(parsed[1].ok ? parsed[1] : own).toEqual(own)
  })

  it('refuses the text whose thread ends, and continues with the next one', async () => {
    const { parse } = new ParserThread(new URL('file:///no/such/parser.mjs'))
    for (const text of [manifest(1000), manifest(1001)]) {
      const parsed = await parse(text)
      expect(parsed.ok ? '' : parsed.error.message).toContain('parsing it failed')
    }
  })
})
