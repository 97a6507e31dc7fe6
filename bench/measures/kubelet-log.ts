// A real kubelet's log, repeated with other pods and later times, read as `log.open` reads it, with its Flow and Events: how fast, how soon there is a
// first picture, and what memory is left. The argument is the size of each log in MB.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { systemClock } from '../../src/main/clock/system-clock.ts'
import { OpenLogs } from '../../src/main/inspector/kubelet-log/open-logs.ts'
import { LogSession } from '../../src/main/session/logs/log-session.ts'
import { writeGrownLog } from '../../test/kubelet-log/grown-log.ts'
import { quietLog, report } from './quiet.ts'

const megabytes = Number(process.argv[2] ?? 1000)
const folder = await mkdtemp(join(tmpdir(), 'nodescope-bench-'))

interface Read {
  /** Of this process while it reads; other processes do not change it. */
  readonly cpuSeconds: number
  readonly rssMb: number
  readonly mbPerSecond: number
  readonly firstPictureMs: number
  readonly searchMs: number
  readonly viewMs: number
}

async function read(path: string, bytes: number): Promise<Read> {
  const logs = new OpenLogs({ folder, clock: systemClock, log: quietLog })
  const sessions: LogSession[] = []
  logs.listen({
    begun: (log) => sessions.push(new LogSession(log)),
    opened: () => undefined,
    read: () => undefined,
    closed: () => undefined,
  })
  globalThis.gc?.()
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  const opened = await logs.openFiles([path])
  if (!opened.ok) throw new Error(opened.error.message)
  const log = logs.get(opened.value.id)
  if (log === undefined || log.view(null, 200).pods.length === 0) throw new Error('no pods')
  const firstPictureMs = performance.now() - started
  await log.whenRead
  const readMs = performance.now() - started
  const cpu = process.cpuUsage(cpuBefore)
  const rssMb = process.memoryUsage.rss() / 1e6
  const facts = log.facts()
  if (facts.problem !== '' || facts.understood !== facts.lines) throw new Error(facts.problem)
  const viewed = performance.now()
  log.view(null, 200)
  const searched = performance.now()
  let next: number | null = 1
  while (next !== null) ({ next } = await log.search('a text that is nowhere', next))
  const done = performance.now()
  await logs.close(opened.value.id)
  return {
    mbPerSecond: bytes / 1000 / readMs,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    rssMb,
    firstPictureMs,
    viewMs: searched - viewed,
    searchMs: done - searched,
  }
}

try {
  const [plain4, plain2, zipped] = ['v4.log', 'v2.log', 'v4.log.gz'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  await writeGrownLog(plain4, 4, megabytes * 1e6)
  await writeGrownLog(plain2, 2, megabytes * 1e6)
  await pipeline(createReadStream(plain4), createGzip({ level: 1 }), createWriteStream(zipped))
  globalThis.gc?.()
  const { size } = await stat(plain4)
  const at4 = await read(plain4, size)
  const compressed = await read(zipped, size)
  const at2 = await read(plain2, (await stat(plain2)).size)
  report({
    level4: at4.mbPerSecond,
    level2: at2.mbPerSecond,
    gzip: compressed.mbPerSecond,
    firstPictureMs: at4.firstPictureMs,
    viewMs: at4.viewMs,
    searchMs: at4.searchMs,
    level4Cpu: at4.cpuSeconds,
    level2Cpu: at2.cpuSeconds,
    level4Rss: at4.rssMb,
    level2Rss: at2.rssMb,
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}
