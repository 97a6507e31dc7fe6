import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it } from 'vitest'
import { err } from '../../../shared/result.ts'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakePressure, fakeRanked } from '../../bridge/fake-pressure.ts'
import { fakeNow, fakeRow } from '../../bridge/fake-views.ts'

afterEach(() => {
  cleanup()
})

const mebi = 2 ** 20
const keys = { request: 128 * mebi, priority: 0, subtracted: 128 * mebi }
const cache = fakeRow({ name: 'cache' })
const done = fakeRow({ name: 'done', status: 'Completed' })
const web = fakeRow({ name: 'web', bricks: ['a', 'b'].map((name) => ({ name, state: 'running' })) })

const ranked = [
  fakeRanked({ name: 'cache', uid: cache.uid, keys: { ...keys, use: 442 * mebi } }),
  fakeRanked({ name: 'web', uid: web.uid, keys: { ...keys, use: 100 * mebi } }),
  fakeRanked({ name: 'etcd', never: 'Pod etcd is static.' }),
]

const view = fakePressure({
  rankings: [{ signal: 'memory.available', resource: 'memory', pods: ranked }],
})

async function openPressure(shown = view) {
  const bridge = new FakeBridge({ rows: [cache, web, done] })
  bridge.pressures.set('scope-node-1', shown)
  const page = await openPage(bridge, { view: 'pressure' })
  await screen.findByRole('region', { name: 'Signals' })
  return { bridge, ...page }
}

function order(): readonly (string | null)[] {
  const table = screen.getByRole('table', { name: 'Eviction order for memory.available' })
  return within(table)
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
}

function drag(name: string, position: number): void {
  fireEvent.change(screen.getByRole('slider', { name }), { target: { value: String(position) } })
}

describe('PressureView', () => {
  it('ranks the pods with the deciding keys and a sentence for each; critical ones come last', async () => {
    await openPressure()
    expect(order()).toEqual(['cache', 'web', 'etcd'])
    expect(screen.getByText(/^cache goes first: one pod uses more than it requests/)).toBeTruthy()
    expect(screen.getByText(/cache goes before web: it uses more than it requests/)).toBeTruthy()
    expect(screen.getByText('Never evicted. Pod etcd is static.')).toBeTruthy()
    expect(screen.queryByRole('slider', { name: 'memory of etcd' })).toBeNull()
    const { violations } = await axe.run(document.body)
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('ranks assumed uses without asking for a change, and forgets them on R', async () => {
    const { bridge, user } = await openPressure()
    drag('memory of web', 100)
    expect(order()).toEqual(['web', 'cache', 'etcd'])
    expect(screen.getByTitle('1 place earlier than now').textContent).toBe('▲1')
    expect(bridge.sentArgs('pod.setBehavior')).toEqual([])
    await user.keyboard('r')
    expect(order()).toEqual(['cache', 'web', 'etcd'])
    expect(screen.queryByRole('region', { name: 'What if' })).toBeNull()
  })

  it('divides an applied use between the containers of the pod', async () => {
    const { bridge } = await openPressure()
    drag('memory of web', 100)
    const slider = screen.getByRole('slider', { name: 'memory of web' })
    fireEvent.keyDown(slider, { key: 'a' })
    await waitFor(() => expect(bridge.sentArgs('pod.setBehavior')).toHaveLength(2))
    const value = String(1024 * mebi)
    expect(bridge.sentArgs('pod.setBehavior')).toEqual([
      { key: web.key, container: 'a', name: 'memory', value },
      { key: web.key, container: 'b', name: 'memory', value },
    ])
    await waitFor(() => expect(screen.queryByRole('region', { name: 'What if' })).toBeNull())
  })

  it('sets the inodes of a pod', async () => {
    const pods = [fakeRanked({ name: 'web', uid: web.uid, keys: { ...keys, use: 40_000 } })]
    const inodes = { signal: 'nodefs.inodesFree', resource: 'inodes' } as const
    const [memory] = view.signals
    if (memory === undefined) throw new Error('it has one')
    const { bridge, user } = await openPressure({
      ...view,
      signals: [{ ...memory, ...inodes, available: 3_000_000, capacity: 3_276_800 }],
      rankings: [{ ...inodes, pods }],
    })
    await user.click(screen.getByRole('radio', { name: 'inodes' }))
    drag('inodes of web', 100)
    await user.keyboard('a')
    await waitFor(() => expect(bridge.sentArgs('pod.setBehavior')).toHaveLength(2))
    expect(bridge.sentArgs('pod.setBehavior')[0]).toMatchObject({
      name: 'inodes',
      value: '409600',
    })
  })

  it('goes to the threshold with Shift and an arrow, and says what would happen then', async () => {
    const { bridge, user } = await openPressure()
    const slider = screen.getByRole('slider', { name: 'memory.available: other use of the node' })
    fireEvent.keyDown(slider, { key: 'ArrowRight', shiftKey: true })
    fireEvent.change(slider, { target: { value: '190' } })
    const next = screen.getByRole('region', { name: 'What happens next' })
    expect(within(next).getByText('cache is evicted')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Apply' }))
    await waitFor(() => expect(bridge.sentArgs('node.useOther')).toHaveLength(1))
    expect(bridge.sentArgs('node.useOther')[0]).toMatchObject({ diskBytes: null, inodes: null })
  })

  it('keeps what was refused, with the reason', async () => {
    const { bridge, user } = await openPressure()
    const message = 'Nodescope was started with --read-only.'
    bridge.useOtherAnswer = err({ kind: 'read-only', message })
    drag('memory.available: other use of the node', 150)
    await user.click(screen.getByRole('button', { name: 'Apply' }))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe('scope-node-1: Nodescope was started with --read-only.')
    expect(screen.getByRole('region', { name: 'What if' })).toBeTruthy()
  })

  it('shows an eviction with its message, and why its pod is Completed', async () => {
    const message = 'The node was low on resource: memory. '
    await openPressure({
      ...view,
      evictions: [
        {
          at: fakeNow - 9000,
          uid: done.uid,
          namespace: 'default',
          name: 'done',
          signal: 'memory.available',
          message,
          gracePeriodSeconds: 1,
        },
      ],
    })
    const evicted = screen.getByRole('region', { name: 'Evicted' })
    expect(evicted.textContent).toContain(message)
    expect(evicted.textContent).toContain('memory.available, grace 1 s')
    expect(evicted.textContent).toContain('the phase in the API is Succeeded')
  })

  it('opens a preset as a sandbox of its own', async () => {
    const { bridge, user } = await openPressure()
    await user.click(screen.getByRole('button', { name: 'Memory leak' }))
    await waitFor(() =>
      expect(bridge.sentArgs('scenario.open')).toEqual([
        { source: { kind: 'shipped', name: 'memory-leak' } },
      ]),
    )
  })

  it('has no sliders for a real machine', async () => {
    await openPressure({ ...view, other: null })
    expect(screen.queryAllByRole('slider')).toEqual([])
  })
})
