import type { Container, ContainerStatus, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { exitsAfter, handlesSigterm, ignoresSigterm, specOf } from './containers.ts'
import type { Scenario, ScenarioRun } from './scenario-run.ts'

function ephemeral(pod: Pod, name: string): ContainerStatus | undefined {
  return pod.status?.ephemeralContainerStatuses?.find((status) => status.name === name)
}

async function untilWaits(run: ScenarioRun, name: string, reason: string): Promise<void> {
  await run.until(
    'web',
    `has ${name} waiting with ${reason}`,
    (pod) => ephemeral(pod, name)?.state?.waiting?.reason === reason,
  )
}

async function untilRuns(run: ScenarioRun, name: string): Promise<void> {
  await run.until(
    'web',
    `runs ${name}`,
    (pod) => ephemeral(pod, name)?.state?.running !== undefined,
  )
}

async function untilOver(run: ScenarioRun, name: string): Promise<void> {
  await run.until(
    'web',
    `has ${name} ended`,
    (pod) => ephemeral(pod, name)?.state?.terminated !== undefined,
  )
}

function targeting(container: Container, targetContainerName: string): Container {
  return { ...container, targetContainerName }
}

/** What `kubectl debug` adds to pods. */
export const ephemeralContainers: readonly Scenario[] = [
  {
    title: 'ephemeral containers run once in a pod that runs',
    key: 'ephemeral',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started'],
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      await run.addEphemeralContainer('web', exitsAfter(3, { name: 'd', seconds: 4 }))
      await untilOver(run, 'd')
      await run.addEphemeralContainer('web', targeting(handlesSigterm('e'), 'c'))
      await untilRuns(run, 'e')
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'an ephemeral container runs while an init container does, and waits for its target',
    key: 'ephemeral-init',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Failed', 'Pulled', 'Started'],
    cutAt: 'late: running since then',
    steps: async (run) => {
      await run.create('web', {
        initContainers: [exitsAfter(0, { name: 'first', seconds: 12 })],
        containers: [ignoresSigterm()],
      })
      await run.untilEvent('Started', 'spec.initContainers{first}')
      await run.addEphemeralContainer('web', handlesSigterm('early'))
      await untilRuns(run, 'early')
      await run.addEphemeralContainer('web', targeting(handlesSigterm('late'), 'c'))
      await untilWaits(run, 'late', 'CreateContainerConfigError')
      await untilRuns(run, 'late')
      await run.delete('web', 0)
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'an ephemeral container whose target has exited cannot be created',
    key: 'ephemeral-target-exited',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Failed', 'Pulled', 'Started'],
    cutAt: 'd: waiting CreateContainerError',
    steps: async (run) => {
      await run.create('web', {
        restartPolicy: 'Never',
        containers: [ignoresSigterm('stays'), exitsAfter(0, { name: 'over', seconds: 8 })],
      })
      const isOver = (pod: Pod): boolean =>
        (pod.status?.containerStatuses ?? []).some(({ state }) => state?.terminated !== undefined)
      await run.until('web', 'has one container that exited', isOver)
      await run.addEphemeralContainer('web', targeting(handlesSigterm('d'), 'over'))
      await untilWaits(run, 'd', 'CreateContainerError')
      await run.delete('web', 0)
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'an ephemeral container ends with its pod',
    key: 'ephemeral-ends',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started'],
    steps: async (run) => {
      const spec = specOf(exitsAfter(0, { seconds: 15 }), {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 4,
      })
      await run.create('web', spec)
      await run.untilRunning('web')
      await run.addEphemeralContainer('web', ignoresSigterm('d'))
      await untilRuns(run, 'd')
      await run.untilEnded('web', 'Succeeded')
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
]
