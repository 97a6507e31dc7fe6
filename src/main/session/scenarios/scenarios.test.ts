import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ViewPatch } from '../../../shared/ipc/contract.ts'
import { systemClock } from '../../clock/system-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import type { Assets } from '../assets.ts'
import { Hub } from '../hub.ts'
import type { SessionConnection } from '../session-channel.ts'
import { SessionServer } from '../session-server.ts'
import { FakeOperator, repositoryAssets } from './fake-operator.ts'
import { fakePodManifest } from './fake-pod-manifest.ts'
import { openScenarioCluster } from './scenario-cluster.ts'
import { Scenarios } from './scenarios.ts'
import { readShippedScenarios } from './shipped-scenarios.ts'

const nodeA = 'node-a'

function scenarioText(name: string, steps: string): string {
  return `apiVersion: nodescope.dev/v1alpha1
kind: Scenario
metadata: { name: ${name}, title: A title }
spec:
  gotcha:
    category: Manifests
    confusion: It looks so.
    truth: It is so.
    sections: ['identity#full-names']
  clock: { paused: true }
  nodes: [{ name: ${nodeA} }]
  steps:
${steps}
  show: { pod: web-${nodeA} }
  lookAt: Look here.
  next: That will come.
`
}

const pod = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'main', image: 'busybox:1.36', command: ['sleep', 'infinity'] }] },
})
const plain = scenarioText(
  'plain',
  `    - { say: A manifest., manifest: { file: web.yaml, content: ${pod} } }
    - { until: [{ pod: web-${nodeA} }] }`,
)
const broken = scenarioText('broken', `    - { delete: { resource: pod/none } }`)

const assets: Assets = {
  list: (path) => Promise.resolve(path === 'scenarios/manifests' ? ['plain', 'broken'] : []),
  readText: (path) => Promise.resolve(path.endsWith('plain') ? plain : broken),
}

let folder: string
let hub: Hub
let server: SessionServer
let patches: ViewPatch[]
let page: SessionConnection

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-scenarios-'))
  const log = new FakeLog()
  const program = { version: '0.0.0', host: 'web', readOnly: false, openPod: '' } as const
  hub = new Hub({ epoch: 'e', program, clock: systemClock })
  server = new SessionServer({
    hub,
    log,
    loadScenarios: (deps) =>
      Promise.resolve(
        new Scenarios({ ...deps, assets, dataFolder: folder, version: '0.0.0', log }),
      ),
    loadSeenClusters: () => Promise.reject(new Error('not used')),
  })
  patches = []
  page = server.connect((name, payload) => {
    if (name !== 'view.patched') return
    // The only event with this name.
    const patch = payload as ViewPatch
    patches.push(patch)
    void page.request('view.acknowledge', { epoch: patch.epoch, number: patch.number })
  })
  await page.request('view.open', {})
})

