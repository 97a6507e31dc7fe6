import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import type { PodEventView } from '../../../shared/model/pod-objects.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { ProbeView } from '../../../shared/model/probe-view.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { openPage } from '../../app/fake-page.tsx'
import type { FakePage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeSeenCluster } from '../../bridge/fake-seen.ts'
import { fakeDetail, fakeRow, fakeStaticRow, fakeWorker, fakeNow } from '../../bridge/fake-views.ts'
import type { DrawerTab } from '../../store/slices/detail-slice.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const web = fakeStaticRow({
  name: 'web-scope-node-1',
  uid: '4db90dbbbce93ceba5f383ef323ded3f',
  mirrorUid: 'b0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b',
})
const hello = fakeRow({ name: 'hello', uid: 'ea03f05c-548a-4e40-a20c-58c2c8996764' })
const stopping = fakeRow({
  name: 'hello',
  worker: 'TerminatingPod',
  grace: { seconds: 30, startedAt: fakeNow - 9000, killAt: fakeNow + 21_000 },
})

async function openDrawer(
  row: PodRow,
  {
    detail = {},
    tab = 'summary',
    fill = () => undefined,
    cluster,
  }: {
    readonly detail?: Partial<PodDetail>
    readonly tab?: DrawerTab
    readonly fill?: (bridge: FakeBridge) => void
    readonly cluster?: ClusterView
  } = {},
): Promise<FakePage & { readonly bridge: FakeBridge; readonly drawer: HTMLElement }> {
  const bridge = new FakeBridge({ rows: [row], ...(cluster && { clusters: [cluster] }) })
  bridge.tell(fakeDetail(row, detail))
  fill(bridge)
  const page = await openPage(bridge)
  await act(async () => {
    page.store.state.getState().openDrawer(row.key, tab)
    await Promise.resolve()
  })
  const drawer = await screen.findByRole('complementary', {
    name: `Pod ${row.namespace}/${row.name}`,
  })
  return { ...page, bridge, drawer }
}

function panel(): HTMLElement {
  return screen.getByRole('tabpanel')
}

describe('the tabs of the drawer', () => {
  it('are chosen with arrow keys, from the last to the first too', async () => {
    const { user, store } = await openDrawer(hello)
    await user.click(screen.getByRole('tab', { name: 'Summary' }))
    await user.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: /^Containers/ }))
    expect(panel().textContent).toContain('registry.k8s.io/main:1.28')
    await user.keyboard('{End}')
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('YAML')
    await user.keyboard('{ArrowRight}{ArrowLeft}{ArrowLeft}')
    expect(screen.getByRole('tab', { selected: true }).textContent).toMatch(/^Events/)
    expect(store.state.getState().drawerTab).toBe('events')
  })

  it('count containers and events', async () => {
    await openDrawer(hello, {
      fill: ({ events }) => events.set(hello.key, { events: [pulled, backOff], note: '' }),
    })
    expect(await screen.findByRole('tab', { name: 'Events 2' })).toBeTruthy()
    expect(screen.getByRole('tab', { name: 'Containers 1' })).toBeTruthy()
  })

  it('are shown in every view, and Esc closes them', async () => {
    const { user, store, drawer } = await openDrawer(hello)
    act(() => store.state.getState().show('mirrors'))
    expect(drawer.isConnected).toBe(true)
    await user.keyboard('{Escape}')
    expect(drawer.isConnected).toBe(false)
  })
})

