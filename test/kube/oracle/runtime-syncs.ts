import fc from 'fast-check'
import type { Container, Pod } from '../../../src/shared/kubernetes/objects.ts'

/** A call of the runtime that fails: every one of the verb, or those about the target. */
export interface RuntimeFailure {
  readonly call: string
  readonly target: string
  readonly message: string
  readonly notFound: boolean
  /** Without gRPC's prefix. */
  readonly plain: boolean
}

/** What happens to a pod and its runtime; what nodescope_sync.go reads. */
export type SyncStep =
  | { readonly do: 'sync'; readonly fail: readonly RuntimeFailure[]; readonly deleted: boolean }
  | {
      readonly do: 'kill'
      readonly fail: readonly RuntimeFailure[]
      /** The override in seconds. */
      readonly grace?: number
      readonly runtimeOnly: boolean
    }
  | { readonly do: 'gc'; readonly fail: readonly RuntimeFailure[]; readonly deleted: boolean }
  | { readonly do: 'forget' | 'loseSandbox' }
  | { readonly do: 'advance'; readonly ms: number }
  | {
      readonly do: 'end'
      readonly container: string
      readonly exitCode: number
      readonly reason: string
    }
  | { readonly do: 'lose'; readonly container: string }
  | {
      readonly do: 'probe'
      readonly container: string
      readonly probe: 'liveness' | 'startup'
      readonly result: 'success' | 'failure' | 'none'
    }
  | { readonly do: 'edit'; readonly pod: Pod }

export interface ImageUser {
  readonly uid?: number
  readonly username?: string
}

/** How a container ends after SIGTERM. */
export interface StopScript {
  readonly afterMs: number
  readonly never: boolean
  readonly exitCode: number
}

/** A pod, what its runtime is like, and what happens. */
export interface SyncRun {
  readonly pod: Pod
  readonly users: Readonly<Record<string, ImageUser>>
  readonly stops: Readonly<Record<string, StopScript>>
  readonly steps: readonly SyncStep[]
}

const regularNames = ['a', 'b', 'c']
const initNames = ['i', 'j']
const images = ['img', 'img:1', 'img:2', 'other', 'Bad Name'] as const

const oneIn = (n: number): fc.Arbitrary<boolean> =>
  fc.integer({ min: 1, max: n }).map((drawn) => drawn === 1)

const maybe = <T>(n: number, values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  oneIn(n).chain((isThere) => (isThere ? values : fc.constant(undefined)))

const hooks = fc.oneof(
  fc.integer({ min: 0, max: 4 }).map((seconds) => ({ sleep: { seconds } })),
  fc
    .constantFrom(['hook', '0'], ['hook', '1500'], ['hook', '1', 'no "way"'], ['hook', '2500', ''])
    .map((command) => ({ exec: { command } })),
)

const lifecycles = fc.record({ preStop: hooks, postStart: hooks }, { requiredKeys: [] })

const securityContexts = fc.record(
  { runAsNonRoot: fc.boolean(), runAsUser: fc.constantFrom(0, 1000) },
  { requiredKeys: [] },
)

const probe = maybe(3, fc.constantFrom(1, 7)).map((seconds) => ({
  exec: { command: ['true'] },
  ...(seconds === undefined ? {} : { terminationGracePeriodSeconds: seconds }),
}))

function container(name: string, isSidecar: boolean): fc.Arbitrary<Container> {
  return fc
    .record({
      image: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...images.slice(0, 4)) },
        { weight: 1, arbitrary: fc.constant('Bad Name') },
      ),
      imagePullPolicy: fc.constantFrom('Always', 'IfNotPresent', 'IfNotPresent', 'Never'),
      lifecycle: maybe(3, lifecycles),
      securityContext: maybe(4, securityContexts),
      livenessProbe: maybe(4, probe),
      startupProbe: maybe(4, probe),
      cpu: maybe(4, fc.constantFrom('1', '500m')),
    })
    .map(
      ({
        image,
        imagePullPolicy,
        lifecycle,
        securityContext,
        livenessProbe,
        startupProbe,
        cpu,
      }) => ({
        name,
        image,
        imagePullPolicy,
        resources: cpu === undefined ? {} : { requests: { cpu } },
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        // Init containers that end have neither hooks nor probes.
        ...(isSidecar ? { restartPolicy: 'Always' as const } : {}),
        ...(lifecycle === undefined || (initNames.includes(name) && !isSidecar)
          ? {}
          : { lifecycle }),
        ...(securityContext === undefined ? {} : { securityContext }),
        ...(livenessProbe === undefined || (initNames.includes(name) && !isSidecar)
          ? {}
          : { livenessProbe }),
        ...(startupProbe === undefined || (initNames.includes(name) && !isSidecar)
          ? {}
          : { startupProbe }),
      }),
    )
}

