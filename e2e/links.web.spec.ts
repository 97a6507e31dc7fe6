import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { Frame } from './pages/frame.ts'
import { HandbookPage } from './pages/handbook-page.ts'
import { PodsPage } from './pages/pods-page.ts'
import { podIgnoringSigterm, podWithEnvironment } from './pods.ts'

const web = 'default/web-scope-node-1'

test('a link to a pod and a tab opens them in another page; Back and Forward restore the views', async ({
  program,
}) => {
  const { page } = program
  const frame = new Frame(page)
  const pods = new PodsPage(page)
  await pods.open()
  await expect(pods.row(web)).toContainText('matched')
  const drawer = await pods.choose(web)
  await pods.showTab(drawer, 'History')
  await expect
    .poll(() => page.url())
    .toMatch(/#\/pods\/sandbox\/scope-node-1\/[0-9a-f]{32}\?tab=history$/)

  const other = await page.context().newPage()
  await other.goto(page.url())
  const there = new PodsPage(other).drawer(web)
  await expect(there.getByRole('tab', { name: 'History', selected: true })).toBeVisible()
  await expect(there.getByRole('tabpanel', { name: 'History' })).toBeVisible()
  await other.close()

  await frame.show('Mirror pods')
  await page.goBack()
  await frame.expectView('Pods')
  await expect(drawer.getByRole('tab', { name: 'History', selected: true })).toBeVisible()
  await page.goForward()
  await frame.expectView('Mirror pods')
})

test('a link to a section of the handbook opens it, next to a view or full size; Back opens the previous one', async ({
  program,
}) => {
  const { page } = program
  const handbook = new HandbookPage(page)
  await new PodsPage(page).open()
  await page.keyboard.press('h')
  await handbook.contents().getByRole('link', { name: 'Pulling', exact: true }).click()
  await expect.poll(() => page.url()).toMatch(/#\/pods\?handbook=images%2Fpulling$/)
  await page.keyboard.press(']')
  await handbook.expectSection('Pull back-off')
  await page.goBack()
  await handbook.expectSection('Pulling')

  const other = await page.context().newPage()
  await other.goto(page.url())
  await new Frame(other).expectView('Pods')
  await new HandbookPage(other).expectSection('Pulling')
  await other.getByRole('button', { name: 'Show the handbook in full' }).click()
  await expect.poll(() => other.url()).toMatch(/#\/handbook\/images\/pulling$/)
  await other.reload()
  await new HandbookPage(other).expectSection('Pulling')
  await other.close()
})

test('a link to a deleted pod shows that it no longer exists, and opens the view without it', async ({
  program,
  kube,
}) => {
  const { page } = program
  const pods = new PodsPage(page)
  await pods.open()
  await kube.createPod(podIgnoringSigterm('deaf'))
  await pods.choose('default/deaf')
  await expect.poll(() => page.url()).toMatch(/#\/pods\/sandbox\/scope-node-1\/./)
  const link = page.url()
  await kube.deletePod('default', 'deaf', 0)
  await expect(pods.row('default/deaf')).toHaveCount(0)
  const other = await page.context().newPage()
  await other.goto(link)
  await expect(
    other.getByRole('alert').filter({ hasText: 'which does not exist here' }),
  ).toBeVisible()
  await new Frame(other).expectView('Pods')
  await expect(new PodsPage(other).row(web)).toBeVisible()
  await other.close()
})

test.describe('--pod', () => {
  test.use({ programArguments: ['--pod', web] })

  test('shows that pod first', async ({ program }) => {
    const pods = new PodsPage(program.page)
    await expect(pods.drawer(web)).toBeVisible()
    await new Frame(program.page).expectView('Pods')
  })
})

test.describe('--record', () => {
  test.use({
    programArguments: async ({ folder }, use) => {
      await use(['--record', join(folder, 'recording.ndjson'), '--seed', '5'])
    },
  })

  test('writes the trace and the rows, but no tokens or values of environment variables', async ({
    folder,
    program,
    kube,
  }) => {
    const secret = 'correct-horse-battery'
    const pods = new PodsPage(program.page)
    await pods.open()
    await kube.createPod(podWithEnvironment('quiet', { PASSPHRASE: secret }))
    await expect(pods.row('default/quiet')).toContainText('Running')
    const token = /token: "?([\w.-]{16,})"?/.exec(await readFile(kube.kubeconfig, 'utf8'))?.[1]
    expect(token).toBeDefined()
    const pageToken = new URL(await program.process.fact('dashboard')).hash.slice(1)
    await program.stop()

    const file = join(folder, 'recording.ndjson')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    expect(text).toMatch(/\n$/)
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>) // the program's own file
    expect(lines[0]).toMatchObject({
      schema: 2,
      program: 'nodescope',
      cluster: 'sandbox',
      nodes: ['scope-node-1'],
      clock: { virtual: true },
      seed: 5,
    })
    const known = lines
      .slice(1)
      .map((line) =>
        ['event', 'rows', 'view', 'flow', 'inspect', 'workloads', 'dropped', 'end'].filter(
          (name) => name in line,
        ),
      )
    expect(known.filter((names) => names.length !== 1)).toEqual([])
    expect(lines.at(-1)).toHaveProperty('end.dropped', 0)
    expect(lines.find((line) => 'rows' in line)).toMatchObject({ whole: true })
    expect(text).toContain('quiet')
    for (const hidden of [secret, token ?? '', pageToken]) expect(text).not.toContain(hidden)
  })
})
