import { act, fireEvent, cleanup, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FakePage } from '../../app/fake-page.tsx'
import { spokenName } from '../../app/fake-screen-reader.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeCluster, fakeStaticRow, fakeNow } from '../../bridge/fake-views.ts'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { ManifestFile, ManifestsView } from '../../../shared/model/manifests.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const webText = 'kind: Pod\nmetadata:\n  name: web\nspec:\n  port: 80800\n'

function file(part: Partial<ManifestFile> & { readonly name: string }): ManifestFile {
  const base = part.name.replace('.yaml', '')
  return {
    state: 'running',
    namespace: 'default',
    podName: `${base}-scope-node-1`,
    uid: `uid-of-${base}`,
    problem: null,
    note: '',
    modifiedAt: fakeNow - 8000,
    hasGoodVersion: false,
    ...part,
  }
}

function folder(part: Partial<ManifestsView> = {}): ManifestsView {
  return {
    cluster: 'sandbox',
    node: 'scope-node-1',
    folder: '/m',
    isSingleFile: false,
    readOnlyBecause: '',
    files: [file({ name: 'web.yaml' }), file({ name: 'etcd.yaml' })],
    undo: null,
    url: null,
    ...part,
  }
}

function revised(revision: number): ClusterView {
  const cluster = fakeCluster()
  return {
    ...cluster,
    nodes: cluster.nodes.map((node) => ({
      ...node,
      sources: node.sources.map((source) => ({ ...source, revision })),
    })),
  }
}

function bridgeWith(
  view: ManifestsView,
  rows: readonly ReturnType<typeof fakeStaticRow>[] = [],
): FakeBridge {
  const bridge = new FakeBridge({ rows })
  bridge.manifests = view
  bridge.manifestTexts.set('web.yaml', webText)
  bridge.manifestTexts.set('etcd.yaml', 'kind: Pod\n')
  return bridge
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await act(() => Promise.resolve())
}

async function openManifests(bridge: FakeBridge, name: string | null = null): Promise<FakePage> {
  const page = await openPage(bridge)
  act(() => page.store.state.getState().showManifest(name))
  await settle()
  return page
}

function editor(name: string): HTMLTextAreaElement {
  return screen.getByRole<HTMLTextAreaElement>('textbox', { name })
}

async function type(page: FakePage, name: string, text: string): Promise<void> {
  await page.user.click(editor(name))
  editor(name).setSelectionRange(editor(name).value.length, editor(name).value.length)
  await page.user.keyboard(text)
}

const broken = file({
  name: 'web.yaml',
  state: 'rejected',
  podName: '',
  hasGoodVersion: true,
  problem: { where: 'web.yaml', message: 'must be at most 65535', line: 5, column: 9 },
})

