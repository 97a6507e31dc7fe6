import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock/system-clock.ts'
import { lifeAtLevel4 } from '../../inspector/kubelet-log/fake-kubelet-log.ts'
import { OpenLogs } from '../../inspector/kubelet-log/open-logs.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { logCluster, LogSession } from './log-session.ts'

let folder: string
let logs: OpenLogs
let session: LogSession | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nodescope-log-session-'))
  logs = new OpenLogs({ folder, clock: systemClock, log: new FakeLog() })
  session = undefined
  logs.listen({
    opened: (log) => {
      session = new LogSession(log)
    },
    read: () => session?.refresh(),
    closed: () => {
      session = undefined
    },
  })
})

afterEach(async () => {
  await logs.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function open(lines: readonly string[]): Promise<LogSession> {
  const path = join(folder, 'kubelet.log')
  writeFileSync(path, `${lines.join('\n')}\n`)
  const opened = await logs.openFiles([path])
  if (!opened.ok || session === undefined) throw new Error('not opened')
  return session
}

describe('a log of a kubelet as a cluster', () => {
  it('has the rows, the timeline and the histories that every cluster has, under the same keys', async () => {
    const source = await open(lifeAtLevel4())
    const [row] = source.rows()
    expect(row).toMatchObject({ cluster: 'log-1', worker: 'finished', status: '' })
    const { pods, records } = source.timeline({
      node: null,
      from: null,
      to: null,
      width: 100,
      filter: row?.name ?? '',
    })
    expect(records).toBe('line')
    expect(pods.map(({ id }) => id)).toEqual([row?.key])
    const trace = source.detail(row?.key ?? '')?.trace ?? []
    expect(trace.some(({ kind }) => kind === 'worker.observed')).toBe(true)
    expect(trace.some(({ kind }) => kind === 'log.entry')).toBe(true)
  })

  it('refuses every act with a sentence', async () => {
    const cluster = logCluster(await open(lifeAtLevel4()))
    expect(cluster.commands.kill('log-1/kubelet/1', null)).toMatchObject({
      ok: false,
      error: { kind: 'read-only' },
    })
  })
})

describe('a file that is not the log of a kubelet', () => {
  it('is refused with a sentence that says what was looked for, and is not kept open', async () => {
    const path = join(folder, 'notes.txt')
    writeFileSync(path, 'dear diary\ntoday nothing happened\n')
    expect(await logs.openFiles([path])).toEqual({
      ok: false,
      error: {
        kind: 'failed',
        message:
          'notes.txt is not the log of a kubelet: none of its 2 lines is an entry in klog’s text, in JSON, or in the output of journalctl. Choose the output of journalctl --unit=kubelet, or the file that the kubelet writes to.',
      },
    })
    expect(logs.list()).toEqual([])
  })
})
