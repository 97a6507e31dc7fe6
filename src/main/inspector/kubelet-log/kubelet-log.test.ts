import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock/system-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { entryText, lifeAtLevel4, podValues } from './fake-kubelet-log.ts'
import { OpenLogs } from './open-logs.ts'

let folder: string
let logs: OpenLogs

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nodescope-log-test-'))
  logs = new OpenLogs({ folder, clock: systemClock, log: new FakeLog() })
})

afterEach(async () => {
  await logs.stop()
  rmSync(folder, { recursive: true, force: true })
})

function put(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const life = lifeAtLevel4()
const older = life.slice(0, 4).join('\n')
const newer = `${life.slice(4).join('\n')}\n`

async function open(...paths: readonly string[]): Promise<string> {
  const opened = await logs.openFiles(paths)
  if (!opened.ok) throw new Error(opened.error.message)
  await logs.get(opened.value.id)?.whenRead
  return opened.value.id
}

function statesOf(id: string): readonly string[] {
  return (logs.get(id)?.view(null, 0).pods ?? []).flatMap(({ segments }) =>
    segments.map(({ state }) => state),
  )
}

const whole = ['waiting', 'sync', 'terminating', 'terminated', 'finished']

async function linesOf(
  id: string,
  query: { from: number; count?: number; pod?: string | null; isBack?: boolean },
): Promise<readonly number[]> {
  const found = await logs.get(id)?.lines({ count: 100, pod: null, isBack: false, ...query })
  return found?.lines.map(({ line }) => line) ?? []
}

function utf16(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, 'utf16le')
}

describe('files of a log', () => {
  it('are read in the order of their times, also compressed ones, and an older part may lack its last newline', async () => {
    const id = await open(put('kubelet.log', newer), put('kubelet.log.1.gz', gzipSync(older)))
    expect(statesOf(id)).toEqual(whole)
    expect(logs.get(id)?.facts()).toMatchObject({
      parts: [
        { name: 'kubelet.log.1.gz', firstLine: 1 },
        { name: 'kubelet.log', firstLine: 5 },
      ],
      lines: 11,
      understood: 11,
      isRead: true,
      problem: '',
    })
    expect(await linesOf(id, { from: 4, count: 2 })).toEqual([4, 5])
    const lines = await logs.get(id)?.lines({ from: 5, count: 1, pod: null, isBack: false })
    expect(lines?.lines[0]).toMatchObject({
      file: 'kubelet.go:2515',
      severity: 'I',
      message: 'SyncLoop (PLEG): event for pod',
    })
  })

  it('are read as PowerShell writes them, in UTF-16', async () => {
    const id = await open(put('old.log', older), put('new.log', utf16(newer)))
    expect(statesOf(id)).toEqual(whole)
    expect(logs.get(id)?.facts()).toMatchObject({ lines: 11, understood: 11, problem: '' })
    expect(await linesOf(id, { from: 10 })).toEqual([10, 11])
  })

  it('are read as far as a damaged compressed part goes, and the log says so', async () => {
    const zipped = gzipSync(`${life.join('\n')}\n`.repeat(500))
    const id = await open(put('cut.gz', zipped.subarray(0, zipped.length - 200)))
    const facts = logs.get(id)?.facts()
    expect(facts?.problem).toMatch(/^cut\.gz cannot be read further: /)
    expect(facts?.lines).toBeGreaterThan(0)
  })

  it.each([
    ['missing', 'it does not exist'],
    ['.', 'it is not a regular file'],
  ])('that cannot be read are refused: %s', async (name, why) => {
    const path = join(folder, name)
    expect(await logs.openFiles([path])).toEqual({
      ok: false,
      error: { kind: 'failed', message: `The log ${path} cannot be read: ${why}.` },
    })
  })

  it('leave nothing on the disk', async () => {
    const id = await open(put('a.gz', gzipSync(older)))
    await logs.close(id)
    expect(readdirSync(folder)).toEqual(['a.gz'])
  })

  it('are followed when they grow, and when another file takes their place', async () => {
    const path = put('kubelet.log', `${older}\n`)
    const id = await open(path)
    expect(logs.follow(id, true).ok).toBe(true)
    appendFileSync(path, `${life.slice(4, 9).join('\n')}\n`)
    await expect.poll(() => logs.get(id)?.facts().lines).toBe(9)
    renameSync(path, join(folder, 'kubelet.log.1'))
    const problem = (): string | undefined => logs.get(id)?.facts().problem
    await expect.poll(problem).toBe('kubelet.log cannot be read further: it does not exist.')
    put('kubelet.log', `${life.slice(9).join('\n')}\n`)
    await expect.poll(() => logs.get(id)?.facts().lines).toBe(11)
    await expect.poll(problem).toBe('')
    expect(statesOf(id)).toEqual(whole)
    expect(await linesOf(id, { from: 9 })).toEqual([9, 10, 11])
  })
})

