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
import type { Exhibit } from './exhibit.ts'
import { exhibits } from './exhibits.ts'
import { Museum } from './museum.ts'
import { exhibitView, playExhibit } from './play-exhibit.ts'
import { obedient, podText } from './pod-texts.ts'
import { alone } from './scenes.ts'

const base: Omit<Exhibit, 'id' | 'play'> = {
  title: 'A title',
  category: 'Manifests',
  confusion: 'It looks so.',
  truth: 'It is so.',
  sections: ['identity#full-names'],
  nodes: [alone],
  moment: 'Look here.',
  next: 'That will come.',
}
const manifest = podText({ name: 'web', script: obedient })

const plain: Exhibit = {
  ...base,
  id: 'plain',
  play: async (stage) => {
    await stage.step('A manifest.', () => stage.putManifest('web.yaml', manifest))
    await stage.until('it is there', () => stage.rows().length === 1)
    return stage.row(`web-${alone}`)
  },
}

const broken: Exhibit = {
  ...base,
  id: 'broken',
  play: () => Promise.reject(new Error('the stage is on fire')),
}

let folder: string
let hub: Hub
let server: SessionServer
let patches: ViewPatch[]
let page: SessionConnection

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-museum-'))
  const log = new FakeLog()
  const program = { version: '0.0.0', host: 'web', readOnly: false, openPod: '' } as const
  hub = new Hub({ epoch: 'e', program, clock: systemClock })
  const museum = new Museum([plain, broken], { folder, version: '0.0.0', log })
  server = new SessionServer({ hub, log, museum })
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

describe('the museum behind a session', () => {
  it('lists what it has, without the scripts', async () => {
    expect(await page.request('museum.list', {})).toEqual([plain, broken].map(exhibitView))
  })

  it('opens an exhibit as a cluster that pages hear of, at its moment, with its clock paused', async () => {
    expect(await page.request('museum.open', { id: 'plain' })).toEqual(opened)
    await vi.waitFor(() => expect(patches.flatMap(({ upserts }) => upserts)).not.toEqual([]))
    const [view] = patches.flatMap(({ clusters }) => clusters)
    const [row] = patches.flatMap(({ upserts }) => upserts)
    expect(view).toMatchObject({
      id: 'gotcha-plain',
      sandbox: true,
      clock: { virtual: true, paused: true },
      manifestsPath: join(folder, 'plain/manifests', alone),
      exhibit: {
        ...exhibitView(plain),
        steps: ['A manifest.'],
        moment: 'Look here.',
        next: 'That will come.',
        pod: row?.key,
      },
    })
    expect((await stat(join(folder, 'plain/kubeconfig'))).mode & 0o777).toBe(0o600)
  })

  it('runs on under the commands of a page, and its folder is watched like any other', async () => {
    await page.request('museum.open', { id: 'plain' })
    await page.request('clock.setSpeed', { cluster: 'gotcha-plain', speed: 100 })
    await page.request('clock.run', { cluster: 'gotcha-plain' })
    const other = podText({ name: 'other', script: obedient })
    await writeFile(join(folder, 'plain/manifests', alone, 'other.yaml'), other)
    await vi.waitFor(
      async () => {
        const { rows } = await page.request('view.open', {})
        const runs = rows.filter(({ status }) => status === 'Running').map(({ name }) => name)
        expect(runs.toSorted()).toEqual([`other-${alone}`, `web-${alone}`])
      },
      { timeout: 30_000 },
    )
  })

  it('closes it: the cluster goes from the pages, its folder from the disk', async () => {
    await page.request('museum.open', { id: 'plain' })
    expect(await page.request('museum.close', { cluster: 'gotcha-plain' })).toEqual({
      ok: true,
      value: { message: 'Gotcha closed' },
    })
    expect(await readdir(folder)).toEqual([])
    await vi.waitFor(() =>
      expect(patches.flatMap(({ closed }) => closed)).toEqual(['gotcha-plain']),
    )
    expect(await page.request('museum.close', { cluster: 'gotcha-plain' })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
    const { clusters, rows } = await page.request('view.open', {})
    expect([clusters, rows]).toEqual([[], []])
  })

  it('opens each once, for two pages that ask at the same time as well', async () => {
    const open = () => page.request('museum.open', { id: 'plain' })
    expect(await Promise.all([open(), open()])).toEqual([opened, opened])
    expect(await open()).toEqual(opened)
    expect((await page.request('view.open', {})).clusters).toHaveLength(1)
  })

  it('opens one anew that is just being closed, and leaves the new one its folder', async () => {
    await page.request('museum.open', { id: 'plain' })
    const closing = page.request('museum.close', { cluster: 'gotcha-plain' })
    expect(await page.request('museum.open', { id: 'plain' })).toEqual(opened)
    await closing
    expect((await readdir(join(folder, 'plain'))).toSorted()).toEqual(['kubeconfig', 'manifests'])
    expect((await page.request('view.open', {})).clusters).toHaveLength(1)
  })

  it('does not say that one is open which was closed while it opened', async () => {
    const opening = page.request('museum.open', { id: 'plain' })
    await page.request('museum.close', { cluster: 'gotcha-plain' })
    expect(await opening).toMatchObject({ ok: false, error: { kind: 'not-found' } })
    expect(await readdir(folder)).toEqual([])
    expect((await page.request('view.open', {})).clusters).toEqual([])
  })

  it('knows no exhibit of another name', async () => {
    expect(await page.request('museum.open', { id: '../plain' })).toEqual({
      ok: false,
      error: { kind: 'not-found', message: 'No gotcha is named ../plain.' },
    })
  })

  it('says why one cannot be shown, and leaves nothing of it', async () => {
    for (let tries = 0; tries < 2; tries++)
      expect(await page.request('museum.open', { id: 'broken' })).toEqual({
        ok: false,
        error: {
          kind: 'failed',
          message: 'The gotcha cannot be opened: the stage is on fire.',
        },
      })
    expect(await readdir(folder)).toEqual([])
    expect((await page.request('view.open', {})).clusters).toEqual([])
  })

  it('leaves nothing when the session stops while one is opening', async () => {
    const opening = page.request('museum.open', { id: 'plain' })
    await server.stop()
    expect((await opening).ok).toBe(false)
    expect(await readdir(folder)).toEqual([])
    expect(await page.request('museum.open', { id: 'plain' })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
  })
})

describe('playExhibit', () => {
  it('comes to the same moment each time', async () => {
    const exhibit = exhibits.find(({ id }) => id === 'backup-wins')
    if (exhibit === undefined) throw new Error('there is no such exhibit')
    const play = async () => {
      const played = await playExhibit(exhibit, { folder, version: '0.0.0', log: new FakeLog() })
      if (!played.ok) throw new Error(played.error)
      const { cluster, stage } = played.value
      const traces = stage.rows().map(({ key }) => cluster.session.detail(key)?.trace)
      await cluster.stop()
      const at = stage.now()
      return traces.map((trace) =>
        trace?.map((event) => ({
          kind: event.kind,
          seq: event.seq,
          beforeMs: Math.round(at - event.at),
        })),
      )
    }
    expect(await play()).toEqual(await play())
  })
})