const pods: fc.Arbitrary<Pod> = fc
  .record({
    containers: fc
      .subarray(regularNames, { minLength: 1 })
      .chain((some) => fc.tuple(...some.map((name) => container(name, false)))),
    initContainers: fc
      .subarray(initNames)
      .chain((some) =>
        fc.tuple(...some.map((name) => fc.boolean().chain((is) => container(name, is)))),
      ),
    restartPolicy: fc.constantFrom('Always', 'Always', 'OnFailure', 'Never'),
    terminationGracePeriodSeconds: fc.constantFrom(undefined, 0, 3, 30),
    deletionGracePeriodSeconds: maybe(6, fc.constantFrom(0, 1, 5)),
    securityContext: fc.oneof(fc.constant({}), securityContexts),
    hostNetwork: oneIn(6),
  })
  .map((drawn) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      namespace: 'n',
      uid: 'u',
      labels: { app: 'x' },
      ...(drawn.deletionGracePeriodSeconds === undefined
        ? {}
        : { deletionGracePeriodSeconds: drawn.deletionGracePeriodSeconds }),
    },
    spec: {
      containers: drawn.containers,
      ...(drawn.initContainers.length === 0 ? {} : { initContainers: drawn.initContainers }),
      restartPolicy: drawn.restartPolicy,
      securityContext: drawn.securityContext,
      ...(drawn.hostNetwork ? { hostNetwork: true } : {}),
      ...(drawn.terminationGracePeriodSeconds === undefined
        ? {}
        : { terminationGracePeriodSeconds: drawn.terminationGracePeriodSeconds }),
    },
  }))

const anyName = fc.constantFrom(...regularNames, ...initNames)

const messages = fc.constantFrom(
  'boom',
  'no "quotes" please',
  'two\nlines\t\\',
  'ü€😀',
  '\u0007\u007f',
)

/** By whose names CRI tells them. */
const namedPullFailures: fc.Arbitrary<RuntimeFailure> = fc
  .constantFrom('RegistryUnavailable', 'SignatureValidationFailed: bad key')
  .map((message) => ({ call: 'pullImage', target: '', message, notFound: false, plain: true }))

const anyFailures: fc.Arbitrary<RuntimeFailure> = fc
  .constantFrom(
    'runPodSandbox',
    'stopPodSandbox',
    'podSandboxStatus',
    'createContainer',
    'createContainer',
    'startContainer',
    'startContainer',
    'stopContainer',
    'stopContainer',
    'removeContainer',
    'pullImage',
    'pullImage',
    'imageStatus',
    'containerStatus',
    'execSync',
  )
  .chain((call) => {
    const targets = ['runPodSandbox', 'stopPodSandbox', 'podSandboxStatus'].includes(call)
      ? fc.constant('')
      : call === 'pullImage' || call === 'imageStatus'
        ? fc.constantFrom('', 'img:latest', 'img', 'img:1')
        : fc.oneof(fc.constant(''), anyName)
    return fc.record({
      call: fc.constant(call),
      target: targets,
      message: messages,
      notFound: call.startsWith('stop') ? oneIn(4) : fc.constant(false),
      plain: oneIn(2),
    })
  })

const failures = fc.oneof(
  { weight: 12, arbitrary: anyFailures },
  { weight: 1, arbitrary: namedPullFailures },
)

