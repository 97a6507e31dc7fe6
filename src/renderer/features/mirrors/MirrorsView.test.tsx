import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { spokenName } from '../../app/fake-screen-reader.ts'
import { openPage } from '../../app/fake-page.tsx'
import type { FakePage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeRow, fakeStaticRow, fakeNow } from '../../bridge/fake-views.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useMirrorKeys } from './use-mirror-keys.ts'
import { StoreProvider } from '../../store/store-context.ts'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const web = fakeStaticRow({
  name: 'web-scope-node-1',
  uid: '4db90dbbbce93ceba5f383ef323ded3f',
  mirrorUid: 'b0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b',
})
const etcd = fakeStaticRow({ name: 'etcd-scope-node-1', namespace: 'kube-system' })
const shipper = fakeStaticRow({
  name: 'log-shipper-scope-node-1',
  mirror: 'missing',
  mirrorUid: null,
  mirrorReason: 'the namespace logging does not exist',
})
const orphan = fakeRow({
  name: 'old-agent-scope-node-1',
  kind: 'mirror',
  uid: 'd1f7c3aa-2b1e-4a6c-9f0d-7b8e6a5c4d3e',
  mirrorUid: 'd1f7c3aa-2b1e-4a6c-9f0d-7b8e6a5c4d3e',
  worker: 'none',
  workerReason: 'orphaned mirror of 5c1d9e: the node has no static pod of this name',
})
const hello = fakeRow({ name: 'hello', uid: 'ea03f05c-548a-4e40-a20c-58c2c8996764' })

function metadata(row: PodRow, hash: string): object {
  return { name: row.name, annotations: { 'kubernetes.io/config.hash': hash } }
}

function mirrorMetadata(row: PodRow, hash: string): object {
  const annotations = { 'kubernetes.io/config.hash': hash, 'kubernetes.io/config.mirror': hash }
  return { name: row.name, annotations }
}

async function openMirrors(bridge: FakeBridge): Promise<FakePage> {
  const page = await openPage(bridge)
  await act(async () => {
    page.store.state.getState().show('mirrors')
    await Promise.resolve()
  })
  return page
}

function pairNames(): readonly (string | null)[] {
  return screen.getAllByRole('option').map(spokenName)
}

