import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright/test'
import { expect, test } from './fixtures.ts'
import { PodsPage } from './pages/pods-page.ts'
import { Frame } from './pages/frame.ts'
import type { View } from './pages/frame.ts'

interface Widths {
  readonly scrollWidth: number
  readonly clientWidth: number
}

async function boxOf(place: Locator): Promise<{
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}> {
  const box = await place.boundingBox()
  if (box === null) throw new Error('nothing is drawn')
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height }
}

test.describe('at 1280×720', () => {
  test.beforeEach(({ program }) => program.page.setViewportSize({ width: 1280, height: 720 }))

  test('the start view shows its three cards without scrolling, and a long name does not widen the page', async ({
    program,
  }) => {
    const { page } = program
    const name = `a-pod-whose-name-is-${'as-long-as-names-may-be-'.repeat(4)}x`
    await writeFile(
      join(program.dataFolder, 'manifests', 'long.yaml'),
      `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\nspec:\n  containers:\n    - name: c\n      image: busybox:1.36\n`,
    )
    const table = page.getByRole('region', { name: 'Current pods' }).getByRole('table')
    await expect(table.getByRole('button', { name: new RegExp(`^${name}`) })).toBeVisible()
    const strip = await boxOf(page.getByRole('contentinfo', { name: 'Sync loop' }))
    for (const title of ['Delete a mirror pod', 'Count down a grace period', 'Stop the clock']) {
      const card = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: new RegExp(`${title}$`) }) })
      expect((await boxOf(card)).bottom, title).toBeLessThanOrEqual(strip.top)
    }
    expect((await boxOf(table)).right).toBeLessThanOrEqual(1280)
    expect(await page.evaluate(`document.querySelector('main').scrollWidth`)).toBe(
      await page.evaluate(`document.querySelector('main').clientWidth`),
    )
  })

  test('the header has room for the cluster, the node and its status', async ({ program }) => {
    const header = program.page.getByRole('banner')
    for (const words of ['sandbox', 'scope-node-1', 'Ready']) {
      const isWhole = await header
        .getByText(words, { exact: true })
        .evaluate(
          ({ scrollWidth, clientWidth }: Widths) => clientWidth > 0 && scrollWidth <= clientWidth,
        )
      expect(isWhole, words).toBe(true)
    }
  })

  test('the header of a gotcha with a long cluster name covers and cuts no control', async ({
    program,
  }) => {
    const { page } = program
    await new Frame(page).show('Gotchas')
    await page.getByRole('button', { name: 'Open', exact: true }).first().click()
    await expect(page.getByRole('region', { name: /^Gotcha: / })).toBeVisible()
    const header = page.getByRole('banner')
    await expect(header).toContainText('scenario-mirror-comes-back')
    expect((await boxOf(header.getByText('Nodescope', { exact: true }))).left).toBeGreaterThan(20)
    const isStatusWhole = await page.evaluate(`(() => {
      const range = document.createRange()
      const status = [...document.querySelectorAll('header *')].find((one) => one.textContent === 'Ready')
      range.selectNodeContents(status)
      return range.getBoundingClientRect().width <= status.getBoundingClientRect().width
    })()`)
    expect(isStatusWhole).toBe(true)
    const acts = await boxOf(header.getByRole('button', { name: 'Node actions' }))
    const clock = await boxOf(page.getByRole('region', { name: 'Clock' }))
    expect(acts.right).toBeLessThanOrEqual(clock.left)
  })

  test('next to the handbook, mirror pods show their UIDs whole and a rejected manifest stays readable', async ({
    program,
  }) => {
    const { page } = program
    const frame = new Frame(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await writeFile(join(program.dataFolder, 'manifests', 'broken.yaml'), 'kind: Deployment\n')
    await frame.show('Mirror pods')
    const pair = page.getByRole('option', { name: /web-scope-node-1/ })
    await expect(pair).toContainText('hash equal')
    await page.keyboard.press('h')
    const panel = page.getByRole('navigation', { name: 'Contents of the handbook' })
    const { left } = await boxOf(panel)
    const uid = pair.getByText(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    expect((await boxOf(uid)).right).toBeLessThanOrEqual(left)
    await frame.show('Manifests')
    await page.getByRole('option', { name: 'broken.yaml, rejected' }).click()
    const outcome = await boxOf(
      page.getByRole('region', { name: 'What happens to the running pod' }),
    )
    expect(outcome.right - outcome.left).toBeGreaterThan(300)
  })

  test('next to the drawer, views keep the room of their filters and do not scroll sideways', async ({
    program,
  }) => {
    const { page } = program
    const pods = new PodsPage(page)
    await pods.open()
    const drawer = await pods.choose('default/hello')
    const { left } = await boxOf(drawer)
    for (const key of ['2', '5', 'o', 't']) {
      await page.keyboard.press(key)
      const filter = await boxOf(page.getByRole('main').getByRole('textbox').first().locator('..'))
      expect(filter.right - filter.left, `the filter of view ${key}`).toBeGreaterThan(180)
      expect(filter.right, `the filter of view ${key}`).toBeLessThanOrEqual(left)
      const beyond = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('main'))`
      expect(await page.evaluate(beyond), `view ${key}`).toBe(0)
    }
    // What stands right of the keys is whole.
    expect((await boxOf(page.getByText(/^\d\d:.* to \d\d:/))).right).toBeLessThanOrEqual(left)
    await page.keyboard.press('i')
    const chart = await boxOf(page.getByRole('figure', { name: /^memory\.available/ }))
    expect(chart.right - chart.left).toBeGreaterThan(150)
  })

  test('the sidebar has the same width in every view', async ({ program }) => {
    const frame = new Frame(program.page)
    const sidebar = program.page.getByRole('navigation', { name: 'Views' })
    const views: readonly View[] = ['Flow', 'Pods', 'Mirror pods', 'Manifests', 'kubectl access']
    for (const width of [1280, 1440]) {
      await program.page.setViewportSize({ width, height: 800 })
      const widths = new Set<number>()
      for (const view of views) {
        await frame.show(view)
        widths.add((await boxOf(sidebar)).right)
      }
      expect(widths.size, `${width} px`).toBe(1)
    }
  })

  test('the note on kubectl’s ages covers nothing, and stays hidden once dismissed', async ({
    program,
  }) => {
    const { page } = program
    const frame = new Frame(page)
    const note = page.getByRole('note')
    await frame.setSpeed('60×')
    await expect(note).toBeVisible()
    // A lead of seconds could be gone again before the page is measured.
    const lead = frame.clock().getByRole('button', { name: /^(\d\ds|\d\d\ds|\d+m.*) ahead/ })
    await expect(lead).toBeVisible()
    await frame.setSpeed('1×')
    for (const view of ['Flow', 'kubectl access'] as const) {
      await frame.show(view)
      const { left, right, top, bottom } = await boxOf(note)
      const covered = await page.evaluate(`(() => {
        const hits = []
        for (const control of document.querySelectorAll('button, input, code')) {
          if (control.closest('[role="note"]') !== null) continue
          const box = control.getBoundingClientRect()
          if (box.width === 0 || getComputedStyle(control).clipPath !== 'none') continue
          if (box.left < ${right} && box.right > ${left} && box.top < ${bottom} - 1 && box.bottom > ${top} + 1)
            hits.push(control.getAttribute('aria-label') ?? control.textContent)
        }
        return hits
      })()`)
      expect(covered, view).toEqual([])
    }
    await note.getByRole('button', { name: 'Dismiss the note' }).click()
    await expect(note).toHaveCount(0)
    await page.reload()
    await expect(
      frame.clock().getByRole('button', { name: /ahead of the wall clock$/ }),
    ).toBeVisible()
    await expect(note).toHaveCount(0)
  })
})
