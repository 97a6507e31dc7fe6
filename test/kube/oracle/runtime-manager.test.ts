import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { containersToDelete } from '../../../src/main/kubelet/kuberuntime/container-gc.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { RuntimeState } from '../../../src/main/kubelet/container/runtime-state.ts'
import { podSyncError } from '../../../src/main/kubelet/container/runtime.ts'
import type { SyncAction } from '../../../src/main/kubelet/container/runtime.ts'
import { nodeStatus } from '../../../src/main/kubelet/node/node-status.ts'
import type { NodeDescription } from '../../../src/main/kubelet/node/node-status.ts'
import type { RuntimeService } from '../../../src/main/kubelet/ports.ts'
import { normalizeStatus } from '../../../src/main/kubelet/status/normalize-status.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { ok } from '../../../src/shared/result.ts'
import { compareFunction, oracleParameters } from './driving.ts'
import { type Oracle } from './oracle.ts'
import { describeOracle } from './oracle-suite.ts'
import { plain } from './plain.ts'
import { barePods } from './random-pods.ts'
import { forOracle, inRuntime } from './random-runtime.ts'
import { syncRuns } from './runtime-syncs.ts'
import type { SyncRun } from './runtime-syncs.ts'
import { OurSyncs } from './runtime-syncs-ours.ts'
import type { SyncOutcome } from './runtime-syncs-ours.ts'

const counted = {
  runs: 0,
  steps: 0,
  syncs: 0,
  calls: 0,
  events: 0,
  waits: 0,
  cut: 0,
  texts: 0,
  ready: 0,
  deletions: 0,
  messages: 0,
}

/** The reasons of results and events that runs came to. */
const met = new Set<string>()

/** Adjacent lines of one kind have no order if a Go map or goroutines choose it. */
function inOrder(outcome: SyncOutcome): SyncOutcome {
  const calls = outcome.calls.toSorted((a, b) => a.at - b.at || compareText(a.line, b.line))
  return {
    ...outcome,
    calls: withSortedRemovals(calls.map(withReadableConfig)),
    events: outcome.events.toSorted((a, b) => a.at - b.at || compareText(textOf(a), textOf(b))),
  }
}

/** Garbage is collected by a Go map of pods and names. */
function withoutOrder(outcome: SyncOutcome): SyncOutcome {
  const lines = outcome.calls.map(({ line }) => line).toSorted()
  return { ...outcome, calls: lines.map((line) => ({ at: 0, line })) }
}