async function axeViolations(): Promise<readonly string[]> {
  const { violations } = await axe.run(screen.getByRole('main'), {
    // happy-dom has no layout and no colors; tokens.css lists the computed contrasts.
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.html.slice(0, 160)}`),
  )
}

describe('the list of manifests', () => {
  it('shows each file with its state, its pod or its problem, and when it was changed', async () => {
    await openManifests(
      bridgeWith(
        folder({
          files: [
            broken,
            file({ name: 'etcd.yaml', namespace: 'kube-system' }),
            file({ name: 'old.yaml', state: 'shadowed', note: 'web.yaml defines the same pod.' }),
          ],
        }),
      ),
    )
    const options = screen.getAllByRole('option')
    expect(options.map(spokenName)).toEqual([
      'etcd.yaml, in config',
      'old.yaml, shadowed',
      'web.yaml, rejected',
    ])
    expect(options[0]?.textContent).toContain('kube-system/etcd-scope-node-1')
    expect(options[0]?.textContent).toContain('8s')
    expect(options[1]?.textContent).toContain('web.yaml defines the same pod.')
    expect(options[2]?.textContent).toContain('line 5, column 9: must be at most 65535')
    expect(screen.getByText(', 1 rejected')).toBeTruthy()
  })

  it('is requested again when the source has changed', async () => {
    const bridge = bridgeWith(folder())
    await openManifests(bridge)
    bridge.manifests = folder({ files: [file({ name: 'new.yaml' })] })
    act(() => bridge.patch({ clusters: [revised(7)] }))
    await settle()
    expect(spokenName(screen.getByRole('option'))).toBe('new.yaml, in config')
  })

  it('opens a file with the arrows', async () => {
    const page = await openManifests(bridgeWith(folder()), 'etcd.yaml')
    act(() => screen.getByRole('listbox', { name: 'Manifest files' }).focus())
    await page.user.keyboard('{ArrowDown}')
    await settle()
    expect(editor('web.yaml').value).toBe(webText)
    expect(page.store.state.getState().manifestName).toBe('web.yaml')
  })

  it('explains an empty folder, and a node without a folder', async () => {
    const bridge = bridgeWith(folder({ files: [] }))
    await openManifests(bridge)
    expect(screen.getByRole('heading', { name: 'No manifests yet' })).toBeTruthy()
    bridge.manifests = null
    act(() => bridge.patch({ clusters: [revised(7)] }))
    await settle()
    expect(
      screen.getByRole('heading', { name: 'This kubelet has no manifest folder' }),
    ).toBeTruthy()
  })

  it('names the active file, with any characters in its name', async () => {
    const files = [file({ name: 'web.yaml' }), file({ name: 'web copy.yaml' })]
    await openManifests(bridgeWith(folder({ files })), 'web copy.yaml')
    const list = screen.getByRole('listbox', { name: 'Manifest files' })
    const active = list.getAttribute('aria-activedescendant') ?? ''
    // An id with a space would be two ids.
    expect(active).toMatch(/^\S+$/)
    const line = document.getElementById(active)
    expect(line === null ? '' : spokenName(line)).toContain('web copy.yaml')
  })

  it('shows the pods of the URL, its last response and the time of the next poll', async () => {
    const url = {
      url: 'http://127.0.0.1:9200/pods',
      lastAnswer: '200, same bytes',
      polledAt: fakeNow - 4000,
      nextPollAt: fakeNow + 16_000,
      pods: [{ namespace: 'default', podName: 'probe-scope-node-1', uid: 'p' }],
    }
    await openManifests(bridgeWith(folder({ url })))
    const region = screen.getByRole('region', { name: 'Manifests from a URL' })
    expect(region.textContent).toContain('200, same bytes 4 s ago, again in 16 s')
    expect(within(region).getByRole('listitem').textContent).toBe('default/probe-scope-node-1')
  })

  it('shows the problems of the URL’s manifests, even if the response stays the same', async () => {
    const url = {
      url: 'http://127.0.0.1:9200/pods',
      lastAnswer: '200, same bytes',
      polledAt: fakeNow - 4000,
      nextPollAt: fakeNow + 16_000,
      pods: [],
    }
    const bridge = bridgeWith(folder({ url }))
    const page = await openManifests(bridge)
    const region = screen.getByRole('region', { name: 'Manifests from a URL' })
    expect(within(region).queryByRole('alert')).toBeNull()
    const [cluster] = page.store.state.getState().clusters
    const [node] = cluster?.nodes ?? []
    if (cluster === undefined || node === undefined) throw new Error('no node')
    const problem = { where: url.url, message: 'No kind Nope is known.', line: 3, column: 1 }
    const http = {
      source: 'http' as const,
      location: url.url,
      ready: true,
      revision: 1,
      pods: 0,
      problems: [problem],
    }
    act(() =>
      bridge.patch({
        clusters: [{ ...cluster, nodes: [{ ...node, sources: [...node.sources, http] }] }],
      }),
    )
    expect(within(region).getByRole('alert').textContent).toBe(
      'line 3, column 1: No kind Nope is known.',
    )
  })
})

describe('a manifest in the editor', () => {
  it('lists the fields that are not simulated as soon as it is open', async () => {
    const bridge = bridgeWith(folder())
    bridge.manifestCheck = () => ({
      ok: true,
      problems: [],
      notSimulated: [
        {
          id: 'stop-signal',
          field: 'spec.containers[0].lifecycle.stopSignal',
          message: 'ignored; the container is stopped with SIGTERM',
        },
      ],
      pod: null,
      effect: '',
    })
    await openManifests(bridge, 'web.yaml')
    expect((await screen.findByText('Not simulated')).parentElement?.textContent).toBe(
      'Not simulatedspec.containers[0].lifecycle.stopSignal: ignored; the container is stopped with SIGTERM',
    )
  })

  it('is checked while the user types, and shows the effect of saving before it is saved', async () => {
    const bridge = bridgeWith(folder())
    bridge.manifestCheck = (_, text) => ({
      ok: !text.includes('x'),
      problems: text.includes('x')
        ? [{ where: 'web.yaml', message: 'no such field', line: 6, column: 1 }]
        : [],
      notSimulated: [],
      pod: null,
      effect: text.includes('x') ? 'Invalid manifest: web runs on.' : 'web stops and starts again.',
    })
    const page = await openManifests(bridge, 'web.yaml')
    expect(screen.getByText('No changes to save.')).toBeTruthy()
    await type(page, 'web.yaml', 'x: 1')
    await waitFor(() => expect(screen.getByText('Invalid manifest: web runs on.')).toBeTruthy())
    expect(screen.getByRole('button', { name: 'Line 6, column 1' })).toBeTruthy()
    expect(bridge.sentArgs('manifests.write')).toEqual([])
    await page.user.click(screen.getByRole('button', { name: 'Save anyway' }))
    expect(document.activeElement).toBe(editor('web.yaml'))
  })

  it('is checked once after a burst of keys', async () => {
    const bridge = bridgeWith(folder())
    await openManifests(bridge, 'web.yaml')
    const before = bridge.sentArgs('manifests.check').length
    // In one task: on a busy machine, real key presses could be too far apart.
    for (const end of ['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef'])
      fireEvent.input(editor('web.yaml'), { target: { value: `${webText}${end}` } })
    await waitFor(() => expect(bridge.sentArgs('manifests.check').length).toBe(before + 1))
    expect(bridge.sentArgs('manifests.check').at(-1)).toMatchObject({ text: `${webText}abcdef` })
  })

  it('is saved with Ctrl+S', async () => {
    const bridge = bridgeWith(folder())
    const page = await openManifests(bridge, 'web.yaml')
    await type(page, 'web.yaml', '#')
    await page.user.keyboard('{Control>}s{/Control}')
    await waitFor(() => expect(screen.getByText('No changes to save.')).toBeTruthy())
    expect(bridge.sentArgs('manifests.write')).toEqual([
      {
        cluster: 'sandbox',
        node: 'scope-node-1',
        name: 'web.yaml',
        text: `${webText}#`,
        create: false,
      },
    ])
    expect(screen.getByText('web.yaml is written.')).toBeTruthy()
    expect(screen.getByText('No changes to save.')).toBeTruthy()
  })

  it('asks before Ctrl+S saves an invalid text', async () => {
    const bridge = bridgeWith(folder())
    bridge.manifestCheck = () => ({
      ok: false,
      problems: [],
      notSimulated: [],
      pod: null,
      effect: 'Invalid manifest: the kubelet will ignore it.',
    })
    const page = await openManifests(bridge, 'web.yaml')
    await type(page, 'web.yaml', 'x')
    await page.user.keyboard('{Control>}s{/Control}')
    const dialog = await screen.findByRole('dialog', { name: 'Save invalid web.yaml?' })
    expect(dialog.textContent).toContain('the kubelet will ignore it')
    await page.user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(bridge.sentArgs('manifests.write')).toEqual([])
    await page.user.click(editor('web.yaml'))
    await page.user.keyboard('{Control>}s{/Control}')
    const again = await screen.findByRole('dialog', { name: 'Save invalid web.yaml?' })
    await page.user.click(within(again).getByRole('button', { name: 'Save anyway' }))
    await settle()
    expect(bridge.sentArgs('manifests.write')).toHaveLength(1)
  })

  it('keeps the editor and the text that was typed during the save', async () => {
    const bridge = bridgeWith(folder())
    const page = await openManifests(bridge, 'web.yaml')
    await type(page, 'web.yaml', '#')
    const before = editor('web.yaml')
    act(() => void page.store.state.getState().saveManifest('web.yaml'))
    act(() => page.store.state.getState().editManifest('web.yaml', `${webText}#!`))
    await settle()
    expect(editor('web.yaml')).toBe(before)
    expect(editor('web.yaml').value).toBe(`${webText}#!`)
    expect(screen.getAllByRole('option').map(spokenName)).toContain('web.yaml, edited, in config')
  })

  it('keeps its draft while another view is shown, until it is discarded', async () => {
    const page = await openManifests(bridgeWith(folder()), 'web.yaml')
    await type(page, 'web.yaml', '#')
    act(() => page.store.state.getState().show('pods'))
    act(() => page.store.state.getState().showManifest('web.yaml'))
    await settle()
    expect(editor('web.yaml').value).toBe(`${webText}#`)
    expect(screen.getAllByRole('option').map(spokenName)).toContain('web.yaml, edited, in config')
    await page.user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(editor('web.yaml').value).toBe(webText)
  })

  it('does not overwrite a change on disk: the user takes it or keeps the draft', async () => {
    const bridge = bridgeWith(folder())
    const page = await openManifests(bridge, 'web.yaml')
    await type(page, 'web.yaml', '#mine')
    bridge.manifestTexts.set('web.yaml', 'theirs\n')
    await page.user.click(screen.getByRole('button', { name: 'Save' }))
    await settle()
    expect(bridge.sentArgs('manifests.write')).toEqual([])
    expect(screen.getByRole('alert').textContent).toContain(
      'web.yaml has changed on disk since you began',
    )
    await page.user.click(screen.getByRole('button', { name: /Keep my text/ }))
    await page.user.click(screen.getByRole('button', { name: 'Save' }))
    await settle()
    expect(bridge.manifestTexts.get('web.yaml')).toBe(`${webText}#mine`)
  })

  it('shows a change on disk immediately without a draft, and offers it with one', async () => {
    const bridge = bridgeWith(folder())
    const page = await openManifests(bridge, 'web.yaml')
    bridge.manifestTexts.set('web.yaml', 'theirs\n')
    act(() => bridge.patch({ clusters: [revised(2)] }))
    await settle()
    expect(editor('web.yaml').value).toBe('theirs\n')
    await type(page, 'web.yaml', '#')
    bridge.manifestTexts.set('web.yaml', 'theirs again\n')
    act(() => bridge.patch({ clusters: [revised(3)] }))
    await settle()
    expect(editor('web.yaml').value).toBe('theirs\n#')
    await page.user.click(screen.getByRole('button', { name: 'Use the file on disk' }))
    expect(editor('web.yaml').value).toBe('theirs again\n')
  })

  it('is read-only if writing is not allowed, and says why', async () => {
    const readOnlyBecause = 'Nodescope was started with --read-only.'
    await openManifests(bridgeWith(folder({ readOnlyBecause })), 'web.yaml')
    expect(
      screen.getByText(/was started with --read-only. The files can only be read/),
    ).toBeTruthy()
    expect(editor('web.yaml').readOnly).toBe(true)
    for (const name of ['Save', 'Remove…', 'Add manifest…'])
      expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
  })

  it('is removed after a dialog that shows the effect, and restored by undo', async () => {
    const bridge = bridgeWith(folder())
    const page = await openManifests(bridge, 'web.yaml')
    await page.user.click(screen.getByRole('button', { name: 'Remove…' }))
    const dialog = screen.getByRole('dialog', { name: 'Remove web.yaml' })
    expect(dialog.textContent).toContain('stops default/web-scope-node-1 with its own grace period')
    expect(bridge.sentArgs('manifests.remove')).toEqual([])
    bridge.manifests = folder({ files: [], undo: { id: 4, text: 'removed web.yaml' } })
    await page.user.click(within(dialog).getByRole('button', { name: 'Remove the file' }))
    await settle()
    await page.user.click(screen.getByRole('button', { name: 'Undo: removed web.yaml' }))
    expect(bridge.sentArgs('manifests.undo')).toEqual([
      { cluster: 'sandbox', node: 'scope-node-1', id: 4 },
    ])
  })

  it('shows why a write was refused', async () => {
    const bridge = bridgeWith(folder())
    const page = await openManifests(bridge, 'web.yaml')
    await type(page, 'web.yaml', '#')
    act(() => bridge.lose())
    await settle()
    expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByRole('button', { name: 'Save' }).title).toContain('lost its connection')
  })
})

