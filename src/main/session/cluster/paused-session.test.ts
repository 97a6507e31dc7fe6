import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parsersInPlace } from '../../parsing/kubernetes-text.ts'
import type { Snapshot } from '../../../shared/ipc/contract.ts'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { NodeView } from '../../../shared/model/cluster-view.ts'
import type { MirrorHistoryEntry } from '../../../shared/model/pod-objects.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import type { RunningSession, SessionConnection } from '../session-channel.ts'
import { fakeSessionConfig } from '../fake-session-config.ts'
import { startSession } from '../start-session.ts'
import { repositoryAssets } from '../scenarios/fake-operator.ts'
import { writeFirstManifests } from '../scenarios/first-run.ts'

const cluster = 'sandbox'

let folder: string
let session: RunningSession
let page: SessionConnection

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-paused-'))
  const manifestsPath = join(folder, 'examples')
  await writeFirstManifests(repositoryAssets, manifestsPath)
  const started = await startSession(
    fakeSessionConfig({
      cluster: { kind: 'sandbox', port: null, kubeconfigPath: join(folder, 'kubeconfig') },
      nodeName: 'n1',
      manifestsPath,
      dataFolder: folder,
      seed: 1,
    }),
    {
      log: new FakeLog(),
      assets: repositoryAssets,
      parsers: parsersInPlace,
      host: 'web',
      printLine: () => undefined,
      environment: {},
    },
  )
  if (!started.ok) throw new Error(started.error.message)
  session = started.value
  page = session.channel.connect(() => undefined)
})

afterEach(async () => {
  await session.stop()
  await rm(folder, { recursive: true, force: true })
})

function look(): Promise<Snapshot> {
  return page.request('view.open', {})
}

/** Steps the clock, so that no real time passes except for the steps. */
async function stepUntil(name: string, holds: (row: PodRow) => boolean): Promise<PodRow> {
  for (let step = 0; step < 2000; step++) {
    const row = (await look()).rows.find((one) => one.name === name)
    if (row !== undefined && holds(row)) return row
    await page.request('clock.step', { cluster })
  }
  throw new Error(`the condition on ${name} did not hold`)
}

/** The watch reports a new mirror before the response to its creation arrives. */
async function stepUntilCreated(key: string): Promise<readonly MirrorHistoryEntry[]> {
  for (let step = 0; step < 100; step++) {
    const history = await page.request('mirror.history', { key })
    if (history[0]?.kind === 'created') return history
    await page.request('clock.step', { cluster })
  }
  throw new Error('no mirror was created')
}

async function stepUntilNode(holds: (node: NodeView) => boolean): Promise<NodeView> {
  for (let step = 0; step < 200; step++) {
    const node = (await look()).clusters[0]?.nodes[0]
    if (node !== undefined && holds(node)) return node
    await page.request('clock.step', { cluster })
  }
  throw new Error('the node did not come to it')
}

const isRunning = (row: PodRow): boolean => row.status === 'Running' && row.worker === 'SyncPod'

async function kubectlGet(path: string): Promise<JsonObject> {
  const config: unknown = parse(await readFile(join(folder, 'kubeconfig'), 'utf8'))
  const [entry] = isJsonObject(config) ? objectsAt(config, 'clusters') : []
  const [user] = isJsonObject(config) ? objectsAt(config, 'users') : []
  const server = objectAt(entry ?? {}, 'cluster')
  const body = await new Promise<string>((resolve, reject) => {
    const call = httpsRequest(
      `${textAt(server, 'server')}${path}`,
      {
        ca: Buffer.from(textAt(server, 'certificate-authority-data'), 'base64'),
        headers: { authorization: `Bearer ${textAt(objectAt(user ?? {}, 'user'), 'token')}` },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk)))
        response.on('end', () => {
          resolve(text)
        })
      },
    )
    call.on('error', reject)
    call.end()
  })
  const value: unknown = JSON.parse(body)
  return isJsonObject(value) ? value : {}
}

