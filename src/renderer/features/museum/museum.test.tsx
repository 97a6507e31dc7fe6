import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { OpenExhibit } from '../../../shared/model/museum.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeNode, fakeRowOn } from '../../bridge/fake-nodes.ts'
import { fakeCluster, fakeRow, storyNow } from '../../bridge/fake-views.ts'
import { err } from '../../../shared/result.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const hello = fakeRow({ name: 'hello' })
const web = fakeRowOn('edge-1', { name: 'web-edge-1' }, 'gotcha-mirror')
const exhibit: OpenExhibit = {
  id: 'mirror',
  title: 'A deleted mirror comes back',
  category: 'Mirror pods',
  confusion: 'kubectl delete says deleted, and the pod is there again.',
  truth: 'The static pod never stopped; only its picture was made anew.',
  sections: ['mirror-pods#scenarios'],
  steps: ['web.yaml was put into the folder.', 'Its mirror was deleted.'],
  moment: 'The mirror has a deletionTimestamp.',
  next: 'The kubelet deletes it for good and makes another.',
  pod: web.key,
}
const cluster = fakeCluster({
  id: 'gotcha-mirror',
  label: exhibit.title,
  nodes: [fakeNode('edge-1')],
  clock: { now: storyNow, virtual: true, paused: true, speed: 1, achieved: null },
  exhibit,
})

function museum(): FakeBridge {
  const bridge = new FakeBridge({ rows: [hello] })
  bridge.exhibits = [exhibit]
  return bridge
}

describe('the gotchas', () => {
  it('lists its exhibits, asked for when somebody looks', async () => {
    const bridge = museum()
    const { user } = await openPage(bridge)
    expect(bridge.sentArgs('museum.list')).toEqual([])
    await user.keyboard('8')
    const item = await screen.findByRole('article', { name: exhibit.title })
    expect(item.textContent).toContain(exhibit.confusion)
    expect(item.textContent).not.toContain(exhibit.truth)
    const reveal = screen.getByRole('button', { name: 'Reveal' })
    expect(reveal.getAttribute('aria-expanded')).toBe('false')
    await user.click(reveal)
    expect(item.textContent).toContain(exhibit.truth)
    await user.click(screen.getByRole('button', { name: 'Hide answer' }))
    expect(item.textContent).not.toContain(exhibit.truth)
    expect(item.textContent).toContain('Scenarios')
    const { violations } = await axe.run(screen.getByRole('main'))
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('are found by words, by section and by category', async () => {
    const bridge = museum()
    const other = { ...exhibit, id: 'typo', title: 'A typo', category: 'Manifests' as const }
    bridge.exhibits = [exhibit, { ...other, sections: ['sources#file-source'] }]
    const { user } = await openPage(bridge, { view: 'gotchas' })
    const titles = () =>
      screen.queryAllByRole('article').map((article) => article.getAttribute('aria-label'))
    await vi.waitFor(() => expect(titles()).toEqual([exhibit.title, 'A typo']))
    const search = screen.getByRole('textbox', { name: 'Search gotchas' })
    await user.type(search, 'TYPO budget')
    expect(screen.getByText('No matches')).toBeTruthy()
    await user.clear(search)
    await user.type(search, 'File source')
    expect(titles()).toEqual(['A typo'])
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('radio', { name: 'Mirror pods' }))
    expect(titles()).toEqual([exhibit.title])
  })

  it('opens one as a cluster of its own, at its pod, and closes it with its rows', async () => {
    const bridge = museum()
    const { user, store } = await openPage(bridge, { view: 'gotchas' })
    await user.click(await screen.findByRole('button', { name: 'Open' }))
    expect(bridge.sentArgs('museum.open')).toEqual([{ id: 'mirror' }])
    expect(store.state.getState().view).toBe('gotchas')
    act(() => bridge.patch({ upserts: [hello] }))
    act(() => bridge.open(cluster, [web]))
    expect(store.state.getState()).toMatchObject({
      view: 'pods',
      shown: { cluster: 'gotcha-mirror', node: 'edge-1' },
      cursor: web.key,
      isDrawerOpen: true,
    })
    const strip = screen.getByRole('region', { name: `Gotcha: ${exhibit.title}` })
    for (const words of [...exhibit.steps, exhibit.moment])
      expect(strip.textContent).toContain(words)
    for (const words of [exhibit.truth, exhibit.next])
      expect(strip.textContent).not.toContain(words)
    await user.click(within(strip).getByRole('button', { name: 'Reveal' }))
    for (const words of [exhibit.truth, exhibit.next]) expect(strip.textContent).toContain(words)
    expect(
      within(screen.getByRole('grid')).queryByRole('row', { name: 'default/hello' }),
    ).toBeNull()
    await user.click(within(strip).getByRole('button', { name: 'Run' }))
    expect(bridge.sentArgs('clock.run')).toEqual([{ cluster: 'gotcha-mirror' }])
    expect(within(strip).getByRole('button', { name: 'Pause' })).toBeTruthy()
    await user.click(within(strip).getByRole('button', { name: 'Close gotcha' }))
    expect(bridge.sentArgs('museum.close')).toEqual([{ cluster: 'gotcha-mirror' }])
    act(() => bridge.close('gotcha-mirror'))
    expect(screen.queryByRole('region', { name: /^Gotcha/ })).toBeNull()
    expect(store.state.getState()).toMatchObject({ shown: null, isDrawerOpen: false })
    expect(store.rows.get(web.key)).toBeUndefined()
    expect(
      within(screen.getByRole('grid')).getByRole('row', { name: 'default/hello' }),
    ).toBeTruthy()
  })

  it('shows one that stands open already', async () => {
    const bridge = museum()
    const { user, store } = await openPage(bridge, { view: 'gotchas' })
    act(() => bridge.open(cluster, [web]))
    await user.click(await screen.findByRole('button', { name: 'Show' }))
    expect(store.state.getState().shown).toEqual({ cluster: 'gotcha-mirror', node: 'edge-1' })
  })

  it('says why one cannot be opened', async () => {
    const bridge = museum()
    bridge.museumAnswer = () => err({ kind: 'failed', message: 'Five are open already.' })
    const { user } = await openPage(bridge, { view: 'gotchas' })
    await user.click(await screen.findByRole('button', { name: 'Open' }))
    expect(screen.getByText('Five are open already.')).toBeTruthy()
  })
})
