import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeCluster } from '../../bridge/fake-views.ts'
import { err } from '../../../shared/result.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const listing = {
  name: 'missed-leases',
  title: 'The node is NotReady',
  sentence: 'A kubelet cannot write its lease.',
  category: null,
}
const gotcha = {
  ...listing,
  name: 'backup',
  title: 'The backup wins',
  category: 'Manifests',
} as const
const scenarioText = 'apiVersion: nodescope.dev/v1alpha1\nkind: Scenario\n'
const stateText = 'apiVersion: nodescope.dev/v1alpha1\nkind: State\n'

function bridgeWithScenarios(): FakeBridge {
  const bridge = new FakeBridge()
  bridge.scenarios = { shipped: [listing, gotcha], recent: [{ ...listing, title: 'Mine' }] }
  return bridge
}

async function palette(words: string, bridge = bridgeWithScenarios()) {
  const page = await openPage(bridge)
  await page.user.keyboard('{Control>}k{/Control}')
  await page.user.keyboard(`${words}{Enter}`)
  return { ...page, bridge }
}

async function expectAccessible(): Promise<void> {
  const { violations } = await axe.run(screen.getByRole('dialog'))
  expect(violations.map(({ id }) => id)).toEqual([])
}

describe('scenarios on the page', () => {
  it('lists those that ship and the recent ones, finds them by words, and opens one', async () => {
    const { user, bridge, store } = await palette('open scenario')
    const dialog = screen.getByRole('dialog', { name: 'Open scenario' })
    const shipped = await within(dialog).findByRole('region', { name: 'Shipped scenarios' })
    expect(within(shipped).getAllByRole('heading', { level: 4 })).toHaveLength(2)
    expect(shipped.textContent).toContain(listing.sentence)
    await expectAccessible()
    await user.type(screen.getByRole('textbox', { name: 'Filter scenarios' }), 'backup manifests')
    expect(screen.queryByRole('region', { name: 'Recent scenarios' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Open The backup wins' }))
    expect(bridge.sentArgs('scenario.open')).toEqual([
      { source: { kind: 'shipped', name: 'backup' } },
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
    act(() => bridge.open(fakeCluster({ id: 'scenario-backup' }), []))
    expect(store.state.getState().awaitedCluster).toBeNull()
  })

  it('opens a chosen file, and says what is wrong with it', async () => {
    const { user, bridge } = await palette('open scenario')
    bridge.openScenarioAnswer = () => err({ kind: 'refused', message: 'a.yaml:1:1: It is broken.' })
    const file = new File([scenarioText], 'a.yaml')
    await user.upload(screen.getByLabelText('Scenario file'), file)
    expect(await screen.findByText('a.yaml:1:1: It is broken.')).toBeTruthy()
    expect(bridge.sentArgs('scenario.open')).toEqual([
      { source: { kind: 'text', name: 'a.yaml', text: scenarioText } },
    ])
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('opens a dropped scenario, and asks before it imports a dropped state', async () => {
    const bridge = bridgeWithScenarios()
    const { user } = await openPage(bridge)
    const drop = (text: string, name: string): void => {
      fireEvent.drop(window, {
        dataTransfer: { types: ['Files'], files: [new File([text], name)] },
      })
    }
    drop(scenarioText, 'lesson.yaml')
    await waitFor(() => expect(bridge.sentArgs('scenario.open')).toHaveLength(1))
    drop(stateText, 'state.yaml')
    const dialog = await screen.findByRole('dialog', { name: 'Import a sandbox' })
    expect(dialog.textContent).toContain('Chosen: state.yaml')
    expect(bridge.sentArgs('state.import')).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Import' }))
    expect(bridge.sentArgs('state.import')).toEqual([
      { name: 'state.yaml', text: stateText, isFirst: true, isLast: true },
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('saves the shown sandbox under a valid name, and says what the file has', async () => {
    const { user, bridge } = await palette('save as scenario')
    bridge.savedFileAnswer = { ok: true, value: { kind: 'written', path: '/home/me/lesson.yaml' } }
    const dialog = screen.getByRole('dialog', { name: 'Save as scenario' })
    expect(dialog.textContent).toContain('also Secrets with their values')
    await expectAccessible()
    const name = screen.getByRole('textbox', { name: 'Name' })
    await user.clear(name)
    await user.type(name, 'Not valid')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(bridge.sentArgs('scenario.save')).toEqual([])
    await user.clear(name)
    await user.type(name, 'lesson')
    await user.type(screen.getByRole('textbox', { name: 'Title' }), 'A lesson')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(bridge.sentArgs('scenario.save')).toEqual([
      { cluster: 'sandbox', name: 'lesson', title: 'A lesson', sentence: '' },
    ])
    expect(screen.getByText('Saved to /home/me/lesson.yaml')).toBeTruthy()
  })

  it('resets only after a question, and keeps the dialog if it fails', async () => {
    const { user, bridge } = await palette('reset the sandbox')
    bridge.stateAnswer = err({
      kind: 'failed',
      message: 'The state cannot be moved, the disk is full.',
    })
    await expectAccessible()
    expect(document.activeElement?.textContent).toBe('Cancel')
    await user.click(screen.getByRole('button', { name: 'Reset' }))
    expect(await screen.findByText('The state cannot be moved, the disk is full.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(bridge.sentArgs('state.reset')).toHaveLength(1)
  })

  it('opens the dialog that was chosen in the menu', async () => {
    const bridge = bridgeWithScenarios()
    await openPage(bridge)
    act(() => bridge.chooseInMenu('exportState'))
    expect(screen.getByRole('dialog', { name: 'Export the sandbox' })).toBeTruthy()
    await expectAccessible()
  })
})
