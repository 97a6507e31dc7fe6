import type { Page } from 'playwright/test'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { Keys } from './pages/keys.ts'

const lesson = `apiVersion: nodescope.dev/v1alpha1
kind: Scenario
metadata: { name: lesson, title: A lesson, description: A pod that was dropped. }
spec:
  clock: { paused: true }
  nodes: [{ name: edge-1 }]
  objects:
    - apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { containers: [{ name: c, image: nginx }] }
  steps:
    - { say: The pod runs., until: [{ pod: web, status: Running }] }
  show: { pod: web }
  lookAt: It runs on edge-1.
`

async function drop(page: Page, text: string, name: string): Promise<void> {
  // The page's own types are not those of this file.
  const transfer = await page.evaluateHandle(`(() => {
    const dropped = new DataTransfer()
    dropped.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}))
    return dropped
  })()`)
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
}

test('a shipped scenario is found in the list and opens as a sandbox of its own', async ({
  program,
}) => {
  const { page } = program
  const keys = new Keys(page)
  await keys.run('open scenario', /^Open scenario/)
  const dialog = page.getByRole('dialog', { name: 'Open scenario' })
  await expect(dialog.getByRole('region', { name: 'Shipped scenarios' })).toBeVisible()
  await expectAccessible(page, 'the list of scenarios')
  await dialog.getByRole('textbox', { name: 'Filter scenarios' }).fill('NotReady')
  await dialog.getByRole('button', { name: /^Open The node is NotReady/ }).click()
  const strip = page.getByRole('region', { name: /^Scenario: The node is NotReady/ })
  await expect(strip).toBeVisible({ timeout: 30_000 })
  await strip.getByRole('button', { name: 'Close scenario' }).click()
  await expect(strip).toHaveCount(0)
  expect(program.pageErrors).toEqual([])
})

test('a dropped scenario opens, and a broken one says where it is wrong', async ({ program }) => {
  const { page } = program
  await drop(page, lesson, 'lesson.yaml')
  const strip = page.getByRole('region', { name: 'Scenario: A lesson' })
  await expect(strip.getByRole('region', { name: 'What happened so far' })).toContainText(
    'The pod runs.',
    { timeout: 30_000 },
  )
  await drop(page, lesson.replace('status: Running', 'staus: Running'), 'broken.yaml')
  const dialog = page.getByRole('dialog', { name: 'Open scenario' })
  await expect(dialog.getByRole('alert')).toContainText(
    'broken.yaml:13:56: spec.steps[0].until[0].staus is not known',
  )
  await expect(dialog.getByRole('region', { name: 'Recent scenarios' })).toContainText('A lesson')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(program.pageErrors).toEqual([])
})
