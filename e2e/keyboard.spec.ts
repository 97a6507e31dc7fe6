import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { Frame } from './pages/frame.ts'
import { Keys } from './pages/keys.ts'
import { ManifestsPage } from './pages/manifests-page.ts'
import {
  deleteByForce,
  deleteMirror,
  deletePod,
  evictByKubelet,
  evictThroughApi,
  kill,
  PodsPage,
} from './pages/pods-page.ts'
import { podIgnoringSigterm, podHandlingSigterm } from './pods.ts'

// Nothing here touches the mouse.

const web = 'default/web-scope-node-1'

test('kills, evicts and deletes with the keyboard, and the API shows the results', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  const keys = new Keys(program.page)
  for (const name of ['killed', 'evicted', 'sent-away', 'deleted'])
    await kube.createPod(podHandlingSigterm(name))
  await kube.createPod(podIgnoringSigterm('forced'))
  await keys.press('2')
  for (const name of ['killed', 'evicted', 'sent-away', 'deleted', 'forced'])
    await expect(pods.row(`default/${name}`)).toContainText('Running')

  await keys.pointAt('default/killed')
  await keys.press('x')
  const killing = pods.dialog(kill.title)
  await expect(killing.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await keys.tabTo(killing.getByRole('textbox', { name: 'Grace in seconds' }))
  await program.page.keyboard.type('3')
  await keys.confirm(killing, 'Kill, 3 s grace')

  await keys.pointAt('default/evicted')
  await keys.press('Shift+E')
  await keys.confirm(pods.dialog(evictByKubelet.title), 'Evict by the kubelet')

  await keys.pointAt('default/sent-away')
  await keys.press('e')
  await keys.confirm(pods.dialog(evictThroughApi.title), /^Evict, \d+ s grace/)

  await keys.pointAt('default/deleted')
  await keys.press('d')
  await keys.confirm(pods.dialog(deletePod.title), /^Delete, \d+ s grace/)

  await keys.pointAt('default/forced')
  await keys.press('Shift+D')
  await keys.confirm(pods.dialog(deleteByForce.title), 'Delete by force')

  await expect.poll(() => kube.pod('default', 'forced')).toBeUndefined()
  await expect.poll(() => kube.pod('default', 'sent-away')).toBeUndefined()
  await expect.poll(() => kube.pod('default', 'deleted')).toBeUndefined()
  await expect
    .poll(async () => (await kube.pod('default', 'killed'))?.status.phase)
    .toBe('Succeeded')
  // Failed where a relist had its container removed before the kubelet asked how it ended.
  await expect
    .poll(async () => (await kube.pod('default', 'evicted'))?.status.phase)
    .toMatch(/^(Succeeded|Failed)$/)
  const conditions = (await kube.pod('default', 'evicted'))?.status.conditions
  expect(conditions).toContainEqual(
    expect.objectContaining({ type: 'DisruptionTarget', reason: 'TerminationByKubelet' }),
  )
  expect((await kube.pod('default', 'killed'))?.metadata.deletionTimestamp).toBeUndefined()
})

test('deletes the mirror of a static pod with D, and the kubelet recreates it', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  const keys = new Keys(program.page)
  await keys.press('2')
  await expect(pods.row(web)).toContainText('matched')
  const before = await kube.pod('default', 'web-scope-node-1')
  await keys.pointAt(web)
  await keys.press('d')
  await keys.confirm(pods.dialog(deleteMirror.title), 'Delete mirror')
  await expect
    .poll(async () => (await kube.pod('default', 'web-scope-node-1'))?.metadata.uid)
    .not.toBe(before?.metadata.uid)
  await keys.pressSoon('g', 'm')
  await new Frame(program.page).expectView('Mirror pods')
  await expect(
    program.page.getByRole('option', { name: `${web}, hash equal`, selected: true }),
  ).toBeVisible()
})

test('pauses, steps and speeds up the clock, and goes from view to view', async ({ program }) => {
  const frame = new Frame(program.page)
  const keys = new Keys(program.page)
  const clock = frame.clock()
  await expect(clock.getByRole('button', { name: 'Pause' })).toBeVisible()
  await keys.press('p')
  await expect(clock.getByRole('button', { name: 'Run' })).toBeVisible()
  const before = await clock.getByRole('time').innerText()
  await keys.press('.')
  await expect(clock.getByRole('time')).not.toHaveText(before)
  await expect(clock.getByRole('button', { name: 'Run' })).toBeVisible()
  await keys.press('+')
  await expect(clock.getByRole('radio', { name: '10×', exact: true })).toBeChecked()
  await keys.press('-', '-')
  await expect(clock.getByRole('radio', { name: '0.1×', exact: true })).toBeChecked()
  await keys.press('p')
  await expect(clock.getByRole('button', { name: 'Pause' })).toBeVisible()
  await keys.press('1')
  await frame.expectView('Flow')
  await keys.press('2')
  await frame.expectView('Pods')
  await keys.press('3')
  await frame.expectView('Mirror pods')
  await keys.press('4')
  await frame.expectView('Manifests')
})

