import type { Container, Pod, PodSpec } from '../../src/shared/kubernetes/objects.ts'
import type { Act } from '../../src/shared/model/act.ts'
import type { PodKey } from '../../src/shared/model/pod-row.ts'
import type { ActScenario } from './act-scenario.ts'

/** A pod in a certain state, and how it comes to it. */
export interface PodKind {
  readonly title: string
  /** Answers with the pod's row and the name of its object. */
  readonly make: (scenario: ActScenario) => Promise<{ readonly key: PodKey; readonly name: string }>
}

const subject = 'subject'

function shell(name: string, script: string, more: Partial<Container> = {}): Container {
  return { name, image: 'busybox:1.36', command: ['sh', '-c', script], ...more }
}

function traps(what: string): string {
  return `trap '${what}' TERM; while true; do sleep 1; done`
}

const handles = shell('handles', traps('exit 0'))
const handlesLate = shell('late', traps('sleep 4; exit 0'))
const fails = shell('fails', traps('exit 3'))
const ignores: Container = { name: 'ignores', image: 'busybox:1.36', command: ['sleep', '1000000'] }
const unpullable: Container = { name: 'unpullable', image: 'registry.example/does-not-exist:1' }

function preStop(container: Container, lifecycle: unknown): Container {
  return { ...container, lifecycle: { preStop: lifecycle } }
}

function postStart(container: Container, sleepSeconds: number): Container {
  return { ...container, lifecycle: { postStart: { sleep: { seconds: sleepSeconds } } } }
}

/** An ordinary pod, looked at `after` seconds after its creation. */
function ordinary(
  title: string,
  spec: PodSpec,
  more: { readonly after?: number; readonly metadata?: Partial<Pod['metadata']> } = {},
): PodKind {
  return {
    title,
    make: async (scenario) => {
      const metadata = { name: subject, uid: '', ...more.metadata }
      await scenario.create(subject, { metadata, spec })
      await scenario.seconds(more.after ?? 15)
      return { key: scenario.keyOf(subject), name: subject }
    },
  }
}

function staticPod(spec: PodSpec): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: subject, namespace: 'default', uid: '' },
    spec,
  }
}

function ofFile(title: string, spec: PodSpec, after = 15): PodKind {
  return {
    title: `static: ${title}`,
    make: async (scenario) => {
      const name = `${subject}-n`
      scenario.cluster.putManifests([staticPod(spec)])
      await scenario.seconds(after)
      return { key: scenario.keyOf(name), name }
    },
  }
}

function then(
  title: string,
  kind: PodKind,
  next: (scenario: ActScenario, key: PodKey) => Promise<void>,
): PodKind {
  return {
    ...kind,
    title,
    make: async (scenario) => {
      const { key, name } = await kind.make(scenario)
      await next(scenario, key)
      // A change of its manifest gives a static pod another UID.
      return {
        key: scenario.session.row(key)?.worker === 'TerminatingPod' ? scenario.keyOf(name) : key,
        name,
      }
    },
  }
}

/** The kind with budgets of its own around it. */
function guarded(
  title: string,
  kind: PodKind,
  budgets: readonly { readonly name: string; readonly minAvailable: number }[],
): PodKind {
  return then(title, kind, async (scenario) => {
    for (const { name, minAvailable } of budgets)
      await scenario.post('/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name, namespace: 'default' },
        spec: { minAvailable, selector: { matchLabels: { app: subject } } },
      })
    await scenario.seconds(5)
  })
}

const labels = { metadata: { labels: { app: subject } } }

function seconds(
  terminationGracePeriodSeconds: number,
): Pick<PodSpec, 'terminationGracePeriodSeconds'> {
  return { terminationGracePeriodSeconds }
}

/** The act, and so many seconds after it. */
function done(
  act: Act,
  grace: number | null,
  after: number,
  container = '',
): (scenario: ActScenario, key: PodKey) => Promise<void> {
  return async (scenario, key) => {
    await scenario.do(act, key, grace, container)
    await scenario.seconds(after)
  }
}

const handlesSigterm = ordinary('handles SIGTERM', { containers: [handles] })
const ignoresSigterm = ordinary('ignores SIGTERM', { containers: [ignores] })
const staticIgnoresSigterm = ofFile('ignores SIGTERM', { containers: [ignores], ...seconds(20) })
const job = ordinary('Succeeded', { containers: [shell('job', 'sleep 3')], restartPolicy: 'Never' })

const crashing = ordinary(
  'waits in its back-off',
  { containers: [shell('crash', 'exit 1')] },
  { after: 25 },
)
const held = ordinary(
  'held by a finalizer',
  { containers: [handles] },
  { metadata: { finalizers: ['example.com/hold'] } },
)

