import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { sleep } from '../../../src/main/kubelet/container/deferred.ts'
import { FakeEventRecorder } from '../../../src/main/kubelet/container/fake-event-recorder.ts'
import { PodStatusCache } from '../../../src/main/kubelet/container/pod-cache.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { probeSpecOf } from '../../../src/main/kubelet/probe/handler-spec.ts'
import { refusingNetwork } from '../../../src/main/kubelet/probe/refusing-network.ts'
import { Prober } from '../../../src/main/kubelet/prober/prober.ts'
import { ProbeTimer } from '../../../src/main/kubelet/prober/probe-timer.ts'
import { ProbeWorker } from '../../../src/main/kubelet/prober/probe-worker.ts'
import { ResultsManager } from '../../../src/main/kubelet/prober/results-manager.ts'
import type { RuntimeService } from '../../../src/main/kubelet/ports.ts'
import type { ContainerStatus, Pod, PodStatus } from '../../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../../src/shared/result.ts'
import { oracleParameters } from './driving.ts'
import { describeOracle } from './oracle-suite.ts'

const startAt = Date.UTC(2000, 0, 1)
const dayMs = 86_400_000

// --- random lives of workers -----------------------------------------------------------------

const commands = fc.record({
  ends: fc.constantFrom('exit', 'exit', 'exit', 'exit', 'timeout', 'error'),
  code: fc.constantFrom(0, 0, 1),
  output: fc.constantFrom('', 'out'),
  // Three of them take less than a period, and end when nothing else happens.
  takes: fc.constantFrom(0, 0, 50, 300),
})

const states = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(-5, 0, 4).map((second) => ({
      running: { startedAt: new Date(startAt + second * 1000).toISOString() },
    })),
  },
  { weight: 1, arbitrary: fc.constant({ waiting: { reason: 'CrashLoopBackOff' } }) },
  { weight: 1, arbitrary: fc.constant({ terminated: { exitCode: 1 } }) },
)

const containers = fc.record({
  containerID: fc.constantFrom('fake://c1', 'fake://c1', 'fake://c1', 'fake://c2', ''),
  state: states,
  started: fc.constantFrom(true, true, false),
})

const running = Array.from({ length: 9 }, () => 'Running' as const)
const phases = fc.constantFrom(...running, 'Pending', 'Failed')

const statusParts = fc.record({ phase: phases, container: containers })

const steps = fc.record({
  status: fc.option(statusParts, { nil: undefined, freq: 1 }),
  noStatus: fc.integer({ min: 0, max: 15 }).map((number) => number === 0),
  commands: fc.option(fc.array(commands, { minLength: 1, maxLength: 4 }), { nil: undefined }),
  act: fc.constantFrom(...Array.from({ length: 12 }, () => ''), 'trigger', 'trigger', 'stop'),
  // Longer than a probe, and never at the same moment as a tick.
  ms: fc.integer({ min: 1, max: 9 }).map((seconds) => seconds * 1000 + 37),
})

const lives = fc.record({
  type: fc.constantFrom('liveness', 'readiness', 'startup'),
  isInit: fc.boolean(),
  isDeleted: fc.constantFrom(false, false, false, false, true),
  restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never'),
  probe: fc.record(
    {
      initialDelaySeconds: fc.constantFrom(0, 3),
      periodSeconds: fc.constantFrom(1, 2, 5),
      successThreshold: fc.constantFrom(1, 1, 2),
      failureThreshold: fc.constantFrom(1, 2, 3),
    },
    { requiredKeys: ['periodSeconds', 'successThreshold', 'failureThreshold'] },
  ),
  first: statusParts,
  steps: fc.array(steps, { minLength: 1, maxLength: 16, size: 'max' }),
})

type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never
type Life = ValueOf<typeof lives>
type Command = ValueOf<typeof commands>

const fields = { liveness: 'livenessProbe', readiness: 'readinessProbe', startup: 'startupProbe' }

function podOf({ type, isInit, isDeleted, restartPolicy, probe }: Life): Pod {
  const probed = { ...probe, timeoutSeconds: 1, exec: { command: ['run', 'it'] } }
  const container = { name: 'c', image: 'i', [fields[type]]: probed }
  const other = { name: 'other', image: 'i' }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      namespace: 'n',
      uid: 'u',
      ...(isDeleted ? { deletionTimestamp: '2000-01-01T00:00:00Z' } : {}),
    },
    spec: {
      restartPolicy,
      containers: [isInit ? other : container],
      ...(isInit ? { initContainers: [{ ...container, restartPolicy: 'Always' }] } : {}),
    },
  }
}

