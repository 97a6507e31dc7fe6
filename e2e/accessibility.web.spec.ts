import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessible, expectDialogAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { KubeUser } from './kube/kube-user.ts'
import { FlowPage } from './pages/flow-page.ts'
import { Frame } from './pages/frame.ts'
import { HandbookPage } from './pages/handbook-page.ts'
import {
  deleteByForce,
  deleteMirror,
  deletePod,
  evictByKubelet,
  evictThroughApi,
  kill,
  PodsPage,
} from './pages/pods-page.ts'
import { crashingPod, podIgnoringSigterm, podHandlingSigterm } from './pods.ts'
import { endOf } from './program/spawn-host.ts'
import { spawnWebHost, startWebProgram } from './program/web-program.ts'

// axe over every view and state, in dark, light and high contrast.

const web = 'default/web-scope-node-1'

async function expectTabsAccessible(
  pods: PodsPage,
  pod: string,
  tabs: readonly string[],
): Promise<void> {
  const drawer = await pods.choose(pod)
  for (const tab of tabs) {
    await pods.showTab(drawer, tab)
    await expectAccessible(pods.page, `panel of a pod, ${tab}`)
  }
}

test('axe finds no serious problem in the start view and in Flow, wide and narrow', async ({
  program,
}) => {
  const { page } = program
  const frame = new Frame(page)
  await expect(page.getByRole('heading', { name: 'A cluster is running.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Do it for me' })).toHaveCount(2)
  await expectAccessible(page, 'Start')
  await frame.show('Flow')
  await expect(page.getByRole('button', { name: /^PodWorkers: \d+ workers/ })).toBeVisible()
  await expectAccessible(page, 'Flow')
  await page.getByRole('button', { name: /^PodManager:/ }).click()
  await expect(page.getByRole('region', { name: 'PodManager' })).toBeVisible()
  await expectAccessible(page, 'Flow, PodManager open')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 720, height: 860 })
  const parts = page.getByRole('list', { name: 'Parts of the kubelet' })
  await parts.getByRole('button', { name: /PodWorkers/ }).click()
  await expectAccessible(page, 'Flow, narrow')
})

test('axe finds no serious problem in the pods view and in the drawer of a crashing pod', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(crashingPod('crash'))
  await kube.createPod(podIgnoringSigterm('deaf'))
  await expect(pods.row('default/deaf')).toContainText('Running')
  await kube.deletePod('default', 'deaf', 600)
  await expect(pods.row('default/deaf')).toContainText('Terminating')
  await expect(pods.row('default/crash')).toContainText('CrashLoopBackOff')
  await expectAccessible(page, 'Pods')
  await expectTabsAccessible(pods, 'default/crash', ['Summary', 'Containers'])
  await expectTabsAccessible(pods, 'default/deaf', ['Summary'])
})

test('axe finds no serious problem in any tab of a static pod', async ({ program }) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await expect(pods.row(web)).toContainText('Running')
  await expectTabsAccessible(pods, web, [
    'Summary',
    'Containers',
    'Logs',
    'Terminal',
    'Volumes and environment',
    'History',
    'Events',
    'YAML',
  ])
})

