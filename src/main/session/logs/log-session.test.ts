import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock/system-clock.ts'
import { entryText, lifeAtLevel4, uid } from '../../inspector/kubelet-log/fake-kubelet-log.ts'
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
    begun: (log) => {
      session = new LogSession(log)
    },
    opened: () => session?.refresh(),
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

  it('is labeled with the node that the log names', async () => {
    const named = { message: 'Successfully registered node', values: 'node="worker-3"' }
    const session = await open([entryText(named), ...lifeAtLevel4()])
    expect(session.view().label).toBe('worker-3, kubelet.log')
  })

  it('refuses every act with a sentence', async () => {
    const cluster = logCluster(await open(lifeAtLevel4()))
    expect(cluster.commands.kill('log-1/kubelet/1', null)).toMatchObject({
      ok: false,
      error: { kind: 'read-only' },
    })
  })
})

const level = (v: number): string =>
  entryText({ file: 'flags.go:64', message: 'x' }).replace('"x"', `FLAG: --v="${v}"`)

describe('the flow of a log', () => {
  const flowOf = async (lines: readonly string[]) => {
    const view = (await open(lines)).flow('kubelet')
    if (view === undefined) throw new Error('it has a flow')
    return {
      view,
      arrow: (id: string): string => {
        const found = view.arrows.find(({ arrow }) => arrow === id)
        return `${found?.sight} ${found?.total} ${found?.last?.text ?? '-'}`
      },
    }
  }

  it('has what moved along each arrow, with the line that says so', async () => {
    const { view, arrow } = await flowOf([level(4), ...lifeAtLevel4()])
    expect(arrow('podConfig-syncLoop')).toBe('inferred 2 DELETE')
    expect(arrow('api-podConfig')).toBe('inferred 2 DELETE')
    expect(arrow('apiServer-api')).toBe('inferred 2 DELETE')
    expect(arrow('file-podConfig')).toBe('inferred 0 -')
    expect(arrow('pleg-syncLoop')).toBe('inferred 1 ContainerStarted')
    expect(arrow('podWorkers-runtime-start')).toBe('inferred 1 ContainerStarted')
    expect(arrow('podWorkers-runtime-stop')).toBe('inferred 1 StopContainer')
    expect(arrow('syncLoop-podWorkers')).toBe('inferred 2 TerminatingPod')
    expect(arrow('podWorkers-podWorkers')).toBe('inferred 1 forgotten')
    expect(arrow('syncLoop-podManager')).toBe('notKnown 0 -')
    expect(view.workers.forgotten).toBe(1)
    expect(view.recent.find(({ arrow: id }) => id === 'podConfig-syncLoop')).toMatchObject({
      seq: 7,
      podName: 'cart',
      certainty: 'certain',
      evidence: 'line 7: SyncLoop DELETE',
    })
    expect(view).toMatchObject({ api: null, roots: null, syncLoop: null, pleg: null })
  })

  it('counts an event of the kubelet only where no entry tells the same move', async () => {
    const event = (reason: string): string =>
      entryText({
        at: '10:00:20.000000',
        message: 'Event occurred',
        values: `object="shop/cart" fieldPath="" kind="Pod" apiVersion="v1" type="Normal" reason="${reason}" message="m"`,
      })
    const { view, arrow } = await flowOf([
      level(4),
      ...lifeAtLevel4(),
      event('Pulling'),
      event('Killing'),
    ])
    expect(arrow('imageManager-runtime')).toBe('inferred 1 Pulling')
    expect(view.recent[0]).toMatchObject({ text: 'Pulling', evidence: 'line 13' })
    expect(arrow('podWorkers-runtime-stop')).toBe('inferred 1 StopContainer')
  })

  it('says of which arrows a log of its level tells nothing', async () => {
    const usual = lifeAtLevel4().filter((line) => /SyncLoop|Killing/.test(line))
    const { view, arrow } = await flowOf([level(2), ...usual])
    expect(arrow('podConfig-syncLoop')).toBe('inferred 2 DELETE')
    expect(arrow('syncLoop-podWorkers')).toBe('inferred 2 TerminatingPod')
    expect(arrow('statusManager-apiServer')).toBe('notKnown 0 -')
    expect(arrow('imageManager-runtime')).toBe('notKnown 0 -')
    expect(arrow('podWorkers-podWorkers')).toBe('notKnown 0 -')
    expect(view.workers.forgotten).toBeNull()
  })

  it('is that of its kubelet only', async () => {
    expect((await open(lifeAtLevel4())).flow('another')).toBeUndefined()
  })
})

