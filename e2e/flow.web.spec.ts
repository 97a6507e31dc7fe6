import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { FlowPage } from './pages/flow-page.ts'
import { Frame } from './pages/frame.ts'
import { PodsPage } from './pages/pods-page.ts'
import type { KubeUser } from './kube/kube-user.ts'
import { podFailingLiveness, podIgnoringSigterm } from './pods.ts'

/** Waits until the pods of a new sandbox run and their statuses are written: then only the node reports. */
async function expectRunningPods(kube: KubeUser): Promise<void> {
  await expect
    .poll(async () => (await kube.podsOn('scope-node-1')).map(({ status }) => status.phase))
    .toEqual(['Running', 'Running', 'Running', 'Running'])
}

test('the first visit opens the start view, later visits open Flow', async ({ program }) => {
  const { page } = program
  const frame = new Frame(page)
  await frame.expectView('kubectl access')
  await expect(page.getByRole('heading', { name: 'A cluster is running.' })).toBeVisible()
  await frame.show('Pods')
  // The same browser reopened without a view in its address: in one step, before the page writes it there again.
  await page.evaluate("history.replaceState(null, '', location.pathname), location.reload()")
  await frame.expectView('Flow')
  await expect(page.getByRole('heading', { name: 'Flow', level: 1 })).toBeVisible()
})

test('the counts match the API server, and a part opens and closes', async ({ program, kube }) => {
  const { page } = program
  const flow = new FlowPage(page)
  await flow.open()
  await expectRunningPods(kube)
  const items = await kube.podsOn('scope-node-1')
  const mirrors = items.filter(
    ({ metadata }) => 'kubernetes.io/config.mirror' in (metadata.annotations ?? {}),
  )
  await expect(
    flow.part(`API server: ${items.length} pods on this node, ${mirrors.length} of them mirrors`),
  ).toBeVisible()
  // The api source has mirrors like other pods; PodManager separates them.
  await expect(flow.part(`api source: ${items.length} pods`)).toBeVisible()
  await expect(flow.part(`file source: ${mirrors.length} pods`)).toBeVisible()
  await expect(flow.part(`PodWorkers: ${items.length} workers, 0 terminating`)).toBeVisible()
  const manager = flow.part(
    `PodManager: ${items.length} pods, ${mirrors.length} mirrors, 0 orphans`,
  )
  await manager.click()
  await expect(flow.panel('PodManager')).toContainText('web-scope-node-1')
  await page.keyboard.press('Escape')
  await expect(flow.panel('PodManager')).toHaveCount(0)
  await expect(manager).toBeFocused()
})

test('a deletion is visible on the arrows, in the workers and in the steps', async ({
  program,
  kube,
}) => {
  const { page } = program
  const flow = new FlowPage(page)
  await flow.open()
  // Each arrow shows its last move only: other pods must not move anything later.
  await expectRunningPods(kube)
  await kube.createPod(podIgnoringSigterm('deaf'))
  await expect.poll(async () => (await kube.pod('default', 'deaf'))?.status.phase).toBe('Running')
  await expect(flow.pod('default/deaf')).toBeVisible()
  await expect(flow.part(/^PodWorkers: 5 workers, 0 terminating/)).toBeVisible()
  await kube.deletePod('default', 'deaf', 110)
  await expect(flow.part(/^PodWorkers: 5 workers, 1 terminating/)).toBeVisible()
  await expect(flow.arrows()).toContainText(/API server to api, [^:]*: \d+ in .* last \w+ deaf/)
  await flow.part(/^PodConfig:/).click()
  await expect(flow.panel('PodConfig')).toContainText(/DELETE/)
  await page.keyboard.press('Escape')
  // Below the part's head, pods are buttons of their own.
  await flow.part(/^PodWorkers:/).click({ position: { x: 20, y: 20 } })
  const workers = flow.panel('PodWorkers')
  await expect(workers).toContainText('TerminatingPod')
  await expect(workers).toContainText(/deaf\s*Terminating/)
  await page.keyboard.press('Escape')
  await flow.followLastCause(/deaf/)
  const steps = flow.steps(/deaf/)
  await expect(steps.getByRole('listitem').first()).toBeVisible()
  await expect(steps).toContainText(/DELETE default\/deaf|DELETE deaf/)
  await expect(steps).toContainText(/UpdatePod \w+ (default\/)?deaf/)
  // The pod in the picture opens its panel.
  await flow.pod('default/deaf').click()
  await expect(new PodsPage(page).drawer('default/deaf')).toContainText('TerminatingPod')
})

test('a failed liveness probe leads to the end of the container, and its parts list what they hold', async ({
  program,
  kube,
}) => {
  const { page } = program
  const flow = new FlowPage(page)
  await flow.open()
  await expectRunningPods(kube)
  await kube.createPod(podFailingLiveness('sick'))
  await expect(flow.part('Prober: 1 probe, 1 failing')).toBeVisible({ timeout: 40_000 })
  await flow.part(/^Prober:/).click()
  await expect(flow.panel('Prober')).toContainText('liveness of c, every 5 s')
  await expectAccessible(page, 'Flow, Prober open')
  await flow.part(/^ImageManager:/).click()
  await expect(flow.panel('ImageManager')).toContainText('Pulls in progress')
  await flow.part(/^VolumeManager: \d+ mounted, 0 waiting/).click()
  await expect(flow.panel('VolumeManager')).toContainText('configmaps default/kube-root-ca.crt')
  await expectAccessible(page, 'Flow, VolumeManager open')
  await flow.part(/^Garbage collection:/).click()
  await expect(flow.panel('Garbage collection')).toContainText('images on the node')
  await page.keyboard.press('Escape')
  await flow.followLastCause(/liveness failure of sick/)
  const steps = flow.steps(/liveness failure of sick/)
  await expect(steps).toContainText(/liveness of c is failure/)
  await expect(steps).toContainText(/sync loop takes liveness failure of sick/)
  await expect(steps).toContainText(/StopContainer c, grace 2 s/)
})

test('with reduced motion no dot moves on the arrows, and the last event is shown as text', async ({
  program,
  kube,
}) => {
  const { page } = program
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const flow = new FlowPage(page)
  await flow.open()
  await kube.createPod(podIgnoringSigterm('deaf'))
  await expect(flow.lastMove()).not.toBeEmpty()
  await expect(flow.packets()).toHaveCount(0)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  // A packet is visible for less than a second: the page itself watches for one.
  const seen = page.evaluate(`new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('[data-testid="packet"]') === null) return
      observer.disconnect()
      resolve()
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })`)
  await Promise.all([seen, kube.deletePod('default', 'deaf', 1)])
})
