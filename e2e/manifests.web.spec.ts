import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { ManifestsPage } from './pages/manifests-page.ts'
import { Frame } from './pages/frame.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podHandlingSigterm } from './pods.ts'

const web = 'default/web-scope-node-1'
const mirrorName = 'web-scope-node-1'
const staticUidOf = 'kubernetes.io/config.mirror'

test('an invalid manifest is explained with its position while the pod keeps running, and can be restored', async ({
  program,
  kube,
}) => {
  const manifests = new ManifestsPage(program.page)
  await manifests.open()
  await expect(manifests.file('web.yaml')).toHaveAccessibleName('web.yaml, in config')
  await expect
    .poll(async () => (await kube.pod('default', mirrorName))?.status.phase)
    .toBe('Running')
  const path = join(program.dataFolder, 'manifests', 'web.yaml')
  const good = await readFile(path, 'utf8')
  const lines = good.split('\n')
  const at = lines.findIndex((line) => line.includes('image:'))
  lines[at] = '      image: [nginx'
  await writeFile(path, lines.join('\n'))
  await expect(manifests.file('web.yaml')).toHaveAccessibleName('web.yaml, rejected')
  await expect(manifests.file('web.yaml')).toContainText(/line \d+, column \d+: /)
  await manifests.choose('web.yaml')
  const explained = manifests.explained('web.yaml')
  await expect(explained).toContainText(
    'That version keeps running until the next full scan of the folder',
  )
  await expect(explained).toContainText(`still there: ${web}`)
  expect((await kube.pod('default', mirrorName))?.status.phase).toBe('Running')
  await manifests.button('Restore last valid version').click()
  await expect(manifests.file('web.yaml')).toHaveAccessibleName('web.yaml, in config')
  expect(await readFile(path, 'utf8')).toBe(good)
  await expect(manifests.button(/^Undo: /)).toBeVisible()
})

test('an edit in the editor creates a new static pod, and the old one stops', async ({
  program,
  kube,
}) => {
  const { page } = program
  const manifests = new ManifestsPage(page)
  await manifests.open()
  await expect
    .poll(async () => (await kube.pod('default', mirrorName))?.status.phase)
    .toBe('Running')
  const before = await kube.pod('default', mirrorName)
  await manifests.choose('web.yaml')
  const editor = await manifests.loadedEditor('web.yaml')
  const text = await readFile(join(program.dataFolder, 'manifests', 'web.yaml'), 'utf8')
  await expect(editor).toContainText('nginx:1.27')
  await editor.fill(text.replace('nginx:1.27', 'nginx:1.28'))
  await expect(page.getByRole('region', { name: 'web.yaml', exact: true })).toContainText(
    /Saving: /,
  )
  await manifests.button('Save').click()
  await new Frame(page).setSpeed('60×')
  await expect
    .poll(async () => (await kube.pod('default', mirrorName))?.metadata.annotations?.[staticUidOf])
    .not.toBe(before?.metadata.annotations?.[staticUidOf])
  const pods = new PodsPage(page)
  await pods.open()
  await expect(pods.row(web)).toHaveCount(1)
  await expect(pods.row(web)).toContainText('matched')
})

test.describe('with a manifest URL', () => {
  let manifest: string | undefined
  const server = createServer((_request, response) => {
    response.end(manifest)
  })
  test.beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  test.afterAll(() => {
    server.close()
  })
  test.use({
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from its pattern
    programArguments: async ({}, use) => {
      const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
      manifest = JSON.stringify(podHandlingSigterm('from-url'))
      await use(['--manifest-url', `http://127.0.0.1:${port}/pods`, '--http-check-frequency', '2s'])
    },
  })

  test('its pods run with their mirrors, and stop when the URL no longer serves them', async ({
    program,
    kube,
  }) => {
    const { page } = program
    const pods = new PodsPage(page)
    const name = 'default/from-url-scope-node-1'
    await pods.open()
    await expect(pods.row(name)).toContainText('matched')
    await expect(pods.row(name)).toContainText('http')
    expect(await kube.pod('default', 'from-url-scope-node-1')).toBeDefined()
    await new ManifestsPage(page).open()
    const source = page.getByRole('region', { name: 'Manifests from a URL' })
    await expect(source.getByRole('button', { name })).toBeVisible()
    manifest = JSON.stringify({ apiVersion: 'v1', kind: 'PodList', items: [] })
    await expect(source).toContainText('No pods.')
    await pods.open()
    await expect(pods.row(name)).toHaveCount(0)
    await expect.poll(() => kube.pod('default', 'from-url-scope-node-1')).toBeUndefined()
  })
})
