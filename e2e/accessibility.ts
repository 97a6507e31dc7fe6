import axe from 'axe-core'
import { expect } from 'playwright/test'
import type { Page } from 'playwright/test'

const themes = ['dark', 'light', 'contrast'] as const

/** Waits until color transitions have ended. */
function wear(theme: (typeof themes)[number]): string {
  return `
    document.documentElement.dataset.theme = ${JSON.stringify(theme)}
    for (const animation of document.getAnimations())
      if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish()`
}

/**
 * The serious and critical findings of axe for a page in a theme, one line each. Without `rules`: all rules.
 * Runs as soon as the theme is applied, before anything else begins to move.
 */
async function findings(
  page: Page,
  theme: (typeof themes)[number],
  within: string,
  rules: readonly string[],
): Promise<readonly string[]> {
  const options = JSON.stringify({
    resultTypes: ['violations'],
    ...(rules.length === 0
      ? // Experimental, so off by default: the visible label is part of the accessible name.
        { rules: { 'label-content-name-mismatch': { enabled: true } } }
      : { runOnly: rules }),
  })
  const violations = await page.evaluate<readonly axe.Result[]>(`(async () => {
    ${wear(theme)}
    const { violations } = await axe.run(${JSON.stringify(within)}, ${options})
    return violations
  })()`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, html, any }) =>
          `${id} (${help}) at ${target.join(' ')}: ${html.slice(0, 120)} ${any[0]?.message ?? ''}`,
      ),
    )
}

/**
 * Expects that axe finds no serious problem in any theme. Rules that do not depend on colors run
 * once. `within`: a selector; the page under an open dialog is inert, and was checked before.
 */
export async function expectAccessible(page: Page, where: string, within = 'html'): Promise<void> {
  await page.evaluate(axe.source)
  const found: string[] = []
  for (const theme of themes) {
    const rules = theme === 'dark' ? [] : ['color-contrast', 'link-in-text-block']
    for (const finding of await findings(page, theme, within, rules))
      found.push(`${where}, ${theme}: ${finding}`)
  }
  await page.evaluate(wear('dark'))
  expect.soft(found, where).toEqual([])
}

export async function expectDialogAccessible(page: Page, where: string): Promise<void> {
  await expect(page.locator('dialog[open]')).toBeVisible()
  await expectAccessible(page, where, 'dialog[open]')
}
