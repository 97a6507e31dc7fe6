import { expectAccessible, expectDialogAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podHandlingSigterm } from './pods.ts'

test.use({ programArguments: ['--nodes', '2'] })

test('several pods are selected by their labels and deleted with one dialog', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  // The scheduler spreads them over both nodes.
  await page.getByRole('radio', { name: 'All nodes' }).click({ force: true })
  for (const name of ['one', 'two']) {
    const pod = podHandlingSigterm(name)
    const labeled = { ...pod, metadata: { ...pod.metadata, labels: { app: 'pair' } } }
    await kube.createPod(labeled)
    await expect(pods.row(`default/${name}`)).toContainText('Running')
  }
  await page.getByRole('textbox', { name: 'Label selector' }).fill('app in (pair)')
  await expect(page.getByRole('row', { name: 'default/' })).toHaveCount(2)
  await page.getByRole('grid', { name: 'Pods' }).focus()
  await page.keyboard.press('Control+a')
  await expect(page.getByRole('toolbar', { name: 'Selected pods' })).toContainText('2 selected')
  await expectAccessible(page, 'a table with selected rows')
  await page.getByRole('button', { name: 'Delete…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 2 pods' })
  await expect(dialog).toContainText('kubectl delete pod -n default one two')
  await expectDialogAccessible(page, 'an act on several rows')
  await dialog.getByRole('button', { name: 'Delete 2 pods on sandbox' }).click()
  await expect(dialog).toContainText('2 begun.')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('row', { name: 'default/' })).toHaveCount(0)
})

test('nodes are cordoned together, and the columns of their table last until the next visit', async ({
  program,
}) => {
  const { page } = program
  await page.keyboard.press('5')
  await expect(page.getByRole('rowheader')).toHaveText(['scope-node-1', 'scope-node-2'])
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await page.getByRole('button', { name: 'Cordon…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Cordon 2 nodes' })
  await expect(dialog).toContainText('kubectl cordon scope-node-1 scope-node-2')
  await dialog.getByRole('button', { name: 'Cordon 2 nodes on sandbox' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('SchedulingDisabled', { exact: true })).toHaveCount(2)
  await page.getByRole('textbox', { name: 'Field selector' }).fill('spec.unschedulable=false')
  await expect(page.getByText('No node matches')).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Show TAINTS' }).check()
  await page.getByRole('button', { name: 'Show all 2' }).click()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'TAINTS' })).toBeVisible()
})

test('the labels and taints of a node are edited, with the pods that a taint evicts shown before', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podHandlingSigterm('guest', { nodeName: 'scope-node-2' }))
  await page.keyboard.press('5')
  const row = page.getByRole('row', { name: /scope-node-2/ })
  const open = async () => {
    await row.getByRole('button', { name: /^Actions on/ }).click()
    await page.getByRole('menuitem', { name: 'Labels and taints…' }).click()
    return page.getByRole('dialog', { name: 'Labels and taints of scope-node-2' })
  }
  const dialog = await open()
  const labels = dialog.getByRole('textbox', { name: /^Labels/ })
  await labels.press('Control+End')
  await labels.pressSequentially('\ndisk=ssd')
  const taints = dialog.getByRole('textbox', { name: /^Taints/ })
  await taints.fill('a taint')
  await expect(dialog).toContainText('Line 1 of the taints needs key=value:Effect')
  await taints.fill('quiet=yes:NoExecute')
  await expect(dialog.getByRole('region', { name: 'Evicted pods' })).toContainText(
    'default/guest at once',
  )
  await expect(dialog).toContainText(
    'kubectl taint node scope-node-2 --overwrite quiet=yes:NoExecute',
  )
  await expectDialogAccessible(page, 'the labels and taints of a node')
  await dialog.getByRole('button', { name: 'Change node' }).click()
  await expect(dialog).toHaveCount(0)
  await expect
    .poll(async () => (await kube.pod('default', 'guest'))?.metadata.name ?? 'gone')
    .toBe('gone')
  await open()
  await expect(dialog.getByRole('textbox', { name: /^Labels/ })).toHaveValue(/^disk=ssd$/m)
  await expect(dialog.getByRole('textbox', { name: /^Taints/ })).toHaveValue('quiet=yes:NoExecute')
})
