import { expect, it, vi } from 'vitest'
import { nodeClockHost } from '../../src/main/clock/node-clock-host.ts'
import { TransportApiClient } from '../../src/main/cluster/client/api-client.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { FakeRecordingFile } from '../../src/main/recorder/fake-recording-file.ts'
import { readRecording } from '../../src/main/recorder/read-recording.ts'
import { podOfNodes, ClusterRecording } from '../../src/main/session/recording/cluster-recording.ts'
import { RecordedSession } from '../../src/main/session/recorded/recorded-session.ts'
import { serveSandbox } from '../../src/main/session/cluster/serve-sandbox.ts'
import type { WorkloadsView } from '../../src/shared/model/workloads/workloads.ts'
import { MemorySandbox } from '../memory-sandbox/memory-sandbox.ts'
import { look } from './looked-at.ts'

const startAt = Date.UTC(2026, 10, 24, 12)

function replayOf(file: FakeRecordingFile): RecordedSession {
  const recording = readRecording(file.text)
  if (!recording.ok) throw new Error(recording.error)
  return new RecordedSession({
    id: 'r',
    file: 'f',
    recording: recording.value,
    host: nodeClockHost,
  })
}

function deployment(replicas: number) {
  const labels = { app: 'web' }
  const spec = { containers: [{ name: 'c', image: 'nginx:1' }] }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  }
}

it('shows who owned the pods of a sandbox at each moment, forward and back', async () => {
  const file = new FakeRecordingFile()
  const log = new FakeLog()
  const cluster = new MemorySandbox({ seed: 7, startAt, nodeNames: ['n'], log })
  const { clock, trace, sandbox } = cluster
  const recorder = new ClusterRecording({ file, trace, clock, log })
  const served = serveSandbox({
    id: 'sandbox',
    url: 's',
    kubeconfigPath: '',
    manifestsPath: '',
    seed: 7,
    readOnly: false,
    sandbox,
    clock,
    trace,
    log,
  })
  const { session, workloads: of } = served
  const admin = new TransportApiClient({ transport: sandbox.adminTransport })
  const workloads = { of, isAlways: true }
  const pod = podOfNodes(sandbox.nodes)
  const recorded = { version: '1', session, nodes: ['n'], seed: 7, workloads, pod }
  await recorder.begin({ ...recorded, folder: undefined }, startAt)
  cluster.start()
  const moments: { readonly at: number; readonly view: WorkloadsView }[] = []
  const settle = async (fits: (view: WorkloadsView) => boolean): Promise<void> => {
    await vi.waitFor(
      async () => {
        await clock.advance(1000)
        const view = of.shown()
        expect(view !== undefined && fits(view)).toBe(true)
      },
      { timeout: 30_000, interval: 5 },
    )
    // A line may follow a second later.
    await clock.advance(2100)
    const view = of.shown()
    if (view === undefined) throw new Error('Nothing is watched.')
    moments.push({ at: clock.now(), view: structuredClone(view) })
    await clock.advance(1)
  }
  await settle(({ isComplete }) => isComplete)
  const ref = { resource: 'apps/v1/deployments', namespace: 'default' } as const
  await admin.create(ref, deployment(2))
  const readyOf = ({ owners }: WorkloadsView) => owners.find(({ name }) => name === 'web')?.ready
  await settle((view) => readyOf(view) === 2)
  await admin.delete({ ...ref, name: 'web' }, { propagationPolicy: 'Background' })
  await settle(({ owners }) => owners.length === 0)
  await recorder.stop()
  const replayed = replayOf(file)

  expect(moments.map(({ view }) => view.owners.length)).toEqual([0, 2, 0])
  for (const { at, view } of [...moments, ...moments.toReversed()]) {
    replayed.seek(at)
    expect(replayed.workloads(), `at ${at}`).toEqual(view)
  }
  sandbox.stop()
})

it('has the owners of a cluster that is looked at while a page shows them', async () => {
  const { clock, workloads, replay, server } = await look()
  await clock.advance(2000)
  const page = workloads.watch(() => undefined)
  await vi.waitFor(() => expect(workloads.shown()?.isComplete).toBe(true))
  await clock.advance(2000)
  const seen = structuredClone(workloads.shown())
  const shownAt = clock.now()
  page.stop()
  await clock.advance(2000)
  expect(server.asked.filter((path) => path.startsWith('/apis/apps'))).toHaveLength(4)
  const replayed = await replay()
  const told: WorkloadsView[] = []
  const watched = replayed.watchWorkloads((view) => told.push(view))

  expect(watched.view.nothing).toBe('No page showed Workloads at this moment of the recording.')
  replayed.seek(shownAt)
  expect(told.at(-1)).toEqual(seen)
  replayed.seek(replayed.to)
  expect(told.at(-1)?.nothing).toBe('No page showed Workloads at this moment of the recording.')
})

it('says so if no page showed the owners', async () => {
  const { clock, replay } = await look()
  await clock.advance(2000)
  const replayed = await replay()
  expect(replayed.workloads().nothing).toMatch(/^The recording has no Workloads: no page showed/)
})
