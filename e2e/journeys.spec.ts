import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { Frame } from './pages/frame.ts'
import { evictByKubelet, evictThroughApi, kill, PodsPage } from './pages/pods-page.ts'
import type { PodObject } from './kube/kube-user.ts'
import { podIgnoringSigterm, podHandlingSigterm } from './pods.ts'

const web = 'default/web-scope-node-1'

test('a static pod and its mirror are shown as a pair, with both UIDs', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await expect(pods.row(web)).toContainText('matched')
  await expect(pods.row(web)).toContainText('SyncPod')
  await expect(pods.row(web)).toContainText('Running')
  const mirror = await kube.pod('default', 'web-scope-node-1')
  const drawer = await pods.choose(web)
  const staticUid = mirror?.metadata.annotations?.['kubernetes.io/config.mirror'] ?? 'none'
  await expect(drawer).toContainText(staticUid)
  await expect(drawer).toContainText(mirror?.metadata.uid ?? 'none')
  expect(staticUid).toMatch(/^[0-9a-f]{32}$/)
})

test('the search finds a pair by either UID', async ({ program, kube }) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await expect(pods.row(web)).toContainText('matched')
  await expect(pods.row('default/loud')).toBeVisible()
  const mirror = await kube.pod('default', 'web-scope-node-1')
  const filter = program.page.getByLabel('Filter pods')
  for (const uid of [
    mirror?.metadata.uid ?? 'none',
    mirror?.metadata.annotations?.['kubernetes.io/config.mirror'] ?? 'none',
  ]) {
    await filter.fill(uid)
    await expect(pods.row(web)).toBeVisible()
    await expect(pods.row('default/loud')).toHaveCount(0)
  }
})

test('the kubelet recreates a deleted mirror with a new UID while the container keeps running', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await expect(pods.row(web)).toContainText('Running')
  const startOf = (pod: PodObject | undefined) =>
    pod?.status.containerStatuses?.[0]?.state.running?.startedAt
  // The API has it a while after the kubelet.
  await expect
    .poll(async () => startOf(await kube.pod('default', 'web-scope-node-1')))
    .toBeDefined()
  const before = await kube.pod('default', 'web-scope-node-1')
  const startedAt = startOf(before)
  await kube.deletePod('default', 'web-scope-node-1')
  // In between there is no mirror.
  await expect
    .poll(
      async () =>
        (await kube.pod('default', 'web-scope-node-1'))?.metadata.uid ?? before?.metadata.uid,
    )
    .not.toBe(before?.metadata.uid)
  const after = await kube.pod('default', 'web-scope-node-1')
  const drawer = await pods.choose(web)
  await expect(drawer).toContainText(after?.metadata.uid ?? 'none')
  // The new mirror's status comes with the status manager's next batch, up to 10 s later.
  await expect
    .poll(async () => startOf(await kube.pod('default', 'web-scope-node-1')))
    .toBe(startedAt)
  await expect(pods.row(web)).toContainText('matched')
})

test('an edited manifest creates a new static pod that waits for the old one', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  const path = join(program.dataFolder, 'manifests', 'slow.yaml')
  const slow = podIgnoringSigterm('slow', { terminationGracePeriodSeconds: 90 })
  await writeFile(path, JSON.stringify(slow))
  const row = pods.row('default/slow-scope-node-1')
  await expect(row).toContainText('matched')
  await expect(row).toContainText('Running')
  const before = await kube.pod('default', 'slow-scope-node-1')
  const edited = { ...slow, metadata: { ...slow.metadata, labels: { edited: 'yes' } } }
  await writeFile(path, JSON.stringify(edited))
  // The new one is there at once; it starts when the old one has stopped.
  await expect(row).toHaveCount(2)
  await new Frame(program.page).setSpeed('60×')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('matched')
  await expect(row).toContainText('Running')
  const after = await kube.pod('default', 'slow-scope-node-1')
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
  const hash = 'kubernetes.io/config.mirror'
  const newUid = after?.metadata.annotations?.[hash] ?? 'none'
  expect(newUid).not.toBe(before?.metadata.annotations?.[hash])
  await expect(await pods.choose('default/slow-scope-node-1')).toContainText(newUid)
})

