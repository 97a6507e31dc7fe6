import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { GotchaView } from '../../../shared/model/scenarios/gotcha.ts'
import type { OpenScenario } from '../../../shared/model/scenarios/scenario.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeNode, fakeRowOn } from '../../bridge/fake-nodes.ts'
import { fakeCluster, fakeRow, fakeNow } from '../../bridge/fake-views.ts'
import { err } from '../../../shared/result.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const hello = fakeRow({ name: 'hello' })
const web = fakeRowOn('edge-1', { name: 'web-edge-1' }, 'scenario-mirror')
const gotcha: GotchaView = {
  id: 'mirror',
  title: 'A deleted mirror comes back',
  category: 'Mirror pods',
  confusion: 'kubectl delete says deleted, and the pod is there again.',
  truth: 'The static pod never stopped; only its mirror was recreated.',
  sections: ['mirror-pods#scenarios'],
}
const scenario: OpenScenario = {
  name: gotcha.id,
  title: gotcha.title,
  sentence: gotcha.confusion,
  truth: gotcha.truth,
  isGotcha: true,
  steps: ['web.yaml was put into the folder.', 'Its mirror was deleted.'],
  lookAt: 'The mirror has a deletionTimestamp.',
  next: 'The kubelet deletes it for good and makes another.',
  pod: web.key,
}
const cluster = fakeCluster({
  id: 'scenario-mirror',
  label: gotcha.title,
  nodes: [fakeNode('edge-1')],
  clock: { now: fakeNow, virtual: true, paused: true, speed: 1, achieved: null },
  scenario,
})

function bridgeWithGotcha(): FakeBridge {
  const bridge = new FakeBridge({ rows: [hello] })
  bridge.gotchas = [gotcha]
  return bridge
}

describe('gotchas', () => {
  it('requests the gotchas when the view opens, and lists them', async () => {
    const bridge = bridgeWithGotcha()
    const { user } = await openPage(bridge)
    expect(bridge.sentArgs('gotchas.list')).toEqual([])
    await user.keyboard('8')
    const item = await screen.findByRole('article', { name: gotcha.title })
    expect(item.textContent).toContain(gotcha.confusion)
    expect(item.textContent).not.toContain(gotcha.truth)
    const reveal = screen.getByRole('button', { name: 'Reveal' })
    expect(reveal.getAttribute('aria-expanded')).toBe('false')
    await user.click(reveal)
    expect(item.textContent).toContain(gotcha.truth)
    await user.click(screen.getByRole('button', { name: 'Hide answer' }))
    expect(item.textContent).not.toContain(gotcha.truth)
    expect(item.textContent).toContain('Scenarios')
    const { violations } = await axe.run(screen.getByRole('main'))
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('finds gotchas by words, section and category', async () => {
    const bridge = bridgeWithGotcha()
    const other = { ...gotcha, id: 'typo', title: 'A typo', category: 'Manifests' as const }
    bridge.gotchas = [gotcha, { ...other, sections: ['sources#file-source'] }]
    const { user } = await openPage(bridge, { view: 'gotchas' })
    const titles = () =>
      screen.queryAllByRole('article').map((article) => article.getAttribute('aria-label'))
    await vi.waitFor(() => expect(titles()).toEqual([gotcha.title, 'A typo']))
    const search = screen.getByRole('textbox', { name: 'Search gotchas' })
    await user.type(search, 'TYPO budget')
    expect(screen.getByText('No matches')).toBeTruthy()
    await user.clear(search)
    await user.type(search, 'File source')
    expect(titles()).toEqual(['A typo'])
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('radio', { name: 'Mirror pods' }))
    expect(titles()).toEqual([gotcha.title])
  })

  it('opens a gotcha as its own cluster, shows its pod, and removes its rows when it closes', async () => {
    const bridge = bridgeWithGotcha()
    const { user, store } = await openPage(bridge, { view: 'gotchas' })
    await user.click(await screen.findByRole('button', { name: 'Open' }))
    expect(bridge.sentArgs('scenario.open')).toEqual([
      { source: { kind: 'shipped', name: 'mirror' } },
    ])
    expect(store.state.getState().view).toBe('gotchas')
    act(() => bridge.patch({ upserts: [hello] }))
    act(() => bridge.open(cluster, [web]))
    expect(store.state.getState()).toMatchObject({
      view: 'pods',
      shown: { cluster: 'scenario-mirror', node: 'edge-1' },
      cursor: web.key,
      isDrawerOpen: true,
    })
    const strip = screen.getByRole('region', { name: `Gotcha: ${gotcha.title}` })
    for (const words of [...scenario.steps, scenario.lookAt])
      expect(strip.textContent).toContain(words)
    for (const words of [scenario.truth, scenario.next])
      expect(strip.textContent).not.toContain(words)
    await user.click(within(strip).getByRole('button', { name: 'Reveal' }))
    for (const words of [scenario.truth, scenario.next]) expect(strip.textContent).toContain(words)
    expect(
      within(screen.getByRole('grid')).queryByRole('row', { name: 'default/hello' }),
    ).toBeNull()
    await user.click(within(strip).getByRole('button', { name: 'Run' }))
    expect(bridge.sentArgs('clock.run')).toEqual([{ cluster: 'scenario-mirror' }])
    expect(within(strip).getByRole('button', { name: 'Pause' })).toBeTruthy()
    await user.click(within(strip).getByRole('button', { name: 'Close gotcha' }))
    expect(bridge.sentArgs('scenario.close')).toEqual([{ cluster: 'scenario-mirror' }])
    act(() => bridge.close('scenario-mirror'))
    expect(screen.queryByRole('region', { name: /^Gotcha/ })).toBeNull()
    expect(store.state.getState()).toMatchObject({ shown: null, isDrawerOpen: false })
    expect(store.rows.get(web.key)).toBeUndefined()
    expect(
      within(screen.getByRole('grid')).getByRole('row', { name: 'default/hello' }),
    ).toBeTruthy()
  })

  it('shows a gotcha that is open already', async () => {
    const bridge = bridgeWithGotcha()
    const { user, store } = await openPage(bridge, { view: 'gotchas' })
    act(() => bridge.open(cluster, [web]))
    await user.click(await screen.findByRole('button', { name: 'Show' }))
    expect(store.state.getState().shown).toEqual({ cluster: 'scenario-mirror', node: 'edge-1' })
  })

  it('shows why a gotcha cannot be opened', async () => {
    const bridge = bridgeWithGotcha()
    bridge.openScenarioAnswer = () => err({ kind: 'failed', message: 'Five are open already.' })
    const { user } = await openPage(bridge, { view: 'gotchas' })
    await user.click(await screen.findByRole('button', { name: 'Open' }))
    expect(screen.getByText('Five are open already.')).toBeTruthy()
  })
})