test('the palette opens views, a pod by the UID of its mirror, and the dialog of an action', async ({
  program,
  kube,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  const keys = new Keys(page)
  await keys.press('2')
  await expect(pods.row(web)).toContainText('matched')
  await keys.run('mirrors', /^Go to Mirror pods/)
  await frame.expectView('Mirror pods')
  const mirror = await kube.pod('default', 'web-scope-node-1')
  await keys.run(mirror?.metadata.uid ?? 'none', /of the mirror with this UID/)
  await expect(pods.drawer(web)).toBeVisible()
  await keys.run('kill loud', /^Kill loud…/)
  const dialog = pods.dialog(kill.title)
  await expect(dialog).toContainText('default / loud')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
})

test('Esc closes one layer at a time and restores the focus; arrow keys switch tabs', async ({
  program,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  const keys = new Keys(page)
  await keys.tabTo(page.getByRole('button', { name: 'Skip to the view' }))
  await keys.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await keys.pointAt(web)
  const grid = page.getByRole('grid', { name: 'Pods' })
  await keys.press('Enter')
  const drawer = pods.drawer(web)
  await expect(drawer).toBeVisible()
  await keys.tabTo(drawer.getByRole('tab', { name: 'Summary' }))
  for (const tab of [
    'Containers',
    'Logs',
    'Terminal',
    'Volumes and environment',
    'History',
    'Events',
    'YAML',
  ]) {
    await keys.press('ArrowRight')
    await expect(drawer.getByRole('tab', { name: tab })).toBeFocused()
    await expect(drawer.getByRole('tabpanel', { name: tab })).toBeVisible()
  }
  await keys.press('Home')
  await keys.press('x')
  await expect(pods.dialog(kill.title)).toBeVisible()
  await keys.press('Control+k')
  await expect(frame.dialog('Search or run')).toHaveCount(0)
  await keys.press('Escape')
  await expect(pods.dialog(kill.title)).toBeHidden()
  await expect(drawer.getByRole('tab', { name: 'Summary' })).toBeFocused()
  await keys.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(grid).toBeFocused()
})

test('adds, edits, removes and restores a manifest', async ({ program, kube }) => {
  const { page } = program
  const keys = new Keys(page)
  const file = join(program.dataFolder, 'manifests', 'mine.yaml')
  await expect(page.getByRole('heading', { name: 'A cluster is running.' })).toBeVisible()
  await keys.press('4')
  await keys.tabTo(page.getByRole('button', { name: 'Add manifest…' }))
  await keys.press('Enter')
  const adding = page.getByRole('dialog', { name: 'Add a manifest' })
  await keys.tabTo(adding.getByRole('textbox', { name: 'File name' }), 'Shift+Tab')
  await keys.press('Control+a')
  await page.keyboard.type('mine.yaml')
  await keys.press('Enter')
  await expect(adding).toBeHidden()
  const editor = await new ManifestsPage(page).loadedEditor('mine.yaml')
  await keys.tabTo(editor)
  await keys.press('Control+s')
  await expect.poll(() => kube.pod('default', 'mine-scope-node-1')).toBeDefined()
  const first = await kube.pod('default', 'mine-scope-node-1')

  await keys.expectFocus(editor)
  await keys.press('Control+Home')
  await page.keyboard.type('# by hand\n')
  await keys.press('Control+s')
  await expect.poll(() => readFile(file, 'utf8')).toMatch(/^# by hand\n/)
  expect((await kube.pod('default', 'mine-scope-node-1'))?.metadata.uid).toBe(first?.metadata.uid)

  await keys.tabTo(page.getByRole('button', { name: 'Remove…' }), 'Shift+Tab')
  await keys.press('Enter')
  await keys.confirm(page.getByRole('dialog', { name: 'Remove mine.yaml' }), 'Remove the file')
  await expect(page.getByRole('option', { name: /^mine\.yaml/ })).toHaveCount(0)
  await keys.tabTo(page.getByRole('button', { name: /^Undo: / }))
  await keys.press('Enter')
  await expect(page.getByRole('option', { name: /^mine\.yaml/ })).toBeVisible()
  expect(await readFile(file, 'utf8')).toMatch(/^# by hand\n/)
})
