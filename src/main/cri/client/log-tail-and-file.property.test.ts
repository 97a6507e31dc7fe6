import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ok } from '../../../shared/result.ts'
import { podLogOptions } from '../../../shared/kubernetes/pod-log-options.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import type { ContainerLogCursor } from '../../kubelet/host/container-log-reader.ts'
import type { RuntimeContainerStatus } from '../../kubelet/ports.ts'
import { bytesOfText } from '../../files/byte-text.ts'
import { readLogs } from '../../kubelet/server/read-logs.ts'
import { LogTail } from '../../runtimes/simulated/log-tail.ts'
import { criLogFiles } from '../cri-log-file.ts'
import { containerLogFiles } from './container-log-file.ts'

// test/kube compares answers from log files with those of a real kubelet; here the log in memory is compared with the file.

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-logs-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const start = Date.UTC(2026, 10, 24)

/** What is answered for a log. */
async function answer(
  open: (count: number) => Promise<ContainerLogCursor | undefined>,
  query: Readonly<Record<string, string>>,
): Promise<Buffer> {
  const options = podLogOptions(query)
  if (!options.ok) throw new Error(options.error)
  const cursor = await open(options.value.tailLines ?? Infinity)
  if (cursor === undefined) throw new Error('no log')
  let text = ''
  for await (const chunk of readLogs(cursor, options.value, start + 60_000)) text += chunk
  return Buffer.from(bytesOfText(text))
}

function endsWith(whole: Buffer, end: Buffer): boolean {
  return whole.subarray(whole.length - end.length).equals(end)
}

/** The same output in memory and in a file; each is opened at its last lines. */
function logsOf(name: string, writes: readonly string[]) {
  const path = join(folder, name)
  const file = criLogFiles.open(path)
  if (!file.ok) throw new Error(file.error)
  const tail = new LogTail()
  for (const [index, text] of writes.entries()) {
    const stream = text.length % 2 === 0 ? 'stdout' : 'stderr'
    tail.write(stream, text, start + index)
    file.value.write(stream, text, start + index)
  }
  tail.close(start + writes.length)
  file.value.close(start + writes.length)
  const status = { state: 'exited', logPath: path } as RuntimeContainerStatus
  const files = containerLogFiles({ containerStatus: () => Promise.resolve(ok(status)) })
  return {
    inMemory: (query: Readonly<Record<string, string>>) =>
      answer((count) => Promise.resolve(tail.cursor(count, () => undefined)), query),
    inFile: (query: Readonly<Record<string, string>>) =>
      answer((count) => files('c', count), query),
  }
}

describe('the log in memory answers as a log file does', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))('seed %i', async (seed) => {
    const random = seededRandom(seed)
    const below = (limit: number): number => Math.floor(random.next() * limit)
    const lengths = [3, 80, 2000, 40_000]
    const writes = Array.from({ length: 1 + below(60) }, () => {
      const text = 'aü😀 '.repeat(below(lengths[below(lengths.length)] ?? 1) / 4)
      return below(3) === 0 ? text : `${text}\n`
    })
    const { inMemory, inFile } = logsOf(`${seed}.log`, writes)
    const whole = await inFile({})
    expect(endsWith(whole, await inMemory({}))).toBe(true)
    for (const query of [
      { tailLines: '0' },
      { tailLines: '1' },
      { tailLines: '2', timestamps: 'true' },
      { tailLines: '1', limitBytes: '7' },
    ])
      expect(await inMemory(query)).toEqual(await inFile(query))
    if (whole.length <= 16_384)
      for (const query of [{}, { timestamps: 'true' }, { sinceTime: '2026-11-24T00:00:00Z' }])
        expect(await inMemory(query)).toEqual(await inFile(query))
  })

  it('keeps at least the last 1,000 lines, or 16 KiB of long ones', async () => {
    const short = logsOf('short.log', ['a line\n'.repeat(10_000)])
    const lines = { tailLines: '1000' }
    expect(await short.inMemory(lines)).toEqual(await short.inFile(lines))
    const long = logsOf('long.log', [`${'x'.repeat(10 * 1024 * 1024)}the end\n`])
    const [kept, whole] = [await long.inMemory({}), await long.inFile({})]
    expect(kept.length).toBeGreaterThanOrEqual(16_384)
    expect(kept.length).toBeLessThanOrEqual(65_536)
    expect(endsWith(whole, kept)).toBe(true)
  })
})