describe('the summary of a pod', () => {
  it('updates its facts', async () => {
    const { bridge } = await openDrawer(hello)
    expect(within(panel()).queryByText('The node was low on resource: memory.')).toBeNull()
    act(() => bridge.tell(fakeDetail(hello, { message: 'The node was low on resource: memory.' })))
    expect(within(panel()).getByText('The node was low on resource: memory.')).toBeTruthy()
  })

  it('explains why the pod is still here, with the field of each line; W moves the focus there', async () => {
    const { user } = await openDrawer(stopping, {
      tab: 'events',
      detail: {
        why: {
          question: 'Why is it still here?',
          section: 'pod-workers#sync-functions',
          lines: [
            { text: 'SIGTERM was sent.', source: 'state.running', progress: 'now' },
            { text: 'Then the volumes go.', source: 'volumes', progress: 'next' },
          ],
        },
      },
    })
    await user.keyboard('w')
    const why = screen.getByRole('region', { name: 'Why is it still here?' })
    expect(document.activeElement).toBe(why)
    expect(
      within(why)
        .getAllByRole('listitem')
        .map((line) => line.textContent),
    ).toEqual(['Now: SIGTERM was sent.state.running', 'Next: Then the volumes go.volumes'])
  })

  it('takes the focus on W when nothing needs an explanation', async () => {
    const { user } = await openDrawer(hello, { tab: 'history' })
    await user.keyboard('w')
    expect(document.activeElement).toBe(panel())
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Summary')
  })

  it('has a sentence for each field of the worker record, always for screen readers and on a click for all', async () => {
    const { user } = await openDrawer(hello)
    const record = screen.getByRole('region', { name: 'Worker record' })
    const definitions = within(record).getAllByRole('definition')
    expect(definitions.every(({ textContent }) => textContent.endsWith('.'))).toBe(true)
    const button = within(record).getByRole('button', { name: 'What do these mean?' })
    const sentence = within(record).getByText('When UpdatePod first received this UID.')
    const hidden = sentence.className
    await user.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    expect(sentence.className).not.toBe(hidden)
  })

  it('shows the effect of each answer of the pod state provider', async () => {
    await openDrawer(stopping, {
      detail: { worker: fakeWorker(stopping, { contentMayBeRemoved: true }) },
    })
    const answers = screen.getByRole('region', { name: 'Pod state provider' })
    expect(
      within(answers)
        .getAllByRole('definition')
        .map((answer) => answer.textContent),
    ).toEqual([
      'noAdmission counts its resources and ports.',
      'yesThe status manager withholds Failed and Succeeded while containers may still run.',
      'noThe eviction manager keeps waiting for the pod’s termination.',
      'yesIts Secrets and ConfigMaps are no longer fetched; an ADD of this UID starts it again afterwards.',
      'yesThe volume manager no longer mounts volumes for it.',
      'noIts volumes stay mounted and its sandbox stays.',
      'yesAll its dead containers may be removed, with their logs.',
      'noHousekeeping deletes a mirror of its name if it has no manifest.',
    ])
  })

  it('shows both UIDs of a static pod, the state of the pair and its reason, and links to Mirrors', async () => {
    const { user, store } = await openDrawer({
      ...web,
      mirror: 'stale',
      mirrorReason: 'Its hash is of another version.',
    })
    const pair = screen.getByRole('region', { name: 'Static pod and mirror' })
    expect(within(pair).getByText(web.uid)).toBeTruthy()
    expect(within(pair).getByText(web.mirrorUid ?? '')).toBeTruthy()
    expect(within(pair).getByText('Its hash is of another version.')).toBeTruthy()
    await user.click(within(pair).getByRole('button', { name: 'Show in Mirrors' }))
    expect(store.state.getState()).toMatchObject({ view: 'mirrors', mirrorUid: web.uid })
  })

  it('lists the conditions of the status', async () => {
    await openDrawer(hello, {
      fill: (bridge) =>
        bridge.setObjects(hello.key, {
          pod: {},
          mirror: null,
          status: {
            conditions: [
              {
                type: 'Ready',
                status: 'False',
                reason: 'ContainersNotReady',
                message: 'containers with unready status: [main]',
                lastTransitionTime: '2026-11-21T14:01:31Z',
              },
              { type: 'PodScheduled', status: 'True' },
              'not a condition',
            ],
          },
        }),
    })
    const conditions = await screen.findByRole('region', { name: 'Conditions' })
    expect(
      within(conditions)
        .getAllByRole('definition')
        .map((condition) => condition.textContent),
    ).toEqual(['False60sContainersNotReady containers with unready status: [main]', 'True'])
  })
})

const crashed: PodDetail['containers'][number] = {
  name: 'app',
  image: 'shop/app:2',
  state: 'waiting',
  reason: 'CrashLoopBackOff',
  ready: false,
  restarts: 3,
  startedAt: null,
  exitCode: null,
  lastExitCode: 137,
  kind: 'container',
  containerId: 'containerd://31b0',
  finishedAt: null,
  message: 'back-off 20s restarting failed container=app',
  backOffUntil: fakeNow + 15_000,
  lastTermination: {
    exitCode: 137,
    reason: 'OOMKilled',
    message: 'cache is full',
    startedAt: '2026-11-21T14:02:14Z',
    finishedAt: '2026-11-21T14:02:26Z',
  },
}