describe('a log that comes in pieces', () => {
  it.each([
    ['text', Buffer.from(`${life.join('\n')}\n`)],
    ['compressed', gzipSync(`${life.join('\n')}\n`)],
    ['in UTF-16', utf16(`${life.join('\r\n')}\r\n`)],
  ])('from a page is read like a file: %s', async (_what, bytes) => {
    const half = Math.floor(bytes.length / 2)
    const piece = { name: 'dropped.log', writtenAt: Date.now() }
    const first = await logs.upload({
      ...piece,
      id: null,
      data: bytes.subarray(0, half),
      ends: 'nothing',
    })
    const id = first.ok ? first.value.id : ''
    const last = await logs.upload({ ...piece, id, data: bytes.subarray(half), ends: 'log' })
    expect(last).toMatchObject({ ok: true, value: { lines: 11, isRead: true } })
    expect(statesOf(id)).toEqual(whole)
    expect(await linesOf(id, { from: 10 })).toEqual([10, 11])
  })

  it('from a page may have several files', async () => {
    const writtenAt = Date.now()
    const first = await logs.upload({
      id: null,
      name: 'old.gz',
      writtenAt,
      data: gzipSync(older),
      ends: 'part',
    })
    const id = first.ok ? first.value.id : ''
    await logs.upload({ id, name: 'new', writtenAt, data: Buffer.from(newer), ends: 'log' })
    expect(statesOf(id)).toEqual(whole)
    expect(
      logs
        .get(id)
        ?.facts()
        .parts.map(({ name }) => name),
    ).toEqual(['old.gz', 'new'])
  })

  it('from standard input is read to its end', async () => {
    const opened = await logs.openStream(
      'standard input',
      Readable.from([Buffer.from(`${older}\n`), Buffer.from(newer)]),
    )
    expect(opened).toMatchObject({ ok: true, value: { lines: 11, isRead: true } })
  })

  it('from a journal is followed until it is closed', async () => {
    const entries = life.map((MESSAGE) =>
      JSON.stringify({ __REALTIME_TIMESTAMP: '1795522661137000', MESSAGE }),
    )
    const script = `${entries.map((line) => `echo '${line}'`).join('\n')}\nsleep 60`
    const opened = await logs.openJournal(['sh', '-c', script])
    const id = opened.ok ? opened.value.id : ''
    await expect.poll(() => logs.get(id)?.facts().lines).toBe(11)
    expect(logs.get(id)?.facts()).toMatchObject({ format: 'journal-json', isRead: false })
    await logs.close(id)
    expect(logs.list()).toEqual([])
  })

  it('from a journal that cannot be had is refused', async () => {
    expect(await logs.openJournal(['/nowhere/journalctl'])).toMatchObject({
      ok: false,
      error: { kind: 'failed' },
    })
    expect(await logs.openJournal(['sh', '-c', 'echo no journal >&2; exit 1'])).toEqual({
      ok: false,
      error: { kind: 'failed', message: 'sh ended with code 1: no journal' },
    })
  })
})

describe('lines', () => {
  const other = entryText({ message: 'Something else', values: 'pod="shop/other"' })
  const filler = Array.from({ length: 700 }, () => other)
  const text = [...life.slice(0, 3), ...filler, ...life.slice(3), ''].join('\n')

  it('of a pod are found without those of others, forward and back', async () => {
    const id = await open(put('a.log', text))
    const pod = logs.get(id)?.view(null, 0).pods[0]?.id ?? null
    expect(await linesOf(id, { from: 1, pod })).toEqual([
      1, 2, 3, 704, 705, 706, 707, 708, 709, 710, 711,
    ])
    expect(await linesOf(id, { from: 705, count: 2, pod, isBack: true })).toEqual([3, 704])
    expect(await linesOf(id, { from: 300, count: 3 })).toEqual([300, 301, 302])
    const page = await logs.get(id)?.lines({ from: 1, count: 4, pod, isBack: false })
    expect([page?.next, page?.previous]).toEqual([705, null])
  })

  it('are found by text in any case, with a place to go on from', async () => {
    const id = await open(put('a.log', text))
    const hits = await logs.get(id)?.search('sOMETHING', 1)
    expect([hits?.hits.length, hits?.hits[0]?.line, hits?.next]).toEqual([200, 4, 204])
    const ends = await logs.get(id)?.search('no longer known', 1)
    expect([ends?.hits.map(({ line }) => line), ends?.next]).toEqual([[711], null])
    expect(podValues).toContain('shop/cart')
  })
})
