import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { MenuButton } from './MenuButton.tsx'

afterEach(cleanup)

function setUp() {
  const chosen: string[] = []
  const item = (words: string, refusal = '') => ({
    id: words,
    icon: 'node' as const,
    words,
    refusal,
    onChoose: () => chosen.push(words),
  })
  render(
    <MenuButton
      icon="node"
      label="Act"
      title="Acts"
      menu="Acts"
      items={[item('Restart'), item('Stop', 'It is stopped.'), item('Shut down')]}
    />,
  )
  const focused = (): string | null => document.activeElement?.textContent ?? null
  return { user: userEvent.setup(), chosen, focused }
}

describe('a menu button', () => {
  it('moves by arrows, which wrap around, and by Home, End and letters', async () => {
    const { user, focused } = setUp()
    await user.click(screen.getByRole('button', { name: 'Act', expanded: false }))
    const seen: (string | null)[] = [focused()]
    for (const key of ['{ArrowUp}', '{Home}', '{End}', '{ArrowDown}', 's', 's']) {
      await user.keyboard(key)
      seen.push(focused())
    }
    const stop = 'StopIt is stopped.'
    expect(seen).toEqual([
      'Restart',
      'Shut down',
      'Restart',
      'Shut down',
      'Restart',
      stop,
      'Shut down',
    ])
  })

  it('chooses an item and restores the focus, unless the item is refused', async () => {
    const { user, chosen } = setUp()
    const button = screen.getByRole('button', { name: 'Act' })
    await user.click(button)
    await user.keyboard('{ArrowDown}{Enter}')
    expect([chosen, screen.queryByRole('menu') === null]).toEqual([[], false])
    await user.keyboard('{End}{Enter}')
    expect([chosen, screen.queryByRole('menu'), document.activeElement]).toEqual([
      ['Shut down'],
      null,
      button,
    ])
  })

  it('closes on Esc, with the focus on its button, and on Tab', async () => {
    const { user } = setUp()
    const button = screen.getByRole('button', { name: 'Act' })
    await user.click(button)
    await user.keyboard('{Escape}')
    expect([screen.queryByRole('menu'), document.activeElement]).toEqual([null, button])
    await user.click(button)
    await user.tab()
    expect(screen.queryByRole('menu')).toBeNull()
  })
})
