import type { ContainerStatus, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { exitsAfter, handlesSigterm, specOf } from './containers.ts'
import { leaseFacts } from './observations.ts'
import { isNodeReady, untilNode, untilRenewed } from './node-waits.ts'
import { startOwnNode } from './own-node.ts'
import type { Scenario } from './scenario-run.ts'

const startedAndKilled = ['Created', 'Killing', 'Pulled', 'Started'] as const

function container({ status }: Pod): ContainerStatus | undefined {
  return status?.containerStatuses?.[0]
}

/** Kubelets whose configuration files have other values than the defaults. */
export const configurations: readonly Scenario[] = [
  {
    title: 'maxPods 2: the third pod is not admitted until one is gone',
    key: 'config-max-pods',
    node: 'config-max-pods',
    phases: {
      first: ['Pending', 'Running', 'Succeeded', 'gone'],
      fourth: ['Pending', 'Running', 'Succeeded', 'gone'],
      second: ['Pending', 'Running', 'Succeeded', 'gone'],
      third: ['Pending', 'Failed', 'gone'],
    },
    events: [...startedAndKilled, 'OutOfpods'].toSorted(),
    steps: async (run) => {
      await startOwnNode(run, { configuration: { maxPods: 2 } })
      for (const name of ['first', 'second']) {
        await run.create(name, specOf(handlesSigterm()))
        await run.untilRunning(name)
      }
      await run.create('third', specOf(handlesSigterm()))
      await run.until('third', 'is rejected', ({ status }) => status?.phase === 'Failed')
      await run.delete('first')
      await run.untilGone('first')
      await run.create('fourth', specOf(handlesSigterm()))
      await run.untilRunning('fourth')
      for (const name of ['second', 'third', 'fourth']) await run.delete(name)
      for (const name of ['second', 'third', 'fourth']) await run.untilGone(name)
      return {}
    },
  },
  {
    title: 'maxContainerRestartPeriod 2s: the fifth start comes without the back-off of 40 s',
    key: 'config-crash-loop',
    // Each wait has a random part of five seconds.
    node: 'config-crash-loop',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Pulled', 'Started'],
    cutAt: 'running since then ready started restarts 1',
    steps: async (run) => {
      const configuration = {
        featureGates: { KubeletCrashLoopBackOffMax: true },
        crashLoopBackOff: { maxContainerRestartPeriod: '2s' },
      }
      await startOwnNode(run, { configuration })
      await run.create('web', specOf(exitsAfter(1, { seconds: 5 })))
      const isFifth = (pod: Pod): boolean =>
        container(pod)?.restartCount === 4 && container(pod)?.state?.running !== undefined
      const { state, lastState } = container(await run.until('web', 'runs again', isFifth)) ?? {}
      const waitedMs =
        Date.parse(state?.running?.startedAt ?? '') -
        Date.parse(lastState?.terminated?.finishedAt ?? '')
      await run.delete('web', 0)
      await run.untilGone('web')
      return { isEarly: waitedMs < 30_000 }
    },
  },
  {
    title: 'registerWithTaints and nodeLeaseDurationSeconds are on the Node and its lease',
    key: 'config-node',
    node: 'config-node',
    phases: {},
    events: [],
    steps: async (run) => {
      const taints = [
        { key: 'example.com/dedicated', value: 'yes', effect: 'NoSchedule' },
        { key: 'example.com/slow', effect: 'PreferNoSchedule' },
      ]
      await startOwnNode(run, {
        configuration: { registerWithTaints: taints, nodeLeaseDurationSeconds: 60 },
      })
      const node = await untilNode(run, run.node, 'is ready', isNodeReady)
      const own = (node.spec?.taints ?? []).filter(({ key }) => key.startsWith('example.com/'))
      return { taints: own, lease: leaseFacts(await untilRenewed(run, run.node, 1), node) }
    },
  },
]