test('a killed pod that ignores SIGTERM ends Failed with 137 after its grace', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await kube.createPod(podIgnoringSigterm('deaf'))
  await expect(pods.row('default/deaf')).toContainText('Running')
  // A slow clock gives time to see the pod stop; it does not shorten the grace period.
  const frame = new Frame(program.page)
  await frame.setSpeed('0.1×')
  const dialog = await pods.ask('default/deaf', kill)
  await dialog.getByRole('textbox', { name: 'Grace in seconds' }).fill('5')
  const askedAt = Date.now()
  // The message is shown for some seconds: the check starts before the click.
  await Promise.all([
    expect(program.page.getByRole('status').filter({ hasText: 'default/deaf' })).toBeVisible(),
    dialog.getByRole('button', { name: 'Kill, 5 s grace' }).click(),
  ])
  await expect(dialog).toBeHidden()
  await expect(pods.row('default/deaf')).toContainText('TerminatingPod')
  await frame.setSpeed('1×')
  await expect.poll(async () => (await kube.pod('default', 'deaf'))?.status.phase).toBe('Failed')
  expect(Date.now() - askedAt).toBeGreaterThan(4500)
  const pod = await kube.pod('default', 'deaf')
  expect(pod?.status.containerStatuses?.[0]?.state.terminated).toMatchObject({
    exitCode: 137,
    reason: 'Error',
  })
  expect(pod?.metadata.deletionTimestamp).toBeUndefined()
  await expect(pods.row('default/deaf')).toContainText('Error')
  await expect(pods.row('default/deaf')).toContainText('finished')
})

test('a pod that ignores SIGTERM and is evicted by the kubelet ends Failed, Evicted', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await kube.createPod(podIgnoringSigterm('deaf'))
  await expect(pods.row('default/deaf')).toContainText('Running')
  const dialog = await pods.ask('default/deaf', evictByKubelet)
  await dialog.getByRole('button', { name: 'Evict by the kubelet' }).click()
  await expect(pods.row('default/deaf')).toContainText('finished')
  await expect.poll(async () => (await kube.pod('default', 'deaf'))?.status.phase).toBe('Failed')
  const pod = await kube.pod('default', 'deaf')
  expect(pod?.status.reason).toBe('Evicted')
  expect(pod?.status.message).toContain('by hand')
  // kubectl's STATUS is the container's own reason, where it has one. It is unknown where a relist had the container
  // removed before the kubelet asked how it ended.
  await expect(pods.row('default/deaf')).toContainText(/Error|ContainerStatusUnknown/)
  expect(pod?.status.conditions).toContainEqual(
    expect.objectContaining({
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'TerminationByKubelet',
    }),
  )
  expect(pod?.status.containerStatuses?.[0]?.state.terminated).toMatchObject({
    exitCode: 137,
    reason: expect.stringMatching(/^(Error|ContainerStatusUnknown)$/),
  })
})

test('a pod that exits 0 and is evicted by the kubelet ends Succeeded, with DisruptionTarget', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  // The containers of an evicted pod are removed as soon as a relist sees them exited. Now and then a pod has
  // its relist before the kubelet reads their exit codes, which are then unknown: a race in the real kubelet.
  const names = ['polite-1', 'polite-2', 'polite-3', 'polite-4', 'polite-5']
  for (const name of names) await kube.createPod(podHandlingSigterm(name))
  for (const name of names) await expect(pods.row(`default/${name}`)).toContainText('Running')
  for (const name of names) {
    const dialog = await pods.ask(`default/${name}`, evictByKubelet)
    await dialog.getByRole('button', { name: 'Evict by the kubelet' }).click()
    await expect(dialog).toBeHidden()
  }
  const ended = []
  for (const name of names) {
    await expect(pods.row(`default/${name}`)).toContainText('finished')
    // The containers' end and the phase may come with two writes (status#sending-a-status).
    await expect
      .poll(async () => (await kube.pod('default', name))?.status.phase)
      .toMatch(/^(Succeeded|Failed)$/)
    const status = (await kube.pod('default', name))?.status
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', status: 'True' }),
    )
    const isUnknown = status?.phase === 'Failed'
    ended.push({ isUnknown, reason: status?.reason })
    await expect(pods.row(`default/${name}`)).toContainText(
      isUnknown ? 'ContainerStatusUnknown' : 'Completed',
    )
  }
  expect(ended).toContainEqual({ isUnknown: false, reason: undefined })
})

