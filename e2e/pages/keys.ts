import { expect } from 'playwright/test'
import type { Locator, Page } from 'playwright/test'
import { Frame } from './frame.ts'

/** Not the document's active element, because the editor is in a shadow tree. */
function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.matches(':focus'))
}

/** Somebody who has a keyboard and nothing else. */
export class Keys {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Keys count once the page is there. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.page.getByRole('region', { name: 'Clock' }).waitFor({ state: 'attached' })
    for (const key of keys) await this.page.keyboard.press(key)
  }

  /** Two keys that count only together, and only soon after each other: sent at once. */
  async pressSoon(first: string, second: string): Promise<void> {
    await Promise.all([this.press(first), this.press(second)])
  }

  /** Tab until the focus is there. */
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

  /** To the row of a pod in the table: filtered down to it, so that it is the first. */
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

  /** Confirms the open dialog with its act. The focus is on Cancel, or on the act where that puts itself right. */
  async confirm(dialog: Locator, act: string | RegExp): Promise<void> {
    await expect(dialog).toBeVisible()
    // Refused until main has said what would come of it.
    await expect(dialog.getByRole('button', { name: act })).toBeEnabled()
    await this.tabTo(dialog.getByRole('button', { name: act }))
    await this.press('Enter')
    await expect(dialog).toBeHidden()
  }

  /** Types into the palette and takes the entry of that name. */
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