const failing: fc.Arbitrary<readonly RuntimeFailure[]> = oneIn(3).chain(
  (isFailing): fc.Arbitrary<readonly RuntimeFailure[]> =>
    isFailing
      ? fc.array(failures, { minLength: 1, maxLength: 2 })
      : fc.constant<readonly RuntimeFailure[]>([]),
)

type DrawnStep =
  | Exclude<SyncStep, { readonly do: 'edit' }>
  | { readonly do: 'edit'; readonly container: string; readonly image: string }

const exits = fc.constantFrom(
  { exitCode: 0, reason: 'Completed' },
  { exitCode: 1, reason: 'Error' },
  { exitCode: 137, reason: 'OOMKilled' },
)

const steps: fc.Arbitrary<DrawnStep> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .record({ fail: failing, deleted: oneIn(10) })
      .map((drawn) => ({ do: 'sync' as const, ...drawn })),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(anyName, exits)
      .map(([name, exit]) => ({ do: 'end' as const, container: name, ...exit })),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(500, 3000, 9000, 12_000, 25_000, 45_000, 160_000, 320_000, 700_000)
      .map((ms) => ({ do: 'advance' as const, ms })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        fail: failing,
        grace: fc.constantFrom(undefined, undefined, 0, 1, 10),
        runtimeOnly: oneIn(3),
      })
      .map(({ fail, grace, runtimeOnly }) => ({
        do: 'kill' as const,
        fail,
        runtimeOnly,
        ...(grace === undefined ? {} : { grace }),
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ fail: failing, deleted: oneIn(3) })
      .map((drawn) => ({ do: 'gc' as const, ...drawn })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ do: 'forget' as const }, { do: 'loseSandbox' as const }),
  },
  { weight: 1, arbitrary: anyName.map((name) => ({ do: 'lose' as const, container: name })) },
  {
    weight: 2,
    arbitrary: fc
      .record({
        container: anyName,
        probe: fc.constantFrom('liveness' as const, 'startup' as const),
        result: fc.constantFrom('success' as const, 'failure' as const, 'none' as const),
      })
      .map((drawn) => ({ do: 'probe' as const, ...drawn })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ container: anyName, image: fc.constantFrom('img', 'img:2', 'other') })
      .map((drawn) => ({ do: 'edit' as const, ...drawn })),
  },
)

function withImage(pod: Pod, name: string, image: string): Pod {
  const changed = (one: Container): Container => (one.name === name ? { ...one, image } : one)
  const { initContainers } = pod.spec
  return {
    ...pod,
    spec: {
      ...pod.spec,
      containers: pod.spec.containers.map(changed),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(changed) }),
    },
  }
}

function takenBy(pod: Pod, drawn: readonly DrawnStep[]): readonly SyncStep[] {
  let present = pod
  return drawn.map((step): SyncStep => {
    if (step.do !== 'edit') return step
    present = withImage(present, step.container, step.image)
    return { do: 'edit', pod: present }
  })
}

const users: fc.Arbitrary<ImageUser> = fc.constantFrom(
  {},
  {},
  { uid: 0 },
  { uid: 1000 },
  { uid: 2 ** 31 },
  { username: 'app' },
)

const stops: fc.Arbitrary<StopScript> = fc.record({
  afterMs: fc.constantFrom(0, 0, 700, 2500, 8000),
  never: oneIn(5),
  exitCode: fc.constantFrom(0, 0, 1, 143),
})

/** Runs that begin with a sync, mostly of a pod that is started again and again. */
export const syncRuns: fc.Arbitrary<SyncRun> = fc
  .record({
    pod: pods,
    users: fc.record({
      'img:latest': users,
      'img:1': users,
      'img:2': users,
      'other:latest': users,
    }),
    stops: fc.record({ a: stops, b: stops, c: stops, i: stops, j: stops }, { requiredKeys: [] }),
    drawn: fc.array(steps, { minLength: 1, maxLength: 30, size: 'max' }),
  })
  .map(({ pod, drawn, ...rest }) => ({
    pod,
    ...rest,
    steps: [{ do: 'sync', fail: [], deleted: false }, ...takenBy(pod, drawn)],
  }))
