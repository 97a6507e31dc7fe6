import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeDetail, fakeRow } from '../../bridge/fake-views.ts'
import { drawerTabs } from '../../store/slices/detail-slice.ts'
import { tabsWhenNarrow } from './DrawerTabs.tsx'

afterEach(cleanup)

describe('the tabs of a narrow drawer', () => {
  it('are the first four, or fewer with the chosen one', () => {
    const first = ['summary', 'containers', 'logs', 'terminal']
    expect(drawerTabs.map(tabsWhenNarrow)).toEqual([
      first,
      first,
      first,
      first,
      ['summary', 'volumes'],
      ['summary', 'containers', 'logs', 'history'],
      ['summary', 'containers', 'logs', 'events'],
      ['summary', 'containers', 'logs', 'yaml'],
    ])
  })

  it('leave the others to a menu, which chooses one and moves the focus to it', async () => {
    const hello = fakeRow({ name: 'hello' })
    const bridge = new FakeBridge({ rows: [hello] })
    bridge.tell(fakeDetail(hello))
    const { store, user } = await openPage(bridge)
    act(() => store.state.getState().openDrawer(hello.key))
    const names = 'Volumes and environment, History, Events, YAML'
    const more = screen.getByRole('button', { name: `4 more tabs: ${names}` })
    expect(more.textContent).toBe('4 more')
    await user.click(more)
    const menu = within(screen.getByRole('menu', { name: 'More tabs' }))
    expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(
      names.split(', '),
    )
    await user.click(menu.getByRole('menuitem', { name: 'History' }))
    const history = screen.getByRole('tab', { name: 'History', selected: true })
    expect(document.activeElement).toBe(history)
    screen.getByRole('button', { name: /^4 more tabs: Terminal, Volumes and environment/ })
  })
})