const probe: ProbeView = {
  container: 'app',
  type: 'liveness',
  handler: 'http-get http://:8080/healthz',
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
  result: 'success',
  runs: ['success', 'failure', 'failure'],
  resultRun: 2,
  skip: null,
  nextTick: fakeNow + 4000,
}
const probeFailed: TraceEvent = {
  subject: { kind: 'pod', uid: hello.uid, namespace: 'default', name: 'hello' },
  at: fakeNow,
  cluster: 'sandbox',
  node: 'scope-node-1',
  seq: 7,
  causes: [],
  kind: 'probe.failed',
  data: {
    container: 'app',
    probe: 'liveness',
    outcome: 'failure',
    message: 'Liveness probe failed: HTTP probe failed with statuscode: 503',
  },
}

describe('the containers of a pod', () => {
  it('show when a crashed container may start again, and how it exited', async () => {
    const { bridge } = await openDrawer(hello, {
      tab: 'containers',
      detail: { containers: [crashed] },
    })
    const app = within(panel()).getAllByRole('listitem')[0]
    if (app === undefined) throw new Error('no container')
    expect(app.textContent).toContain('waiting: CrashLoopBackOff')
    expect(app.textContent).toContain('back-off, 15 s left')
    expect(app.textContent).toContain('next start 14:02:46')
    expect(app.textContent).toContain(
      'Last termination 14:02:26, exit 137 OOMKilled, ran 12 s. Its logcache is full',
    )
    expect(within(app).getByText('20 s').getAttribute('aria-current')).toBe('step')
    act(() => bridge.patch({ now: { sandbox: fakeNow + 15_000 } }))
    expect(app.textContent).toContain('back-off over; starts at the next sync')
  })

  it('show their probes: runs, the time of the next, and what the failures lead to', async () => {
    const { bridge } = await openDrawer(hello, {
      tab: 'containers',
      detail: { containers: [crashed], trace: [probeFailed] },
      fill: ({ probes }) =>
        probes.set(hello.key, [
          { ...probe, type: 'startup', runs: ['success'], result: 'success', skip: 'onHold' },
          probe,
          { ...probe, type: 'readiness', result: 'failure', resultRun: 23 },
        ]),
    })
    const list = await screen.findByRole('list', { name: 'Probes of app' })
    const [startup, liveness, readiness] = within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
    expect(startup).toBe('startuphttp-get http://:8080/healthzlast 1 run: all succeededdone')
    expect(liveness).toContain('next in 4 s')
    expect(liveness).toContain('2 of 3 failures in a row. At the threshold, the kubelet stops')
    expect(liveness).toContain('statuscode: 503')
    expect(readiness).toContain('23 failures in a row. The container is ready again after one')
    expect(within(list).getAllByText('last 3 runs: 2 not successful')).toHaveLength(2)
    const asked = bridge.sentArgs('pod.probes').length
    await act(async () => {
      bridge.patch({ now: { sandbox: fakeNow + 2000 } })
      await Promise.resolve()
    })
    expect(list.textContent).toContain('next in 2 s')
    expect(bridge.sentArgs('pod.probes')).toHaveLength(asked)
    await act(async () => {
      bridge.patch({ now: { sandbox: fakeNow + 5000 } })
      await Promise.resolve()
    })
    expect(bridge.sentArgs('pod.probes')).toHaveLength(asked + 1)
    const { violations } = await axe.run(list, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('are grouped by kind, init containers first', async () => {
    await openDrawer(hello, {
      tab: 'containers',
      detail: {
        containers: [
          { ...crashed, name: 'migrate', kind: 'init', backOffUntil: null, lastTermination: null },
          { ...crashed, name: 'proxy', kind: 'sidecar', backOffUntil: null },
          { ...crashed, name: 'debugger', kind: 'ephemeral', backOffUntil: null },
          crashed,
        ],
      },
    })
    expect(
      within(panel())
        .getAllByRole('heading')
        .map((heading) => heading.textContent),
    ).toEqual([
      'Init containers 1',
      'Sidecars 1',
      'Containers 1pod IP 10.88.0.14',
      'Ephemeral containers 1',
      'Port forwarding',
    ])
  })
})

const subject = { kind: 'pod', uid: hello.uid, namespace: 'default', name: 'hello' } as const
const base = { subject, at: fakeNow, cluster: 'sandbox', node: 'scope-node-1' } as const
const merged: TraceEvent = {
  ...base,
  seq: 11,
  causes: [],
  kind: 'config.merged',
  data: { source: 'api', op: 'ADD', mirror: false },
}
const begun: TraceEvent = {
  ...base,
  seq: 12,
  causes: [11, 3],
  kind: 'worker.syncStarted',
  data: { workType: 'sync', updateType: 'create', gracePeriodSeconds: null },
}
const started: TraceEvent = {
  ...base,
  seq: 13,
  causes: [12],
  kind: 'container.started',
  data: { container: 'main', containerId: 'c1' },
}
const trace = [started, begun, merged]

describe('the history of a pod', () => {
  it('shows each event in a sentence with its section, newest first', async () => {
    await openDrawer(hello, { tab: 'history', detail: { trace } })
    expect(
      within(panel())
        .getAllByRole('listitem')
        .map((line) => line.textContent),
    ).toEqual([
      '#13container.started14:02:31.480Container main (c1) runs.Runtime syncbecause of#12',
      '#12worker.syncStarted14:02:31.480SyncPod begins, after an update of type create, to bring the pod to its desired state.Sync functionsbecause of#11#3',
      '#11config.merged14:02:31.480The api source has a new UID: the merge adds the pod.Merge',
    ])
    expect(
      within(panel())
        .getAllByRole('link')
        .map((badge) => badge.title),
    ).toEqual([
      'Open the handbook: Containers, restarts and back-off: Runtime sync',
      'Open the handbook: Pod workers: Sync functions',
      'Open the handbook: Sources and merge: Merge',
    ])
  })

  it('moves to the cause of an event on a click, and with keys to cause, effect and neighbors', async () => {
    const { user } = await openDrawer(hello, { tab: 'history', detail: { trace } })
    await user.click(screen.getByRole('button', { name: '#11' }))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Event 11' }))
    await user.keyboard(']')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Event 12' }))
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Event 13' }))
    await user.keyboard('{[}{[}')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Event 11' }))
  })

  it('requests a cause that is not in the list, and shows its chain', async () => {
    const request: TraceEvent = {
      ...base,
      seq: 3,
      causes: [],
      subject: { kind: 'cluster' },
      kind: 'request.received',
      data: { method: 'POST', path: '/api/v1/pods', user: 'admin', client: 'kubectl' },
    }
    const { user, bridge } = await openDrawer(hello, {
      tab: 'history',
      detail: { trace },
      fill: ({ chains }) => chains.set(3, { seq: 3, events: [request, begun], isCut: true }),
    })
    await user.click(screen.getByRole('button', { name: '#3' }))
    const chain = await screen.findByRole('region', { name: 'What led to #3' })
    expect(bridge.sentArgs('trace.related')).toEqual([{ cluster: 'sandbox', seq: 3 }])
    expect(chain.textContent).toContain('Older causes are no longer kept.')
    expect(chain.textContent).toContain('#3 has led to one event since.')
    expect(chain.textContent).toContain(
      'kubectl, as admin, requests POST /api/v1/pods from the API server.',
    )
    await user.click(within(chain).getByRole('button', { name: 'Close the chain' }))
    expect(screen.queryByRole('region', { name: 'What led to #3' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Event 12' }))
  })

  it('shows the nearest causes of a long chain, and the older ones on a click', async () => {
    const chain = Array.from({ length: 9 }, (_, index): TraceEvent => ({
      ...merged,
      seq: index + 1,
      causes: index === 0 ? [] : [index],
    }))
    const last: TraceEvent = { ...begun, seq: 20, causes: [9] }
    const { user } = await openDrawer(hello, {
      tab: 'history',
      detail: { trace: [last] },
      fill: ({ chains }) => chains.set(9, { seq: 9, events: chain, isCut: false }),
    })
    await user.click(screen.getByRole('button', { name: '#9' }))
    const causes = await screen.findByRole('region', { name: 'What led to #9' })
    expect(within(causes).getAllByRole('listitem')).toHaveLength(5)
    await user.click(within(causes).getByRole('button', { name: 'Show 4 older' }))
    expect(within(causes).getAllByRole('listitem')).toHaveLength(9)
  })

  it('says that a cause is no longer kept', async () => {
    const { user } = await openDrawer(hello, { tab: 'history', detail: { trace } })
    await user.click(screen.getByRole('button', { name: '#3' }))
    const chain = await screen.findByRole('region', { name: 'What led to #3' })
    expect(chain.textContent).toContain('No longer kept')
  })

  it('can be filtered by part, and moving to a cause of another part clears the filter', async () => {
    const { user } = await openDrawer(hello, { tab: 'history', detail: { trace } })
    const select = screen.getByRole('combobox', { name: 'Part of the kubelet' })
    await user.selectOptions(select, 'Worker, 1')
    expect(within(panel()).getAllByRole('listitem')).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: '#11' }))
    expect(within(panel()).getAllByRole('listitem')).toHaveLength(3)
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Event 11' }))
  })

  it('shows the newest events, and the rest on a click', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ ...merged, seq: 100 - index }))
    const { user } = await openDrawer(hello, { tab: 'history', detail: { trace: many } })
    expect(within(panel()).getAllByRole('listitem')).toHaveLength(40)
    await user.click(screen.getByRole('button', { name: 'Show all 60' }))
    expect(within(panel()).getAllByRole('listitem')).toHaveLength(60)
  })
})

