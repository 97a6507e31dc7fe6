import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeCluster, fakeRow, fakeStaticRow, fakeNow } from '../../bridge/fake-views.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const hello = fakeRow({ name: 'hello' })

describe('the clock in the bar', () => {
  it('pauses, runs, steps and changes its speed', async () => {
    const bridge = new FakeBridge()
    const { user } = await openPage(bridge)
    const clock = screen.getByRole('region', { name: 'Clock' })
    await user.click(within(clock).getByRole('button', { name: 'Pause' }))
    expect(clock.textContent).toContain('.480')
    await user.click(within(clock).getByRole('button', { name: 'Step to the next event' }))
    expect(bridge.sentArgs('clock.step')).toEqual([{ cluster: 'sandbox' }])
    expect(screen.getByRole('status', { name: 'Last step' }).textContent).toBe(
      'No event: no timer is due.',
    )
    await user.click(within(clock).getByRole('button', { name: 'Run' }))
    expect(screen.queryByRole('status', { name: 'Last step' })).toBeNull()
    await user.click(within(clock).getByRole('radio', { name: '60×' }))
    expect(bridge.sentArgs('clock.setSpeed')).toEqual([{ cluster: 'sandbox', speed: 60 }])
    expect(within(clock).getByRole('radio', { name: '60×', checked: true })).toBeTruthy()
  })

  it('has keys for all commands', async () => {
    const bridge = new FakeBridge()
    const { user } = await openPage(bridge)
    await user.keyboard('p.+--')
    expect(bridge.sent.map(({ name }) => name).filter((name) => name.startsWith('clock'))).toEqual([
      'clock.pause',
      'clock.step',
      'clock.setSpeed',
      'clock.setSpeed',
      'clock.setSpeed',
    ])
    expect(bridge.sentArgs('clock.setSpeed')).toEqual(
      [10, 1, 0.1].map((speed) => ({ cluster: 'sandbox', speed })),
    )
  })

  it('shows the achieved speed next to the chosen one', async () => {
    const clock = { now: fakeNow, virtual: true, paused: false, speed: 1000, achieved: 60 }
    await openPage(new FakeBridge({ clusters: [fakeCluster({ clock })] }))
    const region = screen.getByRole('region', { name: 'Clock' })
    expect(within(region).getByRole('radio', { name: '1000×', checked: true })).toBeTruthy()
    expect(region.textContent).toContain('(60× achieved)')
  })

  it('has no controls and no keys if it is the system clock', async () => {
    const clock = { now: fakeNow, virtual: false, paused: false, speed: 1, achieved: null }
    const bridge = new FakeBridge({ clusters: [fakeCluster({ kind: 'joined', clock })] })
    const { user } = await openPage(bridge)
    const region = screen.getByRole('region', { name: 'Clock' })
    expect(region.textContent).toContain('system clock')
    expect(region.title).toContain('Only a sandbox has its own clock')
    expect(within(region).queryByRole('button')).toBeNull()
    await user.keyboard('p.+')
    expect(bridge.sent.some(({ name }) => name.startsWith('clock'))).toBe(false)
  })

  it('is at the end of a log, whose strip tells of no sync loop', async () => {
    const clock = { now: fakeNow, virtual: false, paused: true, speed: 1, achieved: null }
    await openPage(new FakeBridge({ clusters: [fakeCluster({ kind: 'log', clock })] }))
    expect(screen.getByRole('region', { name: 'Clock' }).textContent).toContain('end of the log')
    expect(screen.queryByText('not running')).toBeNull()
  })

  it('disables its controls while the page is disconnected, and says why', async () => {
    const bridge = new FakeBridge()
    const { user } = await openPage(bridge)
    act(() => bridge.lose())
    const pause = screen.getByRole('button', { name: 'Pause' })
    expect(pause.getAttribute('aria-disabled')).toBe('true')
    expect(pause.title).toContain('the clock is unavailable')
    await user.click(pause)
    expect(bridge.sentArgs('clock.pause')).toEqual([])
  })

  it('explains once what a clock ahead of the wall clock means for kubectl, and again on request', async () => {
    const bridge = new FakeBridge()
    const { user, memory } = await openPage(bridge)
    expect(screen.queryByRole('note')).toBeNull()
    act(() => bridge.patch({ now: { sandbox: fakeNow + 3_600_000 } }))
    const note = screen.getByRole('note')
    expect(note.textContent).toContain('kubectl get shows the server’s ages')
    // It is a line of the page and covers nothing.
    expect(screen.getByRole('main').contains(note)).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Dismiss the note' }))
    act(() => bridge.patch({ now: { sandbox: fakeNow + 7_200_000 } }))
    expect(screen.queryByRole('note')).toBeNull()
    expect(memory.get('nodescope.clock-note-dismissed')).toBe('yes')
    await user.click(screen.getByRole('button', { name: '120m ahead of the wall clock' }))
    expect(screen.getByRole('note').textContent).toContain('120m less')
  })

  it('does not show a dismissed note at the next start', async () => {
    const bridge = new FakeBridge()
    await openPage(bridge, { remembered: [['nodescope.clock-note-dismissed', 'yes']] })
    act(() => bridge.patch({ now: { sandbox: fakeNow + 3_600_000 } }))
    expect(screen.getByRole('button', { name: '60m ahead of the wall clock' })).toBeTruthy()
    expect(screen.queryByRole('note')).toBeNull()
  })
})

