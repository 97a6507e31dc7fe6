import { describe, expect, it } from 'vitest'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { TraceInput } from '../../shared/model/trace-event.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { fakePod } from '../kubelet/pod/fake-pod.ts'
import { ClusterTrace } from '../kubelet/trace.ts'
import { ClusterRecorder } from './cluster-recorder.ts'
import { FakeRecordingFile } from './fake-recording-file.ts'
import { readRecording } from './read-recording.ts'
import type { Recording } from './read-recording.ts'

const header = {
  version: '1.2.3',
  startedAt: '2026-01-01T00:00:00.000Z',
  cluster: 'c',
  server: 'https://127.0.0.1:1',
  nodes: ['n1'],
  clock: { virtual: true, startAt: 1000 },
  seed: 7,
}

function row(key: string, status: string): PodRow {
  return {
    key,
    cluster: 'c',
    node: 'n1',
    uid: key.split('/').at(-1) ?? '',
    namespace: 'default',
    name: 'web',
    readyContainers: 0,
    totalContainers: 1,
    status,
    statusAside: null,
    tone: 'plain',
    restarts: 0,
    lastRestartAt: null,
    createdAt: null,
    owner: null,
    source: 'api',
    kind: 'regular',
    worker: 'SyncPod',
    workerReason: '',
    grace: null,
    mirror: null,
    mirrorUid: null,
    mirrorReason: '',
    notSimulated: 0,
    heldBy: [],
    labels: {},
    fields: {},
    bricks: [],
  }
}

const clusterView: ClusterView = {
  id: 'c',
  kind: 'sandbox',
  label: 'c',
  server: 'https://127.0.0.1:1',
  connection: { kind: 'connected' },
  clock: { now: 0, virtual: true, paused: false, speed: 1, achieved: null },
  nodes: [],
  loops: [],
  exportLine: '',
  manifestsPath: '',
  isPageJoined: false,
  isCutOff: null,
  scenario: null,
  seen: null,
  recording: null,
  recorder: null,
}

const tick: TraceInput = {
  kind: 'loop.sync',
  subject: { kind: 'node' },
  causes: [],
  data: { pods: 1 },
}

class Stage {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 1000 })
  readonly trace = new ClusterTrace({
    cluster: 'c',
    clock: this.clock,
    onError: (error) => {
      throw error
    },
  })
  readonly log = new FakeLog()
  readonly file = new FakeRecordingFile()
  readonly rows = new Map<string, PodRow>()
  readonly pods = new Map<string, Pod>()
  readonly recorder: ClusterRecorder
  #listener: ((key: string) => void) | undefined

  constructor(maxWaiting?: number) {
    this.recorder = new ClusterRecorder({
      file: this.file,
      trace: this.trace,
      clock: this.clock,
      log: this.log,
      wallNow: () => 0,
      ...(maxWaiting === undefined ? {} : { maxWaiting }),
    })
  }

  begin(): Promise<void> {
    return this.recorder.begin(header, {
      rows: () => [...this.rows.values()],
      row: (key) => this.rows.get(key),
      detail: () => undefined,
      view: () => clusterView,
      flow: () => undefined,
      inspection: () => undefined,
      workloads: () => undefined,
      onChange: (listener) => {
        this.#listener = (key) => {
          listener({ kind: 'row', key })
        }
        return () => {
          this.#listener = undefined
        }
      },
      pod: (_node, uid) => this.pods.get(uid),
    })
  }

  emit(input: TraceInput = tick): void {
    this.trace.emit('n1', input)
  }

  set(key: string, status: string | undefined): void {
    if (status === undefined) this.rows.delete(key)
    else this.rows.set(key, row(key, status))
    this.#listener?.(key)
  }

  /** Whether the recorder listens to rows. */
  get isHeard(): boolean {
    return this.#listener !== undefined
  }

  read(): Recording {
    const recording = readRecording(this.file.text)
    if (!recording.ok) throw new Error(recording.error)
    return recording.value
  }

  async stopAndRead(): Promise<Recording> {
    await this.recorder.stop()
    return this.read()
  }
}

