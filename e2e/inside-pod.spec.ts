import { readFile } from 'node:fs/promises'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { PodsPage } from './pages/pods-page.ts'
import { Frame } from './pages/frame.ts'
import {
  podFailingLiveness,
  podHandlingSigterm,
  podIgnoringSigterm,
  podPrintingAndExiting,
  podReachingMemoryLimit,
  podWithMissingVolume,
  podWithReadiness,
} from './pods.ts'

test('the log of a container is followed over its restart, and the previous one can be read', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podPrintingAndExiting('printer'))
  const drawer = await pods.choose('default/printer')
  await drawer.getByRole('tab', { name: 'Logs' }).click()
  const log = drawer.getByRole('log', { name: 'Log of c' })
  await expect(log.getByText('begins')).toHaveCount(2, { timeout: 60_000 })
  await expect(log.getByText('restarted: the next container')).toBeVisible()
  await expect(log.getByText('last words').first()).toBeVisible()
  // Electron's window refuses downloads.
  if (test.info().project.name === 'web') {
    const downloading = page.waitForEvent('download')
    await drawer.getByRole('button', { name: 'Download' }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toBe('default_printer_c.log')
    const saved = await readFile(await file.path(), 'utf8')
    expect(saved).toMatch(/^\S+Z begins\n\S+Z last words\n--- restarted[^\n]*\n\S+Z begins\n/)
  } else await expect(drawer.getByRole('button', { name: 'Download' })).toHaveCount(0)
  await drawer.getByRole('radio', { name: 'previous' }).check({ force: true })
  await expect(log.getByText('begins')).toHaveCount(1)
  await expect(log.getByText('last words')).toHaveCount(1)
  await drawer.getByRole('textbox', { name: 'Search the log' }).fill('LAST')
  await expect(drawer.getByText('1 of 1')).toBeVisible()
  await expectAccessible(page, 'log of a container', '[role=tabpanel]')
})

test('a liveness probe counts its failures up to the restart of the container', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podFailingLiveness('sick'))
  const drawer = await pods.choose('default/sick')
  await drawer.getByRole('tab', { name: 'Containers' }).click()
  const probes = drawer.getByRole('list', { name: 'Probes of c' })
  await expect(probes).toContainText('exec [cat /tmp/healthy]')
  await expect(probes).toContainText('2 of 3 failures in a row.')
  await expect(probes).toContainText("can't open '/tmp/healthy': No such file or directory")
  await expectAccessible(page, 'failing probe', '[role=tabpanel]')
  await expect(drawer.getByText('Last termination')).toBeVisible({ timeout: 60_000 })
})

test('a container that leaks to its limit shows its use, the gap of the restart, and the log of the run that ended', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podReachingMemoryLimit('leaky'))
  const drawer = await pods.choose('default/leaky')
  await drawer.getByRole('tab', { name: 'Containers' }).click()
  const use = drawer.getByRole('region', { name: 'CPU and memory of c' })
  const memory = use.getByRole('figure', { name: /^Memory/ })
  await expect(memory).toHaveAccessibleName(/Mi of 256Mi, .*OOM at 256Mi, request 128Mi$/)
  await new Frame(page).setSpeed('10×')
  await expect(memory).toHaveAccessibleName(/to 256Mi, .*, 1 restart/, { timeout: 60_000 })
  await new Frame(page).setSpeed('1×')
  await expect(memory.locator('polyline')).toHaveCount(2)
  await expect(use.getByRole('figure', { name: /^CPU.*limit 500m, request 100m/ })).toBeVisible()
  await expect(drawer.getByText('Last termination')).toBeVisible()
  await expect(drawer.getByText('OOMKilled')).toBeVisible()
  const other = drawer.getByRole('button', { name: 'CPU and memory 41Mi of 128Mi, 12m' })
  await expect(other).toHaveAttribute('aria-expanded', 'false')
  await other.press('Enter')
  await expect(drawer.getByRole('region', { name: 'CPU and memory of envoy' })).toBeVisible()
  const cgroup = drawer.getByRole('button', { name: 'Cgroup of the pod' })
  await cgroup.press('Space')
  const files = drawer.getByRole('region', { name: 'Files of the pod’s cgroup' })
  await expect(files).toContainText(/QoS class Burstable \/kubepods\/burstable\/pod/)
  await expect(files).toContainText('402653184')
  await drawer.getByRole('button', { name: 'Cgroup', exact: true }).first().press('Enter')
  await expect(drawer.getByRole('region', { name: 'Cgroup of c' })).toContainText('50000 100000')
  await expectAccessible(page, 'use and cgroups', '[role=tabpanel]')
  await drawer.getByRole('button', { name: 'Its log' }).press('Enter')
  await expect(drawer.getByRole('tab', { name: 'Logs' })).toBeFocused()
  await expect(drawer.getByRole('radio', { name: 'previous' })).toBeChecked()
})