async function axeViolations(): Promise<readonly string[]> {
  const { violations } = await axe.run(screen.getByRole('main'), {
    // Nothing is laid out or painted here; tokens.css lists the computed contrasts.
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.html.slice(0, 160)}`),
  )
}

describe('the pairs', () => {
  it('and their comparison have no axe violations', async () => {
    const bridge = new FakeBridge({ rows: [web, shipper, orphan] })
    bridge.setObjects(shipper.key, { pod: { a: 1 }, mirror: { a: 2 }, status: null })
    await openMirrors(bridge)
    await screen.findByRole('cell', { name: 'a: 1' })
    expect(await axeViolations()).toEqual([])
  })

  it('list each static pod with its mirror, broken pairs first', async () => {
    await openMirrors(new FakeBridge({ rows: [web, etcd, hello, shipper, orphan] }))
    expect(pairNames()).toEqual([
      'default/log-shipper-scope-node-1, missing',
      'default/old-agent-scope-node-1, orphaned',
      'default/web-scope-node-1, hash equal',
      'kube-system/etcd-scope-node-1, hash equal',
    ])
    expect(screen.getByText('3 static pods, 3 mirrors')).toBeTruthy()
    const missing = screen.getByRole('option', { name: /log-shipper/ })
    expect(missing.textContent).toContain('The namespace logging does not exist.')
    expect(screen.getByRole('option', { name: /old-agent/ }).textContent).toContain(
      'Orphaned mirror of 5c1d9e: the node has no static pod of this name.',
    )
  })

  it('are one line for each full name: the new static pod, not the terminating one', async () => {
    const old = fakeStaticRow({ ...web, key: 'sandbox/scope-node-1/old', worker: 'TerminatingPod' })
    const edited = fakeStaticRow({ ...web, mirror: 'stale', worker: 'waiting' })
    await openMirrors(new FakeBridge({ rows: [old, edited] }))
    expect(pairNames()).toEqual(['default/web-scope-node-1, hash differs'])
    expect(screen.getByRole('option').textContent).toContain('waiting to start')
  })

  it('can be filtered to broken pairs, with a message if there are none', async () => {
    const bridge = new FakeBridge({ rows: [web, shipper] })
    const { user } = await openMirrors(bridge)
    await user.click(screen.getByRole('radio', { name: 'Not a pair 1' }))
    expect(pairNames()).toEqual(['default/log-shipper-scope-node-1, missing'])
    act(() => bridge.patch({ upserts: [{ ...shipper, mirror: 'matched', mirrorUid: 'm' }] }))
    expect(screen.getByRole('heading', { name: 'Every static pod has a mirror' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show all 2' }))
    expect(pairNames()).toHaveLength(2)
  })

  it('keep their places while the focus is among them', async () => {
    const bridge = new FakeBridge({ rows: [web, etcd] })
    await openMirrors(bridge)
    act(() => screen.getByRole('listbox').focus())
    act(() => bridge.patch({ upserts: [{ ...etcd, mirror: 'missing', mirrorUid: null }] }))
    expect(pairNames()).toEqual([
      'default/web-scope-node-1, hash equal',
      'kube-system/etcd-scope-node-1, missing',
    ])
    act(() => screen.getByRole('listbox').blur())
    expect(pairNames()[0]).toBe('kube-system/etcd-scope-node-1, missing')
  })

  it('are chosen with the arrow keys, and Enter opens the pod', async () => {
    const { user, store } = await openMirrors(new FakeBridge({ rows: [web, etcd] }))
    const list = screen.getByRole('listbox', { name: 'Static pods and their mirrors' })
    act(() => list.focus())
    await user.keyboard('{ArrowDown}')
    const chosen = screen.getByRole('option', { selected: true })
    expect(spokenName(chosen)).toContain('etcd')
    expect(list.getAttribute('aria-activedescendant')).toBe(chosen.id)
    await user.keyboard('{Enter}')
    expect(store.state.getState()).toMatchObject({ isDrawerOpen: true, cursor: etcd.key })
  })

  it('are explained while there is no static pod', async () => {
    const { user, store } = await openMirrors(new FakeBridge({ rows: [hello] }))
    expect(screen.getByRole('heading', { name: 'No static pods yet' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Open Manifests' }))
    expect(store.state.getState().view).toBe('manifests')
  })
})

describe('the chosen pair', () => {
  it('is compared line by line, each difference with its reason', async () => {
    const bridge = new FakeBridge({ rows: [{ ...web, mirror: 'stale' }] })
    bridge.setObjects(web.key, {
      pod: { metadata: metadata(web, 'new'), spec: { hostNetwork: true } },
      mirror: { metadata: { ...mirrorMetadata(web, 'old'), resourceVersion: '7' } },
      status: null,
    })
    await openMirrors(bridge)
    const diff = await screen.findByRole('region', { name: 'Differences of web-scope-node-1' })
    const rows = within(diff)
      .getAllByRole('row')
      .map((row) =>
        within(row)
          .queryAllByRole('cell')
          .map((cell) => cell.textContent?.trim()),
      )
    expect(rows).toContainEqual([
      'kubernetes.io/config.hash: new',
      'stale',
      'kubernetes.io/config.hash: old',
    ])
    expect(rows).toContainEqual(['', 'always differ', 'resourceVersion: "7"'])
    expect(rows).toContainEqual(['hostNetwork: true', 'stale', ''])
  })

  it('is requested again when its row changes, and stays chosen under a new UID', async () => {
    const bridge = new FakeBridge({ rows: [web] })
    bridge.setObjects(web.key, { pod: {}, mirror: null, status: null })
    await openMirrors(bridge)
    expect(await screen.findByText(/no mirror to compare with/)).toBeTruthy()
    const edited = fakeStaticRow({ ...web, uid: 'edited', key: 'sandbox/scope-node-1/edited' })
    bridge.setObjects(edited.key, { pod: { a: 1 }, mirror: { a: 2 }, status: null })
    await act(async () => {
      bridge.patch({ upserts: [edited], removed: [web.key] })
      await Promise.resolve()
    })
    expect(await screen.findByRole('cell', { name: 'a: 1' })).toBeTruthy()
    bridge.setObjects(edited.key, { pod: { a: 3 }, mirror: { a: 2 }, status: null })
    act(() => bridge.patch({ upserts: [{ ...edited, restarts: 1 }] }))
    expect(await screen.findByRole('cell', { name: 'a: 3' })).toBeTruthy()
  })

  it('shows when its mirrors were created and deleted', async () => {
    const bridge = new FakeBridge({ rows: [web] })
    bridge.setObjects(web.key, { pod: {}, mirror: {}, status: null })
    const moment = { staticUid: web.uid, seq: 1 }
    bridge.mirrorHistories.set(web.key, [
      {
        ...moment,
        seq: 3,
        at: fakeNow - 28_000,
        kind: 'created',
        mirrorUid: 'b',
        text: 'Created again.',
      },
      {
        ...moment,
        seq: 2,
        at: fakeNow - 30_000,
        kind: 'deleted',
        mirrorUid: 'a',
        text: 'Deleted.',
      },
      {
        ...moment,
        seq: 1,
        at: fakeNow - 90_000,
        kind: 'created',
        mirrorUid: 'a',
        text: 'Created.',
      },
    ])
    const { user } = await openMirrors(bridge)
    await user.click(screen.getByRole('radio', { name: 'History' }))
    expect(
      screen.getByRole('figure', { name: '2 mirrors since 14:01:01, missing for 2 s' }),
    ).toBeTruthy()
    const history = screen.getByRole('region', { name: /History of the mirror/ })
    expect(
      within(history)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      '14:02:03.480createdCreated again.b',
      '14:02:01.480deletedDeleted.a',
      '14:01:01.480createdCreated.a',
    ])
  })

  it('deletes its mirror only after the dialog', async () => {
    const bridge = new FakeBridge({ rows: [web] })
    const { user, store } = await openMirrors(bridge)
    await user.click(screen.getByRole('button', { name: 'Delete mirror…' }))
    expect(store.state.getState().dialog).toEqual({
      act: 'deleteMirror',
      key: web.key,
      graceSeconds: null,
    })
    expect(bridge.sentArgs('pod.deleteMirror')).toEqual([])
  })

  it('is the pair that a link names, also if its row arrives later', async () => {
    const bridge = new FakeBridge({ rows: [etcd] })
    const { store } = await openMirrors(bridge)
    act(() => store.state.getState().showMirror(web.mirrorUid))
    expect(spokenName(screen.getByRole('option', { selected: true }))).toContain('etcd')
    act(() => bridge.patch({ upserts: [web] }))
    expect(spokenName(screen.getByRole('option', { selected: true }))).toContain('web')
  })
})

describe('the UID translator', () => {
  async function translate(typed: string): Promise<string> {
    const { user } = await openMirrors(new FakeBridge({ rows: [web, hello, orphan, shipper] }))
    await user.click(screen.getByRole('textbox', { name: 'Paste a UID' }))
    await user.paste(typed)
    return screen.getByRole('region', { name: 'UID translator' }).textContent ?? ''
  }

  it('finds the static pod of a mirror, its full name, events and logs', async () => {
    const said = await translate('b0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b')
    expect(said).toContain('mirror of4db90dbbbce93ceba5f383ef323ded3f')
    expect(said).toContain('full nameweb-scope-node-1_default')
    expect(said).toContain('events are underthe static UID')
    expect(said).toContain(
      '/var/log/pods/default_web-scope-node-1_4db90dbbbce93ceba5f383ef323ded3f/',
    )
  })

  it('finds the mirror of a static pod by the first eight characters', async () => {
    expect(await translate('4db90dbb')).toContain(
      'its mirror isb0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b',
    )
  })

  it.each([
    ['ea03f05c', 'a regular pod with one UID'],
    ['d1f7c3aa', 'an orphaned mirror without a static pod'],
    ['uid-of-log-shipper', 'is not in the API server'],
    ['00000000', 'No pod of this node has this UID, and no mirror.'],
    ['4db9', 'The first eight characters find a UID.'],
  ])('answers %s with %s', async (typed, sentence) => {
    expect(await translate(typed)).toContain(sentence)
  })
})

function Keys(): ReactNode {
  useMirrorKeys()
  return null
}

describe('G, then M', () => {
  async function openWithKeys(rows: readonly PodRow[]): Promise<FakePage> {
    const page = await openPage(new FakeBridge({ rows }))
    render(
      <StoreProvider value={page.store}>
        <Keys />
      </StoreProvider>,
    )
    act(() => page.store.state.getState().show('pods'))
    return page
  }

  it('goes from a pod to its mirror, and back', async () => {
    const { store, user } = await openWithKeys([web, etcd])
    act(() => store.state.getState().moveCursor(web.key))
    await user.keyboard('gm')
    expect(store.state.getState().view).toBe('mirrors')
    expect(spokenName(screen.getByRole('option', { selected: true }))).toContain('web')
    act(() => store.state.getState().moveCursor(null))
    await user.keyboard('gm')
    expect(store.state.getState()).toMatchObject({ view: 'pods', cursor: web.key })
  })

  it('reports that a regular pod has no mirror', async () => {
    const { store, user } = await openWithKeys([hello])
    act(() => store.state.getState().moveCursor(hello.key))
    await user.keyboard('gm')
    expect(store.state.getState().view).toBe('pods')
    expect(screen.getByText('hello is a regular pod without a mirror.')).toBeTruthy()
  })

  it('does nothing with another key in between', async () => {
    const { store } = await openWithKeys([web])
    for (const key of ['g', 'h', 'm']) fireEvent.keyDown(document.body, { key })
    expect(store.state.getState().view).toBe('pods')
  })
})
