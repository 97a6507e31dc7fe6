import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { Events, Snapshot } from '../../../shared/ipc/contract.ts'
import { loadKubeconfig } from '../../cluster/kubeconfig/kubeconfig.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { parsersInPlace } from '../../parsing/kubernetes-text.ts'
import { fakeSessionConfig } from '../fake-session-config.ts'
import type { RunningSession, SessionConnection } from '../session-channel.ts'
import type { ClusterConfig } from '../session-config.ts'
import { startSession } from '../start-session.ts'
import { repositoryAssets } from '../scenarios/fake-operator.ts'
import { writeFirstManifests } from '../scenarios/first-run.ts'

// A second program looks at the sandbox of the first, over HTTPS.

let folder: string
let sandbox: RunningSession
let kubeconfig: string
let looking: RunningSession | undefined

async function start(
  cluster: ClusterConfig,
  dataFolder: string,
  environment: Readonly<Record<string, string>> = {},
  readOnly = false,
): Promise<RunningSession> {
  const manifestsPath = join(folder, 'examples')
  await writeFirstManifests(repositoryAssets, manifestsPath)
  const started = await startSession(
    fakeSessionConfig({
      cluster,
      manifestsPath,
      dataFolder,
      readOnly,
    }),
    {
      log: new FakeLog(),
      assets: repositoryAssets,
      parsers: parsersInPlace,
      host: 'web',
      printLine: () => undefined,
      environment: { PATH: process.env['PATH'], HOME: dataFolder, ...environment },
    },
  )
  if (!started.ok) throw new Error(started.error.message)
  return started.value
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-seen-'))
  kubeconfig = join(folder, 'sandbox.kubeconfig')
  sandbox = await start({ kind: 'sandbox', port: null, kubeconfigPath: kubeconfig }, folder)
}, 30_000)

afterEach(async () => {
  await looking?.stop()
  looking = undefined
})

afterAll(async () => {
  await sandbox.stop()
  await rm(folder, { recursive: true, force: true })
})

async function look(
  options: {
    readonly environment?: Readonly<Record<string, string>>
    readonly readOnly?: boolean
  } = {},
): Promise<{ readonly page: SessionConnection; readonly dataFolder: string }> {
  const dataFolder = await mkdtemp(join(folder, 'data-'))
  const cluster = { kind: 'look', path: kubeconfig, context: null } as const
  looking = await start(cluster, dataFolder, options.environment, options.readOnly)
  return { page: looking.channel.connect(() => undefined), dataFolder }
}

async function until(
  page: SessionConnection,
  what: string,
  holds: (snapshot: Snapshot) => boolean,
): Promise<Snapshot> {
  for (let tries = 0; tries < 400; tries++) {
    const snapshot = await page.request('view.open', {})
    if (holds(snapshot)) return snapshot
    await sleep(50)
  }
  throw new Error(`${what} did not come`)
}

const isWatching = ({ clusters }: Snapshot): boolean =>
  clusters.every(({ seen }) => seen?.watches.every(({ state }) => state === 'watching') === true)

