import type { Page } from 'playwright/test'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podReachingMemoryLimit } from './pods.ts'

// The drawer of a pod on usual screens, in both themes.

const sizes = [
  { width: 1024, height: 768 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
]
const tabs = [
  'Summary',
  'Containers',
  'Logs',
  'Terminal',
  'Volumes and environment',
  'History',
  'Events',
  'YAML',
]

const drawerSelector = 'aside[aria-label^="Pod "]'
const query = `document.querySelector(${JSON.stringify(drawerSelector)})`

/** Runs in the page, which has the types of the DOM. */
const findCut = `(drawer) => {
  const outer = drawer.getBoundingClientRect()
  const styleOf = (node) => getComputedStyle(node)
  const isScrolled = (node) => /auto|scroll/.test(styleOf(node).overflowX)
  const scrolls = (node) => node !== drawer && (isScrolled(node) || scrolls(node.parentElement))
  const isOutside = (one) => {
    const box = one.getBoundingClientRect()
    if (box.width < 2 || box.height < 2) return false
    return (box.right > outer.right + 1 || box.left < outer.left - 1) && !scrolls(one.parentElement)
  }
  const isCut = (one) =>
    one.tagName !== 'INPUT' &&
    one.clientWidth > 1 &&
    one.scrollWidth > one.clientWidth + 1 &&
    styleOf(one).overflowX !== 'visible' &&
    styleOf(one).textOverflow !== 'ellipsis' &&
    !isScrolled(one)
  const parts = 'button, h2, h3, h4, a, input, select, label, [role=tab], [role=radio], [role=tabpanel]'
  const found = [...drawer.querySelectorAll(parts)].filter((one) => isOutside(one) || isCut(one))
  const names = found.map((one) => one.tagName + ' ' + (one.ariaLabel ?? one.textContent).slice(0, 60))
  return outer.left < 0 || outer.right > innerWidth + 1 ? ['the drawer', ...names] : names
}`

/**
 * What does not fit, one line each: controls and headings that reach beyond the drawer or that their box cuts. Texts that end in an
 * ellipsis on purpose are fine.
 */
function cutIn(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(${findCut})(${query})`)
}

async function wear(page: Page, theme: 'dark' | 'light'): Promise<void> {
  await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
}

for (const size of sizes) {
  test(`the drawer has room at ${size.width}×${size.height}, in both themes`, async ({
    program,
    kube,
  }, info) => {
    const { page } = program
    await page.setViewportSize(size)
    const pods = new PodsPage(page)
    await pods.open()
    await kube.createPod(podReachingMemoryLimit('leaky'))
    await expect(pods.row('default/leaky')).toContainText('Running')
    const drawer = await pods.choose('default/leaky')
    for (const tab of tabs) {
      await pods.showTab(drawer, tab)
      for (const theme of ['light', 'dark'] as const) {
        await wear(page, theme)
        const path = info.outputPath(`${tab} ${theme}.png`)
        await page.screenshot({ path })
        await info.attach(`${tab}, ${theme}`, { path, contentType: 'image/png' })
        expect.soft(await cutIn(page), `${tab}, ${theme}`).toEqual([])
      }
      await expectAccessible(page, `${tab} at ${size.width}`, drawerSelector)
    }
  })
}
