import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, expect, it } from 'vitest'
import type { Requests } from '../../../../shared/ipc/contract.ts'
import { openPage } from '../../../app/fake-page.tsx'
import { FakeBridge } from '../../../bridge/fake-bridge.ts'
import { fakeDetail, fakeNow, fakeRow } from '../../../bridge/fake-views.ts'

afterEach(cleanup)

const hello = fakeRow({ name: 'hello' })

async function openLogs(logs: FakeBridge['logs']) {
  const bridge = new FakeBridge({ rows: [hello] })
  bridge.tell(fakeDetail(hello))
  bridge.logs = logs
  const page = await openPage(bridge)
  await act(async () => {
    page.store.state.getState().openDrawer(hello.key, 'logs')
    await Promise.resolve()
  })
  return { ...page, bridge }
}

function asked(bridge: FakeBridge): readonly unknown[] {
  return bridge.sentArgs('pod.logs')
}

it('reads the log of the first container, and on while it follows', async () => {
  const text = '2026-11-21T14:02:30.000000000Z listening\n'
  const { bridge, user } = await openLogs(() => ({
    parts: [{ containerId: 'x://1', text }],
    error: '',
  }))
  const panel = within(screen.getByRole('tabpanel'))
  expect(await panel.findByRole('log', { name: 'Log of main' })).toBeTruthy()
  expect(panel.getByText('1 line')).toBeTruthy()
  const first = { key: hello.key, container: 'main', previous: false, sinceSeconds: null }
  expect(asked(bridge)[0]).toEqual({ ...first, after: null })
  const before = asked(bridge).length
  await act(async () => {
    bridge.patch({ now: { sandbox: fakeNow + 5000 } })
    await Promise.resolve()
  })
  expect(asked(bridge).length).toBeGreaterThan(before)
  expect(asked(bridge).at(-1)).toMatchObject({ after: { containerId: 'x://1' } })
  await user.click(panel.getByRole('checkbox', { name: 'Follow' }))
  const stopped = asked(bridge).length
  await act(async () => {
    bridge.patch({ now: { sandbox: fakeNow + 15_000 } })
    await Promise.resolve()
  })
  expect(asked(bridge)).toHaveLength(stopped)
})

it('reads the previous container and a shorter time, with the command of kubectl and the kubelet’s refusal', async () => {
  const answer = ({ previous }: Requests['pod.logs']['args']) => ({
    parts: [],
    error: previous ? 'previous terminated container "main" in pod "hello" not found' : '',
  })
  const { bridge, user } = await openLogs(answer)
  const panel = within(screen.getByRole('tabpanel'))
  expect(await panel.findByText('No lines')).toBeTruthy()
  await user.click(panel.getByRole('radio', { name: 'previous' }))
  await user.selectOptions(panel.getByRole('combobox', { name: 'Since' }), 'last 10 min')
  expect(await panel.findByText(/previous terminated container "main"/)).toBeTruthy()
  expect(asked(bridge).at(-1)).toMatchObject({ previous: true, sinceSeconds: 600 })
  expect(
    panel.getByTitle('kubectl logs -n default hello -c main --previous --since=10m --timestamps'),
  ).toBeTruthy()
  const { violations } = await axe.run(screen.getByRole('tabpanel'), {
    rules: { 'color-contrast': { enabled: false } },
  })
  expect(violations.map(({ id }) => id)).toEqual([])
})

it('counts the lines that a search finds, and moves between them', async () => {
  const lines = ['refused 1', 'fine', 'refused 2'].map(
    (said, index) => `2026-11-21T14:02:3${index}.000000000Z ${said}\n`,
  )
  const { user } = await openLogs(({ after }) => ({
    parts: [{ containerId: 'x://1', text: after === null ? lines.join('') : '' }],
    error: '',
  }))
  const panel = within(screen.getByRole('tabpanel'))
  await panel.findByRole('log')
  const field = panel.getByRole('textbox', { name: 'Search the log' })
  await user.type(field, 'REFUSED')
  expect(panel.getByText('1 of 2')).toBeTruthy()
  await user.type(field, '{Enter}')
  expect(panel.getByText('2 of 2')).toBeTruthy()
  await user.type(field, '{Shift>}{Enter}{/Shift}')
  expect(panel.getByText('1 of 2')).toBeTruthy()
})