test('a pod evicted through the API is deleted with its grace', async ({ program, kube }) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await kube.createPod(podHandlingSigterm('polite'))
  await expect(pods.row('default/polite')).toContainText('Running')
  const dialog = await pods.ask('default/polite', evictThroughApi)
  await dialog.getByRole('button', { name: 'Evict, 30 s grace' }).click()
  await expect.poll(() => kube.pod('default', 'polite')).toBeUndefined()
  await expect(pods.row('default/polite')).toHaveCount(0)
})

test('a pod deleted by kubectl is Terminating until its grace period ends', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await kube.createPod(podIgnoringSigterm('deaf'))
  await expect(pods.row('default/deaf')).toContainText('Running')
  // A slow clock gives time to see the deletion; it does not shorten the grace period.
  const frame = new Frame(program.page)
  await frame.setSpeed('0.1×')
  const askedAt = Date.now()
  await kube.deletePod('default', 'deaf', 4)
  await expect(pods.row('default/deaf')).toContainText('Terminating')
  await frame.setSpeed('1×')
  await expect.poll(() => kube.pod('default', 'deaf')).toBeUndefined()
  expect(Date.now() - askedAt).toBeGreaterThan(3500)
  await expect(pods.row('default/deaf')).toHaveCount(0)
})

test('static pods cannot be evicted, and the button shows the reason', async ({ program }) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await expect(pods.row(web)).toContainText('matched')
  const drawer = await pods.choose(web)
  for (const name of ['Evict by the kubelet…', 'Evict through the API…']) {
    const button = drawer.getByRole('button', { name })
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(button).toHaveAccessibleDescription(/static pod/i)
  }
  await expect(drawer).toContainText(
    'A static pod counts as critical, whatever its priority: the kubelet never evicts it.',
  )
})

test('a killed static pod stays stopped while its mirror stays', async ({ program, kube }) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await expect(pods.row(web)).toContainText('Running')
  await expect
    .poll(async () => (await kube.pod('default', 'web-scope-node-1'))?.status.phase)
    .toBe('Running')
  const dialog = await pods.ask(web, kill)
  await expect(dialog).toContainText('its mirror stays in the API with phase Running')
  await dialog.getByRole('textbox', { name: 'Grace in seconds' }).fill('2')
  await dialog.getByRole('button', { name: 'Kill, 2 s grace' }).click()
  await expect(pods.row(web)).toContainText('finished')
  await expect
    .poll(
      async () =>
        (await kube.pod('default', 'web-scope-node-1'))?.status.containerStatuses?.[0]?.state
          .terminated !== undefined,
    )
    .toBe(true)
  expect((await kube.pod('default', 'web-scope-node-1'))?.status.phase).toBe('Running')
})

test('an invalid manifest is listed with its line, and the other pods keep running', async ({
  program,
}) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await expect(pods.row(web)).toContainText('matched')
  const path = join(program.dataFolder, 'manifests', 'broken.yaml')
  await writeFile(path, 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: [unclosed\n')
  const problems = program.page.getByRole('region', { name: 'Manifest problems' })
  await expect(problems).toContainText('broken.yaml')
  await expect(pods.row(web)).toContainText('SyncPod')
  await rm(path)
  await expect(problems).toHaveCount(0)
})

test('a new manifest creates a static pod; removing it deletes the pod and its mirror', async ({
  program,
  kube,
}) => {
  const pods = new PodsPage(program.page)
  await pods.open()
  await expect(pods.row(web)).toContainText('matched')
  const path = join(program.dataFolder, 'manifests', 'extra.yaml')
  await writeFile(path, JSON.stringify({ ...podHandlingSigterm('extra') }))
  await expect(pods.row('default/extra-scope-node-1')).toContainText('matched')
  expect(await kube.pod('default', 'extra-scope-node-1')).toBeDefined()
  await rm(path)
  await expect(pods.row('default/extra-scope-node-1')).toHaveCount(0)
  await expect.poll(() => kube.pod('default', 'extra-scope-node-1')).toBeUndefined()
})
