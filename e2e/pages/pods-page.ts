import { expect } from 'playwright/test'
import type { Locator, Page } from 'playwright/test'

/** The table of pods, the panel of one, and the dialogs, by roles and names as people find them. */
export class PodsPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** From wherever the window opened. */
  async open(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: 'Pods' })
      .click()
    await expect(this.page.getByRole('grid', { name: 'Pods' })).toBeVisible()
  }

  /** All lines of that name: two while one version of a static pod replaces another. */
  row(name: string): Locator {
    return this.page.getByRole('row', { name, exact: true })
  }

  async choose(name: string): Promise<Locator> {
    await this.row(name).click({ position: { x: 8, y: 8 } })
    const drawer = this.drawer(name)
    await expect(drawer).toBeVisible()
    return drawer
  }

  drawer(name: string): Locator {
    return this.page.getByRole('complementary', { name: `Pod ${name}` })
  }

  dialog(title: string): Locator {
    return this.page.getByRole('dialog', { name: title })
  }
}