test('axe finds no serious problem in the mirrors and manifests views', async ({ program }) => {
  const { page } = program
  const frame = new Frame(page)
  await frame.show('Mirror pods')
  await page.getByRole('option', { name: `${web}, hash equal` }).click()
  await expect(page.getByRole('region', { name: /^Differences of/ })).toBeVisible()
  await expectAccessible(page, 'Mirror pods, diff')
  await page.getByRole('radio', { name: 'History' }).check({ force: true })
  await expect(page.getByRole('region', { name: /^History of the mirror/ })).toBeVisible()
  await expectAccessible(page, 'Mirror pods, history')
  await frame.show('Manifests')
  await page.getByRole('option', { name: /^web\.yaml/ }).click()
  await expect(page.getByRole('textbox', { name: 'web.yaml' })).toBeVisible()
  await expectAccessible(page, 'Manifests')
  await writeFile(
    join(program.dataFolder, 'manifests', 'broken.yaml'),
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: [unclosed\n',
  )
  await page.getByRole('option', { name: /^broken\.yaml, / }).click()
  await expect(page.getByRole('region', { name: /^What is wrong with/ })).toBeVisible()
  await expectAccessible(page, 'Manifests, a broken one')
  await page.getByRole('button', { name: 'Edit here' }).click()
  await expect(page.getByRole('textbox', { name: 'broken.yaml' })).toBeVisible()
  await expectAccessible(page, 'Manifests, a broken one in the editor')
  await page.getByRole('button', { name: 'Remove…' }).click()
  await expectDialogAccessible(page, 'dialog to remove a manifest')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add manifest…' }).click()
  await expectDialogAccessible(page, 'dialog to add a manifest')
})

test('axe finds no serious problem in the handbook, next to the pods and full size, wide and narrow', async ({
  program,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  const handbook = new HandbookPage(page)
  await pods.open()
  await expect(pods.row(web)).toContainText('matched')
  await pods.choose(web)
  await page.keyboard.press('h')
  await expect(handbook.contents()).toBeVisible()
  await expectAccessible(page, 'Contents next to the pods')
  await handbook.contents().getByRole('link', { name: 'Creation', exact: true }).click()
  await handbook.expectSection('Creation')
  await expectAccessible(page, 'A section next to the pods')
  await handbook.search().fill('mirror')
  await expect(page.getByRole('listbox', { name: 'Results' })).toBeVisible()
  await expectAccessible(page, 'Results next to the pods')
  await page.keyboard.press('Enter')
  await page.setViewportSize({ width: 720, height: 860 })
  await expectAccessible(page, 'A section over the pods, narrow')
  await page.keyboard.press('9')
  await frame.expectView('Handbook')
  await expectAccessible(page, 'Handbook, narrow')
  await page.setViewportSize({ width: 1360, height: 860 })
  await page.keyboard.press('Escape')
  await expectAccessible(page, 'Handbook')
  await handbook.search().fill('grace')
  await expectAccessible(page, 'Handbook, results')
})

test('axe finds no serious problem in the dialogs of the actions', async ({ program, kube }) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podHandlingSigterm('polite'))
  await expect(pods.row('default/polite')).toContainText('Running')
  for (const act of [kill, evictByKubelet, evictThroughApi, deletePod, deleteByForce]) {
    const dialog = await pods.ask('default/polite', act)
    await expect(dialog).toContainText('default / polite')
    await expectDialogAccessible(page, `dialog ${act.title}`)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await expect(pods.row(web)).toContainText('matched')
  await pods.ask(web, deleteMirror)
  await expectDialogAccessible(page, `dialog ${deleteMirror.title}`)
})

test('axe finds no serious problem in the palette, the shortcuts, the settings and the themes', async ({
  program,
}) => {
  const { page } = program
  const frame = new Frame(page)
  await new PodsPage(page).open()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run' }).fill('kill')
  await expect(frame.dialog('Search or run').getByRole('option').first()).toBeVisible()
  await expectDialogAccessible(page, 'palette')
  await page.keyboard.press('Escape')
  await expect(frame.dialog('Search or run')).toBeHidden()
  await page.keyboard.press('?')
  await expect(frame.dialog('Keys')).toBeVisible()
  await expectDialogAccessible(page, 'keys')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(frame.dialog('Settings')).toBeVisible()
  await expectDialogAccessible(page, 'settings')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Theme' }).click()
  await expect(page.getByRole('menuitemradio').first()).toBeVisible()
  await expectAccessible(page, 'menu of themes')
})

test('axe finds no serious problem during an outage of the API server', async ({
  folder,
  launchedBrowser,
}) => {
  const owner = spawnWebHost(['--data-dir', join(folder, 'owner')])
  const kube = await KubeUser.read(await owner.fact('kubeconfig'))
  const manifests = join(folder, 'manifests')
  await mkdir(manifests)
  await writeFile(join(manifests, 'guest.yaml'), JSON.stringify(podHandlingSigterm('guest')))
  const guest = await startWebProgram(await launchedBrowser(), join(folder, 'guest'), [
    '--kubeconfig',
    kube.kubeconfig,
    '--node',
    'scope-2',
    '--manifests',
    manifests,
  ])
  try {
    const { page } = guest
    const banner = page.getByRole('region', { name: 'The API server does not answer' })
    const frame = new Frame(page)
    await expect(page.getByRole('heading', { name: /^A node of/ })).toBeVisible()
    await expectAccessible(page, 'Start of a joined cluster')
    // The control plane's reactions are relative to the last lease: without one there is no axis.
    const flow = new FlowPage(page)
    await flow.open()
    await expect(flow.renewedLease()).toBeVisible()
    owner.signal('SIGKILL')
    await owner.ended()
    await expect(banner).toBeVisible()
    await expect(banner.getByRole('img')).toBeVisible()
    await frame.show('Pods')
    await expectAccessible(page, 'Pods, API server away')
    await frame.show('Flow')
    await expectAccessible(page, 'Flow, API server away')
  } finally {
    await guest.stop()
    expect((await endOf(guest.process)).code).toBe(0)
    owner.destroy()
  }
})
