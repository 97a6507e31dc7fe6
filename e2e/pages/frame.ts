import { expect } from 'playwright/test'
import type { Locator, Page } from 'playwright/test'

/** The views by the names of their buttons. */
export type View =
  'Flow' | 'Pods' | 'Mirror pods' | 'Manifests' | 'Gotchas' | 'Handbook' | 'kubectl access'

/** The parts around every view: navigation, clock, palette. */
export class Frame {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  place(view: View): Locator {
    return this.page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: view, exact: true })
  }

  /** Works from any view. */
  async show(view: View): Promise<void> {
    await this.place(view).click()
    await this.expectView(view)
  }

  async expectView(view: View): Promise<void> {
    await expect(this.place(view)).toHaveAttribute('aria-current', 'page')
  }

  dialog(title: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name: title })
  }

  /** The button with the shown node; only if there are several. */
  nodes(): Locator {
    return this.page.getByRole('banner').getByRole('button', { name: /scope-node-\d+/ })
  }

  async showNode(name: string): Promise<void> {
    await this.nodes().click()
    await this.page.getByRole('option', { name: new RegExp(`^${name} `) }).click()
    await expect(this.nodes()).toContainText(name)
  }

  /** Opens the dialog of an action on the shown node, from its menu. */
  async askNode(title: string): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Node actions' }).click()
    await this.page.getByRole('menuitem', { name: `${title}…` }).click()
    return this.dialog(title)
  }

  async doToNode(title: string): Promise<void> {
    const dialog = await this.askNode(title)
    await dialog.getByRole('button', { name: title }).click()
    await expect(dialog).toHaveCount(0)
  }

  clock(): Locator {
    return this.page.getByRole('region', { name: 'Clock' })
  }

  async setSpeed(speed: '0.1×' | '1×' | '10×' | '60×' | '1000×'): Promise<void> {
    const radio = this.clock().getByRole('radio', { name: speed, exact: true })
    // The label covers the radio button, which is checked once the clock is set.
    await radio.click({ force: true })
    await expect(radio).toBeChecked()
  }

  /** The live region for started actions. */
  said(words: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('status').filter({ hasText: words })
  }
}
