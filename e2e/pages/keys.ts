import { expect } from 'playwright/test'
import type { Locator, Page } from 'playwright/test'
import { Frame } from './frame.ts'

/** Not the document's active element, because the editor is in a shadow tree. */
function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.matches(':focus'))
}

/** A user with only a keyboard. */
export class Keys {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Shortcuts work once the page is loaded. */
  async press(...keys: readonly string[]): Promise<void> {
    const clock = this.page.getByRole('region', { name: /^(Clock|Connection)$/ })
    await clock.waitFor({ state: 'attached' })
    for (const key of keys) await this.page.keyboard.press(key)
  }

  /** A shortcut of two keys, sent quickly after each other. */
  async pressSoon(first: string, second: string): Promise<void> {
    await Promise.all([this.press(first), this.press(second)])
  }

  /** Presses Tab until the element has the focus. */
  async tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await expect(target.first()).toBeVisible()
    for (let steps = 0; steps < 60; steps++) {
      if (await hasFocus(target.first())) return
      await this.page.keyboard.press(key)
    }
    await this.expectFocus(target.first())
  }

  async expectFocus(target: Locator): Promise<void> {
    await expect
      .poll(() => hasFocus(target), { message: `the focus on ${target.toString()}` })
      .toBe(true)
  }

  /** Focuses the row of a pod: a filter makes it the first one. */
  async pointAt(name: string): Promise<void> {
    await this.press('2', '/')
    const filter = this.page.getByLabel('Filter pods')
    await expect(filter).toBeFocused()
    await this.page.keyboard.type(name)
    await expect(this.page.getByRole('grid', { name: 'Pods' }).getByRole('row')).toHaveCount(2)
    await this.tabTo(this.page.getByRole('grid', { name: 'Pods' }))
    await this.press('Home')
    await expect(this.page.getByRole('grid', { name: 'Pods' })).toHaveAttribute(
      'aria-activedescendant',
      /./,
    )
  }

  /** Confirms the open dialog. The focus is on Cancel, or on the action if the kubelet reverses it. */
  async confirm(dialog: Locator, act: string | RegExp): Promise<void> {
    await expect(dialog).toBeVisible()
    // Disabled until the main process has sent the forecast.
    await expect(dialog.getByRole('button', { name: act })).toBeEnabled()
    await this.tabTo(dialog.getByRole('button', { name: act }))
    await this.press('Enter')
    await expect(dialog).toBeHidden()
  }

  /** Types into the palette and chooses the entry of that name. */
  async run(line: string, entry: string | RegExp): Promise<void> {
    const palette = new Frame(this.page).dialog('Search or run')
    await this.press('Control+k')
    await expect(palette.getByRole('combobox')).toBeFocused()
    await this.page.keyboard.type(line)
    await expect(palette.getByRole('option', { selected: true })).toHaveAccessibleName(entry)
    await this.press('Enter')
    await expect(palette).toBeHidden()
  }
}