describe('a session whose clock is paused', () => {
  it('shows the pages a paused clock, and steps from event to event', async () => {
    await page.request('clock.pause', { cluster })
    const before = (await look()).clusters[0]?.clock
    expect(before).toMatchObject({ paused: true, virtual: true })
    expect((await look()).clusters[0]?.clock).toEqual(before)
    const step = await page.request('clock.step', { cluster })
    if (!step.ok) throw new Error(step.error.message)
    expect(step.value.stepped?.at).toBe(step.value.clock.now)
    expect((await look()).clusters[0]?.clock).toEqual(step.value.clock)
    // The first steps may fire timers that are due now.
    for (let more = 0; more < 20; more++) await page.request('clock.step', { cluster })
    expect((await look()).clusters[0]?.clock.now).toBeGreaterThan(before?.now ?? 0)
  })

  it('has nothing to retry for a server in the same process, and refuses a cluster that is not open', async () => {
    expect(await page.request('cluster.retry', { cluster })).toEqual({ ok: true, value: null })
    for (const name of ['cluster.retry', 'clock.pause', 'clock.step'] as const)
      expect(await page.request(name, { cluster: 'other' })).toMatchObject({
        ok: false,
        error: { kind: 'not-found' },
      })
  })

  it('answers kubectl and the requests of the page', async () => {
    await page.request('clock.pause', { cluster })
    const hello = await stepUntil('hello', isRunning)
    const now = (await look()).clusters[0]?.clock.now
    expect(await kubectlGet('/api/v1/namespaces/default/pods/hello')).toMatchObject({
      metadata: { uid: hello.uid },
    })
    const events = await page.request('pod.events', { key: hello.key })
    expect(events?.note).toBe('')
    expect(events?.events.map(({ reason }) => reason)).toContain('Started')
    expect((await look()).clusters[0]?.clock.now).toBe(now)
  })

  it('reads the log of a container, on from a place, and refuses as the kubelet does', async () => {
    await page.request('clock.pause', { cluster })
    const { key } = await stepUntil('hello', isRunning)
    const { containers = [] } = (await page.request('pod.describe', { key })) ?? {}
    const { name: container = '', containerId = '' } = containers[0] ?? {}
    const query = { key, container, previous: false, sinceSeconds: null, after: null }
    const log = await page.request('pod.logs', query)
    expect(log).toMatchObject({ parts: [{ containerId }], error: '' })
    const later = { containerId, at: ((await look()).clusters[0]?.clock.now ?? 0) + 60_000 }
    expect(await page.request('pod.logs', { ...query, after: later })).toEqual({
      parts: [{ containerId, text: '' }],
      error: '',
    })
    expect(await page.request('pod.logs', { ...query, previous: true })).toEqual({
      parts: [],
      error: `previous terminated container "${container}" in pod "hello" not found`,
    })
    expect(await page.request('pod.logs', { ...query, container: 'other' })).toEqual({
      parts: [],
      error: 'container "other" in pod "hello" is not available',
    })
    expect(await page.request('pod.logs', { ...query, key: `${cluster}/n1/none` })).toBeNull()
    expect(await page.request('pod.probes', { key })).toEqual([])
    expect(await page.request('pod.probes', { key: `${cluster}/n1/none` })).toBeNull()
    const now = (await look()).clusters[0]?.clock.now
    const use = await page.request('pod.use', { key })
    expect(use).toMatchObject({ to: now, error: '', containers: [{ container }] })
    expect(containerId).toMatch(new RegExp(`://${use?.containers[0]?.runs[0]?.containerId}$`))
    expect(use?.containers[0]?.runs[0]?.samples.at(-1)?.at).toBe(now)
    expect(await page.request('pod.use', { key: `${cluster}/n1/none` })).toBeNull()
    const cgroups = await page.request('pod.cgroups', { key })
    expect(cgroups).toMatchObject({
      isSimulated: true,
      version: 2,
      containers: [{ name: container }],
    })
    expect(await page.request('pod.cgroups', { key: `${cluster}/n1/none` })).toBeNull()
  })

  it('tells the volumes and the environment of a pod while the clock stands still', async () => {
    await page.request('clock.pause', { cluster })
    const { key } = await stepUntil('hello', isRunning)
    const seen = await page.request('pod.volumes', { key })
    expect(seen?.volumes).toMatchObject([
      {
        name: expect.stringMatching(/^kube-api-access-/),
        state: 'mounted',
        source: { kind: 'projected', parts: [{ kind: 'token' }, { kind: 'object' }, {}] },
        failure: null,
      },
    ])
    const [environment] = seen?.environments ?? []
    expect(environment).toMatchObject({ isGiven: true, refusal: '', left: 0 })
    const variable = 'KUBERNETES_SERVICE_HOST'
    const container = environment?.container ?? ''
    const shown = environment?.variables.find(({ name }) => name === variable)
    expect(shown).toMatchObject({ source: { kind: 'service' }, state: 'found', isHidden: false })
    expect(await page.request('pod.variable', { key, container, variable })).toEqual({
      ok: true,
      value: { value: shown?.value },
    })
    const none = `${cluster}/n1/none`
    expect(await page.request('pod.volumes', { key: none })).toBeNull()
    expect(await page.request('pod.variable', { key: none, container, variable })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
  })

  it('begins a kill at once and says that the rest waits for the clock', async () => {
    await page.request('clock.pause', { cluster })
    const { key } = await stepUntil('hello', isRunning)
    const answer = await page.request('pod.kill', { key, gracePeriodSeconds: 5 })
    expect(answer).toEqual({
      ok: true,
      value: {
        act: 'kill',
        message:
          'Killing default/hello, 5 s grace; the clock is paused; the effects wait until it runs',
      },
    })
    const detail = await page.request('pod.describe', { key })
    expect(detail?.row.worker).toBe('TerminatingPod')
    expect(detail?.trace.map(({ kind }) => kind)).toContain('command.received')
    expect(detail?.why?.question).toBe('Why is it still here?')
    const { unsentStatuses } = await stepUntilNode((node) =>
      node.unsentStatuses.names.includes('default/hello'),
    )
    expect(unsentStatuses.count).toBe(unsentStatuses.names.length)
    await stepUntilNode(({ heldEvents }) => heldEvents > 0)
    await stepUntil('hello', (row) => row.worker === 'finished')
    const flow = await page.request('flow.watch', { node: { cluster, node: 'n1' } })
    expect(flow?.roots?.map(({ text }) => text)).toContain('you: kill hello')
  })

  it('deletes the API object at once; the kubelet receives that when the clock runs', async () => {
    await page.request('clock.pause', { cluster })
    const { key } = await stepUntil('web-n1', (row) => isRunning(row) && row.mirror === 'matched')
    const answer = await page.request('pod.deleteMirror', { key, force: false })
    if (!answer.ok) throw new Error(answer.error.message)
    expect(answer.value.message).toContain('the clock is paused')
    expect(await kubectlGet('/api/v1/namespaces/default/pods/web-n1')).toHaveProperty(
      'metadata.deletionTimestamp',
    )
    const mirrorUid = (await look()).rows.find((row) => row.key === key)?.mirrorUid
    await stepUntil('web-n1', (row) => row.mirror === 'matched' && row.mirrorUid !== mirrorUid)
    const history = await stepUntilCreated(key)
    expect(
      history
        .slice(0, 4)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['created', 'deleted', 'linked', 'unlinked'])
    const seq = history.find(({ kind }) => kind === 'deleted')?.seq ?? 0
    const chain = await page.request('trace.related', { cluster, seq })
    expect(chain?.events.map(({ kind }) => kind)).toContain('command.received')
  })
})
