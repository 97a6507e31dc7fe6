import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ViewPatch } from '../../shared/ipc/contract.ts'
import { systemClock } from '../clock/system-clock.ts'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { Hub } from '../session/hub.ts'
import type { SessionConnection } from '../session/session-channel.ts'
import { SessionServer } from '../session/session-server.ts'
import { nodeA } from './gotcha.ts'
import type { Gotcha } from './gotcha.ts'
import { gotchas } from './gotchas.ts'
import { GotchaClusters } from './gotcha-clusters.ts'
import { gotchaView, startGotcha } from './start-gotcha.ts'
import { podManifest } from './pod-manifest.ts'

const base: Omit<Gotcha, 'id' | 'run'> = {
  title: 'A title',
  category: 'Manifests',
  confusion: 'It looks so.',
  truth: 'It is so.',
  sections: ['identity#full-names'],
  lookAt: 'Look here.',
  next: 'That will come.',
}
const manifest = podManifest({ name: 'web' })

const plain: Gotcha = {
  ...base,
  id: 'plain',
  run: async (sandbox) => {
    await sandbox.step('A manifest.', () => sandbox.putManifest('web.yaml', manifest))
    await sandbox.until('it is there', () => sandbox.rows().length === 1)
    return sandbox.row(`web-${nodeA}`)
  },
}

const broken: Gotcha = {
  ...base,
  id: 'broken',
  run: () => Promise.reject(new Error('the script failed')),
}

let folder: string
let hub: Hub
let server: SessionServer
let patches: ViewPatch[]
let page: SessionConnection

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-gotchas-'))
  const log = new FakeLog()
  const program = { version: '0.0.0', host: 'web', readOnly: false, openPod: '' } as const
  hub = new Hub({ epoch: 'e', program, clock: systemClock })
  const gotchaOpener = new GotchaClusters([plain, broken], { folder, version: '0.0.0', log })
  server = new SessionServer({
    hub,
    log,
    gotchaOpener,
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

const opened = { ok: true, value: { cluster: 'gotcha-plain' } } as const

describe('gotchas of a session', () => {
  it('lists the gotchas without their scripts', async () => {
    expect(await page.request('gotchas.list', {})).toEqual([plain, broken].map(gotchaView))
  })

  it('opens a gotcha as a cluster with a paused clock, after its script has run, and tells the pages', async () => {
    expect(await page.request('gotchas.open', { id: 'plain' })).toEqual(opened)
    await vi.waitFor(() => expect(patches.flatMap(({ upserts }) => upserts)).not.toEqual([]))
    const [view] = patches.flatMap(({ clusters }) => clusters)
    const [row] = patches.flatMap(({ upserts }) => upserts)
    expect(view).toMatchObject({
      id: 'gotcha-plain',
      kind: 'sandbox',
      clock: { virtual: true, paused: true },
      manifestsPath: join(folder, 'plain/manifests', nodeA),
      gotcha: {
        ...gotchaView(plain),
        steps: ['A manifest.'],
        lookAt: 'Look here.',
        next: 'That will come.',
        pod: row?.key,
      },
    })
    expect((await stat(join(folder, 'plain/kubeconfig'))).mode & 0o777).toBe(0o600)
  })

  it('runs the clock when a page asks for it, and watches the manifest folder', async () => {
    await page.request('gotchas.open', { id: 'plain' })
    await page.request('clock.setSpeed', { cluster: 'gotcha-plain', speed: 100 })
    await page.request('clock.run', { cluster: 'gotcha-plain' })
    const other = podManifest({ name: 'other' })
    await writeFile(join(folder, 'plain/manifests', nodeA, 'other.yaml'), other)
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
    await page.request('gotchas.open', { id: 'plain' })
    expect(await page.request('gotchas.close', { cluster: 'gotcha-plain' })).toEqual({
      ok: true,
      value: { message: 'Gotcha closed' },
    })
    expect(await readdir(folder)).toEqual([])
    await vi.waitFor(() =>
      expect(patches.flatMap(({ closed }) => closed)).toEqual(['gotcha-plain']),
    )
    expect(await page.request('gotchas.close', { cluster: 'gotcha-plain' })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
    const { clusters, rows } = await page.request('view.open', {})
    expect([clusters, rows]).toEqual([[], []])
  })

  it('opens a gotcha only once when two pages ask at the same time', async () => {
    const open = () => page.request('gotchas.open', { id: 'plain' })
    expect(await Promise.all([open(), open()])).toEqual([opened, opened])
    expect(await open()).toEqual(opened)
    expect((await page.request('view.open', {})).clusters).toHaveLength(1)
  })

  it('opens a gotcha again while its old cluster is closing, and keeps the new folder', async () => {
    await page.request('gotchas.open', { id: 'plain' })
    const closing = page.request('gotchas.close', { cluster: 'gotcha-plain' })
    expect(await page.request('gotchas.open', { id: 'plain' })).toEqual(opened)
    await closing
    expect((await readdir(join(folder, 'plain'))).toSorted()).toEqual(['kubeconfig', 'manifests'])
    expect((await page.request('view.open', {})).clusters).toHaveLength(1)
  })

  it('answers not-found if the gotcha is closed while it opens', async () => {
    const opening = page.request('gotchas.open', { id: 'plain' })
    await page.request('gotchas.close', { cluster: 'gotcha-plain' })
    expect(await opening).toMatchObject({ ok: false, error: { kind: 'not-found' } })
    expect(await readdir(folder)).toEqual([])
    expect((await page.request('view.open', {})).clusters).toEqual([])
  })

  it('refuses an unknown id', async () => {
    expect(await page.request('gotchas.open', { id: '../plain' })).toEqual({
      ok: false,
      error: { kind: 'not-found', message: 'No gotcha is named ../plain.' },
    })
  })

  it('says why a gotcha cannot be opened, and leaves nothing behind', async () => {
    for (let tries = 0; tries < 2; tries++)
      expect(await page.request('gotchas.open', { id: 'broken' })).toEqual({
        ok: false,
        error: {
          kind: 'failed',
          message: 'The gotcha cannot be opened: the script failed.',
        },
      })
    expect(await readdir(folder)).toEqual([])
    expect((await page.request('view.open', {})).clusters).toEqual([])
  })

  it('leaves nothing behind if the session stops while a gotcha opens', async () => {
    const opening = page.request('gotchas.open', { id: 'plain' })
    await server.stop()
    expect((await opening).ok).toBe(false)
    expect(await readdir(folder)).toEqual([])
    expect(await page.request('gotchas.open', { id: 'plain' })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
  })
})

describe('startGotcha', () => {
  it('produces the same trace each time', async () => {
    const gotcha = gotchas.find(({ id }) => id === 'backup-wins')
    if (gotcha === undefined) throw new Error('no such gotcha')
    const run = async () => {
      const started = await startGotcha(gotcha, { folder, version: '0.0.0', log: new FakeLog() })
      if (!started.ok) throw new Error(started.error)
      const { cluster, sandbox } = started.value
      const traces = sandbox.rows().map(({ key }) => cluster.session.detail(key)?.trace)
      await cluster.stop()
      const at = sandbox.now()
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
