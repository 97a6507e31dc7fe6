import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, expect, it, vi } from 'vitest'
import { openPage } from '../../../app/fake-page.tsx'
import { FakeBridge } from '../../../bridge/fake-bridge.ts'
import { fakeDetail, fakeRow } from '../../../bridge/fake-views.ts'
import { err } from '../../../../shared/result.ts'
import type { OpenScreen } from './terminal-session.ts'

// xterm.js needs a browser that measures text; e2e/inside-pod.spec.ts has the real one.
const fake = vi.hoisted(() => ({
  printed: '',
  isEnded: false,
  isDisposed: false,
  options: undefined as Parameters<OpenScreen>[1] | undefined,
}))

vi.mock('./xterm-screen.ts', () => ({
  openXterm: ((_, options) => {
    Object.assign(fake, { printed: '', isEnded: false, isDisposed: false, options })
    return {
      size: () => ({ columns: 80, rows: 24 }),
      print: (output) => (fake.printed += output),
      end: () => (fake.isEnded = true),
      focus: () => undefined,
      dispose: () => (fake.isDisposed = true),
    }
  }) satisfies OpenScreen,
}))

afterEach(cleanup)

const hello = fakeRow({ name: 'hello' })

async function openTerminal(bridge = new FakeBridge({ rows: [hello] })) {
  bridge.tell(fakeDetail(hello))
  const page = await openPage(bridge)
  await act(async () => {
    page.store.state.getState().openDrawer(hello.key, 'terminal')
    await Promise.resolve()
  })
  const panel = within(screen.getByRole('tabpanel'))
  const start = async (name = 'Start session'): Promise<void> => {
    const before = bridge.sentArgs('terminal.open').length
    await page.user.click(panel.getByRole('button', { name }))
    await vi.waitFor(() => expect(bridge.sentArgs('terminal.open')).toHaveLength(before + 1))
    await act(() => Promise.resolve())
  }
  return { ...page, bridge, panel, start }
}

it('starts the command in the container, passes input and output, and shows the exit code', async () => {
  const { bridge, panel, user, start } = await openTerminal()
  const command = panel.getByRole('textbox', { name: 'Command' })
  await user.clear(command)
  await user.click(panel.getByRole('button', { name: 'Start session' }))
  expect(bridge.sentArgs('terminal.open')).toEqual([])
  await user.type(command, 'sh  -l')
  expect(panel.getByTitle('kubectl exec -it -n default hello -c main -- sh -l')).toBeTruthy()
  await start()
  const id = bridge.terminal
  expect(bridge.sentArgs('terminal.open')).toEqual([
    { id, key: hello.key, container: 'main', command: ['sh', '-l'], columns: 80, rows: 24 },
  ])
  expect(panel.getByRole('status').textContent).toMatch(/^Connected/)
  act(() => bridge.print('hello', 2))
  expect(fake.printed).toBe('hello\r\n[2 characters not shown: the command prints too fast]\r\n')
  fake.options?.onInput('ls\r')
  fake.options?.onResize({ columns: 100, rows: 30 })
  expect(bridge.sentArgs('terminal.write')).toEqual([{ id, text: 'ls\r' }])
  expect(bridge.sentArgs('terminal.resize')).toEqual([{ id, columns: 100, rows: 30 }])
  act(() => fake.options?.onLeave())
  expect(document.activeElement).toBe(panel.getByRole('button', { name: 'End session' }))
  act(() => bridge.endTerminal({ exitCode: 7, message: '' }))
  expect(panel.getByRole('alert').textContent).toBe('The command exited with code 7.')
  expect(fake.isEnded).toBe(true)
  fake.options?.onInput('late')
  expect(bridge.sentArgs('terminal.write')).toHaveLength(1)
  const { violations } = await axe.run(screen.getByRole('tabpanel'), {
    rules: { 'color-contrast': { enabled: false } },
  })
  expect(violations.map((violation) => violation.id)).toEqual([])
  await start('Start again')
  expect(bridge.terminal).not.toBe(id)
})

it('sends long input in parts, none of which cuts a character', async () => {
  const { bridge, start } = await openTerminal()
  await start()
  fake.options?.onInput(`x${'😀'.repeat(10_000)}`)
  const parts = bridge.sentArgs('terminal.write') as readonly { readonly text: string }[]
  expect(parts.map(({ text }) => text.length)).toEqual([16_383, 3618])
  expect(parts.map(({ text }) => Array.from(text).length)).toEqual([8192, 1809])
})

it('closes the session with the button, with another tab and with the panel', async () => {
  const { bridge, panel, user, start, store } = await openTerminal()
  await start()
  await user.click(panel.getByRole('button', { name: 'End session' }))
  expect(bridge.sentArgs('terminal.close')).toEqual([{ id: bridge.terminal }])
  expect(fake.isDisposed).toBe(true)
  await start()
  await act(async () => {
    store.state.getState().setDrawerTab('logs')
    await Promise.resolve()
  })
  expect(bridge.sentArgs('terminal.close')).toHaveLength(2)
})

it('says why a session does not start or is lost', async () => {
  const bridge = new FakeBridge({ rows: [hello] })
  const message = 'The kubelet refused the command (500): container not found ("main")'
  bridge.terminalAnswer = err({ kind: 'refused', message })
  const { panel, start } = await openTerminal(bridge)
  await start()
  expect(panel.getByRole('alert').textContent).toBe(message)
  bridge.terminalAnswer = { ok: true, value: null }
  await start('Start again')
  act(() => bridge.endTerminal({ exitCode: null, message: 'The runtime closed the connection.' }))
  expect(panel.getByRole('alert').textContent).toBe('The runtime closed the connection.')
  await start('Start again')
  act(() => bridge.lose())
  expect(panel.getByRole('alert').textContent).toMatch(/^The connection to Nodescope was lost/)
})
