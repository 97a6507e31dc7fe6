import { join } from 'node:path'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { KubeUser } from './kube/kube-user.ts'
import { podHandlingSigterm } from './pods.ts'
import { endOf } from './program/spawn-host.ts'
import { spawnWebHost, startWebProgram } from './program/web-program.ts'

// The same views of a cluster that is looked at, and of the log of a kubelet.

test('a cluster that is looked at has a timeline, events, histories and forwarded ports', async ({
  folder,
  launchedBrowser,
}) => {
  const owner = spawnWebHost(['--data-dir', join(folder, 'owner')])
  const kube = await KubeUser.read(await owner.fact('kubeconfig'))
  const pod = podHandlingSigterm('seen')
  const nowhere = { ...pod, metadata: { ...pod.metadata, name: 'nowhere' } }
  await kube.client.request('POST', '/api/v1/namespaces/default/pods', pod)
  await kube.client.request('POST', '/api/v1/namespaces/default/pods', {
    ...nowhere,
    spec: { ...nowhere.spec, nodeSelector: { disk: 'none' } },
  })
  const viewer = await startWebProgram(await launchedBrowser(), join(folder, 'viewer'), [
    '--kubeconfig',
    kube.kubeconfig,
  ])
  const { page } = viewer
  try {
    await page.keyboard.press('t')
    const lanes = page.getByRole('list', { name: 'Pod workers' })
    await expect(lanes.getByRole('button', { name: /^default\/seen: SyncPod/ })).toBeVisible()
    await lanes.getByRole('button', { name: /^default\/seen: / }).click()
    await expect(page.getByText(/state assumed\./).first()).toBeVisible()
    await expectAccessible(page, 'the timeline of a cluster that is looked at')
    await page.keyboard.press('l')
    const panel = page.getByRole('tabpanel', { name: 'History' })
    await expect(panel).toContainText('The worker is in SyncPod (inferred, possible)')
    await page.keyboard.press('Escape')

    await kube.client.request('DELETE', '/api/v1/namespaces/default/pods/seen')
    await expect(
      lanes.getByRole('button', { name: /^default\/seen: (Term|finished)/ }),
    ).toBeVisible()

    await page.keyboard.press('u')
    await expect(page.getByRole('table', { name: 'Events, newest first' })).toContainText('Started')
    const waiting = page.getByRole('region', { name: '1 pod without a node' })
    await expect(waiting).toContainText("didn't match Pod's node affinity/selector")
    await expectAccessible(page, 'events')
    await page.getByRole('radio', { name: 'Warnings' }).check({ force: true })
    await expect(page.getByRole('table', { name: 'Events, newest first' })).toContainText(
      'FailedScheduling',
    )

    await page.keyboard.press('2')
    await page.getByRole('row', { name: /web-scope-node-1/ }).click()
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: /^Containers/ }).click()
    const ports = page.getByRole('region', { name: 'Port forwarding' })
    await expect(ports.getByRole('combobox', { name: 'Port of the pod' })).toHaveValue('80')
    await expect(ports).toContainText('is read-only here')
    await expectAccessible(page, 'port forwarding')
    await page.keyboard.press('Shift+A')
    await page.getByRole('button', { name: 'Allow for 15 min' }).click()
    await ports.getByRole('button', { name: 'Forward' }).click()
    const forwarded = ports.getByRole('listitem')
    await expect(forwarded).toContainText('0 open, 0 in all')
    const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec((await forwarded.textContent()) ?? '') ?? []
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
    await expect(forwarded).toContainText('1 in all')
    await forwarded.getByRole('button', { name: /^Stop / }).click()
    await expect(forwarded).toHaveCount(0)
    expect(viewer.pageErrors).toEqual([])
  } finally {
    await viewer.stop()
    expect((await endOf(viewer.process)).code).toBe(0)
    owner.signal('SIGTERM')
    expect((await endOf(owner)).code).toBe(0)
  }
})

test.describe('the log of a kubelet', () => {
  const file = join(process.cwd(), 'test', 'kubelet-log', 'v4.log.gz')
  test.use({ programArguments: ['--kubelet-log', file] })

  test('has the same timeline, pods and histories as a cluster', async ({ program }) => {
    const { page } = program
    await expect(page.getByText('9 676 lines at -v=4, 10 pods')).toBeVisible()
    await page.keyboard.press('t')
    const lanes = page.getByRole('list', { name: 'Pod workers' })
    await expect(lanes.getByRole('button', { name: /^seen\/crash: SyncPod/ })).toBeVisible()
    await lanes.getByRole('button', { name: /^seen\/crash: / }).click()
    await page.keyboard.press('l')
    await expect(page.getByRole('tabpanel', { name: 'History' })).toContainText('of the log: ')
    await page.keyboard.press('2')
    await expect(page.getByRole('row', { name: /crash/ })).toContainText('SyncPod')
    await page.keyboard.press('u')
    await expect(page.getByRole('table', { name: 'Events, newest first' })).toContainText('BackOff')
    expect(program.pageErrors).toEqual([])
  })
})