test('a terminal in a container runs a shell, and its exit code is shown', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podIgnoringSigterm('sleeper'))
  await expect(pods.row('default/sleeper')).toContainText('Running')
  const drawer = await pods.choose('default/sleeper')
  await drawer.getByRole('tab', { name: 'Terminal' }).click()
  await expectAccessible(page, 'terminal without a session', '[role=tabpanel]')
  await drawer.getByRole('button', { name: 'Start session' }).click()
  const input = drawer.getByRole('textbox', { name: 'Terminal in c' })
  await expect(input).toBeFocused()
  const screen = drawer.locator('.xterm-rows')
  await page.keyboard.type('echo on screen > /tmp/file; cat /tmp/file\n')
  await expect(screen).toContainText(/tmp.file.*on screen/)
  await expectAccessible(page, 'terminal', '[role=tabpanel]')
  const end = drawer.getByRole('button', { name: 'End session' })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(end).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(input).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(end).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('exit 7\n')
  await expect(drawer.getByText('The command exited with code 7.')).toBeVisible()
  await drawer.getByRole('textbox', { name: 'Command' }).fill('nothing --here')
  await drawer.getByRole('button', { name: 'Start again' }).click()
  await expect(drawer.getByRole('alert')).toContainText('nothing')
})

test('a missing ConfigMap holds a pod up until it is created, and the value of a Secret is shown for ten seconds', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  const create = async (resource: string, name: string, data: object): Promise<void> => {
    const path = `/api/v1/namespaces/default/${resource}`
    const { status } = await kube.client.request('POST', path, { metadata: { name }, ...data })
    expect(status).toBe(201)
  }
  await create('secrets', 'db', { stringData: { password: 'correct-horse' } })
  await kube.createPod(podWithMissingVolume('billing'))
  const drawer = await pods.choose('default/billing')
  await pods.showTab(drawer, 'Volumes and environment')
  const volumes = drawer.getByRole('table', { name: 'Volumes' })
  const rules = volumes.getByRole('row', { name: /^rules/ })
  await expect(rules).toContainText(/ConfigMap rules, 1 key.*not found, \d+s.*FailedMount, first/)
  await expect(volumes.getByRole('row').nth(1)).toContainText('rules')
  await expect(drawer.getByText(/^FailedMount for \d+s, \d times; /)).toBeVisible()
  await expect(drawer.getByText('configmap "rules" not found')).toBeVisible()
  const line = 'kubectl create configmap rules -n default --from-file=rules.yaml'
  const mend = drawer.getByRole('region', { name: 'Create what is missing' })
  await expect(mend).toContainText(line)
  await expectAccessible(page, 'missing volume', '[role=tabpanel]')
  await page.keyboard.press('m')
  await expect(rules).toBeFocused()
  await page.keyboard.press('c')
  await expect(mend.getByText('Copied')).toBeAttached()
  await page.keyboard.press('?')
  await expect(page.getByText('Volumes and environment: go to what is missing')).toBeVisible()
  await page.keyboard.press('Escape')

  const edge = drawer.getByRole('separator', { name: 'Drawer width' })
  const isWhole = (): Promise<boolean> =>
    drawer.evaluate((element) =>
      [...element.querySelectorAll('[role=tabpanel], td, th')].every(
        ({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth,
      ),
    )
  const more = drawer.getByRole('button', { name: /^6 more tabs/ })
  // 364, 408 and 744 px.
  for (const [key, times] of [
    ['ArrowRight', 2],
    ['Home', 1],
    ['ArrowLeft', 14],
  ] as const) {
    for (let time = 0; time < times; time++) await edge.press(key)
    expect(await isWhole()).toBe(true)
    if (key === 'ArrowLeft') await expect(more).toBeHidden()
    else await expect(more).toBeVisible()
  }
  await expectAccessible(page, 'missing volume, wide', '[role=tabpanel]')

  await create('configmaps', 'rules', { data: { 'rules.yaml': 'a: 1' } })
  await expect(rules).toContainText(/mounted \d\d:\d\d:\d\d/, { timeout: 60_000 })
  await expect(pods.row('default/billing')).toContainText('Running', { timeout: 60_000 })
  await expect(drawer.getByText(/^FailedMount for/)).toHaveCount(0)
  await expect(mend).toHaveCount(0)
  const password = drawer.getByRole('row', { name: /^DB_PASSWORD/ })
  await expect(password).toContainText('hidden')
  await page.keyboard.press('v')
  await expect(password).toContainText('correct-horse')
  await expect(drawer.getByRole('button', { name: 'Hide DB_PASSWORD' })).toBeFocused()
  await expectAccessible(page, 'shown Secret', '[role=tabpanel]')
  await expect(password).not.toContainText('correct-horse', { timeout: 15_000 })
  await expect(password).toContainText('hidden')
})

test('a container is restarted by keyboard, and does what the forecast says', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podHandlingSigterm('again'))
  await expect(pods.row('default/again')).toContainText('Running')
  const drawer = await pods.choose('default/again')
  await pods.showTab(drawer, 'Containers')
  await page.keyboard.press('r')
  const dialog = pods.dialog('Restart container')
  await expect(dialog).toContainText(
    'With restartPolicy Always it starts again within 5 s of its end, with restartCount 1.',
  )
  await expect(dialog).toContainText('crictl stop --timeout 30')
  await expectAccessible(page, 'restart of a container', 'dialog')
  await dialog.getByRole('textbox', { name: 'Grace in seconds' }).fill('5')
  await dialog.getByRole('button', { name: 'Stop c, 5 s grace' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(drawer.getByText('Completed, exit 0')).toBeVisible()
  await expect(pods.row('default/again')).toContainText('Running')
  const menu = drawer.getByRole('button', { name: 'Acts on container c' })
  await menu.press('Enter')
  await expectAccessible(page, 'menu of a container', '[role=tabpanel]')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('10 s after its end at the earliest (back-off)')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await pods.showTab(drawer, 'History')
  await expect(
    drawer.getByText(/requested on this page to stop container c at the container runtime/),
  ).toBeVisible()
})

test('a probe is made to fail, and that is taken back', async ({ program, kube }) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podWithReadiness('probed'))
  const drawer = await pods.choose('default/probed')
  await pods.showTab(drawer, 'Containers')
  await expect(drawer.getByText('ready', { exact: true })).toBeVisible()
  await page.keyboard.press('b')
  const dialog = pods.dialog('Behavior')
  const probes = dialog.getByRole('textbox', { name: 'Probes and hooks' })
  await probes.fill('sometimes')
  await expect(dialog.getByRole('alert')).toContainText('"sometimes" is not "fail"')
  await probes.fill('fail')
  await expect(dialog).toContainText(
    'kubectl annotate pod -n default probed --overwrite simulated.nodescope.dev/probes.c=fail',
  )
  await expectAccessible(page, 'behavior of a container', 'dialog')
  await probes.press('Enter')
  await expect(dialog.getByText('now: fail')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer.getByText('not ready', { exact: true })).toBeVisible()
  await drawer.getByRole('button', { name: 'Acts on container c' }).click()
  await page.getByRole('menuitem', { name: 'Behavior…' }).click()
  await dialog.getByRole('button', { name: 'Take back Probes and hooks' }).press('Enter')
  await expect(dialog.getByText('now: fail')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(drawer.getByText('ready', { exact: true })).toBeVisible()
})