describe('a cluster that is opened to look at it', () => {
  it('sends its view at most twice a second, however often a pod changes', async () => {
    await look()
    const patches: Events['view.patched'][] = []
    const page = looking?.channel.connect((name, event) => {
      if (name !== 'view.patched') return
      // Of this name.
      const patch = event as Events['view.patched']
      patches.push(patch)
      void page?.request('view.acknowledge', { epoch: patch.epoch, number: patch.number })
    })
    const access = await loadKubeconfig({ file: kubeconfig, environment: {} })
    if (page === undefined || !access.ok) throw new Error('not open')
    await until(
      page,
      'hello',
      (snapshot) => isWatching(snapshot) && snapshot.rows.some(({ name }) => name === 'hello'),
    )
    const transport = access.value.createTransport()
    const startedAt = performance.now()
    const withRows = (): number => patches.filter(({ upserts }) => upserts.length > 0).length
    patches.length = 0
    for (let number = 0; withRows() < 20; number++)
      await transport.send({
        method: 'PATCH',
        path: '/api/v1/namespaces/default/pods/hello',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { metadata: { labels: { number: String(number) } } },
      })
    const seconds = (performance.now() - startedAt) / 1000
    await transport.close()
    const views = patches.filter(({ clusters }) => clusters.length > 0).length
    expect(views).toBeLessThanOrEqual(2 * seconds + 2)
  })

  it('shows its nodes and pods, and is read-only until changes are allowed', async () => {
    const { page } = await look()
    const { clusters, rows } = await until(
      page,
      'hello',
      (snapshot) =>
        isWatching(snapshot) &&
        snapshot.rows.some(({ name, status }) => name === 'hello' && status === 'Running'),
    )
    const [view] = clusters
    expect(view).toMatchObject({
      id: 'nodescope-sandbox',
      kind: 'seen',
      connection: { kind: 'connected' },
    })
    expect(view?.seen?.nodes).toMatchObject([
      { name: 'scope-node-1', status: 'Ready', loss: { kind: 'none' } },
    ])
    const mirror = rows.find(({ kind }) => kind === 'mirror')
    expect(mirror?.mirrorReason).toBe('')
    expect(mirror?.workerReason).toContain('which only the kubelet of scope-node-1 has')
    const key = rows.find(({ name }) => name === 'hello')?.key ?? ''
    const remove = async () => page.request('pod.delete', { key, gracePeriodSeconds: 1 })
    const refusal = 'nodescope-sandbox is read-only here: allow changes first (Shift A).'
    expect(await remove()).toEqual({ ok: false, error: { kind: 'read-only', message: refusal } })
    await page.request('cluster.allowChanges', { cluster: 'nodescope-sandbox' })
    const detail = await page.request('pod.describe', { key })
    expect(detail?.facts).toMatchObject({
      readOnly: '',
      seenIn: 'nodescope-sandbox',
      runningContainers: 1,
    })
    expect(await remove()).toMatchObject({ ok: true })
    await until(page, 'its end', ({ rows: left }) => left.every(({ name }) => name !== 'hello'))
  }, 60_000)

  it('reads logs and events, and opens a terminal, through the API server', async () => {
    const { page } = await look()
    const { rows } = await until(
      page,
      'a running pod',
      (snapshot) =>
        isWatching(snapshot) &&
        snapshot.rows.some(({ status, kind }) => status === 'Running' && kind === 'mirror'),
    )
    const row = rows.find(({ status, kind }) => status === 'Running' && kind === 'mirror')
    const key = row?.key ?? ''
    const container = row?.bricks[0]?.name ?? ''
    const query = { key, container, previous: false, sinceSeconds: null, after: null }
    const logs = await page.request('pod.logs', query)
    expect(logs).toMatchObject({ error: '', parts: [{}] })
    const events = await page.request('cluster.events', {
      cluster: 'nodescope-sandbox',
      node: null,
      namespace: '',
      filter: 'Started',
      onlyWarnings: false,
      skip: 0,
    })
    expect(events?.events.every(({ reason }) => reason === 'Started')).toBe(true)
    expect(events?.matching).toBeGreaterThan(0)
    expect(events?.total).toBeGreaterThan(events?.matching ?? 0)
    const timeline = await page.request('cluster.timeline', {
      cluster: 'nodescope-sandbox',
      node: 'scope-node-1',
      from: null,
      to: null,
      width: 100,
      filter: '',
    })
    const lane = timeline?.pods.find(({ id }) => id === key)
    expect(lane).toMatchObject({ state: 'sync', segments: [{ certainty: 'assumed' }] })
    const detail = await page.request('pod.describe', { key })
    const kinds = detail?.trace.map(({ kind }) => kind)
    expect(kinds).toContain('worker.observed')
    expect(kinds).toContain('event.recorded')
    const terminal = { id: 1, key, container, command: ['echo', 'hi'], columns: 80, rows: 24 }
    expect(await page.request('terminal.open', terminal)).toMatchObject({
      ok: false,
      error: { kind: 'read-only' },
    })
    await page.request('cluster.allowChanges', { cluster: 'nodescope-sandbox' })
    expect(await page.request('terminal.open', terminal)).toEqual({ ok: true, value: null })
  }, 60_000)

  it('forwards a port to a pod through the API server once changes are allowed, and closes it when they end', async () => {
    const { page } = await look()
    const { rows } = await until(
      page,
      'the web pod',
      (snapshot) =>
        isWatching(snapshot) &&
        snapshot.rows.some(
          ({ name, status }) => name === 'web-scope-node-1' && status === 'Running',
        ),
    )
    const key = rows.find(({ name }) => name === 'web-scope-node-1')?.key ?? ''
    const request = { key, port: 80, localPort: 0 }
    expect(await page.request('ports.start', request)).toMatchObject({
      ok: false,
      error: { kind: 'read-only' },
    })
    await page.request('cluster.allowChanges', { cluster: 'nodescope-sandbox' })
    const started = await page.request('ports.start', request)
    if (!started.ok) throw new Error(started.error.message)
    const answer = await fetch(`http://127.0.0.1:${started.value.localPort}/`)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('nginx')
    expect(await page.request('ports.list', { key })).toMatchObject({
      forwards: [{ port: 80, problem: '' }],
    })
    await page.request('cluster.endChanges', { cluster: 'nodescope-sandbox' })
    expect((await page.request('ports.list', { key }))?.forwards).toEqual([])
  }, 60_000)

  it('cordons and uncordons a node, and rehearses a drain as kubectl refuses it', async () => {
    const { page } = await look()
    await until(page, 'all watches', isWatching)
    const drain = {
      ignoreDaemonSets: false,
      deleteEmptyDirData: false,
      force: false,
      gracePeriodSeconds: null,
    }
    const node = { cluster: 'nodescope-sandbox', node: 'scope-node-1', drain } as const
    await page.request('cluster.allowChanges', { cluster: 'nodescope-sandbox' })
    expect(await page.request('seenNode.act', { ...node, act: 'cordon' })).toEqual({
      ok: true,
      value: { message: 'Cordoned scope-node-1 on nodescope-sandbox' },
    })
    await until(page, 'the cordon', ({ clusters }) =>
      clusters.some(({ seen }) => seen?.nodes[0]?.status === 'Ready,SchedulingDisabled'),
    )
    const forecast = await page.request('seenNode.forecast', { ...node, act: 'drain' })
    expect(forecast).toMatchObject({
      ok: true,
      value: {
        isAllowed: false,
        summary: 'Does not cordon scope-node-1 and evicts no pod: 1 pod refuses the drain.',
        kubectl: 'kubectl --context nodescope-sandbox drain scope-node-1',
        confirm: 'Drain scope-node-1 on nodescope-sandbox',
      },
    })
    const forced = { ...node, act: 'drain', drain: { ...drain, force: true } } as const
    const summary = (will: string) => ({
      ok: true,
      value: { summary: expect.stringMatching(will) },
    })
    expect(await page.request('seenNode.forecast', forced)).toMatchObject(
      summary('^Cordons scope-node-1 and evicts 1 pod;'),
    )
    await page.request('cluster.endChanges', { cluster: 'nodescope-sandbox' })
    expect(await page.request('seenNode.forecast', forced)).toMatchObject(
      summary('^Would cordon scope-node-1 and evict 1 pod;'),
    )
    await page.request('cluster.allowChanges', { cluster: 'nodescope-sandbox' })
    expect(await page.request('seenNode.act', { ...node, act: 'uncordon' })).toMatchObject({
      ok: true,
    })
  }, 60_000)

  it('allows no changes with --read-only', async () => {
    const { page } = await look({ readOnly: true })
    await until(page, 'all watches', isWatching)
    expect(
      await page.request('cluster.allowChanges', { cluster: 'nodescope-sandbox' }),
    ).toMatchObject({
      ok: false,
      error: { kind: 'read-only' },
    })
  }, 60_000)
})

