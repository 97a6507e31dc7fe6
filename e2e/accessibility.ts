import axe from 'axe-core'
import { expect } from 'playwright/test'
import type { Page } from 'playwright/test'

const themes = ['dark', 'light', 'contrast'] as const

/** What axe finds of a page, one line each; only what is serious or critical. No rules: all of them. */
async function findings(
  page: Page,
  within: string,
  rules: readonly string[],
): Promise<readonly string[]> {
  const options = JSON.stringify({
    resultTypes: ['violations'],
    ...(rules.length === 0 ? {} : { runOnly: rules }),
  })
  const violations = await page.evaluate<readonly axe.Result[]>(
    `axe.run(${JSON.stringify(within)}, ${options}).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes
        // A line of a list is called by its name alone; the rest of what it shows, UIDs for one,
        // would be read out at each press of an arrow key.
        .filter(
          ({ html }) => id !== 'label-content-name-mismatch' || !html.includes('role="option"'),
        )
        .map(
          ({ target, html, any }) =>
            `${id} (${help}) at ${target.join(' ')}: ${html.slice(0, 120)} ${any[0]?.message ?? ''}`,
        ),
    )
}

/** Colours change by and by: what is looked at is how they are in the end. */
async function wear(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await page.evaluate(`{
    document.documentElement.dataset.theme = ${JSON.stringify(theme)}
    for (const animation of document.getAnimations())
      if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish()
  }`)
}

/**
 * Expects that axe finds nothing serious here, whatever the theme. What does not hang on colours is looked at
 * once. `within`: a selector; under an open dialog the page is inert, and has been looked at before.
 */
export async function expectAccessible(page: Page, where: string, within = 'html'): Promise<void> {
  await page.evaluate(axe.source)
  const found: string[] = []
  for (const theme of themes) {
    await wear(page, theme)
    const rules = theme === 'dark' ? [] : ['color-contrast', 'link-in-text-block']
    for (const finding of await findings(page, within, rules))
      found.push(`${where}, ${theme}: ${finding}`)
  }
  await wear(page, 'dark')
  expect.soft(found, where).toEqual([])
}

export async function expectDialogAccessible(page: Page, where: string): Promise<void> {
  await expectAccessible(page, where, 'dialog[open]')
}
