import { expect } from 'playwright/test'
import type { Locator, Page } from 'playwright/test'
import { Frame } from './frame.ts'

/** The table of pods, the drawer, and the dialogs, by roles and names. */
export class PodsPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Works from any view. */
  async open(): Promise<void> {
    await new Frame(this.page).show('Pods')
    await expect(this.page.getByRole('grid', { name: 'Pods' })).toBeVisible()
  }

  /** All lines of that name: two while one version of a static pod replaces another. */
  row(name: string): Locator {
    return this.page.getByRole('row', { name, exact: true })
  }

  async choose(name: string): Promise<Locator> {
    await this.row(name).click({ position: { x: 60, y: 8 } })
    const drawer = this.drawer(name)
    await expect(drawer).toBeVisible()
    return drawer
  }

  drawer(name: string): Locator {
    return this.page.getByRole('complementary', { name: `Pod ${name}` })
  }

  /** Chooses a tab of the drawer, which may be in the menu of those without room. */
  async showTab(drawer: Locator, tab: string): Promise<void> {
    const shown = drawer.getByRole('tab', { name: tab })
    if (await shown.isVisible()) await shown.click()
    else {
      await drawer.getByRole('button', { name: /more tabs/ }).click()
      await drawer.getByRole('menuitem', { name: tab, exact: true }).click()
    }
    await expect(drawer.getByRole('tabpanel', { name: tab })).toBeVisible()
  }

  dialog(title: string): Locator {
    return this.page.getByRole('dialog', { name: title, exact: true })
  }

  /** Opens the dialog of an action on a pod, from its drawer. */
  async ask(
    name: string,
    act: { readonly button: string; readonly title: string },
  ): Promise<Locator> {
    const drawer = await this.choose(name)
    await drawer.getByRole('button', { name: act.button }).click()
    const dialog = this.dialog(act.title)
    await expect(dialog).toBeVisible()
    return dialog
  }
}

/** The acts by the names of their buttons and dialogs. */
export const kill = { button: 'Kill…', title: 'Kill at the worker' }
export const evictByKubelet = { button: 'Evict by the kubelet…', title: 'Evict by the kubelet' }
export const evictThroughApi = { button: 'Evict through the API…', title: 'Evict through the API' }
export const deletePod = { button: 'Delete…', title: 'Delete' }
export const deleteByForce = { button: 'Delete by force…', title: 'Delete by force' }
export const deleteMirror = { button: 'Delete mirror…', title: 'Delete the mirror pod' }