const pulled: PodEventView = {
  type: 'Normal',
  reason: 'Pulled',
  message: 'Container image "shop/app:2" already present on machine',
  under: 'mirror',
  source: 'default-scheduler',
  count: 1,
  firstAt: fakeNow - 60_000,
  lastAt: fakeNow - 60_000,
  fieldPath: '',
}
const backOff: PodEventView = {
  type: 'Warning',
  reason: 'BackOff',
  message: 'Back-off restarting failed container app',
  under: 'pod',
  source: 'kubelet',
  count: 4,
  firstAt: fakeNow - 90_000,
  lastAt: fakeNow - 5000,
  fieldPath: 'spec.containers{app}',
}

describe('the events of a pod', () => {
  it('are one list for both UIDs, each with the UID it is recorded under', async () => {
    await openDrawer(web, {
      tab: 'events',
      fill: ({ events }) => events.set(web.key, { events: [backOff, pulled], note: '' }),
    })
    const list = await screen.findByRole('list', { name: 'Events of the pod' })
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((line) => line.textContent),
    ).toEqual([
      'Warning BackOff×414:02:265sBack-off restarting failed container appkubeletspec.containers{app}static UIDfirst 14:01:01',
      'Normal Pulled14:01:3160sContainer image "shop/app:2" already present on machinedefault-schedulermirror UID',
    ])
  })

  it('include a note when the list is incomplete', async () => {
    await openDrawer(hello, {
      tab: 'events',
      fill: ({ events }) => events.set(hello.key, { events: [], note: 'The server is away.' }),
    })
    expect(await screen.findByText(/may be incomplete: The server is away\./)).toBeTruthy()
  })

  it('are replaced with a message when there are none', async () => {
    await openDrawer(hello, { tab: 'events' })
    expect(await screen.findByRole('heading', { name: 'No events' })).toBeTruthy()
  })
})