function statusOf({ isInit }: Life, { phase, container }: ValueOf<typeof statusParts>): PodStatus {
  const rest = { name: 'c', ready: false, restartCount: 0, image: '', imageID: '' }
  const status: ContainerStatus = { ...rest, ...container }
  return { phase, [isInit ? 'initContainerStatuses' : 'containerStatuses']: [status] }
}

/** With the first status as one more step. */
function stepsOf(life: Life): readonly object[] {
  return [{ status: life.first, ms: 1037 }, ...life.steps].map((step) =>
    'status' in step && step.status !== undefined
      ? { ...step, status: statusOf(life, step.status) }
      : step,
  )
}

// --- ours ------------------------------------------------------------------------------------

interface Step {
  readonly status?: PodStatus
  readonly noStatus?: boolean
  readonly commands?: readonly Command[]
  readonly act?: string
  readonly ms: number
}

const resultNames = { success: 'Success', failure: 'Failure', unknown: 'UNKNOWN' } as const

/** What the worker does, line by line, as overlay/pkg/kubelet/prober/nodescope_run.go writes it. */
async function runOurs(life: Life): Promise<readonly string[]> {
  const clock = new VirtualClock(nodeClockHost, { startAt })
  const log: string[] = []
  const write = (line: string): void => void log.push(`${clock.now() - startAt} ${line}`)
  let ran = 0
  let ends: readonly Command[] = []
  let status: PodStatus | undefined
  const execSync: RuntimeService['execSync'] = async () => {
    ran++
    const [end] = ends
    if (ends.length > 1) ends = ends.slice(1)
    if (end === undefined) return ok({ stdout: '', stderr: '', exitCode: 0 })
    await sleep(clock, end.takes)
    if (end.ends === 'timeout') return err({ kind: 'deadline-exceeded', message: '' })
    if (end.ends === 'error') return err({ kind: 'failed', message: end.output })
    return ok({ stdout: end.output, stderr: '', exitCode: end.code })
  }
  const pod = podOf(life)
  const [container] = pod.spec.initContainers ?? pod.spec.containers
  const spec = container === undefined ? undefined : probeSpecOf(container, life.type)
  if (container === undefined || spec === undefined) throw new Error('no probe')
  const parts = {
    clock,
    trace: new FakeTrace(),
    recorder: new FakeEventRecorder(),
    network: refusingNetwork(clock),
    runtimeService: { execSync },
  }
  const results = new ResultsManager(({ containerId, result }) => {
    write(`${containerId} ${resultNames[result]}`)
  })
  const worker = new ProbeWorker(
    {
      ...parts,
      timer: new ProbeTimer(clock),
      results,
      statuses: { getPodStatus: () => status },
      prober: new Prober(parts),
      podCache: new PodStatusCache({ clock }),
      causesOf: () => [],
      onEnd: () => {
        write('ended')
      },
    },
    { type: life.type, spec, pod, container },
    0,
  )
  await clock.advance(0)
  // The steps of `stepsOf`.
  for (const step of stepsOf(life) as readonly Step[]) {
    if (step.status !== undefined) status = step.status
    if (step.noStatus === true) status = undefined
    if (step.commands !== undefined) ends = step.commands
    if (step.act === 'stop') worker.stop()
    if (step.act === 'trigger') worker.trigger()
    await clock.advance(step.ms)
    write(`ran ${ran}`)
  }
  worker.stop()
  await clock.advance(dayMs)
  return log
}

// --- compared --------------------------------------------------------------------------------

const counted = { lives: 0, probes: 0, results: 0 }

await describeOracle(
  {
    name: 'probe workers',
    subject: 'probeWorker',
    title: 'a probe worker',
    summary: () =>
      `${counted.lives} lives of probe workers, ${counted.probes} runs of commands, ${counted.results} results`,
  },
  (oracle) => {
    it('probes at the same times and has the same results', { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(lives, async (life) => {
          const run = { pod: podOf(life), type: life.type, init: life.isInit, steps: stepsOf(life) }
          const theirs = (await oracle.ask('run', run)) as readonly string[]
          expect(await runOurs(life)).toEqual(theirs)
          counted.lives++
          counted.probes += Number(
            /ran (\d+)$/.exec(theirs.join('\n').replace(/\n\d+ ended$/, ''))?.[1] ?? 0,
          )
          counted.results += theirs.filter((line) => line.includes(' c')).length
        }),
        oracleParameters(1500),
      )
    })
  },
)
