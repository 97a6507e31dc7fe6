import type { Locator, Page } from 'playwright/test'
import { Frame } from './frame.ts'

/** The pairs of static pods and mirrors, the UID translator, and the comparison. */
export class MirrorsPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(): Promise<void> {
    await new Frame(this.page).show('Mirror pods')
  }

  /** One full name, `namespace/name`, whatever its state. */
  pair(name: string): Locator {
    return this.page
      .getByRole('listbox', { name: 'Static pods and their mirrors' })
      .getByRole('option', { name: `${name},` })
  }

  translator(): Locator {
    return this.page.getByRole('region', { name: 'UID translator' })
  }

  async translate(uid: string): Promise<void> {
    await this.translator().getByRole('textbox', { name: 'Paste a UID' }).fill(uid)
  }

  diff(): Locator {
    return this.page.getByRole('region', { name: /^Differences of / })
  }

  history(): Locator {
    return this.page.getByRole('region', { name: /^History of the mirror of / })
  }
}
