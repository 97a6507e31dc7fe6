import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { KubeUser } from './kube/kube-user.ts'
import { politePod } from './pods.ts'
import { endOf } from './program/spawn-host.ts'
import { startWebProgram, spawnWebHost } from './program/web-program.ts'

// The same agent against an API server that it does not own: here another Nodescope's, over HTTPS.

test('becomes a node of a server, after saying where, and says when that server is away', async ({
  folder,
  launchedBrowser,
}) => {
  test.slow()
  const owner = spawnWebHost(['--data-dir', join(folder, 'owner')])
  const kube = await KubeUser.read(await owner.fact('kubeconfig'))
  const manifests = join(folder, 'manifests')
  await mkdir(manifests)
  await writeFile(join(manifests, 'guest.yaml'), JSON.stringify(politePod('guest')))
  const guest = await startWebProgram(await launchedBrowser(), join(folder, 'guest'), [
    '--kubeconfig',
    kube.kubeconfig,
    '--node',
    'scope-2',
    '--manifests',
    manifests,
  ])
  try {
    expect(await guest.process.fact('node')).toContain('scope-2')
    const said = guest.process.stdout
    expect(said).toMatch(/^server https:\/\/127\.0\.0\.1:\d+/m)
    expect(said).toMatch(/^user /m)
    expect(said).toMatch(/^daemonsets /m)
    await expect
      .poll(async () => (await kube.pod('default', 'guest-scope-2'))?.status.phase, {
        timeout: 20_000,
      })
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
    owner.signal('SIGKILL')
    await owner.ended()
    await expect(
      guest.page.getByRole('region', { name: 'The API server does not answer' }),
    ).toBeVisible({ timeout: 20_000 })
  } finally {
    await guest.stop()
    expect((await endOf(guest.process)).code).toBe(0)
    owner.destroy()
  }
})

for (const { title, args, code, said } of [
  {
    title: 'a kubeconfig that does not exist',
    args: ['--kubeconfig', '/nowhere/config', '--node', 'n'],
    code: 2,
    said: 'The kubeconfig /nowhere/config does not exist.',
  },
  {
    title: '--kubeconfig without a node',
    args: ['--kubeconfig', '/nowhere/config'],
    code: 2,
    said: 'Nodescope does not join a cluster by accident: beside --kubeconfig give --node NAME to become the node of that name there.',
  },
])
  test(`ends with one sentence: ${title}`, async ({ folder }) => {
    const running = spawnWebHost([...args, '--data-dir', join(folder, 'data')])
    expect(await endOf(running)).toEqual({ code, said })
  })

test('ends with one sentence: a kubeconfig without the context, and a server that is down', async ({
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
