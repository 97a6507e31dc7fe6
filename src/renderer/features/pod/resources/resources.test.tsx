import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, expect, it } from 'vitest'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import type { PodCgroups } from '../../../../shared/model/inside-pod/pod-cgroups.ts'
import type { PodUse, UseRun } from '../../../../shared/model/inside-pod/pod-use.ts'
import { openPage } from '../../../app/fake-page.tsx'
import { FakeBridge } from '../../../bridge/fake-bridge.ts'
import { fakeDetail, fakeNow, fakeRow } from '../../../bridge/fake-views.ts'

afterEach(cleanup)

const pod = fakeRow({
  name: 'leaky',
  bricks: [
    { name: 'main', state: 'running' },
    { name: 'envoy', state: 'running' },
  ],
})
const mebibyte = 2 ** 20

function run(containerId: string, secondsAgo: readonly number[], share = 1): UseRun {
  return {
    containerId,
    samples: secondsAgo.map((ago, index) => ({
      at: fakeNow - ago * 1000,
      memoryBytes: (index + 1) * 64 * mebibyte * share,
      cpuMillis: 180,
      isThrottled: index === 1,
    })),
  }
}

const use: PodUse = {
  from: fakeNow - 600_000,
  to: fakeNow,
  error: '',
  containers: [
    {
      container: 'main',
      memory: { request: 128 * mebibyte, limit: 256 * mebibyte },
      cpu: { request: 100, limit: 500 },
      runs: [run('a', [240, 200, 160, 120]), run('b', [90, 50, 10])],
    },
    {
      container: 'envoy',
      memory: { request: null, limit: 128 * mebibyte },
      cpu: { request: null, limit: null },
      runs: [run('e', [10], 0.64)],
    },
  ],
}

const cgroups: PodCgroups = {
  qosClass: 'Burstable',
  path: '/kubepods/burstable/poda1',
  version: 2,
  isSimulated: true,
  pod: [
    { name: 'cpu.weight', value: '4', amount: '102', isSet: true },
    { name: 'memory.max', value: 'max', amount: '', isSet: false },
  ],
  containers: [
    {
      name: 'main',
      files: [{ name: 'memory.max', value: '268435456', amount: '256Mi', isSet: true }],
    },
  ],
}

async function openContainers({
  told = use,
  containers = [],
}: {
  readonly told?: PodUse | undefined
  readonly containers?: readonly Partial<ContainerView>[]
} = {}) {
  const bridge = new FakeBridge({ rows: [pod] })
  const plain = fakeDetail(pod)
  const detail = {
    ...plain,
    containers: plain.containers.map((one, index) => ({ ...one, ...containers[index] })),
  }
  bridge.tell(detail)
  bridge.uses.set(pod.key, told)
  bridge.cgroups.set(pod.key, cgroups)
  const page = await openPage(bridge)
  await act(async () => {
    page.store.state.getState().openDrawer(pod.key, 'containers')
    await Promise.resolve()
  })
  return { ...page, bridge, panel: within(screen.getByRole('tabpanel')) }
}

async function expectAccessible(): Promise<void> {
  const { violations } = await axe.run(screen.getByRole('tabpanel'), {
    rules: { 'color-contrast': { enabled: false } },
  })
  expect(violations.map(({ id }) => id)).toEqual([])
}

it('shows the use of the main container against request and limit, and one number of the others', async () => {
  const { panel, user } = await openContainers()
  const main = within(await panel.findByRole('region', { name: 'CPU and memory of main' }))
  expect(main.getAllByRole('figure').map((figure) => figure.getAttribute('aria-label'))).toEqual([
    'Memory, last 4 min: 192Mi of 256Mi, from 64Mi to 256Mi, OOM at 256Mi, request 128Mi, 1 restart',
    'CPU, last 4 min: 180m, 50\u00a0% throttled, from 180m to 180m, limit 500m, request 100m, 1 restart',
  ])
  expect(panel.queryByRole('region', { name: 'CPU and memory of envoy' })).toBeNull()
  const folded = panel.getByRole('button', { name: 'CPU and memory 40Mi of 128Mi, 180m' })
  expect(folded.getAttribute('aria-expanded')).toBe('false')
  folded.focus()
  await user.keyboard('{Enter}')
  const envoy = within(panel.getByRole('region', { name: 'CPU and memory of envoy' }))
  expect(envoy.getByText('no limit')).toBeTruthy()
  await expectAccessible()
})

