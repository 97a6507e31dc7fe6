import { expectAccessible, expectDialogAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { Frame } from './pages/frame.ts'
import { PodsPage, kill } from './pages/pods-page.ts'
import { podIgnoringSigterm } from './pods.ts'

test.use({ programArguments: ['--nodes', '3'] })

const second = 'scope-node-2'

test('one table lists the pods of all nodes, and can kill a pod of another node', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await expect(pods.row('default/web-scope-node-1')).toContainText('Running')
  await kube.createPod(
    podIgnoringSigterm('deaf', { nodeName: second, terminationGracePeriodSeconds: 300 }),
  )
  await page.keyboard.press('n')
  const list = page.getByRole('listbox', { name: 'Nodes' })
  await expect(list.getByRole('option')).toHaveCount(3)
  await expect(list.getByRole('option', { selected: true })).toContainText('scope-node-1')
  await expect(list.getByRole('option').filter({ hasText: second })).toContainText(/\d+ pods?$/)
  await expectAccessible(page, 'the menu of nodes')
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await expect(pods.row('default/deaf')).toContainText('Running')
  await expect(pods.row('default/web-scope-node-1')).toHaveCount(0)
  await expect(page).toHaveURL(/#\/pods\?node=sandbox%2Fscope-node-2$/)
  await page.goBack()
  await expect(pods.row('default/web-scope-node-1')).toBeVisible()
  await expect(pods.row('default/deaf')).toHaveCount(0)
  await page.getByRole('radio', { name: 'All nodes' }).click({ force: true })
  await expect(pods.row('default/deaf')).toContainText(second)
  await expect(pods.row('default/web-scope-node-1')).toBeVisible()
  const dialog = await pods.ask('default/deaf', kill)
  await expect(dialog).toContainText(second)
  await dialog.getByRole('button', { name: /^Kill, / }).click()
  await expect(pods.row('default/deaf')).toContainText('TerminatingPod')
  expect(program.pageErrors).toEqual([])
})

test('a stopped kubelet does nothing; after its start it finds the running pods and the pending deletions', async ({
  program,
  kube,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podIgnoringSigterm('deaf', { nodeName: second }))
  await frame.showNode(second)
  await expect(pods.row('default/deaf')).toContainText('Running')
  await expect.poll(async () => (await kube.pod('default', 'deaf'))?.status.phase).toBe('Running')
  const asked = await frame.askNode('Stop the kubelet')
  await expect(asked.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectDialogAccessible(page, 'the dialog of an act on a node')
  await asked.getByRole('button', { name: 'Stop the kubelet' }).click()
  const banner = page.getByRole('region', { name: `The kubelet of ${second} is stopped` })
  await expect(banner).toContainText('Frozen')
  await expect(frame.nodes()).toContainText('kubelet stopped')
  await kube.deletePod('default', 'deaf', 1)
  const object = await kube.pod('default', 'deaf')
  expect(object?.metadata.deletionTimestamp).toBeDefined()
  expect(object?.status.containerStatuses?.[0]?.state.running).toBeDefined()
  await banner.getByRole('button', { name: 'Start the kubelet…' }).click()
  await frame.dialog('Start the kubelet').getByRole('button', { name: 'Start the kubelet' }).click()
  await expect(banner).toHaveCount(0)
  await expect.poll(() => kube.pod('default', 'deaf')).toBeUndefined()
  await expect(pods.row('default/deaf')).toHaveCount(0)
  expect(program.pageErrors).toEqual([])
})

test('a fault is set and taken back: the runtime of a node is unreachable, then answers again', async ({
  program,
  kube,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  await pods.open()
  await frame.showNode(second)
  await frame.setSpeed('10×')
  const asked = await frame.askNode('Make the container runtime unreachable')
  await expect(asked.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await asked.getByRole('button', { name: 'Make the container runtime unreachable' }).click()
  const banner = page.getByRole('region', {
    name: `The container runtime of ${second} is unreachable`,
  })
  await expect(banner).toBeVisible()
  await expectAccessible(page, 'the banner of a fault')
  await expect(frame.nodes()).toContainText(/scope-node-2\s*NotReady$/)
  await kube.createPod(podIgnoringSigterm('late', { nodeName: second }))
  await expect(pods.row('default/late')).toContainText('Pending')
  await banner.getByRole('button', { name: 'Let it answer…' }).click()
  const back = 'Let the container runtime answer again'
  await frame.dialog(back).getByRole('button', { name: back }).click()
  await expect(banner).toHaveCount(0)
  await expect(frame.nodes()).toContainText(/scope-node-2\s*Ready$/)
  await expect(pods.row('default/late')).toContainText('Running')
  expect(program.pageErrors).toEqual([])
})

test('one named runtime call fails for all pods, then hangs for one, and answers again', async ({
  program,
  kube,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  const title = 'Make one runtime call fail'
  const back = 'Let the runtime call answer again'
  const answersAgain = async (fault: string): Promise<void> => {
    const banner = page.getByRole('region', { name: fault })
    await banner.getByRole('button', { name: 'Let it answer…' }).click()
    await frame.dialog(back).getByRole('button', { name: back }).click()
    await expect(banner).toHaveCount(0)
  }
  await pods.open()
  await frame.showNode(second)
  await frame.setSpeed('10×')
  const failing = await frame.askNode(title)
  await expect(failing.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await failing.getByRole('combobox', { name: 'Runtime call' }).selectOption('CreateContainer')
  await expect(failing).toContainText('Each CreateContainer fails at once.')
  await expectDialogAccessible(page, 'the dialog of a runtime call that fails')
  await failing.getByRole('button', { name: title }).click()
  const fails = `CreateContainer fails on ${second}`
  await expect(page.getByRole('region', { name: fails })).toBeVisible()
  await kube.createPod(podIgnoringSigterm('late', { nodeName: second }))
  await expect(pods.row('default/late')).toContainText('CreateContainerError')
  await answersAgain(fails)
  await expect(pods.row('default/late')).toContainText('Running')

  const hanging = await frame.askNode(title)
  await hanging.getByRole('combobox', { name: 'Runtime call' }).selectOption('StopPodSandbox')
  await hanging.getByRole('combobox', { name: 'Pod' }).selectOption('default/late')
  await hanging.getByRole('radio', { name: 'Hangs' }).check({ force: true })
  await expect(hanging).toContainText('Each StopPodSandbox of default/late hangs')
  await hanging.getByRole('button', { name: title }).click()
  const hangs = `StopPodSandbox of default/late hangs on ${second}`
  await expect(page.getByRole('region', { name: hangs })).toBeVisible()
  await expectAccessible(page, 'the banner of a runtime call that hangs')
  await kube.deletePod('default', 'late', 1)
  await expect(pods.row('default/late')).toContainText('Terminating')
  expect(await kube.pod('default', 'late')).toBeDefined()
  await answersAgain(hangs)
  await expect.poll(() => kube.pod('default', 'late')).toBeUndefined()
  await expect(pods.row('default/late')).toHaveCount(0)
  expect(program.pageErrors).toEqual([])
})

test('a node shuts down gracefully and boots again; its pod stays terminated', async ({
  program,
  kube,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podIgnoringSigterm('deaf', { nodeName: second }))
  await frame.showNode(second)
  await expect(pods.row('default/deaf')).toContainText('Running')
  const asked = await frame.askNode('Shut the node down')
  await expect(asked.getByRole('region', { name: /^Pods of priority below/ })).toContainText(
    'default/deaf20 s of its 30 s',
  )
  await asked.getByRole('textbox', { name: 'Whole shutdown' }).fill('5')
  await asked.getByRole('textbox', { name: 'Kept for critical pods' }).fill('2')
  await expect(asked).toContainText('default/deaf3 s of its 30 s')
  await asked.getByRole('button', { name: 'Shut the node down' }).click()
  const off = page.getByRole('region', { name: `The machine of ${second} is off` })
  await expect(off).toBeVisible()
  const ended = await kube.pod('default', 'deaf')
  expect(ended?.status).toMatchObject({ phase: 'Failed', reason: 'Terminated' })
  await off.getByRole('button', { name: 'Boot…' }).click()
  await frame.dialog('Boot the machine').getByRole('button', { name: 'Boot the machine' }).click()
  await expect(off).toHaveCount(0)
  await expect(frame.nodes()).toContainText(/scope-node-2\s*Ready$/)
  expect((await kube.pod('default', 'deaf'))?.status.phase).toBe('Failed')
  expect(program.pageErrors).toEqual([])
})

test('disconnected nodes keep running their pods, and report their status after the connection is restored', async ({
  program,
  kube,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  await pods.open()
  await expect(pods.row('default/web-scope-node-1')).toContainText('Running')
  await frame.doToNode('Cut all nodes off from the API server')
  const banner = page.getByRole('region', { name: 'The nodes are cut off' })
  await expect(banner).toContainText('kubectl and this page still reach it')
  await kube.createPod(podIgnoringSigterm('late', { nodeName: second }))
  await banner.getByRole('button', { name: 'Reconnect…' }).click()
  await frame
    .dialog('Reconnect all nodes')
    .getByRole('button', { name: 'Reconnect all nodes' })
    .click()
  await expect(banner).toHaveCount(0)
  await expect.poll(async () => (await kube.pod('default', 'late'))?.status.phase).toBe('Running')
  expect(program.pageErrors).toEqual([])
})