afterEach(async () => {
  hub.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const opened = { ok: true, value: { cluster: 'scenario-plain' } } as const
const openFolder = (): string => join(folder, 'scenarios')

function open(name: string) {
  return page.request('scenario.open', { source: { kind: 'shipped', name } })
}

const texts = {
  title: 'A title',
  category: 'Manifests',
  confusion: 'It looks so.',
  truth: 'It is so.',
  sections: ['identity#full-names'],
} as const

describe('scenarios of a session', () => {
  it('lists the gotchas, and all scenarios', async () => {
    const names = ['plain', 'broken']
    expect(await page.request('gotchas.list', {})).toEqual(names.map((id) => ({ id, ...texts })))
    const { title, category, confusion: sentence } = texts
    expect(await page.request('scenarios.list', {})).toEqual({
      shipped: names.map((name) => ({ name, title, sentence, category })),
      recent: [],
    })
  })

  it('opens a text, keeps a copy, and keeps another one of the same name apart', async () => {
    const openText = (text: string) =>
      page.request('scenario.open', { source: { kind: 'text', name: 'mine.yaml', text } })
    expect(await openText(plain)).toEqual(opened)
    expect(await openText(plain)).toEqual(opened)
    const other = plain.replace('A title', 'Another title')
    expect(await openText(other)).toEqual({ ok: true, value: { cluster: 'scenario-plain-2' } })
    const { recent } = await page.request('scenarios.list', {})
    expect(recent).toMatchObject([{ name: 'plain', title: 'Another title' }])
    expect((await stat(join(folder, 'recent-scenarios/plain.yaml'))).mode & 0o777).toBe(0o600)
    const again = { source: { kind: 'recent', name: 'plain' } } as const
    expect(await page.request('scenario.open', again)).toEqual({
      ok: true,
      value: { cluster: 'scenario-plain-2' },
    })
  })

  it('says where a text is wrong', async () => {
    const source = { kind: 'text', name: 'mine.yaml', text: `${plain}  seed: x\n` } as const
    expect(await page.request('scenario.open', { source })).toMatchObject({
      ok: false,
      error: { message: 'mine.yaml:18:9: spec.seed needs a whole number, not a text.' },
    })
  })

  it('opens a scenario as a cluster with a paused clock, after its script has run, and tells the pages', async () => {
    expect(await open('plain')).toEqual(opened)
    await vi.waitFor(() => expect(patches.flatMap(({ upserts }) => upserts)).not.toEqual([]))
    const [view] = patches.flatMap(({ clusters }) => clusters)
    const [row] = patches.flatMap(({ upserts }) => upserts)
    expect(view).toMatchObject({
      id: 'scenario-plain',
      kind: 'sandbox',
      clock: { virtual: true, paused: true },
      manifestsPath: join(openFolder(), 'scenario-plain/manifests', nodeA),
      scenario: {
        name: 'plain',
        title: texts.title,
        sentence: texts.confusion,
        truth: texts.truth,
        isGotcha: true,
        steps: ['A manifest.'],
        lookAt: 'Look here.',
        next: 'That will come.',
        pod: row?.key,
      },
    })
    expect((await stat(join(openFolder(), 'scenario-plain/kubeconfig'))).mode & 0o777).toBe(0o600)
  })

  it('runs the clock when a page asks for it, and watches the manifest folder', async () => {
    await open('plain')
    await page.request('clock.setSpeed', { cluster: 'scenario-plain', speed: 100 })
    await page.request('clock.run', { cluster: 'scenario-plain' })
    const other = fakePodManifest({ name: 'other' })
    await writeFile(join(openFolder(), 'scenario-plain/manifests', nodeA, 'other.yaml'), other)
    await vi.waitFor(
      async () => {
        const { rows } = await page.request('view.open', {})
        const runs = rows.filter(({ status }) => status === 'Running').map(({ name }) => name)
        expect(runs.toSorted()).toEqual([`other-${nodeA}`, `web-${nodeA}`])
      },
      { timeout: 30_000 },
    )
  })

  it('closes the cluster: the pages no longer show it, and its folder is removed', async () => {
    await open('plain')
    expect(await page.request('scenario.close', { cluster: 'scenario-plain' })).toEqual({
      ok: true,
      value: { message: 'Scenario closed' },
    })
    expect(await readdir(openFolder())).toEqual([])
    await vi.waitFor(() =>
      expect(patches.flatMap(({ closed }) => closed)).toEqual(['scenario-plain']),
    )
    expect(await page.request('scenario.close', { cluster: 'scenario-plain' })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
    const { clusters, rows } = await page.request('view.open', {})
    expect([clusters, rows]).toEqual([[], []])
  })

  it('opens a scenario only once when two pages ask at the same time', async () => {
    expect(await Promise.all([open('plain'), open('plain')])).toEqual([opened, opened])
    expect(await open('plain')).toEqual(opened)
    expect((await page.request('view.open', {})).clusters).toHaveLength(1)
  })

  it('opens a scenario again while its old cluster is closing, and keeps the new folder', async () => {
    await open('plain')
    const closing = page.request('scenario.close', { cluster: 'scenario-plain' })
    expect(await open('plain')).toEqual(opened)
    await closing
    expect((await readdir(join(openFolder(), 'scenario-plain'))).toSorted()).toEqual([
      'kubeconfig',
      'manifests',
    ])
    expect((await page.request('view.open', {})).clusters).toHaveLength(1)
  })

  it('refuses an unknown id', async () => {
    expect(await open('../plain')).toEqual({
      ok: false,
      error: { kind: 'refused', message: 'No scenario is named ../plain.' },
    })
  })

  it('says why a scenario cannot be opened, and leaves nothing behind', async () => {
    for (let tries = 0; tries < 2; tries++)
      expect(await open('broken')).toEqual({
        ok: false,
        error: {
          kind: 'failed',
          message: expect.stringMatching(
            /^broken:13:7: The scenario broken stopped: spec.steps\[0\] \(delete\) failed: pods "none" not found$/,
          ),
        },
      })
    expect(await readdir(openFolder())).toEqual([])
    expect((await page.request('view.open', {})).clusters).toEqual([])
  })

  it('leaves nothing behind if the session stops while a scenario opens', async () => {
    const opening = open('plain')
    await server.stop()
    expect((await opening).ok).toBe(false)
    expect(await readdir(openFolder()).catch(() => [])).toEqual([])
    expect(await open('plain')).toMatchObject({
      ok: false,
      error: { kind: 'refused' },
    })
  })
})

describe('openScenarioCluster', () => {
  it('brings every shipped scenario that is no gotcha to its moment', async () => {
    const shipped = await readShippedScenarios(repositoryAssets)
    const plain = shipped.filter(({ scenario }) => scenario.spec.gotcha === undefined)
    const names = plain.map(({ scenario }) => scenario.metadata.name)
    expect(names).toEqual(expect.arrayContaining(['first-run', 'missed-leases', 'memory-leak']))
    const deps = { folder, version: '0.0.0', log: new FakeLog() }
    for (const read of plain) {
      const started = await openScenarioCluster('scenario', read, deps)
      if (!started.ok) throw new Error(started.error)
      const { title } = started.value.session.view().scenario ?? {}
      await started.value.stop()
      expect(title).toBe(read.scenario.metadata.title)
    }
  })

  it('produces the same trace each time', async () => {
    const shipped = await readShippedScenarios(repositoryAssets)
    const gotcha = shipped.find(({ scenario }) => scenario.metadata.name === 'backup-wins')
    if (gotcha === undefined) throw new Error('no such gotcha')
    const deps = { folder, version: '0.0.0', log: new FakeLog() }
    const run = async () => {
      const started = await openScenarioCluster('scenario', gotcha, deps)
      if (!started.ok) throw new Error(started.error)
      const cluster = started.value
      const operator = new FakeOperator(cluster)
      const traces = operator.rows().map(({ key }) => cluster.session.detail(key)?.trace)
      await cluster.stop()
      const at = operator.now()
      return traces.map((trace) =>
        trace?.map((event) => ({
          kind: event.kind,
          seq: event.seq,
          beforeMs: Math.round(at - event.at),
        })),
      )
    }
    expect(await run()).toEqual(await run())
  })
})
