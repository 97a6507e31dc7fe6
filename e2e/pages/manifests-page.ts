import { expect } from 'playwright/test'
import type { Locator, Page } from 'playwright/test'
import { Frame } from './frame.ts'

/** The manifest folder: its files, and the one that is open. */
export class ManifestsPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(): Promise<void> {
    await new Frame(this.page).show('Manifests')
  }

  file(name: string): Locator {
    return this.page
      .getByRole('listbox', { name: 'Manifest files' })
      .getByRole('option', { name: `${name},` })
  }

  async choose(name: string): Promise<void> {
    await this.file(name).click()
    await expect(this.page.getByRole('region', { name, exact: true })).toBeVisible()
  }

  editor(name: string): Locator {
    return this.page.getByRole('textbox', { name, exact: true })
  }

  /** A plain text area until the editor is loaded. */
  async loadedEditor(name: string): Promise<Locator> {
    await expect(this.editor(name)).not.toHaveJSProperty('tagName', 'TEXTAREA')
    return this.editor(name)
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('button', { name })
  }

  /** The position of the problem, and the effect on the pod. */
  explained(name: string): Locator {
    return this.page.getByRole('region', { name: `What is wrong with ${name}` })
  }
}
