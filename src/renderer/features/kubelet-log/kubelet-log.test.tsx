import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it } from 'vitest'
import type { ChangesView } from '../../../shared/model/seen-cluster.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeSeenCluster } from '../../bridge/fake-seen.ts'
import { fakeNow } from '../../bridge/fake-views.ts'
import { fakeLane } from '../../ui/lanes/fake-lane.ts'
import { fakeLogView } from './fake-log-view.ts'

afterEach(cleanup)

const pods = [fakeLane({}), fakeLane({ id: '2', name: 'kafka-1' })]

function bridgeWithLog(): FakeBridge {
  const bridge = new FakeBridge()
  bridge.kubeletLog = fakeLogView(pods)
  bridge.logLines = ({ from, isBack }) => ({
    lines: isBack
      ? []
      : [
          {
            line: from,
            at: 2000,
            file: 'kubelet.go:2531',
            severity: 'I',
            message: `message of line ${from}`,
            rest: '',
          },
        ],
    next: null,
    previous: null,
  })
  return bridge
}

async function openLog(bridge: FakeBridge): Promise<Awaited<ReturnType<typeof openPage>>> {
  const page = await openPage(bridge)
  await page.user.keyboard('7')
  await page.user.click(await screen.findByRole('button', { name: 'worker-3-kubelet.log' }))
  await screen.findByRole('list', { name: 'Pod workers' })
  return page
}