describe('kubeconfigs', () => {
  it('lists $KUBECONFIG merged, and what was opened before, in a file for this user alone', async () => {
    const other = join(folder, 'other.yaml')
    const missing = join(folder, 'missing.yaml')
    await writeFile(
      other,
      stringify({
        contexts: [{ name: 'old', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
        clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443' } }],
        users: [
          {
            name: 'u',
            user: { exec: { command: 'kubelogin', args: ['get-token'], apiVersion: 'v1' } },
          },
        ],
      }),
    )
    const { page, dataFolder } = await look({
      environment: { KUBECONFIG: [kubeconfig, missing, other].join(':') },
    })
    const listed = await page.request('kubeconfigs.list', {})
    expect(listed.map(({ source, isRecent }) => [source.kind, isRecent])).toEqual([
      ['environment', false],
      ['file', true],
    ])
    expect(listed[0]).toMatchObject({
      currentContext: 'nodescope-sandbox',
      files: [{ path: kubeconfig }, { path: missing, changedAt: null }, { path: other }],
      contexts: [
        { name: 'nodescope-sandbox', signIn: { kind: 'token' }, problem: '', cluster: '' },
        {
          name: 'old',
          server: 'https://10.0.0.1:6443',
          namespace: 'shop',
          signIn: { kind: 'plugin', program: 'kubelogin', commandLine: 'kubelogin get-token' },
        },
      ],
    })
    expect(listed[1]?.contexts[0]).toMatchObject({
      name: 'nodescope-sandbox',
      cluster: 'nodescope-sandbox',
      color: 0,
    })
    const kept = join(dataFolder, 'opened-kubeconfigs.json')
    expect((await stat(kept)).mode & 0o777).toBe(0o600)
    await page.request('kubeconfigs.forget', { path: kubeconfig })
    expect(await page.request('kubeconfigs.list', {})).toHaveLength(1)
  }, 60_000)

  it('asks before a credential plugin runs for the first time, and not again', async () => {
    const { page, dataFolder } = await look()
    const plugin = join(dataFolder, 'plugin.sh')
    const token = /token: (\S+)/.exec(await readFile(kubeconfig, 'utf8'))?.[1] ?? ''
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token },
    }
    await writeFile(
      plugin,
      `#!/bin/sh\necho ran >> "${dataFolder}/runs"\nprintf '\\033[1mSign in here\\033[0m\\n' >&2\nwhile [ ! -e "${dataFolder}/signed-in" ]; do sleep 0.05; done\necho '${JSON.stringify(credential)}'\n`,
    )
    await chmod(plugin, 0o755)
    const { clusters } = await page.request('view.open', {})
    const server = clusters[0]?.server ?? ''
    const text = stringify({
      'current-context': 'cloud',
      contexts: [{ name: 'cloud', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [
        {
          name: 'u',
          user: {
            exec: {
              apiVersion: credential.apiVersion,
              command: plugin,
              env: [{ name: 'A', value: 'b' }],
            },
          },
        },
      ],
    })
    const source = { kind: 'text', name: 'cloud.yaml', text } as const
    const ask = { source, context: null, confirmedPlugin: null, color: null }
    const question = {
      commandLine: plugin,
      program: plugin,
      from: 'cloud.yaml',
      variables: ['A'],
      installHint: '',
    }
    expect(await page.request('cluster.open', ask)).toEqual({
      ok: true,
      value: { kind: 'confirmPlugin', question },
    })
    await expect(stat(join(dataFolder, 'runs'))).rejects.toThrow('ENOENT')
    const opened = { ok: true, value: { kind: 'opened', cluster: 'cloud' } }
    expect(await page.request('cluster.open', { ...ask, confirmedPlugin: plugin })).toEqual(opened)
    const runOf = ({ clusters: [, cloud] }: Snapshot) => cloud?.seen?.pluginRun
    await until(page, 'the output', (now) => runOf(now)?.output === 'Sign in here\n')
    await writeFile(join(dataFolder, 'signed-in'), '')
    const snapshot = await until(
      page,
      'both',
      (now) => now.clusters.length === 2 && isWatching(now) && runOf(now) === null,
    )
    expect(snapshot.clusters.map(({ id, seen }) => [id, seen?.color])).toEqual([
      ['nodescope-sandbox', 0],
      ['cloud', 1],
    ])
    expect(await readFile(join(dataFolder, 'runs'), 'utf8')).toBe('ran\n')
    expect(await page.request('cluster.close', { cluster: 'cloud' })).toMatchObject({ ok: true })
    expect(await page.request('cluster.open', ask)).toEqual(opened)
  }, 60_000)

  it('tells clusters apart whose contexts have one name, as kubeadm gives it to all', async () => {
    const { page } = await look()
    const name = 'kubernetes-admin@kubernetes'
    for (const port of [1, 2]) {
      const text = stringify({
        'current-context': name,
        contexts: [{ name, context: { cluster: 'kubernetes', user: 'admin' } }],
        clusters: [{ name: 'kubernetes', cluster: { server: `https://127.0.0.1:${port}` } }],
        users: [{ name: 'admin', user: { token: 'a' } }],
      })
      const source = { kind: 'text', name: `admin-${port}.conf`, text } as const
      const ask = { source, context: null, confirmedPlugin: null, color: null }
      expect(await page.request('cluster.open', ask)).toMatchObject({ ok: true })
    }
    const { clusters } = await page.request('view.open', {})
    expect(clusters.slice(1).map(({ label, seen }) => [label, seen?.context])).toEqual([
      [name, name],
      [`${name} (2)`, name],
    ])
  }, 60_000)

  it('says why a kubeconfig cannot be opened', async () => {
    const { page } = await look()
    const open = async (
      source: { kind: 'text'; name: string; text: string } | { kind: 'file'; path: string },
    ) => page.request('cluster.open', { source, context: null, confirmedPlugin: null, color: null })
    const refusal = (message: string) => ({ ok: false, error: { kind: 'refused', message } })
    expect(await open({ kind: 'file', path: '/nowhere/config' })).toEqual(
      refusal('The kubeconfig /nowhere/config does not exist.'),
    )
    expect(await open({ kind: 'text', name: 'notes.txt', text: 'hello' })).toEqual(
      refusal('notes.txt is not a kubeconfig: it has no list of contexts.'),
    )
  }, 60_000)
})