describe('a new manifest', () => {
  it('starts from a template with a free name, and is created when it is saved', async () => {
    const bridge = bridgeWith(folder({ files: [file({ name: 'stubborn.yaml' })] }))
    const page = await openManifests(bridge)
    await page.user.click(screen.getByRole('button', { name: 'Add manifest…' }))
    await page.user.click(screen.getByRole('radio', { name: 'Ignores SIGTERM' }))
    const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'File name' })
    expect(name.value).toBe('stubborn-2.yaml')
    await page.user.click(screen.getByRole('button', { name: 'Open in the editor' }))
    await settle()
    const opened = editor('stubborn-2.yaml')
    expect(opened.value).toContain('name: stubborn-2')
    expect(screen.getAllByRole('option').map(spokenName)).toContain('stubborn-2.yaml, not saved')
    expect(bridge.sentArgs('manifests.write')).toEqual([])
    bridge.manifests = folder({
      files: [file({ name: 'stubborn.yaml' }), file({ name: 'stubborn-2.yaml' })],
    })
    await page.user.click(screen.getByRole('button', { name: 'Save' }))
    await settle()
    expect(bridge.sentArgs('manifests.write')).toMatchObject([
      { name: 'stubborn-2.yaml', create: true },
    ])
    expect(editor('stubborn-2.yaml')).toBe(opened)
  })

  it('cannot have a name that the kubelet ignores or that is taken', async () => {
    const page = await openManifests(bridgeWith(folder()))
    await page.user.click(screen.getByRole('button', { name: 'Add manifest…' }))
    const name = screen.getByRole('textbox', { name: 'File name' })
    await page.user.clear(name)
    await page.user.keyboard('.hidden.yaml')
    expect(screen.getByText(/ignores files whose name begins with a dot/)).toBeTruthy()
    await page.user.clear(name)
    await page.user.keyboard('web.yaml')
    expect(screen.getByText('web.yaml exists already.')).toBeTruthy()
    await page.user.click(screen.getByRole('button', { name: 'Open in the editor' }))
    expect(screen.getByRole('dialog', { name: 'Add a manifest' })).toBeTruthy()
  })
})

