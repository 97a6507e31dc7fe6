import { act, cleanup, screen, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import type { PodVolumes } from '../../../../shared/model/inside-pod/pod-volumes.ts'
import { err, ok } from '../../../../shared/result.ts'
import { openPage } from '../../../app/fake-page.tsx'
import { FakeBridge } from '../../../bridge/fake-bridge.ts'
import { fakeDetail, fakeNow, fakeRow, fakeStaticRow } from '../../../bridge/fake-views.ts'
import {
  fakeEnvironment,
  fakeObject,
  fakePodVolumes,
  fakeVariable,
  fakeVolume,
} from './fake-pod-volumes.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const hello = fakeRow({ name: 'hello' })
/** The page counts whole seconds. */
const second = Math.floor(fakeNow / 1000) * 1000

/** Its only container. */
function containerWith(part: Partial<ContainerView>): readonly ContainerView[] {
  return fakeDetail(hello).containers.map((container) => ({ ...container, ...part }))
}

async function openVolumes(
  volumes: PodVolumes,
  { row = hello, containers = containerWith({ state: 'waiting' }) } = {},
) {
  const bridge = new FakeBridge({ rows: [row] })
  bridge.tell(fakeDetail(row, { containers }))
  bridge.volumes.set(row.key, volumes)
  bridge.variable = ok({ value: 'correct-horse' })
  const page = await openPage(bridge)
  await act(async () => {
    page.store.state.getState().openDrawer(row.key, 'volumes')
    await Promise.resolve()
  })
  return { ...page, bridge, panel: within(await screen.findByRole('tabpanel')) }
}

const failure = {
  firstAt: second - 149_000,
  lastAt: second - 10_000,
  count: 8,
  message: 'configmap "rules" not found',
  nextTryAt: second + 34_000,
}
const rules = fakeVolume({
  name: 'rules',
  source: { kind: 'object', object: fakeObject({ state: 'missing', keys: ['rules.yaml'] }) },
  mounts: [{ container: 'main', path: '/etc/rules', isReadOnly: false, subPath: '' }],
  state: 'waiting',
  failure,
})
const token = fakeVariable({
  name: 'TOKEN',
  source: { kind: 'key', of: 'Secret', name: 'login', key: 'token' },
  state: 'keyMissing',
  message: "couldn't find key token in Secret default/login",
})
const password = fakeVariable({
  name: 'PASSWORD',
  source: { kind: 'key', of: 'Secret', name: 'db', key: 'password' },
  isHidden: true,
})
const level = fakeVariable({ value: 'info' })

function rowTexts(panel: ReturnType<typeof within>, table: string): readonly string[] {
  return within(panel.getByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent)
}

const waiting = fakePodVolumes({
  volumes: [fakeVolume({ since: second - 150_000 }), rules],
  environments: [fakeEnvironment([level, token, password])],
})

describe('the volumes and the environment of a pod', () => {
  it('begin with what is missing, since when and what would fail next', async () => {
    const { panel } = await openVolumes(waiting)
    await panel.findByText(/^FailedMount for 2m29s, 8 times; next try in 34 s\./)
    panel.getByText('MountVolume.SetUp failed for volume "rules" : configmap "rules" not found')
    panel.getByText(/A key of a Secret is missing as well: it would stop the container next\./)
    panel.getByText('1 of 2 mounted')
    expect(rowTexts(panel, 'Volumes')).toEqual([
      'rulesConfigMap rules, 1 key /etc/rulesnot found, 2m29sFailedMount, first 14:00:02',
      'cacheemptyDir, 64Mi/var/cachemounted 14:00:01',
    ])
    expect(rowTexts(panel, 'container main, 3 variables')).toEqual([
      'TOKENSecret login, key tokenkey missing; then CreateContainerConfigError ',
      'LEVELwritten in the specinfofound ',
      'PASSWORDSecret db, key passwordhiddenShow for 10 s',
    ])
    expect(panel.getByRole('region', { name: 'Create what is missing' }).textContent).toContain(
      'kubectl create configmap rules -n default --from-file=rules.yaml',
    )
  })

  it('are asked for again every second, and not on another tab', async () => {
    const { bridge, store, panel } = await openVolumes(waiting)
    await panel.findByRole('table', { name: 'Volumes' })
    const pass = (ms: number): Promise<void> =>
      act(async () => {
        bridge.patch({ now: { sandbox: fakeNow + ms } })
        await Promise.resolve()
      })
    const before = bridge.sentArgs('pod.volumes').length
    await pass(5000)
    expect(bridge.sentArgs('pod.volumes').length).toBeGreaterThan(before)
    act(() => store.state.getState().setDrawerTab('summary'))
    const left = bridge.sentArgs('pod.volumes').length
    await pass(15_000)
    expect(bridge.sentArgs('pod.volumes')).toHaveLength(left)
  })

  it('show the value of a Secret for ten seconds, each time on request', async () => {
    const { panel, bridge } = await openVolumes(waiting)
    const button = await panel.findByRole('button', { name: 'Show PASSWORD' })
    expect(bridge.sentArgs('pod.variable')).toEqual([])
    vi.useFakeTimers()
    const wait = (ms: number): Promise<void> =>
      act(async () => {
        await vi.advanceTimersByTimeAsync(ms)
      })
    act(() => button.click())
    await wait(0)
    expect(bridge.sentArgs('pod.variable')).toEqual([
      { key: hello.key, container: 'main', variable: 'PASSWORD' },
    ])
    panel.getByText('correct-horse')
    for (let passed = 0; passed < 9; passed++) await wait(1000)
    panel.getByText('correct-horse')
    panel.getByText('for 1 s')
    await wait(1000)
    expect(panel.queryByText('correct-horse')).toBeNull()
    panel.getByText('hidden')
    act(() => panel.getByRole('button', { name: 'Show PASSWORD' }).click())
    await wait(0)
    act(() => panel.getByRole('button', { name: 'Hide PASSWORD' }).click())
    expect(panel.queryByText('correct-horse')).toBeNull()
    expect(bridge.sentArgs('pod.variable')).toHaveLength(2)
    bridge.variable = err({ kind: 'read-only', message: 'Not with --read-only.' })
    act(() => panel.getByRole('button', { name: 'Show PASSWORD' }).click())
    await wait(0)
    panel.getByText('Not with --read-only.')
  })

  it('have keys: M goes to what is missing, V shows a value, C copies the line', async () => {
    const { panel, user } = await openVolumes(waiting)
    await panel.findByRole('table', { name: 'Volumes' })
    await user.keyboard('m')
    expect(document.activeElement?.textContent).toMatch(/^rules/)
    await user.keyboard('m')
    expect(document.activeElement?.textContent).toMatch(/^TOKEN/)
    await user.keyboard('m')
    expect(document.activeElement?.textContent).toMatch(/^rules/)
    await user.keyboard('v')
    expect(await panel.findByText('correct-horse')).toBeTruthy()
    expect(document.activeElement).toBe(panel.getByRole('button', { name: 'Hide PASSWORD' }))
    await user.keyboard('c')
    expect(await navigator.clipboard.readText()).toBe(
      'kubectl create configmap rules -n default --from-file=rules.yaml',
    )
  })

  it('say what holds for mounted volumes: tokens, files that changed, subPath, and an object that is gone', async () => {
    const source = {
      kind: 'projected',
      parts: [
        { kind: 'token', audience: '', expirationSeconds: 3607 },
        { kind: 'object', object: fakeObject({ name: 'kube-root-ca.crt' }) },
        { kind: 'downwardAPI', items: ['metadata.namespace'] },
      ],
    } as const
    const since = second - 60_000
    const mounts = [{ container: 'main', path: '/f', isReadOnly: true, subPath: 'f' }]
    const { panel } = await openVolumes(
      fakePodVolumes({
        volumes: [
          fakeVolume({
            name: 'access',
            source,
            since,
            renewsAt: second + 2_880_000,
            updatedAt: second - 1000,
            mounts,
          }),
          { ...rules, state: 'mounted', since },
          fakeVolume({ name: 'old', state: 'unmounting' }),
          fakeVolume({ name: 'idle', state: 'unused', mounts: [] }),
        ],
      }),
    )
    await panel.findByText(/^The volume rules is no longer updated; next try in 34 s\./)
    expect(rowTexts(panel, 'Volumes')).toEqual([
      'rulesConfigMap rules, 1 key /etc/rulesnot updated since 14:00:02: the files stay as they areconfigmap "rules" not foundmounted 14:01:31',
      'accessprojected: token, CA, namespace/fsubPath fmounted 14:01:31; files changed 14:02:30; token renewed in about 48mstays with the container: subPath never updates',
      'oldemptyDir, 64Mi/var/cachebeing unmounted',
      'idleemptyDir, 64Mino container mounts it',
    ])
  })

  it('say what a running container keeps when its ConfigMap changes, and that its next start fails', async () => {
    const { panel } = await openVolumes(
      fakePodVolumes({
        environments: [
          fakeEnvironment(
            [
              { ...level, isOutdated: true },
              { ...token, isHidden: true },
              fakeVariable({ name: 'SVC', source: { kind: 'service' }, value: '10.0.0.1' }),
            ],
            { isGiven: true },
          ),
        ],
      }),
      { containers: containerWith({ state: 'running' }) },
    )
    await panel.findByText(/^The next start of container main fails\./)
    expect(rowTexts(panel, 'container main, 2 variables')).toEqual([
      'TOKENSecret login, key tokenhiddenkey missing; the next start fails: CreateContainerConfigError Show for 10 s',
      'LEVELwritten in the specinfochanged since the container started; the next start gets it',
    ])
    act(() => panel.getByRole('button', { name: 'Show 1 variable of Services' }).click())
    expect(rowTexts(panel, 'container main, 2 variables')[2]).toBe(
      'SVCa Service of the namespace10.0.0.1found ',
    )
    panel.getByText('The pod has no volumes.')
  })

  it('name the container that cannot be created now', async () => {
    const reason = 'CreateContainerConfigError'
    const containers = containerWith({ state: 'waiting', reason, message: token.message })
    const seen = fakePodVolumes({ environments: [fakeEnvironment([token])] })
    const { panel } = await openVolumes(seen, { containers })
    await panel.findByText(/^CreateContainerConfigError of container main; /)
    expect(rowTexts(panel, 'container main, 1 variable')).toEqual([
      'TOKENSecret login, key tokenkey missing: CreateContainerConfigError ',
    ])
  })

  it('say that the runtime does not tell what a running container got', async () => {
    const seen = fakePodVolumes({ environments: [fakeEnvironment([level])] })
    await openVolumes(seen, { containers: containerWith({ state: 'running' }) })
    await screen.findByText(/^The runtime does not say what the container got/)
  })

  it('say that no kubelet has the pod, and what a static pod cannot have', async () => {
    await openVolumes(
      fakePodVolumes({ isKnown: false, volumes: [fakeVolume({ state: 'absent' })] }),
    )
    await screen.findByText('No kubelet has this pod yet: only what its spec says is known.')
    screen.getByText('not known')
    cleanup()
    await openVolumes(fakePodVolumes(), { row: fakeStaticRow({ name: 'web' }) })
    await screen.findByText(/^A static pod cannot refer to ConfigMaps, Secrets or claims/)
  })

  it('have no problem that axe finds', async () => {
    const { panel } = await openVolumes(waiting)
    await panel.findByRole('table', { name: 'Volumes' })
    const { violations } = await axe.run(screen.getByRole('tabpanel'), {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })
})
