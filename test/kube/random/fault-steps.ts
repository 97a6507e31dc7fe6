import type { RuntimeCall } from '../../../src/main/runtimes/simulated/runtime-faults.ts'
import type { Step } from '../../simulation/step-context.ts'
import type { FaultyTwins } from './faulty-twins.ts'

const calls: readonly RuntimeCall[] = [
  'runPodSandbox',
  'stopPodSandbox',
  'listPodSandboxes',
  'createContainer',
  'startContainer',
  'listContainers',
  'containerStatus',
  'pullImage',
]

const none = 'finds another fault under way'

/** The simulation's faults that two real processes can have at the same time. */
export const faultSteps = {
  'restart the kubelets': {
    weight: 3,
    act: async (twins, pick) => {
      const ms = pick.is(0.5) ? 0 : pick.whole(1000, 15_000)
      const signal = pick.oneOf('SIGTERM', 'SIGKILL')
      const isDone = await twins.fault(
        ms,
        (twin) => twin.node.stopKubelet(signal),
        (twin) => twin.node.startKubelet(),
      )
      return isDone ? `ends both kubelets with ${signal} for ${ms} ms` : none
    },
  },
  'cut the nodes off': {
    weight: 3,
    act: async (twins, pick) => {
      const ms = pick.is(0.4) ? 0 : pick.whole(1000, 20_000)
      const isDone = await twins.fault(
        ms,
        (twin) => twin.gate.close(),
        (twin) => twin.gate.open(),
      )
      return isDone ? `cuts both nodes off for ${ms} ms` : none
    },
  },
  'fail a runtime call': {
    weight: 6,
    act: (twins, pick) => {
      const call = pick.among(calls) ?? 'pullImage'
      const times = pick.whole(1, 2)
      for (const { machine } of twins.context.twins)
        machine.runtime.faults.failNext(
          call,
          { kind: 'failed', message: 'this failure is simulated' },
          times,
        )
      return `lets ${call} fail ${times} times`
    },
  },
} satisfies Readonly<Record<string, Step<FaultyTwins>>>
