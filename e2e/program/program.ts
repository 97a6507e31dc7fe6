import type { Page } from 'playwright/test'
import type { RunningProcess } from './running-process.ts'

/** The built program, running on one of its hosts with a data folder of its own. */
export interface Program {
  readonly page: Page
  readonly process: RunningProcess
  readonly dataFolder: string
  /** Errors and warnings on the page's console, and uncaught errors, since the start. */
  readonly pageErrors: readonly string[]
  /** How often the window came to the front since the start; always 0 on the web. */
  readonly focusCount: () => Promise<number>
  /** Chooses an item of the window's menu by its id; undefined on the web, which has none. */
  readonly chooseInMenu?: (id: string) => Promise<void>
  /** Ends it as a user would: SIGTERM on the web, closing the app on Electron. */
  readonly stop: () => Promise<void>
}

/** Waits until the page answers to keys: it is drawn, and has written its view into the address since it knows the clusters. */
export async function whenOpened(page: Page): Promise<void> {
  await page.waitForURL(/#\//)
  await page.locator('main').waitFor()
}

/** Collects errors of a page from now on. */
export function watchErrors(page: Page): readonly string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      errors.push(`${message.type()}: ${message.text()}`)
  })
  return errors
}
