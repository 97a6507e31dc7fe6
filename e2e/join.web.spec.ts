import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright/test'
import { expect, test } from './fixtures.ts'
import { KubeUser } from './kube/kube-user.ts'
import { Relay } from './kube/relay.ts'
import { FlowPage } from './pages/flow-page.ts'
import { Frame } from './pages/frame.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podHandlingSigterm } from './pods.ts'
import type { Program } from './program/program.ts'
import { endOf } from './program/spawn-host.ts'
import { startWebProgram, spawnWebHost } from './program/web-program.ts'

// The same kubelet with another API server: that of another Nodescope, over HTTPS.

async function startGuest(folder: string, kubeconfig: string, browser: Browser): Promise<Program> {
  const manifests = join(folder, 'manifests')
  await mkdir(manifests)
  await writeFile(join(manifests, 'guest.yaml'), JSON.stringify(podHandlingSigterm('guest')))
  return startWebProgram(browser, join(folder, 'guest'), [
    '--kubeconfig',
    kubeconfig,
    '--node',
    'scope-2',
    '--manifests',
    manifests,
  ])
}

test('joins a cluster as a node, after printing the server', async ({
  folder,
  launchedBrowser,
}) => {
  const owner = spawnWebHost(['--data-dir', join(folder, 'owner')])
  const kube = await KubeUser.read(await owner.fact('kubeconfig'))
  const guest = await startGuest(folder, kube.kubeconfig, await launchedBrowser())
  try {
    expect(await guest.process.fact('node')).toContain('scope-2')
    const said = guest.process.stdout
    expect(said).toMatch(/^server https:\/\/127\.0\.0\.1:\d+/m)
    expect(said).toMatch(/^user /m)
    expect(said).toMatch(/^daemonsets /m)
    await expect
      .poll(async () => (await kube.pod('default', 'guest-scope-2'))?.status.phase)
      .toBe('Running')
    const node = await kube.client.request('GET', '/api/v1/nodes/scope-2')
    expect(node.body).toMatchObject({
      spec: {
        taints: expect.arrayContaining([
          expect.objectContaining({
            key: 'nodescope.dev/agent',
            value: 'true',
            effect: 'NoSchedule',
          }),
        ]),
      },
    })
  } finally {
    await guest.stop()
    expect((await endOf(guest.process)).code).toBe(0)
    owner.signal('SIGTERM')
    expect((await endOf(owner)).code).toBe(0)
  }
})

test('shows an outage of the API server with its effects, and recovers afterwards', async ({
  folder,
  launchedBrowser,
}) => {
  const owner = spawnWebHost(['--data-dir', join(folder, 'owner')])
  const kube = await KubeUser.read(await owner.fact('kubeconfig'))
  const relay = await Relay.before(kube.kubeconfig, join(folder, 'relayed.kubeconfig'))
  const guest = await startGuest(folder, relay.kubeconfig, await launchedBrowser())
  try {
    const { page } = guest
    const pods = new PodsPage(page)
    const flow = new FlowPage(page)
    await flow.open()
    // The control plane's reactions are relative to the last lease.
    await expect(flow.renewedLease()).toBeVisible()
    await pods.open()
    await expect(pods.row('default/guest-scope-2')).toContainText('Running')
    await relay.cut()
    const banner = page.getByRole('region', { name: 'The API server does not answer' })
    await expect(banner).toBeVisible()
    await expect(banner).toContainText(/for \d+ s/)
    await expect(banner).toContainText(/next try in\s*\d+ s/)
    await expect(banner.getByRole('region', { name: 'Continues' })).toContainText('One worker')
    await expect(banner.getByRole('region', { name: 'Waits' })).toContainText(
      'New pods from the API',
    )
    const timeline = banner.getByRole('region', { name: 'What the control plane will do' })
    await expect(timeline.getByRole('img')).toHaveAccessibleName(
      /^Lease last renewed .+ ago, at .+ Unknown by .+, pods deleted by .+\.$/,
    )
    // The kubelet needs no API server for a new manifest.
    await writeFile(
      join(folder, 'manifests', 'late.yaml'),
      JSON.stringify(podHandlingSigterm('late')),
    )
    await expect(pods.row('default/late-scope-2')).toContainText('missing')
    const tryNow = banner.getByRole('button', { name: 'Try now' })
    // The message is shown for some seconds: the check starts before the click.
    await Promise.all([expect(new Frame(page).said('Retried.')).toBeVisible(), tryNow.click()])

    await relay.mend()
    // The banner may be gone: the kubelet also retries itself.
    await tryNow.evaluateAll((buttons) => {
      for (const button of buttons) button.click()
    })
    await expect(banner).toBeHidden()
    // The kubelet receives changes from the API server again, and reacts.
    const mirror = await kube.pod('default', 'guest-scope-2')
    await kube.deletePod('default', 'guest-scope-2')
    await expect
      .poll(async () => (await kube.pod('default', 'guest-scope-2'))?.metadata.uid ?? 'none')
      .not.toMatch(new RegExp(`^(none|${mirror?.metadata.uid})$`))
  } finally {
    await guest.stop()
    expect((await endOf(guest.process)).code).toBe(0)
    await relay.cut()
    owner.destroy()
  }
})

