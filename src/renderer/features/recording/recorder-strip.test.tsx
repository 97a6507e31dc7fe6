import { act, cleanup, screen } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeSeenCluster } from '../../bridge/fake-seen.ts'
import { fakeCluster, fakeNow } from '../../bridge/fake-views.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const path = '/home/ada/.nodescope/recordings/sandbox-1.ndjson'
const recorder = { path, since: fakeNow, isRunning: true, problem: '' } as const

describe('recording from the page', () => {
  it('starts from the list of clusters, shows the file while it runs, and opens it afterwards', async () => {
    const bridge = new FakeBridge({ clusters: [fakeCluster()] })
    const { user } = await openPage(bridge)
    await user.keyboard('{Control>}o{/Control}')
    await user.click(screen.getByRole('button', { name: 'Record sandbox' }))
    expect(bridge.sentArgs('recording.start')).toEqual([{ cluster: 'sandbox' }])
    act(() => bridge.patch({ clusters: [fakeCluster({ recorder })] }))
    const strip = screen.getByRole('region', { name: 'Recording of this cluster' })
    expect(strip.textContent).toContain(`Recording since 14:02:31 to ${path}`)
    const found = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } })
    expect(found.violations.map(({ id }) => id)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(bridge.sentArgs('recording.stop')).toEqual([{ cluster: 'sandbox' }])
    const ended = fakeCluster({ recorder: { ...recorder, isRunning: false } })
    act(() => bridge.patch({ clusters: [ended] }))
    await user.click(screen.getByRole('button', { name: 'Open recording' }))
    expect(bridge.sentArgs('recording.open')).toEqual([{ cluster: 'sandbox' }])
  })

  it('offers the palette, and says why a recording has ended', async () => {
    const problem = 'The recording ends here: the disk is full.'
    const bridge = new FakeBridge({
      clusters: [fakeCluster({ recorder: { ...recorder, isRunning: false, problem } })],
    })
    const { user } = await openPage(bridge)
    expect(document.body.textContent).toContain(problem)
    await user.keyboard('{Control>}k{/Control}')
    await user.keyboard('record sandbox{Enter}')
    expect(bridge.sentArgs('recording.start')).toEqual([{ cluster: 'sandbox' }])
  })

  it('starts, stops and opens from the File menu, on the shown cluster, and says why it cannot', async () => {
    const shown = fakeSeenCluster({ nodes: [] })
    const bridge = new FakeBridge({ clusters: [shown] })
    await openPage(bridge)
    const cluster = shown.id
    act(() => bridge.chooseInMenu('stopRecording'))
    expect(document.body.textContent).toContain(`${shown.label} is not being recorded.`)
    act(() => bridge.chooseInMenu('openRecording'))
    expect(document.body.textContent).toContain(`${shown.label} has no recording yet.`)
    act(() => bridge.chooseInMenu('startRecording'))
    expect(bridge.sentArgs('recording.start')).toEqual([{ cluster }])
    act(() => bridge.patch({ clusters: [{ ...shown, recorder }] }))
    act(() => bridge.chooseInMenu('stopRecording'))
    act(() =>
      bridge.patch({ clusters: [{ ...shown, recorder: { ...recorder, isRunning: false } }] }),
    )
    act(() => bridge.chooseInMenu('openRecording'))
    expect(bridge.sentArgs('recording.stop')).toEqual([{ cluster }])
    expect(bridge.sentArgs('recording.open')).toEqual([{ cluster }])
  })

  it('refuses in the File menu to record a recording', async () => {
    const bridge = new FakeBridge({ clusters: [fakeCluster({ kind: 'recording' })] })
    await openPage(bridge)
    act(() => bridge.chooseInMenu('startRecording'))
    expect(document.body.textContent).toContain('sandbox cannot be recorded.')
    expect(bridge.sentArgs('recording.start')).toEqual([])
  })

  it('shows the nodes of a looked-at cluster as they were, with nothing to change', async () => {
    const recording = {
      file: 'r.ndjson',
      version: '1',
      schema: 2,
      recordedAt: '2026-11-21T14:00:00Z',
      from: fakeNow - 1000,
      to: fakeNow,
      dropped: 0,
      isComplete: true,
      isPageOpened: true,
    }
    const seen = fakeSeenCluster({}, { kind: 'readOnly', isFixed: true })
    const past = { ...seen, id: 'r', kind: 'recording', label: 'r.ndjson', recording } as const
    const bridge = new FakeBridge({ clusters: [fakeCluster(), past] })
    const { user, store } = await openPage(bridge, { view: 'pods' })
    await user.keyboard('{Control>}o{/Control}')
    await user.keyboard('2')
    expect(store.state.getState().view).toBe('nodes')
    expect(screen.getByRole('row', { name: /worker-1/ })).toBeTruthy()
    expect(screen.queryByRole('switch')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Join…' })).toBeNull()
    await user.keyboard('{Control>}o{/Control}')
    await user.click(screen.getByRole('button', { name: 'Close r.ndjson' }))
    expect(bridge.sentArgs('cluster.close')).toEqual([{ cluster: 'r' }])
  })
})
