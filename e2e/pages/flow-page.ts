import { expect } from 'playwright/test'
import type { Locator, Page } from 'playwright/test'
import { Frame } from './frame.ts'

/** The picture of the kubelet: its parts, arrows, pods and causes, as people find them or hear them. */
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

  /** What opens beside a part. */
  panel(title: string): Locator {
    return this.page.getByRole('region', { name: title, exact: true })
  }

  /** A pod drawn among the workers or in the runtime; the first of its two signs. */
  pod(name: string): Locator {
    return this.page.getByRole('button', { name: `Show ${name}`, exact: true }).first()
  }

  /** Under the pods of a lane that has no room for all of them. */
  more(lane: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^Show all pods of ${lane}: `) })
  }

  /** Drawn once this kubelet has heard that its lease was written. */
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

  /** Said where nothing moves on the screen. */
  lastMove(): Locator {
    return this.page.getByRole('status', { name: 'Last move' })
  }

  packets(): Locator {
    return this.page.getByTestId('packet')
  }
}