it('measures again every five seconds of the cluster’s clock, while the tab is shown', async () => {
  const { bridge, store } = await openContainers()
  const asked = (): number => bridge.sentArgs('pod.use').length
  const before = asked()
  const pass = async (ms: number): Promise<void> => {
    await act(async () => {
      bridge.patch({ now: { sandbox: fakeNow + ms } })
      await Promise.resolve()
    })
  }
  await pass(10_000)
  expect(asked()).toBe(before + 1)
  await act(async () => {
    store.state.getState().setDrawerTab('summary')
    await Promise.resolve()
  })
  await pass(60_000)
  expect(asked()).toBe(before + 1)
})

it('says why there is no number', async () => {
  const silent = use.containers.map((one) => ({ ...one, runs: [] }))
  const { panel } = await openContainers({
    told: { ...use, containers: silent, error: 'connection refused' },
  })
  expect(
    await panel.findByText('The container runtime did not answer: connection refused'),
  ).toBeTruthy()
  expect(panel.getByText('Not run in the last 10 minutes.')).toBeTruthy()
})

it('keeps the past of a container that waits, without a number of now', async () => {
  const { panel } = await openContainers({ containers: [{ state: 'waiting', restarts: 1 }] })
  const memory = await panel.findByRole('figure', { name: /^Memory, last 4 min: not running/ })
  expect(memory.querySelectorAll('polyline')).toHaveLength(2)
})

it('opens the log of the run that ended, with its tab focused', async () => {
  const { panel, user, bridge } = await openContainers({
    containers: [
      {
        restarts: 1,
        lastTermination: {
          exitCode: 137,
          reason: 'OOMKilled',
          message: '',
          startedAt: '2026-11-21T13:56:02Z',
          finishedAt: '2026-11-21T14:00:04Z',
        },
      },
    ],
  })
  const last = panel.getByText('Last termination').parentElement
  expect(last?.textContent).toBe('Last termination 14:00:04, exit 137 OOMKilled, ran 4m2s. Its log')
  await user.click(panel.getByRole('button', { name: 'Its log' }))
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Logs' }))
  expect(bridge.sentArgs('pod.logs').at(-1)).toMatchObject({ container: 'main', previous: true })
  await user.click(screen.getByRole('tab', { name: 'Summary' }))
  await user.click(screen.getByRole('tab', { name: 'Logs' }))
  expect(bridge.sentArgs('pod.logs').at(-1)).toMatchObject({ container: 'main', previous: false })
})

it('lists what a kubelet writes to cgroups, and what of it is enforced', async () => {
  const { panel, user, bridge } = await openContainers()
  expect(bridge.sentArgs('pod.cgroups')).toHaveLength(0)
  await user.click(panel.getByRole('button', { name: 'Cgroup of the pod' }))
  const ofPod = within(await panel.findByRole('region', { name: 'Files of the pod’s cgroup' }))
  expect(ofPod.getByText('/kubepods/burstable/poda1')).toBeTruthy()
  expect(ofPod.getByText('cpu.weight').parentElement?.textContent).toBe(
    'cpu.weight4from 102 CPU shares',
  )
  expect(ofPod.getByText('memory.max').parentElement?.textContent).toBe('memory.maxmaxnot set')
  expect(ofPod.getByText(/Nothing enforces them here/)).toBeTruthy()
  const [first] = panel.getAllByRole('button', { name: 'Cgroup' })
  if (first !== undefined) await user.click(first)
  const ofMain = within(await panel.findByRole('region', { name: 'Cgroup of main' }))
  expect(ofMain.getByText('268435456').parentElement?.textContent).toBe('268435456256Mi')
  expect(ofMain.getByText(/kills at the memory limit/)).toBeTruthy()
  await expectAccessible()
})