describe('the events of a log', () => {
  const all = { node: null, namespace: '', filter: '', onlyWarnings: false, skip: 0 }
  const event = (at: string, part: { reason: string; about?: string; type?: string }): string => {
    const { reason, about = 'object="shop/cart" kind="Pod"', type = 'Normal' } = part
    const values = `${about} fieldPath="spec.containers{c}" apiVersion="v1" type="${type}" reason="${reason}" message="says \\"it\\""`
    return entryText({ at: `10:00:${at}.000000`, message: 'Event occurred', values })
  }

  it('are listed with their object and count, also those of the node and of pods without a worker', async () => {
    const source = await open([
      level(3),
      ...lifeAtLevel4().slice(0, 5),
      event('20', { reason: 'BackOff', type: 'Warning' }),
      event('25', { reason: 'BackOff', type: 'Warning' }),
      event('26', { reason: 'Started', about: 'object="shop/other" kind="Pod"' }),
      event('27', { reason: 'NodeReady', about: 'object="worker-3" kind="Node"' }),
    ])
    const { events, note } = source.events(all)
    expect(note).toBe('')
    expect(
      events.map(({ kind, namespace, name, type, reason, count }) =>
        [kind, namespace, name, type, reason, count].join(' '),
      ),
    ).toEqual([
      'Node  worker-3 Normal NodeReady 1',
      'Pod shop other Normal Started 1',
      'Pod shop cart Warning BackOff 2',
    ])
    expect(events[2]).toMatchObject({
      source: 'kubelet',
      node: '',
      message: 'says "it"',
      about: uid,
      lastAt: source.now() - 2000,
    })
    const { queries } = logCluster(source)
    const [row] = source.rows()
    expect(await queries.events(row?.key ?? '')).toMatchObject({
      events: [{ reason: 'BackOff', count: 2, fieldPath: 'spec.containers{c}' }],
    })
  })

  it('are said to be missing at a level that has none', async () => {
    const source = await open([level(2), ...lifeAtLevel4()])
    expect(source.events(all)).toMatchObject({
      events: [],
      note: 'A kubelet logs its events from -v=3 on; this log is at -v=2.',
    })
  })
})

describe('a row of a log', () => {
  const written = (status: object): string =>
    entryText({
      at: '10:00:04.500000',
      message: 'Status for pod updated successfully',
      values: `pod="shop/cart" statusVersion=1 status=${JSON.stringify(status)}`,
    })
  const containerStatuses = [
    { name: 'c', ready: true, restartCount: 2, state: { running: {} }, lastState: {} },
  ]
  const running = written({ phase: 'Running', containerStatuses })

  it('has STATUS, READY and RESTARTS of the last written status', async () => {
    const source = await open([...lifeAtLevel4().slice(0, 5), running])
    expect(source.rows()[0]).toMatchObject({
      status: 'Running',
      readyContainers: 1,
      totalContainers: 1,
      restarts: 2,
      createdAt: null,
      bricks: [{ name: 'c', state: 'running' }],
    })
    expect(source.rows()[0]?.isStatusUnknown).toBeUndefined()
  })

  it('is Terminating after its DELETE, and not known where no status was written', async () => {
    const life = lifeAtLevel4()
    const ended = await open([...life.slice(0, 5), running, ...life.slice(5, 7)])
    expect(ended.rows()[0]?.status).toBe('Terminating')
    const removed = entryText({
      at: '10:00:20.000000',
      message: 'SyncLoop REMOVE',
      values: 'source="api" pods=["shop/cart"]',
    })
    const gone = await open([...life.slice(0, 5), running, ...life.slice(5, 7), removed])
    expect(gone.rows()[0]?.statusAside).toEqual({ from: 'api', word: 'gone' })
    const usual = await open(life)
    expect(usual.rows()[0]).toMatchObject({ isStatusUnknown: true, status: '', restarts: 0 })
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