describe('ClusterRecorder', () => {
  it('writes the header first, then the events that happened before it', async () => {
    const stage = new Stage()
    stage.emit()
    await stage.begin()
    await stage.clock.advance(50)
    stage.emit()
    const recording = await stage.stopAndRead()
    expect(recording.header).toEqual({ schema: 2, program: 'nodescope', ...header })
    expect(recording.events).toEqual(stage.trace.newest(9).toReversed())
    expect(recording.events.map(({ at }) => at)).toEqual([1000, 1050])
    expect(recording.end).toEqual({
      at: 1050,
      endedAt: '1970-01-01T00:00:00.000Z',
      events: 2,
      dropped: 0,
    })
    expect(stage.file.state).toBe('closed')
  })

  it('writes all rows at the start, then each changed row at most once per 100 ms of the cluster’s clock, and again what had just changed', async () => {
    const stage = new Stage()
    stage.set('c/n1/a', 'Pending')
    await stage.begin()
    await stage.clock.advance(500)
    stage.set('c/n1/a', 'ContainerCreating')
    await stage.clock.advance(99)
    stage.set('c/n1/a', 'Running')
    stage.set('c/n1/b', 'Pending')
    await stage.clock.advance(1)
    stage.set('c/n1/b', undefined)
    const recording = await stage.stopAndRead()
    const lines = recording.rows.map(({ at, whole, rows, removed }) => [
      at,
      whole,
      rows.map(({ key, status }) => `${key} ${status}`),
      removed,
    ])
    expect(lines).toEqual([
      [1000, true, ['c/n1/a Pending'], []],
      [1600, false, ['c/n1/a Running', 'c/n1/b Pending'], []],
      [1600, false, ['c/n1/a Running'], ['c/n1/b']],
    ])
  })

  it('drops lines to bound memory, says how many and where, and then writes all rows again', async () => {
    const stage = new Stage(10)
    await stage.begin()
    await stage.clock.advance(0)
    let write = (): void => undefined
    stage.file.held = new Promise((resolve) => {
      write = resolve
    })
    stage.set('c/n1/a', 'Pending')
    for (let count = 0; count < 14; count++) stage.emit()
    await stage.clock.advance(100)
    stage.file.held = Promise.resolve()
    write()
    await stage.clock.advance(0)
    stage.emit()
    stage.set('c/n1/b', 'Pending')
    await stage.clock.advance(100)
    const recording = await stage.stopAndRead()
    expect(recording.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15])
    // Four events and the line of rows.
    expect(recording.dropped).toBe(5)
    expect(recording.end).toMatchObject({ events: 11, dropped: 5 })
    expect(recording.rows.at(-1)).toMatchObject({
      whole: true,
      rows: [{ key: 'c/n1/a' }, { key: 'c/n1/b' }],
    })
  })

  it('never makes the kubelet wait for the disk', async () => {
    const stage = new Stage()
    await stage.begin()
    stage.file.held = new Promise(() => undefined)
    stage.emit()
    await stage.clock.advance(3_600_000)
    stage.emit()
    expect(stage.clock.now()).toBe(3_601_000)
  })

  it('ends with a sentence in the log when the disk is full, and the cluster keeps running', async () => {
    const stage = new Stage()
    await stage.begin()
    await stage.clock.advance(0)
    stage.file.failure = Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' })
    stage.emit()
    await stage.clock.advance(0)
    stage.emit()
    await stage.recorder.stop()
    expect(stage.log.lines).toEqual([
      {
        level: 'error',
        message: 'recording ended',
        fields: { message: 'The recording /recording ends here: the disk is full.' },
      },
    ])
    expect(stage.file.state).toBe('closed')
    expect(stage.read().end).toBeNull()
  })

  it('collects no rows for a recording that has ended early', async () => {
    const stage = new Stage()
    await stage.begin()
    await stage.clock.advance(0)
    expect(stage.isHeard).toBe(true)
    stage.file.failure = new Error('EIO: i/o error')
    stage.set('c/n1/a', 'Running')
    await stage.clock.advance(100)
    stage.set('c/n1/a', 'Completed')
    await stage.clock.advance(100)
    expect(stage.isHeard).toBe(false)
    await stage.recorder.stop()
    expect(stage.file.state).toBe('closed')
  })

  it('leaves the file unchanged if the cluster never opened', async () => {
    const stage = new Stage()
    stage.emit()
    await stage.recorder.stop()
    expect([stage.file.state, stage.file.text]).toEqual(['abandoned', ''])
  })

  it('writes no password of an image or a URL, and no value in a reason that is a sentence', async () => {
    const stage = new Stage()
    const pod = fakePod({ uid: 'u1' })
    const env = [
      { name: 'TOKEN', value: 'hunter22' },
      { name: 'MODE', value: 'Evicted' },
    ]
    stage.pods.set('u1', {
      ...pod,
      spec: { ...pod.spec, containers: [{ name: 'main', image: 'i', env }] },
    })
    stage.rows.set('c/n1/u1', row('c/n1/u1', 'login of ada:s3cret@registry with hunter22'))
    await stage.begin()
    const subject = { kind: 'pod', uid: 'u1', namespace: 'default', name: 'web' } as const
    const image = 'ada:s3cr@et@registry.example:5000/web:1.0'
    stage.emit({
      kind: 'image.failed',
      subject: { ...subject, uid: 'unknown' },
      causes: [],
      data: { container: 'main', image, message: `pull of https://ada:s3cret@registry/ failed` },
    })
    const digest = 'registry.example:5000/web:1.0@sha256:0123'
    stage.emit({
      kind: 'image.pulling',
      subject,
      causes: [],
      data: { container: 'main', image: digest },
    })
    for (const reason of ['Evicted', 'bad token hunter22', 'ada:s3cret@registry'])
      stage.emit({
        kind: 'status.cached',
        subject,
        causes: [],
        data: { version: 1, phase: 'Failed', reason },
      })
    const recording = await stage.stopAndRead()
    expect(stage.file.text).not.toMatch(/s3cr|hunter22/)
    expect(recording.events.map(({ data }) => data)).toMatchObject([
      {
        image: '[user]@registry.example:5000/web:1.0',
        message: 'pull of https://[user]@registry/ failed',
      },
      { image: digest },
      { reason: 'Evicted' },
      { reason: 'bad token [environment value]' },
      { reason: '[user]@registry' },
    ])
    expect(recording.rows[0]?.rows[0]?.status).toBe(
      'login of [user]@registry with [environment value]',
    )
  })

  it('writes no value of an environment variable that a message or a reason quotes', async () => {
    const stage = new Stage()
    const pod = fakePod({ uid: 'u1' })
    stage.pods.set('u1', {
      ...pod,
      spec: {
        ...pod.spec,
        containers: [
          { name: 'main', image: 'i', env: [{ name: 'TOKEN', value: 'hunter22 swordfish' }] },
        ],
        initContainers: [{ name: 'init', image: 'i', env: [{ name: 'KEY', value: 'k3y!' }] }],
      },
    })
    stage.rows.set('c/n1/u1', { ...row('c/n1/u1', 'Running'), workerReason: 'exec k3y! failed' })
    await stage.begin()
    const subject = { kind: 'pod', uid: 'u1', namespace: 'default', name: 'web' } as const
    stage.emit({
      kind: 'container.failed',
      subject,
      causes: [],
      data: { container: 'main', reason: 'StartError', message: 'exec "swordfish": not found' },
    })
    stage.emit({
      kind: 'container.killing',
      subject,
      causes: [],
      data: { container: 'main', containerId: 'x', gracePeriodSeconds: 1, why: 'k3y! is bad' },
    })
    const recording = await stage.stopAndRead()
    expect(stage.file.text).not.toMatch(/swordfish|hunter22|k3y!/)
    expect(recording.events.map(({ data }) => data)).toMatchObject([
      { container: 'main', message: 'exec "[environment value]": not found' },
      { containerId: 'x', why: '[environment value] is bad' },
    ])
    expect(recording.rows[0]?.rows[0]?.workerReason).toBe('exec [environment value] failed')
  })
})