function textOf({ reason, message }: SyncOutcome['events'][number]): string {
  return `${reason} ${message}`
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

type Call = SyncOutcome['calls'][number]

/** Go writes JSON into annotations by the fields of its structs. */
function withReadableConfig(call: Call): Call {
  const { config } = call
  if (config === undefined || !('annotations' in config)) return call
  const annotations = Object.entries(config.annotations as Readonly<Record<string, string>>)
  const readable = annotations.map(([key, value]) => [
    key,
    value.startsWith('{') ? JSON.parse(value) : value,
  ])
  return { ...call, config: { ...config, annotations: Object.fromEntries(readable) } }
}

function withSortedRemovals(calls: readonly Call[]): readonly Call[] {
  const sorted = [...calls]
  const isRemoval = (index: number): boolean =>
    sorted[index]?.line.startsWith('removeContainer') === true
  for (let from = 0; from < sorted.length; from++) {
    let until = from
    while (isRemoval(until)) until++
    const lines = sorted
      .slice(from, until)
      .map(({ line }) => line)
      .toSorted()
    for (const [index, line] of lines.entries())
      sorted[from + index] = { at: sorted[from + index]?.at ?? 0, line }
    from = Math.max(from, until - 1)
  }
  return sorted
}

/** The oracle runs the commands of hooks without gRPC, whose prefix a hook's error keeps. */
function withoutGrpc(outcome: object): unknown {
  return JSON.parse(
    JSON.stringify(outcome).replaceAll(
      'failed - error: rpc error: code = Unknown desc = ',
      'failed - error: ',
    ),
  ) as unknown
}

async function compare(oracle: Oracle, run: SyncRun): Promise<void> {
  // What nodescope_sync.go writes.
  const real = (await oracle.ask('run', run)) as readonly SyncOutcome[]
  const ours = new OurSyncs(run)
  counted.runs++
  for (const [index, step] of run.steps.entries()) {
    const own = await ours.take(step)
    if (own === undefined) {
      counted.cut++
      return
    }
    const theirs = real[index]
    if (theirs === undefined) throw new Error(`no outcome of step ${index}`)
    const inStepOrder = step.do === 'gc' ? withoutOrder : inOrder
    const readable = inStepOrder({
      ...theirs,
      calls: theirs.calls ?? [],
      events: theirs.events ?? [],
    })
    expect(plain(withoutGrpc({ index, step, ...inStepOrder(own) }))).toEqual(
      plain({ index, step, ...readable }),
    )
    counted.steps++
    if (step.do === 'sync') counted.syncs++
    counted.calls += own.calls.length
    counted.events += own.events.length
    for (const { reason } of [...own.events, ...own.results]) met.add(reason)
    counted.waits += own.backOff.filter((ms) => ms > 0).length
  }
}

interface RuntimeStateInput {
  readonly syncedMs: number | null
  readonly pleg: string
  readonly runtime: string
  readonly network: string
  readonly shutdown: string
}

/** The message of the Ready condition with a runtime that was ready so many ms ago. */
async function readyMessage(given: RuntimeStateInput): Promise<string | undefined> {
  const { syncedMs, pleg, runtime, network, shutdown } = given
  const clock = new VirtualClock(nodeClockHost, { startAt: 1_000_000 })
  const statusOf = (runtimeReady: boolean, networkReady: boolean, message: string) =>
    ok({
      conditions: [
        { type: 'RuntimeReady', status: runtimeReady, reason: 'RuntimeNotReady', message },
        { type: 'NetworkReady', status: networkReady, reason: 'NetworkPluginNotReady', message },
      ],
    })
  let status: Awaited<ReturnType<RuntimeService['status']>> = statusOf(true, true, '')
  const state = new RuntimeState({
    runtimeService: { status: () => Promise.resolve(status) },
    clock,
    log: new FakeLog(),
    healthError: () => (pleg === '' ? undefined : `PLEG is not healthy: ${pleg}`),
  })
  if (syncedMs !== null) {
    await state.refresh()
    await clock.advance(syncedMs)
  }
  // The runtime's two messages are one text in CRI's status of ours, so that they are set one after the other.
  status = statusOf(false, network === '', network)
  await state.refresh()
  const networkError = state.networkError()
  if (runtime !== '') {
    status = statusOf(false, true, runtime)
    await state.refresh()
  }
  const errors = state
    .runtimeErrors()
    .filter((error) => runtime !== '' || !error.startsWith('container runtime not ready'))
  const all = [...errors, networkError ?? '', shutdown].filter((error) => error !== '')
  const capacity = { cpu: '1', memory: '1', pods: '1', 'ephemeral-storage': '1' }
  const { conditions } = nodeStatus({ ...emptyDescription, capacity }, {}, all, clock.now())
  return conditions?.find(({ type }) => type === 'Ready')?.message
}

/** A pod of so many containers, one of which ended with the message. */
function cutPod(count: number, message: string): Pod {
  const containers = Array.from({ length: count }, (_, index) => ({ name: `c${index}` }))
  const terminated = { exitCode: 1, message }
  const status = { name: 'c0', ready: false, restartCount: 0, image: '', imageID: '' }
  return {
    metadata: { name: 'p', namespace: 'n', uid: 'u' },
    spec: { containers },
    status: { containerStatuses: [{ ...status, state: { terminated } }] },
  }
}

const emptyDescription: NodeDescription = {
  capacity: {},
  allocatable: {},
  addresses: [],
  nodeInfo: {},
  labels: {},
  taints: [],
}

const texts = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'KillContainerError',
    'no "quotes"',
    'two\nlines\t\\',
    '\u0000\u007f\u00a0\u2028é€😀',
  ),
  fc.string(),
)