describe('the kubelet log', () => {
  it('lists the workers with their states, and says what was read', async () => {
    await openLog(bridgeWithLog())
    const lanes = screen.getByRole('list', { name: 'Pod workers' })
    expect(
      within(lanes)
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-label')),
    ).toEqual([
      'shop/cart-6f5d9c7b8-rl2mz: TerminatedPod since 00:00:03.000',
      'shop/kafka-1: TerminatedPod since 00:00:03.000',
    ])
    const title = screen.getByRole('heading', { name: 'worker-3', level: 1 })
    expect(title.parentElement?.textContent).toContain('worker-3-kubelet.log: 40 lines')
    expect(screen.getByRole('contentinfo').textContent).toContain('38 lines understood2 not')
    const { violations } = await axe.run(screen.getByRole('main'))
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('has the hatch of its legend once, also without lanes', async () => {
    const { store } = await openLog(bridgeWithLog())
    expect(document.querySelectorAll('#log-terminating')).toHaveLength(1)
    act(() => store.state.setState({ logView: fakeLogView([]) }))
    expect(screen.queryByRole('list', { name: 'Pod workers' })).toBeNull()
    expect(document.querySelectorAll('#log-terminating')).toHaveLength(1)
  })

  it('has the color of a cluster only while the banner of that names it', async () => {
    const color = () => document.querySelector<HTMLElement>('[style*="--cl"]')
    const bridge = bridgeWithLog()
    bridge.open(fakeSeenCluster(), [])
    const { store } = await openLog(bridge)
    const show = (changes: ChangesView): void =>
      act(() =>
        store.state.setState({
          clusters: [fakeSeenCluster({}, changes)],
          shown: { cluster: 'prod-eu1', node: '' },
        }),
      )
    show({ kind: 'readOnly', isFixed: false })
    expect(color()).toBeNull()
    show({ kind: 'allowed', endsAt: fakeNow + 60_000 })
    expect(color()).not.toBeNull()
    expect(screen.getByRole('region', { name: 'Changes are allowed on prod-eu1.' })).toBeTruthy()
    show({ kind: 'readOnly', isFixed: false })
    act(() => store.state.getState().show('nodes'))
    expect(color()).not.toBeNull()
  })

  it('goes by keys from pod to pod and from mark to mark, and shows the line of each', async () => {
    const bridge = bridgeWithLog()
    const { user } = await openLog(bridge)
    await user.keyboard('j')
    expect(screen.getByRole('button', { name: /^shop\/cart/ }).getAttribute('aria-pressed')).toBe(
      'true',
    )
    expect(await screen.findByText('message of line 30')).toBeTruthy()
    await user.keyboard(',')
    expect(await screen.findByText('message of line 20')).toBeTruthy()
    expect(bridge.sentArgs('log.lines').at(-1)).toMatchObject({ id: 'log-1', pod: '1', from: 20 })
    await user.keyboard('j')
    expect(screen.getByRole('button', { name: /^shop\/kafka/ }).getAttribute('aria-pressed')).toBe(
      'true',
    )
  })

  it('asks for lines again when there are some, and when all are read', async () => {
    const bridge = bridgeWithLog()
    const read = bridge.logLines
    let lines = 0
    bridge.logLines = (query) =>
      lines === 0 ? { lines: [], next: null, previous: null } : read(query)
    bridge.kubeletLog = { ...fakeLogView(pods), isRead: false, lines: 0, understood: 0 }
    const { store } = await openLog(bridge)
    expect(await screen.findByText('No lines.')).toBeTruthy()
    const asked = (): number => bridge.sentArgs('log.lines').length
    const before = asked()
    lines = 2
    const begun = { ...fakeLogView(pods), isRead: false, lines, understood: lines }
    act(() => store.state.setState({ logView: begun }))
    expect(await screen.findByText('message of line 1')).toBeTruthy()
    act(() => store.state.setState({ logView: { ...begun, lines: 30 } }))
    expect(asked()).toBe(before + 2)
    act(() => store.state.setState({ logView: fakeLogView(pods) }))
    expect(asked()).toBe(before + 4)
  })

  it('tells no times where no line is an entry of a kubelet', async () => {
    const bridge = bridgeWithLog()
    const { store } = await openLog(bridge)
    expect(screen.getByText(/^00:00:00.000 to /)).toBeTruthy()
    const empty = { ...fakeLogView([]), lines: 1, understood: 0, verbosity: null }
    act(() => store.state.setState({ logView: empty }))
    expect(screen.queryByText(/^00:00:00.000 to /)).toBeNull()
    expect(screen.getByText(/1 line without an entry of a kubelet, 0 pods/)).toBeTruthy()
    expect(screen.getByText('1 line not understood')).toBeTruthy()
  })

  it('is asked for again when it is followed', async () => {
    const bridge = bridgeWithLog()
    const { user } = await openLog(bridge)
    bridge.kubeletLog = { ...fakeLogView(pods), isFollowed: true }
    await user.click(screen.getByRole('button', { name: 'Follow' }))
    expect(await screen.findByRole('button', { name: 'Stop following' })).toBeTruthy()
  })

  it('shows the level that the log has, and what it cannot show', async () => {
    const { user } = await openLog(bridgeWithLog())
    await user.click(screen.getByRole('button', { name: 'What this level shows' }))
    const dialog = screen.getByRole('dialog', { name: 'What -v=4 shows' })
    expect(within(dialog).getByRole('columnheader', { name: '-v=4 (this log)' })).toBeTruthy()
  })

  it('says why a log cannot be opened', async () => {
    const { user } = await openPage(new FakeBridge())
    await user.keyboard('7')
    await user.type(await screen.findByLabelText('Path on the machine that runs Nodescope'), '/x')
    await user.click(screen.getByRole('button', { name: 'Open path' }))
    expect((await screen.findByRole('alert')).textContent).toBe(
      'The log cannot be read: it does not exist.',
    )
  })

  it('is chosen in the system’s own dialog in Electron, and with the browser’s input elsewhere', async () => {
    const bridge = bridgeWithLog()
    bridge.host = 'electron'
    const { user } = await openPage(bridge)
    await user.keyboard('7')
    await user.click(await screen.findByRole('button', { name: 'Choose files…' }))
    await screen.findByRole('list', { name: 'Pod workers' })
    expect(bridge.sentArgs('log.choose')).toEqual([{}])
    cleanup()
    await openPage(bridgeWithLog(), { view: 'log' })
    expect(await screen.findByLabelText('Choose files')).toBeTruthy()
  })

  it('sends pasted lines in base64', async () => {
    const bridge = bridgeWithLog()
    const { user } = await openPage(bridge)
    await user.keyboard('7')
    await user.type(await screen.findByLabelText('Paste log lines'), 'I1122 ü')
    await user.click(screen.getByRole('button', { name: 'Read pasted lines' }))
    await screen.findByRole('list', { name: 'Pod workers' })
    expect(bridge.sentArgs('log.upload')).toMatchObject([
      { id: null, name: 'pasted lines', ends: 'log', data: btoa('I1122 \u00c3\u00bc') },
    ])
  })
})