test.describe('with a manifest that is invalid at the start', () => {
  test('shows its position, and runs the other pods', async ({ folder, launchedBrowser }) => {
    const manifests = join(folder, 'manifests')
    await mkdir(manifests)
    await writeFile(join(manifests, 'good.yaml'), JSON.stringify(podHandlingSigterm('good')))
    await writeFile(join(manifests, 'bad.yaml'), 'kind: Pod\nmetadata:\n  name: [unclosed\n')
    const program = await startWebProgram(await launchedBrowser(), join(folder, 'data'), [
      '--manifests',
      manifests,
    ])
    try {
      const pods = new PodsPage(program.page)
      await pods.open()
      await expect(pods.row('default/good-scope-node-1')).toContainText('matched')
      const problems = program.page.getByRole('region', { name: 'Manifest problems' })
      await expect(problems).toContainText(/bad\.yaml:\d+:\d+/)
      await problems.getByRole('button', { name: 'Open in Manifests' }).click()
      await expect(
        program.page.getByRole('region', { name: 'What is wrong with bad.yaml' }),
      ).toContainText('No pod runs from this file.')
    } finally {
      await program.stop()
      expect((await endOf(program.process)).code).toBe(0)
    }
  })
})

for (const { title, args, code, said } of [
  {
    title: 'a kubeconfig that does not exist',
    args: ['--kubeconfig', '/nowhere/config', '--node', 'n'],
    code: 2,
    said: 'The kubeconfig /nowhere/config does not exist.',
  },
  {
    title: 'a kubeconfig to look at that does not exist',
    args: ['--kubeconfig', '/nowhere/config'],
    code: 2,
    said: 'The kubeconfig /nowhere/config does not exist.',
  },
  {
    title: 'a runtime without a node',
    args: ['--kubeconfig', '/nowhere/config', '--runtime', 'unix:///nowhere/run.sock'],
    code: 2,
    said: '--runtime is for a node that joins the cluster: also pass --node NAME, or omit it to look only.',
  },
])
  test(`exits with one sentence: ${title}`, async ({ folder }) => {
    const running = spawnWebHost([...args, '--data-dir', join(folder, 'data')])
    expect(await endOf(running)).toEqual({ code, said })
  })

test('exits with one sentence: a kubeconfig without the context, and a server that is down', async ({
  folder,
}) => {
  const file = join(folder, 'config')
  await writeFile(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'down',
      clusters: [{ name: 'down', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'me', user: { token: 'x' } }],
      contexts: [{ name: 'down', context: { cluster: 'down', user: 'me' } }],
    }),
  )
  const withContext = (context: readonly string[]) =>
    endOf(
      spawnWebHost([
        '--kubeconfig',
        file,
        ...context,
        '--node',
        'n',
        '--data-dir',
        join(folder, 'data'),
      ]),
    )
  const missing = await withContext(['--context', 'other'])
  expect(missing.code).toBe(2)
  expect(missing.said).toContain('"other"')
  expect(missing.said).toContain('down')
  const down = await withContext([])
  expect(down.code).toBe(2)
  expect(down.said).toContain('https://127.0.0.1:1')
})
