import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FakePage } from '../../app/fake-page.tsx'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeRow, fakeStaticRow } from '../../bridge/fake-views.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const web = fakeStaticRow({
  name: 'web-scope-node-1',
  uid: '4db90dbbbce93ceba5f383ef323ded3f',
  mirrorUid: 'b0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b',
})
const loud = fakeRow({ name: 'loud' })
const hello = fakeRow({ name: 'hello' })

async function opened(): Promise<FakePage & { readonly bridge: FakeBridge }> {
  const bridge = new FakeBridge({ rows: [web, loud, hello] })
  const page = await openPage(bridge, { view: 'flow' })
  await page.user.keyboard('{Control>}k{/Control}')
  return { ...page, bridge }
}

function titles(): readonly (string | null | undefined)[] {
  return within(screen.getByRole('dialog', { name: 'Search or run' }))
    .getAllByRole('option')
    .map((option) => option.querySelector('span')?.textContent)
}

describe('the palette', () => {
  it('goes to a view and closes', async () => {
    const { user, store } = await opened()
    await user.keyboard('mirror{Enter}')
    expect(store.state.getState().view).toBe('mirrors')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('finds a pod by its name, and a static pod by the UID of its mirror', async () => {
    const { user, store } = await opened()
    const box = screen.getByRole('combobox', { name: 'Search or run' })
    expect(document.activeElement).toBe(box)
    await user.type(box, 'b0c6f30e-3a0f')
    expect(titles()).toEqual(['web-scope-node-1'])
    expect(screen.getByRole('option').textContent).toContain('of the mirror with this UID')
    await user.keyboard('{Enter}')
    expect(store.state.getState()).toMatchObject({ isDrawerOpen: true, cursor: web.key })
  })

  it('opens the dialog of an act and does nothing else', async () => {
    const { user, bridge } = await opened()
    await user.keyboard('kill lou')
    expect(titles()[0]).toBe('Kill loud…')
    await user.keyboard('{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Kill at the worker' })).toBeTruthy()
    expect(bridge.sentArgs('pod.kill')).toEqual([])
  })

  it('offers both evictions for the selected pod', async () => {
    const bridge = new FakeBridge({ rows: [loud] })
    const { user, store } = await openPage(bridge)
    act(() => store.state.getState().moveCursor(loud.key))
    await user.click(screen.getByRole('button', { name: 'Search or run' }))
    await user.keyboard('evict')
    expect(titles().slice(0, 2)).toEqual([
      'Evict loud through the API…',
      'Evict loud by the kubelet…',
    ])
  })

  it('moves by arrows, wraps around, and names the active entry', async () => {
    const { user } = await opened()
    const box = screen.getByRole('combobox')
    await user.keyboard('theme{ArrowDown}')
    const options = screen.getAllByRole('option')
    expect(box.getAttribute('aria-activedescendant')).toBe(options[1]?.id)
    expect(options[1]?.getAttribute('aria-selected')).toBe('true')
    await user.keyboard('{ArrowUp}{ArrowUp}')
    expect(box.getAttribute('aria-activedescendant')).toBe(options.at(-1)?.id)
  })

  it('runs the clock’s commands, and lists recent choices first', async () => {
    const { user, bridge, memory } = await opened()
    await user.keyboard('pause{Enter}')
    expect(bridge.sentArgs('clock.pause')).toEqual([{ cluster: 'sandbox' }])
    expect(memory.get('nodescope.palette')).toBe('clock.pause')
    await user.keyboard('{Control>}k{/Control}step{Enter}{Control>}k{/Control}')
    expect(titles()[0]).toBe('Step to the next event')
  })

  it('finds a section of the handbook and opens it', async () => {
    const { user, store } = await opened()
    await user.keyboard('worker loop')
    expect(titles()[0]).toBe('Handbook: Worker loop')
    await user.keyboard('{Enter}')
    expect(store.state.getState()).toMatchObject({
      isHandbookOpen: true,
      section: 'pod-workers#worker-loop',
    })
  })

  it('opens a manifest by its file name', async () => {
    const bridge = new FakeBridge()
    const file = { state: 'running', namespace: 'default', podName: 'web-scope-node-1' } as const
    bridge.manifests = {
      cluster: 'sandbox',
      node: 'scope-node-1',
      folder: '/m',
      isSingleFile: false,
      readOnlyBecause: '',
      undo: null,
      url: null,
      files: [
        {
          ...file,
          name: 'web.yaml',
          uid: 'u',
          problem: null,
          note: '',
          modifiedAt: 0,
          hasGoodVersion: false,
        },
      ],
    }
    const { user, store } = await openPage(bridge)
    await user.keyboard('{Control>}k{/Control}')
    await user.keyboard('web.yaml')
    await user.click(await screen.findByRole('option', { name: /Open manifest web.yaml/ }))
    expect(store.state.getState()).toMatchObject({ view: 'manifests', manifestName: 'web.yaml' })
  })

  it('reports no matches, and Esc restores the focus', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [hello] }))
    const find = screen.getByRole('button', { name: 'Search or run' })
    find.focus()
    await user.keyboard('{Enter}qqqq')
    const dialog = screen.getByRole('dialog', { name: 'Search or run' })
    expect(within(dialog).getByRole('status').textContent).toContain('No matches')
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(find)
  })
})
