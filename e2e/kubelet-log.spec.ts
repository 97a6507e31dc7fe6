import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { dropFile } from './pages/drop-file.ts'

// The log of a real kubelet at -v=4, compressed: test/kubelet-log.
const file = join(process.cwd(), 'test', 'kubelet-log', 'v4.log.gz')

function lane(page: Page, pod: string): ReturnType<Page['getByRole']> {
  return page.getByRole('list', { name: 'Pod workers' }).getByRole('button', { name: pod })
}

async function expectRead(page: Page): Promise<void> {
  await expect(page.getByText('9 676 lines at -v=4, 10 pods')).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText('9 676 lines understood')
}

test.describe('a log that the command line names', () => {
  test.use({ programArguments: ['--kubelet-log', file] })

  test('is shown without a cluster; keys go from pod to pod, from mark to mark and to their lines', async ({
    program,
  }) => {
    const { page } = program
    await expectRead(page)
    await expect(lane(page, 'seen/crash')).toHaveAccessibleName(/^seen\/crash: SyncPod since /)
    await expectAccessible(page, 'a kubelet log')
    await page.keyboard.press('/')
    await page.keyboard.type('polite')
    await expect(page.getByText('1 of 10 pods')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.press('j')
    await expect(lane(page, 'seen/polite')).toHaveAttribute('aria-pressed', 'true')
    const log = page.getByRole('log', { name: 'Log' })
    await expect(log).toContainText('Pod is complete and the worker can now stop')
    for (let back = 0; back < 3; back++) await page.keyboard.press(',')
    await expect(page.getByRole('status').first()).toContainText('seen in line')
    await page.keyboard.press('l')
    await expect(log).toBeFocused()
    await page.keyboard.press('s')
    await page.keyboard.type('CRASHLOOPBACKOFF')
    await expect(log.getByText('Error syncing pod, skipping').first()).toBeVisible()
    await expectAccessible(page, 'a search in a kubelet log')
    expect(program.pageErrors).toEqual([])
  })

  test('is drawn as the flow of its kubelet, with the lines that say so', async ({ program }) => {
    const { page } = program
    await expectRead(page)
    await page.keyboard.press('1')
    await expect(page.getByText('as far as its log tells')).toBeVisible()
    const flow = page.getByRole('group', { name: /^The kubelet: sources/ })
    await expect(flow.getByRole('button', { name: /^PodWorkers: \d+ workers?/ })).toBeVisible()
    await expect(flow.getByRole('button', { name: 'API server: not known' })).toBeVisible()
    const arrows = page.getByRole('list', { name: 'Arrows' })
    await expect(arrows).toContainText(
      /PLEG to sync loop, .+ last Container(Started|Died) .+ \(certain, from: line \d+: SyncLoop \(PLEG\): event for pod\)/,
    )
    await expect(arrows).toContainText(/NodeController to API server, .+: not known/)
    await flow.getByRole('button', { name: /^sync loop: / }).focus()
    await page.keyboard.press('Enter')
    await expect(
      page.getByText('The log of a kubelet does not tell what this part holds'),
    ).toBeVisible()
    await expectAccessible(page, 'the flow of a kubelet log')
    expect(program.pageErrors).toEqual([])
  })

  test('has the events of its kubelet, and the STATUS of its pods', async ({ program }) => {
    const { page } = program
    await expectRead(page)
    await page.keyboard.press('u')
    const events = page.getByRole('table', { name: 'Events, newest first' })
    const backOff = events.getByRole('row', { name: /BackOff.*Pod\/crash/ })
    await expect(backOff.first()).toContainText('restarting failed container')
    await expectAccessible(page, 'the events of a kubelet log')
    await backOff.first().getByRole('button', { name: 'Pod/crash' }).click()
    await expect(page.getByRole('tabpanel', { name: 'Events' })).toContainText('BackOff')
    await page.keyboard.press('Escape')
    await page.keyboard.press('2')
    const row = page.getByRole('row', { name: 'seen/crash', exact: true })
    await expect(row).toContainText(/CrashLoopBackOff|Error/)
    await expect(row).toContainText('0/1')
    // Longer than its column, above the reason of the pod.
    await expect(page.getByText('ContainerStatusUnknown')).toHaveCSS('text-overflow', 'ellipsis')
    await expectAccessible(page, 'the pods of a kubelet log')
    expect(program.pageErrors).toEqual([])
  })

  test('says what its level shows', async ({ program }) => {
    const { page } = program
    await page.getByRole('button', { name: 'What this level shows' }).click()
    const dialog = page.getByRole('dialog', { name: 'What -v=4 shows' })
    await expect(dialog.getByRole('row', { name: /^Restart with the same UID/ })).toContainText(
      'not visible',
    )
    await expectAccessible(page, 'what a level shows')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
})

test('a log that is dropped on any view is read', async ({ program }) => {
  const { page } = program
  await dropFile(page, file, 'worker-3-kubelet.log.gz')
  await expect(page.getByRole('heading', { name: 'seen', exact: true })).toBeVisible()
  await expect(page.getByText(/^worker-3-kubelet\.log\.gz: /)).toBeVisible()
  await expectRead(page)
  await page.getByRole('button', { name: 'Close log' }).click()
  await expect(page.getByRole('heading', { name: 'Read a kubelet log' })).toBeVisible()
  await expectAccessible(page, 'the ways to open a log')
  await page.getByLabel('Path on the machine that runs Nodescope').fill('/nowhere/kubelet.log')
  await page.getByRole('button', { name: 'Open path' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'The log /nowhere/kubelet.log cannot be read: it does not exist.',
  )
})
