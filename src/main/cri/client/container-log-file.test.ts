import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { err, ok } from '../../../shared/result.ts'
import { podLogOptions } from '../../../shared/kubernetes/pod-log-options.ts'
import type { RuntimeContainerStatus } from '../../kubelet/ports.ts'
import { readLogs } from '../../kubelet/server/read-logs.ts'
import { containerLogFiles } from './container-log-file.ts'

let folder = ''
let path = ''
let state: RuntimeContainerStatus['state'] = 'exited'

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-log-file-'))
  path = join(folder, '0.log')
  state = 'exited'
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const openLog = containerLogFiles({
  containerStatus: (id) =>
    Promise.resolve(
      id === 'c'
        ? ok({ state, logPath: path } as RuntimeContainerStatus)
        : err({ kind: 'not-found', message: 'none' }),
    ),
})

const second = (index: number): string =>
  `2026-11-24T10:00:${String(index).padStart(2, '0')}.000000000Z`
const line = (index: number, text: string, tag = 'F'): string =>
  `${second(index)} stdout ${tag} ${text}\n`

async function* printed(query: Record<string, string> = {}): AsyncGenerator<string> {
  const options = podLogOptions(query)
  if (!options.ok) throw new Error('options')
  const cursor = await openLog('c', options.value.tailLines ?? Infinity)
  if (cursor === undefined) throw new Error('no log')
  yield* readLogs(cursor, options.value, Date.parse(second(30)))
}

async function whole(query: Record<string, string> = {}): Promise<string> {
  let text = ''
  for await (const chunk of printed(query)) text += chunk
  return text
}

describe('the log file of a container', () => {
  it('is read whole, and its last lines', async () => {
    await writeFile(path, line(1, 'one') + line(2, 'tw', 'P') + line(2, 'o') + line(3, 'three'))
    expect(await whole()).toBe('one\ntwo\nthree\n')
    expect(await whole({ tailLines: '1' })).toBe('three\n')
    expect(await whole({ tailLines: '0' })).toBe('')
    expect(await whole({ tailLines: '99' })).toBe('one\ntwo\nthree\n')
    expect(await whole({ timestamps: 'true', tailLines: '1' })).toBe(`${second(3)} three\n`)
    expect(await whole({ sinceTime: second(3) })).toBe('three\n')
    expect(await whole({ limitBytes: '5' })).toBe('one\nt')
  })

  it('is read beyond a buffer, without what is no line of it', async () => {
    const long = 'x'.repeat(10_000)
    const lines = Array.from({ length: 300 }, (_, index) => line(index % 60, `${index} ${long}`))
    await writeFile(path, `no line\n${lines.join('')}${line(1, 'unfinished').slice(0, -1)}`)
    const text = await whole()
    expect(text.split('\n')).toHaveLength(301)
    expect(text).toContain('\n299 x')
    expect((await whole({ tailLines: '150' })).startsWith('151 x')).toBe(false)
    expect(await whole({ tailLines: '200' })).toMatch(/^1\d\d x/)
    await writeFile(path, `${'y'.repeat(3 * 1024 * 1024)}\n${line(1, 'after')}`)
    expect(await whole()).toBe('after\n')
  })

  it('has bytes that are not UTF-8, other zones and nanoseconds', async () => {
    const time = '2026-11-24T11:00:01.123456+01:00'
    await writeFile(
      path,
      Buffer.concat([Buffer.from(`${time} stderr F a`), Buffer.from([0xff, 0x0a])]),
    )
    const cursor = await openLog('c', Infinity)
    const [read] = (await cursor?.read()) ?? []
    expect(read).toMatchObject({ stream: 'stderr', text: 'a\udcff' })
    expect(read?.at).toBeCloseTo(Date.parse(second(1)) + 123.456, 2)
    cursor?.close()
  })

  it('is followed, over a new file, until its container has ended', async () => {
    state = 'running'
    await writeFile(path, line(1, 'one'))
    const lines = printed({ follow: 'true' })
    expect((await lines.next()).value).toBe('one\n')
    await appendFile(path, line(2, 'two').slice(0, -1))
    const next = lines.next()
    setTimeout(() => void appendFile(path, '\n'), 300)
    expect((await next).value).toBe('two\n')
    await rename(path, join(folder, '0.log.1'))
    await writeFile(path, line(3, 'three'))
    expect((await lines.next()).value).toBe('three\n')
    state = 'exited'
    expect((await lines.next()).done).toBe(true)
  })

  it('ends when its reader goes', async () => {
    state = 'running'
    await writeFile(path, '')
    const cursor = await openLog('c', Infinity)
    const more = cursor?.more()
    cursor?.close()
    expect(await more).toBe(false)
    expect(await cursor?.read()).toEqual([])
  })

  it('is not there for an unknown container or without its file', async () => {
    expect(await openLog('other', 1)).toBeUndefined()
    expect(await openLog('c', 1)).toBeUndefined()
  })
})
