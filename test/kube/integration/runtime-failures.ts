import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { FailingCall } from '../cri/recorded-runtime.ts'
import { handlesSigterm, specOf } from './containers.ts'
import type { Scenario, ScenarioRun } from './scenario-run.ts'

const startedAndKilled = ['Created', 'Killing', 'Pulled', 'Started'] as const

function failNext(run: ScenarioRun, call: FailingCall): void {
  run.mainKubelet.machine?.runtime.failNext(call, run.namespace, 2)
}

/** A pod whose start meets two failures of a call of CRI. */
function failingStart(
  call: Exclude<FailingCall, 'StopContainer'>,
  key: string,
  events: readonly string[],
): Scenario {
  return {
    title: `${call} fails twice`,
    key,
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: [...startedAndKilled, ...events].toSorted(),
    steps: async (run) => {
      failNext(run, call)
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  }
}

/** Calls of CRI that a runtime refuses, each twice. */
export const runtimeFailures: readonly Scenario[] = [
  failingStart('RunPodSandbox', 'fails-sandbox', ['FailedCreatePodSandBox']),
  failingStart('CreateContainer', 'fails-create', ['Failed']),
  failingStart('StartContainer', 'fails-start', ['Failed']),
  {
    title: 'StopContainer fails twice, and the end of the sandbox kills the container',
    key: 'fails-stop',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: [...startedAndKilled, 'FailedKillPod'].toSorted(),
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      failNext(run, 'StopContainer')
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'StopContainer fails twice for a container with a changed image',
    key: 'fails-stop-changed',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Pulling', 'Started'],
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      failNext(run, 'StopContainer')
      await run.patch('web', { spec: { containers: [{ name: 'c', image: 'busybox:1.35' }] } })
      const hasNewImage = ({ status }: Pod): boolean =>
        status?.containerStatuses?.[0]?.restartCount === 1 &&
        status.containerStatuses[0].state?.running !== undefined
      await run.until('web', 'runs the new image', hasNewImage)
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
]