/** The text in the editor's shadow tree, or in the plain text area before the editor loads. */
function yamlText(): string {
  const host = panel().querySelector('div[style]')?.shadowRoot
  const lines = [...(host?.querySelectorAll('.cm-line') ?? [])].map((line) => line.textContent)
  return lines.length > 0 ? lines.join('\n') : (panel().querySelector('textarea')?.value ?? '')
}

describe('the YAML of a pod', () => {
  const objects = {
    pod: { kind: 'Pod', metadata: { name: 'web' } },
    mirror: { kind: 'Pod', metadata: { name: 'web', uid: 'm' } },
    status: { phase: 'Running' },
  }

  it('is shown on Y: the kubelet’s pod, its mirror, or the status', async () => {
    const { user } = await openDrawer(web, {
      fill: (bridge) => bridge.setObjects(web.key, objects),
    })
    await user.keyboard('y')
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'YAML' }))
    await waitFor(() => expect(yamlText()).toBe('kind: Pod\nmetadata:\n  name: web\n'))
    await user.click(screen.getByRole('radio', { name: 'Mirror in the API' }))
    await waitFor(() => expect(yamlText()).toBe('kind: Pod\nmetadata:\n  name: web\n  uid: m\n'))
    await user.click(screen.getByRole('radio', { name: 'Status' }))
    await waitFor(() => expect(yamlText()).toBe('phase: Running\n'))
    expect(screen.getByRole('button', { name: 'Copy the YAML' })).toBeTruthy()
  })

  it('includes the API object of a regular pod and the kubelet’s pod', async () => {
    const { user } = await openDrawer(hello, {
      tab: 'yaml',
      fill: (bridge) =>
        bridge.setObjects(hello.key, { pod: { in: 'kubelet' }, api: { in: 'API' } }),
    })
    await waitFor(() => expect(yamlText()).toBe('in: kubelet\n'))
    await user.click(screen.getByRole('radio', { name: 'API object' }))
    await waitFor(() => expect(yamlText()).toBe('in: API\n'))
  })

  it('starts with the API object when no kubelet has the pod, and says that the kubelet’s pod does not exist', async () => {
    const pending = { ...hello, worker: 'noKubelet', workerReason: 'It waits.' } as const
    const { user } = await openDrawer(pending, {
      tab: 'yaml',
      fill: (bridge) => bridge.setObjects(hello.key, { api: { in: 'API' } }),
    })
    await waitFor(() => expect(yamlText()).toBe('in: API\n'))
    await user.click(screen.getByRole('radio', { name: 'In the kubelet' }))
    expect(screen.getByText(/exists only in the API server/)).toBeTruthy()
  })

  it('has only the object of the API where the kubelet is not this program', async () => {
    const seen = fakeRow({ cluster: 'prod-eu1', node: 'worker-1', name: 'hello' })
    await openDrawer(seen, {
      tab: 'yaml',
      cluster: fakeSeenCluster(),
      fill: (bridge) => bridge.setObjects(seen.key, { api: { in: 'API' } }),
    })
    await waitFor(() => expect(yamlText()).toBe('in: API\n'))
    expect(screen.getByRole('radio', { name: 'API object' })).toBeTruthy()
    expect(screen.queryByRole('radio', { name: 'In the kubelet' })).toBeNull()
  })

  it('offers no mirror for a regular pod, and shows why a static pod has none', async () => {
    const first = await openDrawer(hello, {
      tab: 'yaml',
      fill: (bridge) => bridge.setObjects(hello.key, objects),
    })
    await screen.findByRole('radio', { name: 'Status' })
    expect(screen.queryByRole('radio', { name: 'Mirror in the API' })).toBeNull()
    first.store.stop()
    cleanup()
    const missing = { ...web, mirror: 'missing', mirrorReason: 'The namespace is gone.' } as const
    const { user } = await openDrawer(missing, {
      tab: 'yaml',
      fill: (bridge) => bridge.setObjects(web.key, { ...objects, mirror: null }),
    })
    await user.click(await screen.findByRole('radio', { name: 'Mirror in the API' }))
    expect(screen.getByText('The namespace is gone.')).toBeTruthy()
  })
})

describe('the accessibility of the drawer', () => {
  it.each<DrawerTab>(['summary', 'containers', 'history', 'events', 'yaml'])(
    'has no axe violation in the %s tab',
    async (tab) => {
      const { drawer } = await openDrawer(web, {
        tab,
        detail: { trace, containers: [crashed] },
        fill: (bridge) => {
          bridge.events.set(web.key, { events: [backOff, pulled], note: 'x' })
          bridge.setObjects(web.key, { pod: { kind: 'Pod' }, mirror: null, status: null })
        },
      })
      if (tab === 'yaml') await waitFor(() => expect(yamlText()).toContain('Pod'))
      const { violations } = await axe.run(drawer, {
        // Nothing is laid out or painted here; tokens.css lists the computed contrasts.
        rules: { 'color-contrast': { enabled: false } },
      })
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    },
  )
})
