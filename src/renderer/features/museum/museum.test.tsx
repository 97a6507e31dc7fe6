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
const web = fakeRowOn('edge-1', { name: 'web-edge-1' }, 'museum-mirror')
const exhibit: OpenExhibit = {
  id: 'mirror',
  title: 'A deleted mirror comes back',
  confusion: 'kubectl delete says deleted, and the pod is there again.',
  truth: 'The static pod never stopped; only its picture was made anew.',
  sections: ['3.4'],
  steps: ['web.yaml was put into the folder.', 'Its mirror was deleted.'],
  moment: 'The mirror has a deletionTimestamp.',
  next: 'The kubelet deletes it for good and makes another.',
  pod: web.key,
}
const cluster = fakeCluster({
  id: 'museum-mirror',
  label: exhibit.title,
  nodes: [fakeNode('edge-1')],
  clock: { now: storyNow, virtual: true, paused: true, speed: 1 },
  exhibit,
})

function museum(): FakeBridge {
  const bridge = new FakeBridge({ rows: [hello] })
  bridge.exhibits = [exhibit]
  return bridge
}

describe('the museum', () => {
  it('lists its exhibits, asked for when somebody looks', async () => {
    const bridge = museum()
    const { user } = await openPage(bridge)
    expect(bridge.sentArgs('museum.list')).toEqual([])
    await user.keyboard('8')
    const item = await screen.findByRole('article', { name: exhibit.title })
    expect(item.textContent).toContain(exhibit.confusion)
    expect(item.textContent).toContain(exhibit.truth)
    expect(item.textContent).toContain('§3.4')
    const { violations } = await axe.run(screen.getByRole('main'))
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('opens one as a cluster of its own, at its pod, and closes it with its rows', async () => {
    const bridge = museum()
    const { user, store } = await openPage(bridge, { view: 'museum' })
    await user.click(await screen.findByRole('button', { name: 'Open' }))
    expect(bridge.sentArgs('museum.open')).toEqual([{ id: 'mirror' }])
    expect(store.state.getState().view).toBe('museum')
    act(() => bridge.patch({ upserts: [hello] }))
    act(() => bridge.open(cluster, [web]))
    expect(store.state.getState()).toMatchObject({
      view: 'pods',
      shown: { cluster: 'museum-mirror', node: 'edge-1' },
      cursor: web.key,
      isDrawerOpen: true,
    })
    const strip = screen.getByRole('region', { name: `Exhibit: ${exhibit.title}` })
    for (const words of [...exhibit.steps, exhibit.moment, exhibit.next])
      expect(strip.textContent).toContain(words)
    expect(
      within(screen.getByRole('grid')).queryByRole('row', { name: 'default/hello' }),
    ).toBeNull()
    await user.click(within(strip).getByRole('button', { name: 'Run on' }))
    expect(bridge.sentArgs('clock.run')).toEqual([{ cluster: 'museum-mirror' }])
    expect(within(strip).getByRole('button', { name: 'Pause' })).toBeTruthy()
    await user.click(within(strip).getByRole('button', { name: 'Close the exhibit' }))
    expect(bridge.sentArgs('museum.close')).toEqual([{ cluster: 'museum-mirror' }])
    act(() => bridge.close('museum-mirror'))
    expect(screen.queryByRole('region', { name: /^Exhibit/ })).toBeNull()
    expect(store.state.getState()).toMatchObject({ shown: null, isDrawerOpen: false })
    expect(store.rows.get(web.key)).toBeUndefined()
    expect(
      within(screen.getByRole('grid')).getByRole('row', { name: 'default/hello' }),
    ).toBeTruthy()
  })

  it('shows one that stands open already', async () => {
    const bridge = museum()
    const { user, store } = await openPage(bridge, { view: 'museum' })
    act(() => bridge.open(cluster, [web]))
    await user.click(await screen.findByRole('button', { name: 'Show' }))
    expect(store.state.getState().shown).toEqual({ cluster: 'museum-mirror', node: 'edge-1' })
  })

  it('says why one cannot be opened', async () => {
    const bridge = museum()
    bridge.museumAnswer = () => err({ kind: 'failed', message: 'Five are open already.' })
    const { user } = await openPage(bridge, { view: 'museum' })
    await user.click(await screen.findByRole('button', { name: 'Open' }))
    expect(screen.getByText('Five are open already.')).toBeTruthy()
  })
})
