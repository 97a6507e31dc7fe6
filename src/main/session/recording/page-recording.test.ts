import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRecording } from '../../recorder/read-recording.ts'
import { startFakeSession, untilSnapshot } from '../fake-running-session.ts'
import type { RunningSession, SessionConnection } from '../session-channel.ts'

let folder: string
let sandbox: RunningSession
let looking: RunningSession

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-recording-'))
  const kubeconfigPath = join(folder, 'sandbox.kubeconfig')
  await mkdir(join(folder, 'manifests'))
  const containers = [{ name: 'c', image: 'nginx' }]
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'hello' }, spec: { containers } }
  await writeFile(join(folder, 'manifests/hello.yaml'), JSON.stringify(pod))
  sandbox = await startFakeSession({ kind: 'sandbox', port: null, kubeconfigPath }, folder)
  looking = await startFakeSession(
    { kind: 'look', path: kubeconfigPath, context: null },
    await mkdtemp(join(folder, 'data-')),
  )
}, 60_000)

afterAll(async () => {
  await looking.stop()
  await sandbox.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Records a cluster until one of its pods is running and stops. */
async function record(connection: SessionConnection, cluster: string): Promise<string> {
  expect(await connection.request('recording.start', { cluster })).toMatchObject({ ok: true })
  expect(await connection.request('recording.start', { cluster })).toMatchObject({
    ok: false,
    error: { message: 'The cluster is being recorded already.' },
  })
  const { clusters } = await untilSnapshot(connection, 'a running pod', ({ rows }) =>
    rows.some((row) => row.cluster === cluster && row.status === 'Running'),
  )
  const recorder = clusters.find(({ id }) => id === cluster)?.recorder
  expect(recorder).toMatchObject({ isRunning: true, problem: '' })
  expect(await connection.request('recording.stop', { cluster })).toMatchObject({ ok: true })
  expect(await connection.request('recording.stop', { cluster })).toMatchObject({ ok: false })
  return recorder?.path ?? ''
}

async function openedRows(connection: SessionConnection, cluster: string) {
  const opened = await connection.request('recording.open', { cluster })
  const id = opened.ok ? opened.value.cluster : ''
  expect(await connection.request('recording.open', { cluster })).toEqual(opened)
  const first = await connection.request('view.open', {})
  const view = first.clusters.find((one) => one.id === id)
  await connection.request('clock.seek', { cluster: id, at: view?.recording?.to ?? 0 })
  const { rows } = await connection.request('view.open', {})
  return { id, view, rows: rows.filter((row) => row.cluster === id) }
}

describe('a recording that a page starts', () => {
  it('of a sandbox begins with what its trace still has, and is opened by its cluster', async () => {
    const connection = sandbox.channel.connect(() => undefined)
    // Its mirror, when it comes, is Pending for a moment.
    let looks = 0
    await untilSnapshot(connection, 'the static pod', ({ rows }) => {
      looks = rows.some(({ status }) => status === 'Running') ? looks + 1 : 0
      return looks > 50
    })
    const path = await record(connection, 'sandbox')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const recording = readRecording(await readFile(path, 'utf8'))
    if (!recording.ok) throw new Error(recording.error)
    const { header, events, end, rows } = recording.value
    expect(events[0]?.at).toBeLessThan(header.clock.startAt)
    expect(events.some(({ kind }) => kind === 'container.started')).toBe(true)
    expect(rows[0]?.rows).toMatchObject([{ name: 'hello-scope-node-1', status: 'Running' }])
    expect(end).toMatchObject({ dropped: 0 })
    const { id, view, rows: shown } = await openedRows(connection, 'sandbox')
    expect(view).toMatchObject({ kind: 'recording', recording: { isPageOpened: true } })
    expect(shown).toMatchObject([{ name: 'hello-scope-node-1', status: 'Running' }])
    const key = shown[0]?.key ?? ''
    const detail = await connection.request('pod.describe', { key })
    expect(detail?.trace.map(({ kind }) => kind)).toContain('container.started')
    expect(await connection.request('cluster.close', { cluster: id })).toMatchObject({ ok: true })
    const { clusters } = await connection.request('view.open', {})
    expect(clusters.map((one) => one.id)).toEqual(['sandbox'])
  }, 60_000)

  it('is refused with a sentence where its folder cannot be made', async () => {
    const data = await mkdtemp(join(folder, 'data-'))
    await writeFile(join(data, 'recordings'), 'a file')
    const path = join(folder, 'sandbox.kubeconfig')
    const other = await startFakeSession({ kind: 'look', path, context: null }, data)
    try {
      const connection = other.channel.connect(() => undefined)
      const cluster = 'nodescope-sandbox'
      expect(await connection.request('recording.start', { cluster })).toMatchObject({
        ok: false,
        error: { kind: 'failed', message: expect.stringContaining(join(data, 'recordings')) },
      })
      expect(await connection.request('recording.open', { cluster })).toMatchObject({ ok: false })
      const { clusters } = await connection.request('view.open', {})
      expect(clusters[0]?.recorder).toBeNull()
    } finally {
      await other.stop()
    }
  }, 60_000)

  it('of a cluster that is looked at has its nodes, rows and histories', async () => {
    const connection = looking.channel.connect(() => undefined)
    const cluster = 'nodescope-sandbox'
    await untilSnapshot(connection, 'its node', ({ clusters }) =>
      clusters.some(({ seen }) => seen?.nodes.length === 1),
    )
    const path = await record(connection, cluster)
    expect(await readFile(path, 'utf8')).not.toMatch(/token|BEGIN CERTIFICATE/)
    const { id, view, rows } = await openedRows(connection, cluster)
    expect(view?.seen).toMatchObject({
      nodes: [{ name: 'scope-node-1', status: 'Ready' }],
      changes: { kind: 'readOnly' },
    })
    const key = rows.find(({ name }) => name === 'hello-scope-node-1')?.key ?? ''
    const detail = await connection.request('pod.describe', { key })
    expect(detail?.trace.map(({ kind }) => kind)).toContain('worker.observed')
    expect(detail?.facts.readOnly).not.toBe('')
    await connection.request('cluster.close', { cluster: id })
  }, 60_000)
})
