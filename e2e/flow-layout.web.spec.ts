import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { flowCollisions, flowOverflow } from './pages/flow-collisions.ts'
import { FlowPage } from './pages/flow-page.ts'
import { PodsPage } from './pages/pods-page.ts'
import type { KubeUser } from './kube/kube-user.ts'
import { crashingPod, podIgnoringSigterm, endingPod, podHandlingSigterm } from './pods.ts'

const sizes = [
  [1280, 720],
  [1440, 900],
  [1920, 1080],
  [1366, 768],
  [1024, 700],
] as const

const longManifest = `apiVersion: v1
kind: Pod
metadata:
  name: a-static-web-frontend-with-quite-a-long-name
spec:
  terminationGracePeriodSeconds: 600
  containers:
    - name: c
      image: busybox:1.36
      command: [sh, -c, sleep 3600]
`

/** Names with wide and narrow letters, replicas, and more pods of each kind than a lane has room for. */
async function fillNode(kube: KubeUser, dataFolder: string): Promise<void> {
  const manifest = join(dataFolder, 'manifests', 'long.yaml')
  await writeFile(manifest, longManifest)
  for (let index = 0; index < 12; index++)
    await kube.createPod(
      podIgnoringSigterm(`wwwww-mmmmm-checkout-payments-frontend-${index}-6c9d5f7b44-tq8vn`),
    )
  for (let index = 0; index < 6; index++)
    await kube.createPod(
      podIgnoringSigterm(`mmmmmmmmm-wwwwwwwww-terminating-${index}`, {
        terminationGracePeriodSeconds: 900,
      }),
    )
  for (let index = 0; index < 4; index++)
    await kube.createPod(
      podHandlingSigterm(`illi-tilt-job-${index}-that-ends-with-its-own-exit-code`),
    )
  await kube.createPod(crashingPod('crash-loop-with-an-extremely-long-name-that-goes-on-and-on'))
  await expect
    .poll(async () => {
      const pods = await kube.podsOn('scope-node-1')
      return pods.filter(({ status }) => status.phase === 'Running').length
    })
    .toBeGreaterThanOrEqual(27)
  for (let index = 0; index < 6; index++)
    await kube.deletePod('default', `mmmmmmmmm-wwwwwwwww-terminating-${index}`)
  // The next version waits until this one has ended.
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('3600', '7200'))
}

test.describe('the flow diagram', () => {
  test('fits the window and shows all labels, with many pods of long names', async ({
    program,
    kube,
  }) => {
    const { page } = program
    await fillNode(kube, program.dataFolder)
    const flow = new FlowPage(page)
    await flow.open()
    await expect(
      flow.pod('default/a-static-web-frontend-with-quite-a-long-name-scope-node-1'),
    ).toBeVisible()
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      const at = `${width}×${height}`
      await expect.poll(() => flowOverflow(page), { message: at }).toEqual([0, 0])
      await expect.poll(() => flowCollisions(page), { message: at }).toEqual([])
    }
    await flow.followLastCause(/long\.yaml/)
    await expect(flow.steps(/long\.yaml/)).toHaveCount(1)
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      const message = `followed, ${width}×${height}`
      await expect.poll(() => flowCollisions(page), { message }).toEqual([])
    }
  })

  test('fits the room next to the handbook', async ({ program }) => {
    const { page } = program
    const flow = new FlowPage(page)
    await flow.open()
    await flow.part(/^PLEG/).click()
    await flow
      .panel('PLEG')
      .getByRole('link', { name: /handbook/ })
      .click()
    await expect(page.getByRole('complementary', { name: 'Handbook' })).toBeVisible()
    for (const [width, height] of [
      [1440, 900],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(() => flowOverflow(page), { message: `${width}×${height}` }).toEqual([0, 0])
      await expect.poll(() => flowCollisions(page)).toEqual([])
    }
  })

  test('is a list without horizontal scrolling in a narrow window', async ({ program }) => {
    const { page } = program
    await new FlowPage(page).open()
    for (const width of [900, 600, 360]) {
      await page.setViewportSize({ width, height: 700 })
      await expect(page.getByRole('list', { name: 'Parts of the kubelet' })).toBeVisible()
      // The layout follows the window a frame later.
      await expect
        .poll(
          () =>
            page.evaluate(
              `document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth`,
            ),
          { message: `${width} px` },
        )
        .toBe(0)
    }
  })

  test('opens the list of pods that do not fit in a lane', async ({ program, kube }) => {
    const { page } = program
    const flow = new FlowPage(page)
    await flow.open()
    for (const name of ['one', 'two', 'three', 'four']) await kube.createPod(endingPod(name))
    await flow.more('TerminatedPod').click()
    const pods = new PodsPage(page)
    for (const name of ['one', 'two', 'three', 'four'])
      await expect(pods.row(`default/${name}`)).toBeVisible()
  })
})