describe('an invalid manifest', () => {
  const running = fakeStaticRow({ name: 'web-scope-node-1', uid: 'good-uid' })

  async function openBroken(rows = [running]): Promise<FakePage & { readonly bridge: FakeBridge }> {
    const bridge = bridgeWith(folder({ files: [broken] }), rows)
    bridge.manifestGoodTexts.set('web.yaml', 'the good one')
    bridge.manifestCheck = (_, text) =>
      text === 'the good one'
        ? {
            ok: true,
            problems: [],
            notSimulated: [],
            pod: { namespace: 'default', name: 'web-scope-node-1', uid: 'good-uid' },
            effect: '',
          }
        : {
            ok: false,
            problems: broken.problem === null ? [] : [broken.problem],
            notSimulated: [],
            pod: null,
            effect: '',
          }
    return { ...(await openManifests(bridge)), bridge }
  }

  it('shows the line, and what happens to the pod and when', async () => {
    await openBroken()
    expect(screen.getByRole('heading', { name: 'web.yaml is not a valid Pod' })).toBeTruthy()
    const listing = screen.getByRole('region', { name: 'web.yaml, as it is on disk' })
    const line = within(listing).getAllByRole('listitem')[4]
    expect(line?.textContent).toBe('5  port: 80800must be at most 65535')
    const what = screen.getByRole('region', { name: 'What happens to the running pod' })
    expect(what.textContent).toContain('still there: default/web-scope-node-1')
    expect(what.textContent).toContain('until the next full scan of the folder, within 12 s')
    expect(what.textContent).toContain('removed and stopped with 30 s grace')
    expect(
      within(what).getByRole('figure', {
        name: 'saved 8 s ago, relist within 12 s, SIGKILL at the latest 30 s later',
      }),
    ).toBeTruthy()
  })

  it.each(['explained', 'edited'])(
    'has nothing that axe complains of while it is %s',
    async (how) => {
      const { user } = await openBroken()
      if (how === 'edited') await user.click(screen.getByRole('button', { name: 'Edit here' }))
      expect(await axeViolations()).toEqual([])
    },
    20_000,
  )

  it('shows the termination once the relist has found no pod', async () => {
    const { bridge } = await openBroken()
    const grace = { seconds: 30, startedAt: fakeNow, killAt: fakeNow + 30_000 }
    act(() => bridge.patch({ upserts: [{ ...running, worker: 'TerminatingPod', grace }] }))
    const what = screen.getByRole('region', { name: 'What happens to the running pod' })
    expect(what.textContent).toContain('SIGKILL at 14:03:01 at the latest')
    act(() =>
      bridge.patch({
        removed: [running.key],
        upserts: [{ ...running, key: 'other', worker: 'none' }],
      }),
    )
    expect(what.textContent).toContain('SIGKILL at 14:03:01')
  })

  it('says that nothing stops if nothing ran', async () => {
    await openBroken([])
    expect(screen.getByText(/No pod runs from this file/)).toBeTruthy()
  })

  it('is edited here or restored', async () => {
    const { user, bridge } = await openBroken()
    await user.click(screen.getByRole('button', { name: 'Edit here' }))
    expect(editor('web.yaml').value).toBe(webText)
    expect(document.activeElement).toBe(editor('web.yaml'))
    await user.click(screen.getByRole('button', { name: 'Restore last valid version' }))
    expect(bridge.sentArgs('manifests.restore')).toMatchObject([{ name: 'web.yaml' }])
  })
})