/** A mirror without a static pod, before the kubelet's next housekeeping deletes it. */
const orphanMirror: PodKind = {
  title: 'mirror without its static pod',
  make: async (scenario) => {
    const annotations = {
      'kubernetes.io/config.mirror': 'gone',
      'kubernetes.io/config.hash': 'gone',
    }
    await scenario.create(subject, {
      metadata: { name: subject, uid: '', annotations },
      spec: { containers: [handles] },
    })
    await scenario.seconds(0.25)
    return { key: scenario.keyOf(subject), name: subject }
  },
}

export const podKinds: readonly PodKind[] = [
  handlesSigterm,
  ordinary('handles SIGTERM and exits 3', { containers: [fails] }),
  ordinary('takes 4 s after SIGTERM', { containers: [handlesLate] }),
  ignoresSigterm,
  ordinary('ignores SIGTERM, grace 5', { containers: [ignores], ...seconds(5) }),
  ordinary('ignores SIGTERM, grace 1', { containers: [ignores], ...seconds(1) }),
  ordinary('ignores SIGTERM, grace 0', { containers: [ignores], ...seconds(0) }),
  ordinary('one of two ignores SIGTERM', { containers: [handles, ignores], ...seconds(6) }),
  ordinary('Never, handles SIGTERM', { containers: [handles], restartPolicy: 'Never' }),
  ordinary('OnFailure, ignores SIGTERM', {
    containers: [ignores],
    restartPolicy: 'OnFailure',
    ...seconds(5),
  }),
  ordinary('sidecar, all handle SIGTERM', {
    initContainers: [{ ...shell('side', traps('exit 0')), restartPolicy: 'Always' }],
    containers: [handles],
  }),
  ordinary('sidecar, all ignore SIGTERM', {
    initContainers: [{ ...ignores, name: 'side', restartPolicy: 'Always' }],
    containers: [ignores],
    ...seconds(8),
  }),
  ordinary('two sidecars that ignore SIGTERM', {
    initContainers: [
      { ...ignores, name: 'one', restartPolicy: 'Always' },
      { ...ignores, name: 'two', restartPolicy: 'Always' },
    ],
    containers: [handles],
    ...seconds(8),
  }),
  ordinary('preStop of 3 s', {
    containers: [preStop(handles, { sleep: { seconds: 3 } })],
    ...seconds(10),
  }),
  ordinary('preStop nearly as long as the grace', {
    containers: [preStop(ignores, { sleep: { seconds: 8 } })],
    ...seconds(9),
  }),
  ordinary('preStop that runs a command', {
    containers: [preStop(ignores, { exec: { command: ['sleep', '3'] } })],
    ...seconds(5),
  }),
  ordinary('waits in its back-off', { containers: [shell('crash', 'exit 1')] }, { after: 25 }),
  ordinary(
    'waits in its back-off after exit 0',
    { containers: [shell('again', 'exit 0')] },
    { after: 25 },
  ),
  ordinary(
    'OnFailure, waits in its back-off',
    {
      containers: [shell('crash', 'exit 1')],
      restartPolicy: 'OnFailure',
    },
    { after: 25 },
  ),
  ordinary(
    'one runs, one waits in its back-off',
    {
      containers: [handles, shell('crash', 'exit 1')],
    },
    { after: 25 },
  ),
  ordinary('one runs, one has ended with 0', {
    containers: [handles, shell('job', 'exit 0')],
    restartPolicy: 'Never',
  }),
  ordinary('one runs, one has ended with 3', {
    containers: [handles, shell('job', 'exit 3')],
    restartPolicy: 'Never',
  }),
  ordinary('OnFailure, one runs, one has ended with 0', {
    containers: [handles, shell('job', 'exit 0')],
    restartPolicy: 'OnFailure',
  }),
  job,
  ordinary('Failed', { containers: [shell('job', 'exit 3')], restartPolicy: 'Never' }),
  ordinary(
    'Failed by its deadline',
    { containers: [handles], activeDeadlineSeconds: 5 },
    { after: 20 },
  ),
  ordinary('rejected by the kubelet', { containers: [handles], nodeSelector: { disk: 'none' } }),
  ordinary('init container runs, ignores SIGTERM', {
    initContainers: [{ ...ignores, name: 'first' }],
    containers: [handles],
    ...seconds(5),
  }),
  ordinary('init container runs, handles SIGTERM', {
    initContainers: [{ ...handles, name: 'first' }],
    containers: [handles],
  }),
  ordinary(
    'init container waits in its back-off',
    {
      initContainers: [shell('first', 'exit 1')],
      containers: [handles],
    },
    { after: 25 },
  ),
  ordinary('Never, init container has failed', {
    initContainers: [shell('first', 'exit 1')],
    containers: [handles],
    restartPolicy: 'Never',
  }),
  ordinary(
    'sidecar runs before a failing init container',
    {
      initContainers: [
        { ...ignores, name: 'side', restartPolicy: 'Always' },
        shell('first', 'exit 1'),
      ],
      containers: [handles],
      ...seconds(5),
    },
    { after: 25 },
  ),
  ordinary('image cannot be pulled', { containers: [unpullable] }, { after: 25 }),
  ordinary(
    'one runs, the image of the other cannot be pulled',
    {
      containers: [handles, unpullable],
    },
    { after: 25 },
  ),
  ordinary('critical', { containers: [handles], priorityClassName: 'system-node-critical' }),
  ordinary(
    'held by a finalizer',
    { containers: [handles] },
    { metadata: { finalizers: ['example.com/hold'] } },
  ),
  ordinary(
    'Succeeded, held by a finalizer',
    { containers: [shell('job', 'exit 0')], restartPolicy: 'Never' },
    { metadata: { finalizers: ['example.com/hold'] } },
  ),
  guarded('a budget allows its eviction', ordinary('', { containers: [handles] }, labels), [
    { name: 'guard', minAvailable: 0 },
  ]),
  guarded('a budget refuses its eviction', ordinary('', { containers: [handles] }, labels), [
    { name: 'guard', minAvailable: 1 },
  ]),
  guarded('two budgets', ordinary('', { containers: [handles] }, labels), [
    { name: 'a', minAvailable: 0 },
    { name: 'b', minAvailable: 0 },
  ]),
  guarded(
    'not ready, and a budget refuses',
    ordinary('', { containers: [shell('crash', 'exit 1')] }, { ...labels, after: 25 }),
    [{ name: 'guard', minAvailable: 1 }],
  ),
  guarded(
    'Succeeded, and a budget refuses',
    ordinary('', { containers: [shell('job', 'exit 0')], restartPolicy: 'Never' }, labels),
    [{ name: 'guard', minAvailable: 1 }],
  ),
  then('deleted 2 s ago with 30 s', ignoresSigterm, done('delete', 30, 2)),
  then('deleted 2 s ago with 5 s', ignoresSigterm, done('delete', 5, 2)),
  then('deleted by force 1 s ago', ignoresSigterm, done('forceDelete', null, 1)),
  then('killed 2 s ago with 20 s', ignoresSigterm, done('kill', 20, 2)),
  then('killed', handlesSigterm, done('kill', 5, 10)),
  then('evicted by the kubelet', ignoresSigterm, done('evictByKubelet', null, 10)),
  then(
    'stopped, held by a finalizer',
    ordinary('', { containers: [handles] }, { metadata: { finalizers: ['example.com/hold'] } }),
    done('delete', 5, 20),
  ),
  ofFile('handles SIGTERM', { containers: [handles] }),
  staticIgnoresSigterm,
  ofFile('Never, ignores SIGTERM', {
    containers: [ignores],
    restartPolicy: 'Never',
    ...seconds(5),
  }),
  ofFile('OnFailure, handles SIGTERM', { containers: [handles], restartPolicy: 'OnFailure' }),
  ofFile('OnFailure, ignores SIGTERM', {
    containers: [ignores],
    restartPolicy: 'OnFailure',
    ...seconds(5),
  }),
  ofFile('waits in its back-off', { containers: [shell('crash', 'exit 1')] }, 25),
  ofFile(
    'OnFailure, waits in its back-off',
    { containers: [shell('crash', 'exit 1')], restartPolicy: 'OnFailure' },
    25,
  ),
  ofFile('Succeeded', { containers: [shell('job', 'exit 0')], restartPolicy: 'Never' }),
  ofFile('Failed', { containers: [shell('job', 'exit 1')], restartPolicy: 'Never' }),
  ofFile('OnFailure, Succeeded', {
    containers: [shell('job', 'exit 0')],
    restartPolicy: 'OnFailure',
  }),
  ofFile('image cannot be pulled', { containers: [unpullable] }, 25),
  ofFile('init container runs', {
    initContainers: [{ ...ignores, name: 'first' }],
    containers: [handles],
    ...seconds(5),
  }),
  ofFile('sidecar', {
    initContainers: [{ ...ignores, name: 'side', restartPolicy: 'Always' }],
    containers: [ignores],
    ...seconds(8),
  }),
  then('static: waits for the old pod of its name', staticIgnoresSigterm, async (scenario) => {
    scenario.cluster.putManifests([staticPod({ containers: [handles] })])
    await scenario.seconds(3)
  }),
  then('static: its manifest is gone, it is stopping', staticIgnoresSigterm, async (scenario) => {
    scenario.cluster.putManifests([])
    await scenario.seconds(3)
  }),
  then('static: killed 2 s ago with 10 s', staticIgnoresSigterm, done('kill', 10, 2)),
  then('static: killed', staticIgnoresSigterm, done('kill', 1, 10)),
  then(
    'killed 2 s ago, one of two has ended',
    ordinary('', { containers: [handles, ignores], ...seconds(10) }),
    done('kill', null, 2),
  ),
  then(
    'deleted 2 s ago, its preStop hook runs',
    ordinary('', {
      containers: [preStop(ignores, { sleep: { seconds: 6 } })],
      ...seconds(12),
    }),
    done('delete', null, 2),
  ),
  then(
    'deleted 2 s ago, with a sidecar',
    ordinary('', {
      initContainers: [{ ...ignores, name: 'side', restartPolicy: 'Always' }],
      containers: [ignores],
      ...seconds(8),
    }),
    done('delete', null, 2),
  ),
  ordinary(
    'its postStart hook runs',
    { containers: [postStart(ignores, 20)], ...seconds(25) },
    { after: 6 },
  ),
  ordinary('its image is being pulled', { containers: [handles] }, { after: 0.5 }),
  ordinary('no node takes it', {
    nodeName: '',
    containers: [handles],
    nodeSelector: { disk: 'none' },
  }),
  then(
    'static: ignores SIGTERM, its mirror was deleted by force',
    ofFile('', { containers: [ignores] }),
    done('deleteMirror', 0, 2),
  ),
  then(
    'a container was restarted 8 s ago',
    handlesSigterm,
    done('restartContainer', 0, 8, 'handles'),
  ),
  then(
    'a container was restarted 12 minutes ago',
    handlesSigterm,
    done('restartContainer', 0, 720, 'handles'),
  ),
  then(
    'a container that ignores SIGTERM was restarted twice',
    then('', ignoresSigterm, done('restartContainer', 0, 30, 'ignores')),
    done('restartContainer', 0, 60, 'ignores'),
  ),
  then(
    'a container is being stopped at the runtime',
    ignoresSigterm,
    done('restartContainer', 20, 3, 'ignores'),
  ),
  then(
    'static: a container was restarted 8 s ago',
    ofFile('', { containers: [handles] }),
    done('restartContainer', 0, 8, 'handles'),
  ),
  ordinary('two init containers, the first handles SIGTERM', {
    initContainers: [{ ...handles, name: 'first' }, shell('second', 'sleep 5')],
    containers: [handles],
  }),
  ordinary('Never, an init container runs and ignores SIGTERM', {
    initContainers: [{ ...ignores, name: 'first' }],
    containers: [handles],
    restartPolicy: 'Never',
    ...seconds(5),
  }),
  ordinary('Never, with a sidecar', {
    initContainers: [{ ...shell('side', traps('exit 0')), restartPolicy: 'Always' }],
    containers: [handles],
    restartPolicy: 'Never',
  }),
  ordinary('OnFailure, handles SIGTERM and exits 3', {
    containers: [fails],
    restartPolicy: 'OnFailure',
  }),
  orphanMirror,
  // A hook may not sleep for longer than the grace period: the manifest would be rejected.
  ofFile('its postStart hook runs', { containers: [postStart(ignores, 20)], ...seconds(25) }, 6),
  ofFile('its image is being pulled', { containers: [handles] }, 0.5),
  then(
    'static: killed 1 s ago, takes 4 s',
    ofFile('', { containers: [handlesLate] }),
    done('kill', null, 1),
  ),
  ofFile('ignores SIGTERM, grace 0', { containers: [ignores], ...seconds(0) }),
  ofFile('rejected by the kubelet', { containers: [handles], nodeSelector: { disk: 'none' } }),
  then(
    'static: its mirror was deleted by force',
    ofFile('', { containers: [handles] }),
    done('deleteMirror', 0, 2),
  ),
  ...[
    handlesSigterm,
    ignoresSigterm,
    crashing,
    job,
    held,
    staticIgnoresSigterm,
    ofFile('Failed', { containers: [shell('job', 'exit 1')], restartPolicy: 'Never' }),
  ].flatMap((kind) => [
    then(`kubelet stopped: ${kind.title}`, kind, async (scenario) => {
      scenario.actOnNode('stopAgent')
      await scenario.seconds(2)
    }),
    then(`cut off: ${kind.title}`, kind, async (scenario) => {
      scenario.actOnNode('cutOff')
      await scenario.seconds(2)
    }),
  ]),
]
