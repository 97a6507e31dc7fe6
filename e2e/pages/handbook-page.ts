import { expect } from 'playwright/test'
import type { Locator, Page } from 'playwright/test'

/** The handbook, next to a view or as a view. */
export class HandbookPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Next to a view. */
  panel(): Locator {
    return this.page.getByRole('complementary', { name: 'Handbook' })
  }

  contents(): Locator {
    return this.page.getByRole('navigation', { name: 'Contents of the handbook' })
  }

  search(): Locator {
    return this.page.getByRole('combobox', { name: 'Search the handbook' })
  }

  section(title: string): Locator {
    return this.page.getByRole('article', { name: title, exact: true })
  }

  async expectSection(title: string): Promise<void> {
    await expect(this.section(title)).toBeVisible()
  }
}
