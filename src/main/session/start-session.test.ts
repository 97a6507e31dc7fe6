import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parsersInPlace } from '../parsing/kubernetes-text.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import { loadKubeconfig } from '../cluster/kubeconfig/kubeconfig.ts'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { readRecording } from '../recorder/read-recording.ts'
import type { RunningSession, SessionConnection } from './session-channel.ts'
import type { SessionConfig } from './session-config.ts'
import { fakeSessionConfig } from './fake-session-config.ts'
import { startSession } from './start-session.ts'
import { repositoryAssets } from './scenarios/fake-operator.ts'
import { writeFirstManifests } from './scenarios/first-run.ts'

let folder: string
let session: RunningSession | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-session-'))
  await writeFirstManifests(repositoryAssets, join(folder, 'examples'))
})

afterEach(async () => {
  await session?.stop()
  session = undefined
  await rm(folder, { recursive: true, force: true })
})

function configOf(over: Partial<SessionConfig> = {}): SessionConfig {
  return fakeSessionConfig({
    cluster: { kind: 'sandbox', port: null, kubeconfigPath: join(folder, 'sandbox.kubeconfig') },
    nodeName: 'n1',
    manifestsPath: join(folder, 'examples'),
    dataFolder: folder,
    ...over,
  })
}

const start = (config: SessionConfig, printed: string[] = []) =>
  startSession(config, {
    log: new FakeLog(),
    assets: repositoryAssets,
    parsers: parsersInPlace,
    host: 'web',
    printLine: (line) => printed.push(line),
    environment: {},
  })

async function open(over: Partial<SessionConfig> = {}): Promise<SessionConnection> {
  const started = await start(configOf(over))
  if (!started.ok) throw new Error(started.error.message)
  session = started.value
  return session.channel.connect(() => undefined)
}

