import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { expectAccessible, expectDialogAccessible } from './accessibility.ts'
import type { KubeUser } from './kube/kube-user.ts'
import { allowChanges, expect, test } from './opened-cluster.ts'
import { dropFile } from './pages/drop-file.ts'
import { Keys } from './pages/keys.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podHandlingSigterm } from './pods.ts'

const log = join(process.cwd(), 'test', 'kubelet-log', 'v4.log.gz')

/** A running pod on the first node, and a budget that allows no disruption of it. */
async function createKeptPod(owner: KubeUser): Promise<void> {
  const { metadata, spec, ...pod } = podHandlingSigterm('kept')
  const kept = {
    ...pod,
    metadata: { ...metadata, labels: { app: 'kept' } },
    spec: { ...spec, nodeName: 'scope-node-1' },
  }
  await owner.createPod(kept)
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
  const { status } = await owner.client.request('POST', budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'keep-all', namespace: 'default' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'kept' } } },
  })
  expect(status).toBe(201)
  await expect.poll(async () => (await owner.pod('default', 'kept'))?.status.phase).toBe('Running')
}

/** From the view of nodes: the menu of the first one, with the keyboard. */
async function chooseForNode(page: Page, item: string): Promise<void> {
  const keys = new Keys(page)
  await keys.press('5')
  const acts = page.getByRole('button', { name: 'Actions on scope-node-1' })
  const chosen = page.getByRole('menuitem', { name: item, exact: true })
  // The menu closes if the view that has just been shown takes the focus.
  await expect(async () => {
    await keys.tabTo(acts)
    await keys.press('Enter')
    // A letter moves the focus to an item.
    await keys.press(item.slice(0, 1).toLowerCase())
    await expect(chosen).toBeFocused({ timeout: 2000 })
  }).toPass()
  // The frame of the table does not cut the menu.
  const isWhole = await page
    .getByRole('menuitem')
    .last()
    .evaluate((item) => {
      const { left, top, width, height } = item.getBoundingClientRect()
      return item.contains(item.ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
    })
  expect(isWhole).toBe(true)
  await keys.press('Enter')
}

async function pointAtKept(page: Page): Promise<Locator> {
  const pods = new PodsPage(page)
  await pods.open()
  await expect(pods.row('default/kept')).toContainText('Running')
  await pods.row('default/kept').click()
  return page.getByRole('dialog', { name: 'Evict through the API' })
}

test('a node: its pods as the API and its kubelet have them, and the flow that follows', async ({
  program,
  owner,
}) => {
  const { page } = program
  const keys = new Keys(page)
  await createKeptPod(owner)
  await page.keyboard.press('6')
  await expect(page.getByText('Choose a node', { exact: true })).toBeVisible()
  await expectAccessible(page, 'inspect without a node')
  await page.keyboard.press('1')
  await expect(page.getByText('see what is known of its kubelet')).toBeVisible()

  await chooseForNode(page, 'Inspect node')
  await expect(page.getByRole('heading', { name: 'scope-node-1', level: 1 })).toBeVisible()
  await expect(page.getByText('kubelet answers through the API server')).toBeVisible()
  const row = page.getByRole('row', { name: /kept/ })
  await expect(row).toContainText('certain')
  await expect(row).toContainText('SyncPod')
  await expect(page.getByRole('complementary', { name: 'Node' })).toContainText('renewed')
  const kept = row.getByRole('button')
  await keys.press('Home')
  for (let step = 0; step < 10; step++) {
    if ((await kept.getAttribute('aria-pressed')) === 'true') break
    await keys.press('j')
  }
  await expect(kept).toBeFocused()
  await expect(row).toContainText('c: ready')
  await keys.press('y')
  const drawer = page.getByRole('complementary', { name: /kept/ })
  await expect(drawer.getByRole('tab', { name: 'YAML' })).toHaveAttribute('aria-selected', 'true')
  const name = await row.getByRole('rowheader').boundingBox()
  expect(name?.width, 'the column POD next to the drawer').toBeGreaterThan(120)
  await keys.press('w')
  await expect(drawer.getByRole('tab', { name: 'Summary' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await keys.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('/pods')
  const readings = page.getByRole('list', { name: 'Readings' })
  await expect(readings).toContainText('API watch, current')
  await expect(readings).toContainText(/\/pods, \/runningpods, \d+ s ago/)
  await expect(readings).toContainText(/\/metrics, \d+ s ago/)
  await expect(
    page.getByRole('figure', { name: /^PLEG relist, last .+: p50 .+ up to / }),
  ).toBeVisible()
  await expectAccessible(page, 'inspect')

  await keys.press('1')
  const flow = page.getByRole('group', { name: /^The kubelet: sources/ })
  await expect(flow.getByRole('button', { name: /^PodWorkers: \d+ workers?/ })).toBeVisible()
  await expect(flow.getByRole('button', { name: 'PodManager: not known' })).toBeVisible()
  const arrows = page.getByRole('list', { name: 'Arrows' })
  await expect(arrows).toContainText(
    /NodeController to API server, .+ last PUT at .+ \(certain, from: Lease of the node: renewTime\)/,
  )
  await expect(arrows).toContainText(/PLEG to sync loop, .+: not known/)
  await flow.getByRole('button', { name: /^Container runtime/ }).focus()
  await keys.press('Enter')
  await expect(page.getByRole('region', { name: 'Container runtime' })).toContainText(
    'certain, from: status of the container: running.startedAt',
  )
  await expectAccessible(page, 'the flow of a node that is looked at')
  await keys.press('Escape')
  expect(program.pageErrors).toEqual([])
})

test('the pods of a node: filtered, without scrolling to the last column, and over time', async ({
  program,
  owner,
}) => {
  const { page } = program
  const keys = new Keys(page)
  await createKeptPod(owner)
  await page.setViewportSize({ width: 1280, height: 720 })
  await chooseForNode(page, 'Inspect node')
  const table = page.getByRole('table')
  await expect(table.getByRole('row', { name: /kept/ })).toContainText('SyncPod')
  const hidden = await table.evaluate((element) => {
    const frame = element.parentElement
    return frame === null ? Number.NaN : frame.scrollWidth - frame.clientWidth
  })
  expect(hidden).toBe(0)
  await expectAccessible(page, 'inspect at 1280x720')

  await keys.tabTo(page.getByRole('radio', { name: /^All \d+$/ }))
  await keys.press('ArrowRight')
  await keys.press('ArrowRight')
  await expect(page.getByRole('radio', { name: /^Static pods \d$/ })).toBeChecked()
  await expect(table.getByRole('row', { name: /kept/ })).toHaveCount(0)
  await expect(table.getByRole('button', { name: /web-scope-node-1, static pod$/ })).toBeVisible()
  await keys.press('ArrowRight')
  await expect(table.getByRole('row', { name: /kept/ })).toBeVisible()

  await keys.tabTo(page.getByRole('radio', { name: 'Table' }))
  await keys.press('ArrowRight')
  const lanes = page.getByRole('list', { name: 'Pod workers' })
  const kept = lanes.getByRole('button', { name: /^default\/kept: SyncPod/ })
  await expect(kept).toBeVisible()
  for (let step = 0; step < 10; step++) {
    if ((await kept.getAttribute('aria-pressed')) === 'true') break
    await keys.press('j')
  }
  await expect(kept).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('kept')
  await expectAccessible(page, 'the workers of a node over time')
  await keys.press('l')
  await expect(page.getByRole('tabpanel', { name: 'History' })).toContainText('The worker is in')
  expect(program.pageErrors).toEqual([])
})

test('an eviction: refused while the cluster is read-only, and by a budget that it names', async ({
  program,
  owner,
}) => {
  const { page } = program
  await createKeptPod(owner)
  const dialog = await pointAtKept(page)
  await page.keyboard.press('e')
  await expect(dialog).toContainText('is read-only here')
  await expectDialogAccessible(page, 'an eviction while read-only')
  await page.keyboard.press('Escape')

  await page.keyboard.press('5')
  await allowChanges(page)
  await expectAccessible(page, 'nodes while changes are allowed')
  await pointAtKept(page)
  await page.keyboard.press('e')
  await expect(dialog).toContainText('(429 TooManyRequests): PodDisruptionBudget keep-all')
  await expectDialogAccessible(page, 'an eviction that a budget is against')
  expect((await owner.pod('default', 'kept'))?.metadata.deletionTimestamp).toBeUndefined()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('a drain: rehearsed, then waiting for a budget, and stopped', async ({ program, owner }) => {
  const { page } = program
  const keys = new Keys(page)
  await createKeptPod(owner)
  await page.keyboard.press('5')
  await expect(page.getByRole('row', { name: /scope-node-1/ })).toBeVisible()
  await chooseForNode(page, 'Drain…')
  const dialog = page.getByRole('dialog', { name: 'Drain scope-node-1' })
  await expect(dialog).toContainText('is read-only here')
  const list = dialog.getByRole('list', { name: 'Pods of the node' })
  await expect(list).toContainText('kept')
  expect((await list.boundingBox())?.height).toBeGreaterThan(100)
  await keys.press('Escape')
  await expect(dialog).toHaveCount(0)

  await allowChanges(page)
  await chooseForNode(page, 'Drain…')
  await keys.tabTo(dialog.getByRole('checkbox', { name: /^--force/ }))
  await keys.press('Space')
  await expect(dialog).toContainText('The API server answered a dry run of each eviction.')
  const kept = dialog.getByRole('listitem').filter({ hasText: 'default/kept' })
  await expect(kept).toContainText('blocked')
  await expect(kept).toContainText('keep-all')
  await expectDialogAccessible(page, 'the rehearsal of a drain')
  await keys.confirm(dialog, /^(Drain|Cordon)/)
  await expect(page.getByText(/^Draining scope-node-1: /)).toBeVisible()
  await expect(page.getByText(/keep-all/).first()).toBeVisible()
  await expectAccessible(page, 'a drain that waits')
  await keys.tabTo(page.getByRole('button', { name: 'Stop the drain' }))
  await keys.press('Enter')
  await expect(page.getByText(/^The drain of scope-node-1 has stopped: /)).toBeVisible()
  await expect(page.getByRole('row', { name: /scope-node-1/ })).toContainText('SchedulingDisabled')
  expect((await owner.pod('default', 'kept'))?.metadata.deletionTimestamp).toBeUndefined()
})

test('a second context of a kubeconfig is opened, and the clusters are switched', async ({
  program,
  owner,
  folder,
}) => {
  const { page } = program
  const keys = new Keys(page)
  // kubectl reads JSON as YAML.
  const text = readFileSync(owner.kubeconfig, 'utf8')
  const other = join(folder, 'other.kubeconfig')
  writeFileSync(other, text.replaceAll('nodescope-sandbox', 'other-context'))
  await page.keyboard.press('5')
  await expect(page.getByRole('row', { name: /scope-node-1/ })).toBeVisible()
  await dropFile(page, other)
  await expect(page.getByRole('heading', { name: 'Open a cluster' })).toBeVisible()
  const context = page.getByRole('row', { name: /other-context/ })
  await expect(context).toBeVisible()
  await expectAccessible(page, 'a kubeconfig that was dropped')
  await keys.tabTo(page.getByRole('button', { name: 'Open read-only' }))
  await keys.press('Enter')
  const plate = page.getByRole('banner').getByRole('button', { name: /read-only$/ })
  await expect(plate).toContainText('other-context')
  await expect(page.getByRole('row', { name: /scope-node-1/ })).toBeVisible()

  await keys.press('Control+o')
  const switcher = page.getByRole('dialog', { name: 'Clusters' })
  await expectDialogAccessible(page, 'the clusters')
  await keys.press('1')
  await expect(switcher).toHaveCount(0)
  await expect(plate).toContainText('nodescope-sandbox')
})

test('a kubelet log that is dropped is read, and the cluster stays open', async ({ program }) => {
  const { page } = program
  await page.keyboard.press('5')
  await expect(page.getByRole('row', { name: /scope-node-1/ })).toBeVisible()
  await dropFile(page, log)
  await expect(page.getByRole('heading', { name: 'seen', exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Pod workers' })).toContainText('polite')
  await expectAccessible(page, 'a kubelet log next to a cluster')
  await page.keyboard.press('5')
  await expect(page.getByRole('row', { name: /scope-node-1/ })).toBeVisible()
})
