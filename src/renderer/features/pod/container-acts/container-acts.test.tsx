import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, expect, it } from 'vitest'
import { container as running } from '../../../../shared/model/forecast/fake-act-facts.ts'
import { openPage } from '../../../app/fake-page.tsx'
import { FakeBridge } from '../../../bridge/fake-bridge.ts'
import { fakeDetail, fakeFacts, fakeRow } from '../../../bridge/fake-views.ts'

afterEach(cleanup)

const row = fakeRow({
  name: 'web',
  bricks: [
    { name: 'c', state: 'running' },
    { name: 'job', state: 'waiting' },
  ],
})
const ended = { ...running, name: 'job', isRunning: false, state: 'terminated: Completed, exit 0' }

async function openContainers(behavior: Readonly<Record<string, string>> | null = {}) {
  const bridge = new FakeBridge({ rows: [row] })
  bridge.tell(
    fakeDetail(row, {
      facts: fakeFacts(row, { containers: [running, ended] }),
      behavior,
    }),
  )
  const page = await openPage(bridge)
  await act(async () => {
    page.store.state.getState().openDrawer(row.key, 'containers')
    await Promise.resolve()
  })
  await screen.findByRole('button', { name: 'Acts on container c' })
  return { bridge, ...page }
}

it('R restarts the container that runs, with the grace that is typed', async () => {
  const { user, bridge } = await openContainers()
  await user.keyboard('r')
  const dialog = await screen.findByRole('dialog', { name: 'Restart container' })
  expect(within(dialog).getByText('c of default / web')).toBeTruthy()
  await user.click(within(dialog).getByRole('radio', { name: '5' }))
  expect(dialog.textContent).toContain('crictl stop --timeout 5 12ab')
  await user.click(within(dialog).getByRole('button', { name: 'Stop c, 5 s grace' }))
  expect(bridge.sentArgs('pod.restartContainer')).toEqual([
    { key: row.key, container: 'c', gracePeriodSeconds: 5 },
  ])
})

it('the menu of a container that does not run says why it is not restarted', async () => {
  const { user } = await openContainers()
  await user.click(screen.getByRole('button', { name: 'Acts on container job' }))
  const item = screen.getByRole('menuitem', { name: /^Restart…/ })
  expect(item.getAttribute('aria-disabled')).toBe('true')
  expect(item.textContent).toContain('Container job is not running')
})

it('the palette names the containers of the pod in the drawer', async () => {
  const { user } = await openContainers()
  await user.keyboard('{Control>}k{/Control}')
  await user.keyboard('restart container')
  const list = screen.getByRole('listbox', { name: 'Found' })
  await user.click(within(list).getByText('Restart container c of web…'))
  expect(await screen.findByRole('dialog', { name: 'Restart container' })).toBeTruthy()
})

it('the behavior of a container is set, and taken back', async () => {
  const { user, bridge } = await openContainers({ 'simulated.nodescope.dev/memory': '64Mi' })
  await user.keyboard('b')
  const dialog = await screen.findByRole('dialog', { name: 'Behavior' })
  const probes = within(dialog).getByRole('textbox', { name: 'Probes and hooks' })
  await user.type(probes, 'never{Enter}')
  expect(within(dialog).getByRole('alert').textContent).toContain('"never" is not "fail"')
  expect(bridge.sentArgs('pod.setBehavior')).toEqual([])
  const { violations } = await axe.run(dialog, { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id }) => id)).toEqual([])
  await user.clear(probes)
  await user.type(probes, 'fail{Enter}')
  const memory = within(dialog).getByText('now, for all containers: 64Mi')
  expect(memory).toBeTruthy()
  await waitFor(() => expect(bridge.sentArgs('pod.setBehavior')).toHaveLength(1))
  await user.click(within(dialog).getByRole('button', { name: 'Take back Memory' }))
  expect(bridge.sentArgs('pod.setBehavior')).toEqual([
    { key: row.key, name: 'probes', container: 'c', value: 'fail' },
    { key: row.key, name: 'memory', container: '', value: null },
  ])
})

it('real containers have no behavior to set', async () => {
  const { user } = await openContainers(null)
  await user.click(screen.getByRole('button', { name: 'Acts on container c' }))
  expect(screen.getAllByRole('menuitem')).toHaveLength(1)
  await user.keyboard('{Escape}b')
  expect(screen.queryByRole('dialog')).toBeNull()
})
