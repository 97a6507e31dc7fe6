import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog, fileSink, terminalSink } from './program-log.ts'

const now = () => Date.UTC(2026, 0, 2, 3, 4, 5, 6)

describe('createLog', () => {
  it('writes a constant message and its fields on one line', () => {
    const lines: string[] = []
    const log = createLog({ sinks: [(_level, line) => lines.push(line)], now })
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    log.info('pod synced', { podUid: 'a-1', durationMs: 12, phase: 'Running', none: undefined })
    log.warn('odd', { text: 'two words\nand a line', cycle, big: 1n })
    log.error('plain')
    log.debug('dropped')
    expect(lines).toEqual([
      '2026-01-02T03:04:05.006Z INFO  pod synced podUid=a-1 durationMs=12 phase=Running none=undefined',
      '2026-01-02T03:04:05.006Z WARN  odd text="two words\\nand a line" cycle="(not JSON)" big="(not JSON)"',
      '2026-01-02T03:04:05.006Z ERROR plain',
    ])
  })

  it('writes the message and the stack of an error', () => {
    const lines: string[] = []
    const log = createLog({ sinks: [(_level, line) => lines.push(line)], now })
    const bare = new Error('no stack here')
    Object.defineProperty(bare, 'stack', { value: undefined })
    log.error('sync of a pod threw', { error: new TypeError('name of undefined'), bare })
    expect(lines[0]).toContain('error="TypeError: name of undefined\\n    at ')
    expect(lines[0]).toContain('program-log.test.ts')
    expect(lines[0]).toContain('bare="Error: no stack here"')
  })

  it('shortens long values of any type', () => {
    const lines: string[] = []
    const log = createLog({ sinks: [(_level, line) => lines.push(line)], now })
    const long = 'x'.repeat(5_000_000)
    log.warn('manifest rejected', { message: long, list: [long], error: new Error(long) })
    expect(lines[0]?.length).toBeLessThan(6_300)
    expect(lines[0]).toContain('… (4998000 more characters)" list=')
  })

  it('writes no control characters or line breaks of an error to the terminal', () => {
    let shown = ''
    const log = createLog({
      sinks: [terminalSink({ write: (text: string) => (shown += text) })],
      now: () => 0,
    })
    log.error('failed', { object: { name: 'a\u009b2K\u202eb' }, reason: 'x\ny' })
    expect(shown).toBe(
      '1970-01-01T00:00:00.000Z ERROR failed object={"name":"a�2K�b"} reason="x\\ny"\n',
    )
  })

  it('writes only errors to the terminal', () => {
    let shown = ''
    const log = createLog({
      sinks: [terminalSink({ write: (text: string) => (shown += text) })],
      now: () => 0,
    })
    log.info('quiet')
    log.warn('a little')
    log.error('loud')
    expect(shown).toBe('1970-01-01T00:00:00.000Z ERROR loud\n')
  })
})

describe('fileSink', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'program-log-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('keeps two bounded files across runs, the older one as .1', () => {
    const path = join(folder, 'log')
    const first = fileSink(path, 10)
    first('info', '123456')
    const second = fileSink(path, 10)
    second('info', 'abcdef')
    second('info', 'ABCDEF')
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('123456\nabcdef\n')
    expect(readFileSync(path, 'utf8')).toBe('ABCDEF\n')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('stops writing silently if the file cannot be written', () => {
    const sink = fileSink(join(folder, 'none', 'log'))
    sink('error', 'x')
    sink('error', 'y')
    expect(() => statSync(join(folder, 'none'))).toThrow('ENOENT')
  })
})
