import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../src/main/clock/node-clock-host.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { FakeRecordingFile } from '../../src/main/recorder/fake-recording-file.ts'
import { readRecording } from '../../src/main/recorder/read-recording.ts'
import { ClusterRecording, podOfNodes } from '../../src/main/session/recording/cluster-recording.ts'
import { serveSandbox } from '../../src/main/session/cluster/serve-sandbox.ts'
import type { TraceSource } from '../../src/main/session/trace/trace-source.ts'
import { RecordedSession } from '../../src/main/session/recorded/recorded-session.ts'
import type { PodRow } from '../../src/shared/model/pod-row.ts'
import type { PodSpec } from '../../src/shared/kubernetes/objects.ts'
import { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'

const startAt = Date.UTC(2026, 0, 1)
const spec: PodSpec = {
  nodeName: 'n',
  containers: [
    { name: 'web', image: 'nginx', env: [{ name: 'TOKEN', value: 'very-secret-value' }] },
  ],
}
const crashing: PodSpec = {
  nodeName: 'n',
  terminationGracePeriodSeconds: 3,
  containers: [
    {
      name: 'main',
      image: 'busybox',
      command: ['sh', '-c', 'echo very-secret-value; sleep 4; exit 3'],
      env: [{ name: 'TOKEN', value: 'very-secret-value' }],
      terminationMessagePolicy: 'FallbackToLogsOnError',
    },
  ],
}

/** A view or a flow is written up to a second after its change, rows up to 100 ms. */
const quietMs = 1100

/** What a page is shown of a cluster, by part. Each row names its cluster. Counts of a loop that finds nothing wait for other changes. */
function shown(session: TraceSource): Readonly<Record<string, unknown>> {
  const own = (row: PodRow) => ({ ...row, key: row.key.split('/').slice(1), cluster: '' })
  const flow = session.flow('n')
  return {
    rows: session
      .rows()
      .map(own)
      .toSorted((a, b) => (a.uid < b.uid ? -1 : 1)),
    details: session
      .rows()
      .map(({ key }) => session.detail(key))
      .map((detail) => ({
        ...detail,
        row: detail && own(detail.row),
        // Facts are for acts, which a recording refuses.
        facts: null,
        // Some steps are over at a time, not with an event.
        why: detail?.why?.question ?? null,
        trace: detail?.trace.map(({ seq }) => seq),
      })),
    nodes: session.view().nodes.map((node) => ({ ...node, leaseRenewedAt: null })),
    loop: session.view().loops.map(({ recent }) => recent),
    moves: [flow?.arrows, flow?.recent, flow?.roots, flow?.podConfig, flow?.workers],
    content: { ...flow, cluster: '', now: 0, pleg: null, syncLoop: null, arrows: null },
  }
}

interface Moment {
  readonly at: number
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

describe('a recording', () => {
  it('shows each moment as the page showed it, forward and back', async () => {
    const file = new FakeRecordingFile()
    const log = new FakeLog()
    const cluster = new MemorySandbox({ seed: 7, startAt, nodeNames: ['n'], log })
    const { clock, trace } = cluster
    const recorder = new ClusterRecording({ file, trace, clock, log })
    const served = serveSandbox({
      id: 'sandbox',
      url: 's',
      kubeconfigPath: '',
      manifestsPath: '',
      seed: 7,
      readOnly: false,
      sandbox: cluster.sandbox,
      clock,
      trace,
      log,
    })
    const { session } = served
    const pod = podOfNodes(cluster.sandbox.nodes)
    const workloads = { of: served.workloads, isAlways: true }
    const recorded = {
      version: '1',
      session,
      nodes: ['n'],
      seed: 7,
      workloads,
      pod,
      folder: undefined,
    }
    await recorder.begin(recorded, startAt)
    cluster.start()

    const moments: Moment[] = []
    const wait = async (seconds: number): Promise<void> => {
      await clock.advance(seconds * 1000 - quietMs)
      const before = structuredClone(shown(session))
      await clock.advance(quietMs)
      moments.push({ at: clock.now(), before, after: structuredClone(shown(session)) })
      // What is done next happens later.
      await clock.advance(1)
    }
    const create = async (name: string, of: PodSpec): Promise<void> => {
      const metadata = { name, namespace: 'default', uid: '' }
      const answer = await cluster.createPod({ apiVersion: 'v1', kind: 'Pod', metadata, spec: of })
      expect(answer).toMatchObject({ status: 201 })
    }
    await wait(5)
    await create('web', spec)
    await wait(4)
    await create('crash', crashing)
    for (let at = 0; at < 12; at++) await wait(3)
    const key = session.rows().find(({ name }) => name === 'web')?.key ?? ''
    expect(served.commands.kill(key, 2)).toMatchObject({ ok: true })
    await wait(1.5)
    await wait(20)
    await recorder.stop()

    expect(file.text).not.toContain('very-secret-value')
    const recording = readRecording(file.text)
    if (!recording.ok) throw new Error(recording.error)
    const replay = new RecordedSession({
      id: 'recording',
      file: 'f',
      recording: recording.value,
      host: nodeClockHost,
    })
    const hidden = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll('very-secret-value', '[environment value]'))
    const compared = new Map<string, number>()
    for (const { at, before, after } of [...moments, ...moments.toReversed()]) {
      replay.seek(at)
      expect(replay.now()).toBe(at)
      for (const [part, now] of Object.entries(shown(replay))) {
        // Events have their times; the rest may be about to be written.
        const isQuiet = JSON.stringify(before[part]) === JSON.stringify(after[part])
        if (!isQuiet && part !== 'moves' && part !== 'loop') continue
        compared.set(part, (compared.get(part) ?? 0) + 1)
        expect(hidden(now), `${part} after ${at - startAt} ms`).toEqual(hidden(after[part]))
      }
    }
    const most = moments.length
    expect(Object.fromEntries(compared)).toEqual({
      rows: expect.toSatisfy((count) => count > most / 2),
      details: expect.toSatisfy((count) => count > most / 2),
      nodes: expect.toSatisfy((count) => count > most / 2),
      content: expect.toSatisfy((count) => count > most / 2),
      loop: 2 * most,
      moves: 2 * most,
    })
  })
})
