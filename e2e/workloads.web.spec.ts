import { expectAccessible, expectDialogAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { webDeployment } from './pods.ts'

test('a Deployment stands above its pods; one that is deleted is replaced, and it is scaled from the page', async ({
  program,
  kube,
}) => {
  const { page } = program
  const path = '/apis/apps/v1/namespaces/default/deployments'
  expect((await kube.client.request('POST', path, webDeployment)).status).toBe(201)
  await page.keyboard.press('o')
  await expect(page.getByRole('heading', { name: 'Workloads' })).toBeVisible()
  const card = page.getByRole('region', { name: 'web', exact: true })
  await expect(card).toContainText('2 of 2 ready')
  await expectAccessible(page, 'owners of pods')
  const pods = card.getByRole('listitem')
  const first = (await pods.first().getByRole('button').textContent()) ?? ''
  await kube.deletePod('default', first)
  await expect(card).toContainText('took the place of')
  await page.getByRole('button', { name: 'Acts on web' }).click()
  await page.getByRole('menuitem', { name: 'Scale…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Scale web' })
  await dialog.getByRole('spinbutton').fill('3')
  await expect(dialog).toContainText('web makes 1 pod more.')
  await expectDialogAccessible(page, 'scaling an owner')
  await dialog.getByRole('button', { name: 'Scale web' }).click()
  await expect(card).toContainText('3 of 3 ready')
  const changed = {
    spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:2' }] } } },
  }
  const patch = 'application/strategic-merge-patch+json'
  expect((await kube.client.request('PATCH', `${path}/web`, changed, patch)).status).toBe(200)
  await expect(card).toContainText('revision 2')
  await page.getByRole('button', { name: 'Acts on web' }).click()
  await page.getByRole('menuitem', { name: 'Undo rollout…' }).click()
  const undo = page.getByRole('dialog', { name: 'Undo rollout of web' })
  await expect(undo.getByRole('region', { name: 'Changes of the template' })).toContainText(
    '- - image: nginx:2',
  )
  await expectDialogAccessible(page, 'undoing a rollout')
  await undo.getByRole('button', { name: 'Undo rollout of web' }).click()
  await expect(card).toContainText('revision 3')
})

test('a pod without a node says why, in the scheduler’s words', async ({ program, kube }) => {
  const { page } = program
  const gpu = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name: 'gpu' },
    spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'c', image: 'nginx' }] },
  }
  await kube.createPod(gpu)
  await page.keyboard.press('o')
  await expect(page.getByRole('region', { name: 'Why not' })).toContainText(
    "1 node(s) didn't match Pod's node affinity/selector",
  )
  const verdicts = page.getByRole('region', { name: 'Node by node' })
  await expect(verdicts.getByRole('row')).toContainText([/Filter/, /NodeAffinity/])
  await expectAccessible(page, 'a pod without a node')
})

test('a CronJob is run now, suspended and resumed with the keyboard', async ({ program, kube }) => {
  const { page } = program
  const report = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report', namespace: 'default' },
    spec: {
      // Once a year: only Run now makes a Job here.
      schedule: '30 4 1 1 *',
      jobTemplate: {
        spec: {
          template: {
            spec: {
              restartPolicy: 'Never',
              containers: [{ name: 'c', image: 'busybox', command: ['sleep', '3600'] }],
            },
          },
        },
      },
    },
  }
  const path = '/apis/batch/v1/namespaces/default/cronjobs'
  expect((await kube.client.request('POST', path, report)).status).toBe(201)
  await page.keyboard.press('o')
  const card = page.getByRole('region', { name: 'report', exact: true })
  await expect(card).toContainText('0 jobs active')
  const acts = page.getByRole('button', { name: 'Acts on report' })

  /** Opens the dialog of an act, of which the menu has as many before it, and confirms it. */
  async function act(title: string, before: number, says: string): Promise<void> {
    if (before > 0) await page.keyboard.press('Enter')
    for (let index = 0; index < before; index++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog).toContainText(says)
    await expectDialogAccessible(page, title)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(acts).toBeFocused()
  }

  await page.keyboard.press('Shift+J')
  await page.keyboard.press('Tab')
  await expect(acts).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem')).toHaveText([/Run now/, /Suspend/, /Delete/])
  await act('Run report now', 0, 'report gets a job now, outside its schedule.')
  await expect(card.getByRole('listitem')).toHaveText(/report-\d+-.*Running/)
  // As kubectl prints it: the controller counts only the jobs that it has made.
  await expect(card).toContainText('0 jobs active')
  await expectAccessible(page, 'a CronJob with its job')
  await act('Suspend report', 1, 'report makes no more jobs.')
  await expect(card).toContainText('suspended')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem')).toHaveText([/Run now/, /Resume/, /Delete/])
  await page.keyboard.press('Escape')
  await act('Resume report', 1, 'report makes jobs again.')
  await expect(card).not.toContainText('suspended')
})