await describeOracle(
  {
    name: 'runtime manager',
    subject: 'kuberuntime',
    title: 'the runtime manager, compared with kuberuntime’s',
    summary: () => {
      const { runs, steps, syncs, calls, events, waits, cut, texts, ready, deletions, messages } =
        counted
      return (
        `${runs} runs of ${steps} steps (${syncs} syncs; ${cut} runs cut where Go's map decides) with ${calls} calls of the runtime, ` +
        `${events} events and ${waits} back-offs as kuberuntime’s manager; ${texts} error texts, ${ready} Ready messages, ${deletions} removals after a death and ${messages} cut messages`
      )
    },
  },
  (oracle) => {
    it(
      'makes the same calls, records the same events and returns the same results in any run',
      { timeout: 240_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(syncRuns, (run) => compare(oracle, run)),
          oracleParameters(800),
        )
        expect([...met].toSorted()).toEqual([
          '',
          'BackOff',
          'CrashLoopBackOff',
          'CreateContainerConfigError',
          'CreateContainerError',
          'CreatePodSandboxError',
          'Created',
          'ErrImageNeverPull',
          'ErrImagePull',
          'Failed',
          'FailedCreatePodSandBox',
          'FailedPodSandBoxStatus',
          'FailedPostStartHook',
          'FailedPreStopHook',
          'ImageInspectError',
          'ImagePullBackOff',
          'InspectFailed',
          'InvalidImageName',
          'KillContainerError',
          'KillPodSandboxError',
          'Killing',
          'PostStartHookError',
          'Pulled',
          'Pulling',
          'RegistryUnavailable',
          'RunContainerError',
          'SandboxChanged',
          'SignatureValidationFailed',
          'Started',
        ])
      },
    )

    it('gives the same error messages of a sync', { timeout: 60_000 }, async () => {
      const results = fc.array(
        fc.record({
          action: fc.constantFrom<SyncAction>('StartContainer', 'KillContainer', 'KillPodSandbox'),
          target: fc.oneof(fc.constantFrom('a', 'b'), texts),
          reason: fc.constantFrom('', 'KillContainerError', 'CrashLoopBackOff'),
          message: texts,
        }),
        { maxLength: 4 },
      )
      counted.texts = await compareFunction(oracle, {
        ask: 'syncError',
        values: fc.record({ results, error: fc.oneof(fc.constant(''), texts) }),
        ours: ({ results: steps, error }) =>
          podSyncError({
            results: steps.map(({ action, target, reason, message }) => ({
              action,
              target,
              ...(reason === '' ? {} : { error: { reason, message, isBackOff: false } }),
            })),
            ...(error === '' ? {} : { error }),
          }) ?? null,
        count: 2000,
      })
    })

    it('gives the same message of a node’s Ready condition', { timeout: 60_000 }, async () => {
      const some = fc.constantFrom('', '', 'a', 'b', 'no "way"')
      const values = fc.record({
        syncedMs: fc.constantFrom(null, 0, 29_999, 30_000, 90_000),
        pleg: some,
        runtime: some,
        network: some,
        shutdown: some,
      })
      counted.ready = await compareFunction(oracle, {
        ask: 'readyMessage',
        values,
        // As `RuntimeState` words it.
        asked: ({ runtime, network, ...rest }) => ({
          ...rest,
          runtime:
            runtime === ''
              ? ''
              : `container runtime not ready: RuntimeReady=false reason:RuntimeNotReady message:${runtime}`,
          network:
            network === ''
              ? ''
              : `container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:${network}`,
        }),
        ours: readyMessage,
        count: 1000,
      })
    })

    it('removes the same dead containers after a container dies', { timeout: 60_000 }, async () => {
      const values = inRuntime(barePods).chain((value) =>
        fc.record({
          value: fc.constant(value),
          died: fc.constantFrom('gone', ...value.status.containers.map(({ id }) => id)),
          removeAll: fc.boolean(),
        }),
      )
      counted.deletions = await compareFunction(oracle, {
        ask: 'containersToDelete',
        values,
        asked: ({ value, died, removeAll }) => ({ ...forOracle(value), died, removeAll }),
        ours: ({ value, died, removeAll }) =>
          containersToDelete(value.status, removeAll ? undefined : died).map(({ id }) => id),
        count: 1000,
      })
    })

    it('truncates termination messages at the same byte', { timeout: 60_000 }, async () => {
      const characters = fc.constantFrom('x', 'ä', '€', '😀')
      const values = fc
        .record({
          count: fc.integer({ min: 1, max: 7 }),
          start: fc.string({ maxLength: 3 }),
          character: characters,
          repeated: fc.integer({ min: 400, max: 7000 }),
        })
        .map(({ count, start, character, repeated }) =>
          cutPod(count, start + character.repeat(repeated)),
        )
      counted.messages = await compareFunction(oracle, {
        ask: 'normalize',
        values,
        ours: (pod) => plain(normalizeStatus(pod, pod.status ?? {})),
        theirs: plain,
        count: 300,
      })
    })
  },
)
