import { expect } from 'playwright/test'
import type { Locator, Page } from 'playwright/test'
import { Frame } from './frame.ts'

/** The picture of the kubelet: its parts, arrows, pods and causes, by their roles and names. */
export class FlowPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(): Promise<void> {
    await new Frame(this.page).show('Flow')
    await expect(this.part(/^PodWorkers: \d+ workers?/)).toBeVisible()
  }

  part(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name })
  }

  /** The panel of an open part. */
  panel(title: string): Locator {
    return this.page.getByRole('region', { name: title, exact: true })
  }

  /** A pod drawn in the workers or in the runtime; the first of both. */
  pod(name: string): Locator {
    return this.page.getByRole('button', { name: `Show ${name}`, exact: true }).first()
  }

  /** The button below the pods of a lane that has no room for all of them. */
  more(lane: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^Show all pods of ${lane}: `) })
  }

  /** Drawn after the first renewal of the lease. */
  renewedLease(): Locator {
    return this.page.getByText(/^renewed .+ ago/)
  }

  arrows(): Locator {
    return this.page.getByRole('list', { name: 'Arrows' })
  }

  async followLastCause(name: RegExp): Promise<void> {
    await this.page.getByRole('group', { name: 'Follow' }).getByRole('radio', { name }).check({
      force: true,
    })
  }

  steps(name: RegExp): Locator {
    return this.page.getByRole('list', { name })
  }

  /** The live region for reduced motion. */
  lastMove(): Locator {
    return this.page.getByRole('status', { name: 'Last move' })
  }

  packets(): Locator {
    return this.page.getByTestId('packet')
  }
}
