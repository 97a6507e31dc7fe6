import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeDetail, fakeRow, fakeStaticRow } from '../../bridge/fake-views.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const hello = fakeRow({ name: 'hello', uid: 'u-1' })
const other = fakeRow({ name: 'other', uid: 'u-2', namespace: 'kube-system' })
const web = fakeStaticRow({ name: 'web-scope-node-1', uid: 'u-3' })

function bridgeOf(): FakeBridge {
  const bridge = new FakeBridge({ rows: [hello, other, web] })
  for (const row of [hello, other, web]) bridge.tell(fakeDetail(row))
  return bridge
}

function drawerOf(name: string): HTMLElement {
  return screen.getByRole('complementary', { name: `Pod ${name}` })
}

describe('the keyboard in the drawer', () => {
  it('moves the focus to the drawer when a pod is opened, and Esc moves it back to the table', async () => {
    const { user } = await openPage(bridgeOf())
    await user.keyboard('j{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(drawerOf('default/hello')))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('complementary', { name: /^Pod/ })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('grid', { name: 'Pods' }))
  })

  it('leaves the focus in the table while J and K change the pod', async () => {
    const { user } = await openPage(bridgeOf())
    await user.keyboard('j{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(drawerOf('default/hello')))
    await user.keyboard('j')
    expect(document.activeElement).toBe(screen.getByRole('grid', { name: 'Pods' }))
  })

  it('moves the focus between the acts with arrow keys', async () => {
    const { user } = await openPage(bridgeOf())
    await user.keyboard('j{Enter}')
    const acts = within(await screen.findByRole('toolbar', { name: 'Actions' })).getAllByRole(
      'button',
    )
    act(() => acts[0]?.focus())
    await user.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(acts[1])
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(document.activeElement).toBe(acts.at(-1))
  })

  it('changes the width at the left edge and stores it', async () => {
    const { user, memory, store } = await openPage(bridgeOf())
    await user.keyboard('j{Enter}')
    const edge = await screen.findByRole('separator', { name: 'Drawer width' })
    act(() => edge.focus())
    await user.keyboard('{ArrowRight}')
    expect(store.state.getState().drawerWidth).toBe(364)
    expect(memory.get('nodescope.drawer-width')).toBe('364')
    expect(drawerOf('default/hello').style.getPropertyValue('--drawer-width')).toBe('364px')
    fireEvent.doubleClick(edge)
    expect(store.state.getState().drawerWidth).toBeNull()
    expect(memory.get('nodescope.drawer-width')).toBe('')
  })

  it('opens the forced deletion of the mirror on Shift+D for a static pod', async () => {
    const { user, store } = await openPage(bridgeOf())
    act(() => store.state.getState().moveCursor(web.key))
    await user.keyboard('{Shift>}D{/Shift}')
    expect(store.state.getState().dialog).toEqual({
      act: 'deleteMirror',
      key: web.key,
      graceSeconds: 0,
    })
  })
})

it('the table shows the pods of one namespace', async () => {
  const { user } = await openPage(bridgeOf())
  const names = (): readonly (string | null)[] =>
    screen
      .getAllByRole('row')
      .map((row) => row.getAttribute('aria-label'))
      .filter((name) => name !== null)
  const select = screen.getByRole('combobox', { name: 'Namespace' })
  expect(
    within(select)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['All namespaces', 'default', 'kube-system'])
  await user.selectOptions(select, 'kube-system')
  expect(names()).toEqual(['kube-system/other'])
  await user.selectOptions(select, 'All namespaces')
  expect(names()).toHaveLength(3)
})