describe('the keys of the window', () => {
  it('go from view to view, and are off while typing', async () => {
    const { user, store } = await openPage(new FakeBridge({ rows: [hello] }))
    const keys = [
      ['1', 'flow'],
      ['3', 'mirrors'],
      ['4', 'manifests'],
      ['2', 'pods'],
    ] as const
    for (const [key, view] of keys) {
      await user.keyboard(key)
      expect(store.state.getState().view).toBe(view)
    }
    await user.type(screen.getByLabelText('Filter pods'), '1p')
    expect(store.state.getState().view).toBe('pods')
    expect(store.state.getState().clusters[0]?.clock.paused).toBe(false)
  })

  it('list every key on ?, and Esc closes them and restores the focus', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [hello] }))
    const grid = screen.getByRole('grid', { name: 'Pods' })
    grid.focus()
    await user.keyboard('?')
    const dialog = screen.getByRole('dialog', { name: 'Keys' })
    expect(within(dialog).getByRole('region', { name: 'Everywhere' })).toBeTruthy()
    const pods = within(dialog).getByRole('region', { name: 'Pods and Mirror pods' })
    for (const act of ['XKill…', 'EEvict through', 'DDelete…', 'Shift DDelete by force…'])
      expect(pods.textContent).toContain(act)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(grid)
  })

  it('replay a followed cause in the Flow while the clock runs, and step while it is paused', async () => {
    const bridge = new FakeBridge()
    const { user, store } = await openPage(bridge, { view: 'flow' })
    act(() =>
      store.state
        .getState()
        .setFollow({ kind: 'cause', cluster: 'sandbox', seq: 3, at: fakeNow, text: 'edit' }),
    )
    await user.keyboard('.')
    expect(store.state.getState().replays).toBe(1)
    expect(bridge.sentArgs('clock.step')).toEqual([])
    await user.keyboard('p.')
    expect(bridge.sentArgs('clock.step')).toEqual([{ cluster: 'sandbox' }])
  })
})

describe('the rail', () => {
  it('counts pods, mirrors out of sync and rejected manifests', async () => {
    const cluster = fakeCluster()
    const problem = { where: '/m/web.yaml', message: 'not a Pod', line: 1, column: 1 }
    const broken = {
      ...cluster,
      nodes: cluster.nodes.map((node) => ({
        ...node,
        sources: node.sources.map((source) =>
          source.source === 'file' ? { ...source, problems: [problem] } : source,
        ),
      })),
    }
    const stale = fakeStaticRow({ name: 'web', mirror: 'stale' })
    await openPage(new FakeBridge({ rows: [hello, stale], clusters: [broken] }))
    const rail = within(screen.getByRole('navigation', { name: 'Views' }))
    const pods = rail.getByRole('button', { name: 'Pods' })
    expect(pods.querySelector('[data-count]')?.getAttribute('data-count')).toBe('2')
    const mirrors = rail.getByRole('button', { name: 'Mirror pods', description: '1 out of sync' })
    expect(mirrors.querySelector('[data-count]')?.getAttribute('data-count')).toBe('1')
    expect(
      rail.getByRole('button', {
        name: 'Manifests',
        description: '1 is rejected by the kubelet',
      }),
    ).toBeTruthy()
  })

  it('opens the settings, which set the theme and clear the storage', async () => {
    const { user, memory, store } = await openPage(new FakeBridge())
    await user.click(screen.getByRole('button', { name: 'Settings' }))
    const dialog = screen.getByRole('dialog', { name: 'Settings' })
    await user.click(within(dialog).getByRole('radio', { name: 'Light' }))
    expect(memory.get('nodescope.theme')).toBe('light')
    await user.click(within(dialog).getByRole('button', { name: 'Clear' }))
    expect(memory.get('nodescope.theme')).toBe('')
    expect(store.state.getState().theme).toBe('system')
  })
})

describe('the focus', () => {
  it('can skip bar and rail', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [hello] }))
    await user.click(screen.getByRole('button', { name: 'Skip to the view' }))
    expect(document.activeElement).toBe(screen.getByRole('main'))
  })

  it('returns to its place when the panel closes', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [hello] }), { view: 'start' })
    const opener = screen.getByRole('button', { name: 'hello' })
    await user.click(opener)
    const panel = await screen.findByRole('complementary', { name: 'Pod default/hello' })
    const close = within(panel).getByRole('button', { name: 'Close the panel' })
    close.focus()
    await user.click(close)
    expect(screen.queryByRole('complementary')).toBeNull()
    expect(document.activeElement).toBe(opener)
  })
})