async function rowWhere(
  page: SessionConnection,
  name: string,
  holds: (row: PodRow) => boolean,
): Promise<PodRow> {
  for (let tries = 0; tries < 600; tries++) {
    const { rows } = await page.request('view.open', {})
    const row = rows.find((one) => one.name === name)
    if (row !== undefined && holds(row)) return row
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${name} did not come to it`)
}

describe('startSession', () => {
  it('opens a sandbox with its node, two static pods with mirrors and two ordinary pods', async () => {
    const page = await open()
    for (const name of ['web-n1', 'heartbeat-n1', 'hello', 'loud'])
      await rowWhere(page, name, (row) => row.status === 'Running' && row.worker === 'SyncPod')
    const web = await rowWhere(page, 'web-n1', (row) => row.mirror === 'matched')
    expect(web).toMatchObject({ kind: 'static', source: 'file', readyContainers: 1 })
    const { clusters } = await page.request('view.open', {})
    expect(clusters).toMatchObject([
      {
        id: 'sandbox',
        connection: { kind: 'connected' },
        nodes: [{ name: 'n1', registered: true, status: 'Ready' }],
      },
    ])
    expect((await stat(join(folder, 'sandbox.kubeconfig'))).mode & 0o777).toBe(0o600)
    expect(
      await page.request('uid.translate', { cluster: 'sandbox', uid: web.mirrorUid ?? '' }),
    ).toMatchObject({ staticUid: web.uid, mirrorUid: web.mirrorUid })
  })

  it('prints the random seed, so that the run can be repeated', async () => {
    await open({ seed: 7 })
    expect(session?.facts).toContainEqual({ name: 'seed', value: '7' })
  })

  it('admits no more pods than maxPods', async () => {
    const page = await open({ maxPods: 1 })
    // The second static pod is as critical as the first, so it preempts nothing.
    const refused = async (): Promise<readonly string[]> => {
      const { rows } = await page.request('view.open', {})
      return rows
        .filter(({ status }) => status === 'UnexpectedAdmissionError')
        .map(({ kind }) => kind)
    }
    await vi.waitFor(async () => expect(await refused()).toEqual(['static']), 30_000)
  })

  it('writes a manifest, whose pod the node runs, and undoes the change', async () => {
    const manifestsPath = join(folder, 'manifests')
    await mkdir(manifestsPath)
    const page = await open({ manifestsPath })
    await page.request('clock.setSpeed', { cluster: 'sandbox', speed: 20 })
    const node = { cluster: 'sandbox', node: 'n1' }
    const text =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: new}\nspec: {containers: [{name: c, image: nginx}]}\n'
    await rowWhere(page, 'hello', (row) => row.status === 'Running')
    expect(
      await page.request('manifests.write', { ...node, name: 'new.yaml', text, create: true }),
    ).toEqual({ ok: true, value: { message: 'Wrote new.yaml. Starts default/new-n1.' } })
    const view = await page.request('manifests.list', node)
    expect(view).toMatchObject({ files: [{ name: 'new.yaml', state: 'running' }] })
    const row = await rowWhere(page, 'new-n1', (one) => one.status === 'Running')
    expect(view?.files[0]?.uid).toBe(row.uid)
    expect(await page.request('manifests.undo', { ...node, id: view?.undo?.id ?? 0 })).toEqual({
      ok: true,
      value: { message: 'Removed new.yaml. default/new-n1 is stopped with 30 s grace.' },
    })
    expect(await page.request('manifests.list', node)).toMatchObject({ files: [], undo: null })
    expect(await page.request('manifests.list', { ...node, node: 'other' })).toBeNull()
  })

  it('runs static pods from a URL and from files, each with its mirror', async () => {
    const server = createServer((request, response) => {
      response.end(
        request.headers['x-key'] === 'k'
          ? 'apiVersion: v1\nkind: Pod\nmetadata: {name: far}\nspec: {containers: [{name: c, image: nginx}]}\n'
          : '',
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo // a TCP port was asked for
      const url = `http://127.0.0.1:${port}/pods`
      const page = await open({
        manifestUrl: { url, headers: [{ name: 'X-Key', value: 'k' }], checkFrequencyMs: 20_000 },
      })
      await page.request('clock.setSpeed', { cluster: 'sandbox', speed: 20 })
      const row = await rowWhere(
        page,
        'far-n1',
        (one) => one.status === 'Running' && one.mirror === 'matched',
      )
      expect(row).toMatchObject({ kind: 'static', source: 'http' })
      const { clusters } = await page.request('view.open', {})
      expect(clusters[0]?.nodes[0]?.sources).toMatchObject([
        { source: 'file', ready: true, pods: 2 },
        { source: 'http', location: url, ready: true, pods: 1, problems: [] },
        { source: 'api', ready: true },
      ])
      expect(
        await page.request('manifests.list', { cluster: 'sandbox', node: 'n1' }),
      ).toMatchObject({
        url: { url, lastAnswer: '200, 1 pod', pods: [{ podName: 'far-n1', uid: row.uid }] },
      })
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('kills a pod, and refuses forbidden actions with their reason', async () => {
    const page = await open()
    const hello = await rowWhere(page, 'hello', (row) => row.status === 'Running')
    expect(await page.request('pod.kill', { key: hello.key, gracePeriodSeconds: 5 })).toEqual({
      ok: true,
      value: { act: 'kill', message: 'Killing default/hello, 5 s grace' },
    })
    await rowWhere(page, 'hello', (row) => row.status === 'Completed' && row.worker === 'finished')
    expect(await page.request('pod.kill', { key: hello.key, gracePeriodSeconds: null })).toEqual({
      ok: false,
      error: { kind: 'refused', message: 'Its containers have already stopped.' },
    })
    const web = await rowWhere(page, 'web-n1', () => true)
    expect(await page.request('pod.evictByKubelet', { key: web.key })).toMatchObject({
      ok: false,
      error: { kind: 'refused' },
    })
    expect(
      await page.request('pod.kill', { key: 'sandbox/n1/none', gracePeriodSeconds: 1 }),
    ).toEqual({
      ok: false,
      error: { kind: 'not-found', message: 'This pod is no longer on the node.' },
    })
    expect(await page.request('pod.evictByKubelet', { key: 'other/n1/x' })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
  })

  it('deletes an object with its grace period, and a mirror, which the kubelet recreates while its containers keep running', async () => {
    const page = await open()
    const loud = await rowWhere(page, 'loud', (row) => row.status === 'Running')
    const before = await rowWhere(
      page,
      'web-n1',
      (row) => row.mirror === 'matched' && row.status === 'Running',
    )
    const startedAt = (await page.request('pod.describe', { key: before.key }))?.containers[0]
      ?.startedAt
    expect(await page.request('pod.deleteMirror', { key: before.key, force: false })).toEqual({
      ok: true,
      value: { act: 'deleteMirror', message: 'Deleted the mirror of default/web-n1' },
    })
    const after = await rowWhere(
      page,
      'web-n1',
      (row) => row.mirror === 'matched' && row.mirrorUid !== before.mirrorUid,
    )
    expect(after.uid).toBe(before.uid)
    expect((await page.request('pod.describe', { key: after.key }))?.containers[0]?.startedAt).toBe(
      startedAt,
    )
    expect(await page.request('pod.delete', { key: before.key, gracePeriodSeconds: 5 })).toEqual({
      ok: false,
      error: {
        kind: 'refused',
        message:
          'A static pod is not in the API, only its mirror is. To stop the pod, remove its manifest.',
      },
    })
    expect(await page.request('pod.delete', { key: loud.key, gracePeriodSeconds: 2 })).toEqual({
      ok: true,
      value: { act: 'delete', message: 'Deleting default/loud, 2 s grace' },
    })
    await rowWhere(page, 'loud', (row) => row.worker === 'TerminatingPod')
    const hello = await rowWhere(page, 'hello', (row) => row.status === 'Running')
    expect(await page.request('pod.forceDelete', { key: hello.key })).toEqual({
      ok: true,
      value: { act: 'forceDelete', message: 'Deleted default/hello by force' },
    })
    for (let tries = 0; tries < 600; tries++) {
      const { rows } = await page.request('view.open', {})
      if (!rows.some(({ name }) => name === 'loud' || name === 'hello')) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('the deleted pods are still here')
  })

  it('names the disruption budget that blocks an eviction, and passes on the server’s answer', async () => {
    const page = await open()
    const hello = await rowWhere(page, 'hello', (row) => row.status === 'Running')
    const facts = async () => (await page.request('pod.describe', { key: hello.key }))?.facts
    expect((await facts())?.budget).toEqual({ kind: 'none' })
    const access = await loadKubeconfig({
      file: join(folder, 'sandbox.kubeconfig'),
      environment: {},
    })
    if (!access.ok) throw new Error(access.error.message)
    const kubectl = access.value.createTransport()
    const made = await kubectl.send({
      method: 'POST',
      path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
      headers: { 'content-type': 'application/json' },
      body: {
        metadata: { name: 'guard' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'hello' } } },
      },
    })
    await kubectl.close()
    expect(made.status).toBe(201)
    const refusal = { kind: 'refuses', name: 'guard', code: 429 }
    await vi.waitFor(
      async () => {
        const why = 'it needs 1 healthy pods and has 1'
        expect((await facts())?.budget).toEqual({ ...refusal, why })
      },
      { timeout: 30_000 },
    )
    expect(
      await page.request('pod.evictThroughApi', { key: hello.key, gracePeriodSeconds: null }),
    ).toEqual({
      ok: false,
      error: {
        kind: 'failed',
        message:
          "Eviction refused (429 TooManyRequests): Cannot evict pod as it would violate the pod's disruption budget. The disruption budget guard needs 1 healthy pods and has 1 currently.",
      },
    })
  })

  it('refuses all actions with --read-only', async () => {
    const page = await open({ readOnly: true })
    const hello = await rowWhere(page, 'hello', (row) => row.status === 'Running')
    expect(
      await page.request('pod.evictThroughApi', { key: hello.key, gracePeriodSeconds: null }),
    ).toMatchObject({ ok: false, error: { kind: 'read-only' } })
    const variable = { container: 'hello', variable: 'KUBERNETES_SERVICE_HOST' }
    expect(await page.request('pod.variable', { key: hello.key, ...variable })).toMatchObject({
      ok: false,
      error: { kind: 'read-only' },
    })
  })

  it('records every event and the last state of each row, without environment values', async () => {
    const recordPath = join(folder, 'session.ndjson')
    const secret = 'correct-horse-battery'
    const manifestsPath = join(folder, 'manifests')
    await mkdir(manifestsPath)
    await writeFile(
      join(manifestsPath, 'a.yaml'),
      `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: busybox, command: ["$(PASSWORD)"], env: [{name: PASSWORD, value: ${secret}}]}]}\n`,
    )
    const page = await open({ recordPath, manifestsPath, seed: 7 })
    await page.request('clock.setSpeed', { cluster: 'sandbox', speed: 20 })
    const row = await rowWhere(page, 'hello', (one) => one.status === 'Running')
    await rowWhere(page, 'a-n1', (one) => one.status !== 'Pending')
    await page.request('pod.kill', { key: row.key, gracePeriodSeconds: 0 })
    await rowWhere(page, 'hello', (one) => one.worker === 'finished')
    await session?.stop()
    const { rows } = await page.request('view.open', {})
    const text = await readFile(recordPath, 'utf8')
    const recording = readRecording(text)
    if (!recording.ok) throw new Error(recording.error)
    const { header, events, end, dropped } = recording.value
    expect(header).toMatchObject({
      cluster: 'sandbox',
      nodes: ['n1'],
      clock: { virtual: true },
      seed: 7,
    })
    expect(end?.events).toBe(events.length)
    expect(dropped).toBe(0)
    expect(events.some(({ kind }) => kind === 'command.received')).toBe(true)
    const last = new Map<string, PodRow>()
    for (const { rows: changed, removed } of recording.value.rows) {
      for (const one of changed) last.set(one.key, one)
      for (const key of removed) last.delete(key)
    }
    const statuses = (some: Iterable<PodRow>) =>
      [...some].map((one) => `${one.key} ${one.status} ${one.worker}`).toSorted()
    expect(statuses(last.values())).toEqual(statuses(rows))
    expect(text).not.toContain(secret)
  })

  it('overwrites only recordings, and leaves no file if it does not start', async () => {
    const recordPath = join(folder, 'notes')
    await writeFile(recordPath, 'dear diary')
    const taken = await start(configOf({ recordPath }))
    expect(taken).toMatchObject({ ok: false, error: { exitCode: 2 } })
    expect(await readFile(recordPath, 'utf8')).toBe('dear diary')
    const cluster = {
      kind: 'kubeconfig',
      path: join(folder, 'none'),
      context: null,
      allowSimulated: false,
    } as const
    expect((await start(configOf({ recordPath: join(folder, 'new'), cluster }))).ok).toBe(false)
    expect(await readdir(folder)).not.toContain('new')
  })

  it('says in one sentence why it cannot start', async () => {
    const missing = join(folder, 'none')
    expect(
      await start(
        configOf({
          cluster: { kind: 'kubeconfig', path: missing, context: null, allowSimulated: false },
        }),
      ),
    ).toEqual({
      ok: false,
      error: { exitCode: 2, message: `The kubeconfig ${missing} does not exist.` },
    })
  })
})
