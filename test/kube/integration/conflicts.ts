import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { handlesSigterm, ignoresSigterm, specOf } from './containers.ts'
import type { Scenario, ScenarioRun } from './scenario-run.ts'

const startedAndKilled = ['Created', 'Killing', 'Pulled', 'Started'] as const

function isRejected({ status }: Pod): boolean {
  return status?.phase === 'Failed' && status.reason !== undefined
}

function onPort(hostPort: number): Pod['spec'] {
  return specOf({ ...handlesSigterm(), ports: [{ containerPort: 80, hostPort }] })
}

/** `minAvailable` is more than there are, and no controller counts them here. */
export async function makeBudget(run: ScenarioRun): Promise<void> {
  await run.admin.ask('POST', `/apis/policy/v1/namespaces/${run.namespace}/poddisruptionbudgets`, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'kept' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  })
}

/** Pods that something is in the way of. */
export const conflicts: readonly Scenario[] = [
  {
    title: 'a budget refuses an eviction through the API, and the pod is deleted',
    key: 'budget',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await makeBudget(run)
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      await run.patch('web', { metadata: { labels: { app: 'web' } } })
      const refusal = await run.evict('web').then(
        () => 'none',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      )
      await run.delete('web')
      await run.untilGone('web')
      return { refusal }
    },
  },
  {
    title: 'a pod whose node selector does not fit is not admitted, and is deleted',
    key: 'selector',
    phases: { web: ['Pending', 'Failed', 'gone'] },
    events: ['NodeAffinity'],
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm(), { nodeSelector: { zone: 'far' } }))
      await run.until('web', 'is rejected', isRejected)
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'a host port is free again when the pod that had it is gone',
    key: 'host-port',
    phases: {
      first: ['Pending', 'Running', 'Succeeded', 'gone'],
      second: ['Pending', 'Failed', 'gone'],
      third: ['Pending', 'Running', 'Succeeded', 'gone'],
    },
    events: [...startedAndKilled, 'NodePorts'].toSorted(),
    steps: async (run) => {
      await run.create('first', onPort(8101))
      await run.untilRunning('first')
      await run.create('second', onPort(8101))
      await run.until('second', 'is rejected', isRejected)
      await run.delete('first')
      await run.untilGone('first')
      await run.create('third', onPort(8101))
      await run.untilRunning('third')
      await run.delete('third')
      await run.delete('second')
      await run.untilGone('third')
      await run.untilGone('second')
      return {}
    },
  },
  {
    title: 'two pods at once, created and deleted together',
    key: 'two-at-once',
    phases: {
      one: ['Pending', 'Running', 'Succeeded', 'gone'],
      two: ['Pending', 'Running', 'Succeeded', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      const both = ['one', 'two']
      await Promise.all(both.map((name) => run.create(name, specOf(handlesSigterm()))))
      await Promise.all(both.map((name) => run.untilRunning(name)))
      await Promise.all(both.map((name) => run.delete(name)))
      await Promise.all(both.map((name) => run.untilGone(name)))
      return {}
    },
  },
  {
    title: 'a deletion with the grace period of 5 s of a pod that ignores SIGTERM',
    key: 'grace-of-spec',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('web', specOf(ignoresSigterm(), { terminationGracePeriodSeconds: 5 }))
      await run.untilRunning('web')
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
]
