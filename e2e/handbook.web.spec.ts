import { expect, test } from './fixtures.ts'
import { Frame } from './pages/frame.ts'
import { HandbookPage } from './pages/handbook-page.ts'
import { PodsPage } from './pages/pods-page.ts'

const web = 'default/web-scope-node-1'

test('a badge opens its section next to the pods, with the events that show it, and an event opens the history', async ({
  program,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  const handbook = new HandbookPage(page)
  await pods.open()
  await expect(pods.row(web)).toContainText('matched')
  const drawer = await pods.choose(web)
  await pods.showTab(drawer, 'History')
  await drawer.getByRole('link', { name: 'Creation, handbook' }).first().click()
  await handbook.expectSection('Creation')
  await expect(handbook.section('Creation')).toBeFocused()
  await expect(pods.row(web)).toBeVisible()

  const seen = handbook.panel().getByRole('region', { name: 'Seen in web-scope-node-1' })
  const show = seen.getByRole('button', { name: /^Show event/ }).first()
  const seq = /\d+/.exec((await show.getAttribute('aria-label')) ?? '')?.[0]
  await drawer.getByRole('tab', { name: 'Summary' }).click()
  await show.click()
  await expect(drawer.getByRole('button', { name: `Event ${seq}` })).toBeFocused()

  await page.keyboard.press('Escape')
  await expect(handbook.panel()).toBeHidden()
  await expect(drawer).toBeVisible()
})

test('the handbook can be read with the keyboard: contents, pages, search; its pictures load', async ({
  program,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const handbook = new HandbookPage(page)
  await new PodsPage(page).open()
  await page.keyboard.press('h')
  await handbook.contents().getByRole('link', { name: 'States', exact: true }).press('Enter')
  await handbook.expectSection('States')
  await page.keyboard.press(']')
  await handbook.expectSection('UpdatePod')
  await page.keyboard.press('[')
  await handbook.expectSection('States')
  await page.keyboard.press('9')
  await frame.expectView('Handbook')
  await handbook.expectSection('States')
  await expect(handbook.panel()).toBeHidden()

  await page.keyboard.press('/')
  await page.keyboard.type('grace period')
  await expect(page.getByRole('option').first()).toContainText('Termination and grace period')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox', { name: 'Results' })).toBeHidden()
  const picture = page.getByRole('article').getByRole('img').first()
  await expect(picture).toBeVisible()
  await expect(picture).not.toHaveJSProperty('naturalWidth', 0)
})
