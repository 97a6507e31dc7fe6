import type { ContainerStatus, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { handlesSigterm, ignoresSigterm, specOf } from './containers.ts'
import { mainNode, type Scenario, type ScenarioRun } from './scenario-run.ts'
import { manifestOf, remove } from './static.ts'

const started = ['Created', 'Pulled', 'Started'] as const
const startedAndKilled = ['Created', 'Killing', 'Pulled', 'Started'] as const

function containersOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
}

/** StopContainer of the runtime for the container that runs now, as `crictl stop` asks for it. */
export async function stopAtRuntime(
  run: ScenarioRun,
  pod: string,
  container: string,
  timeoutSeconds: number,
): Promise<void> {
  const status = containersOf(run.pod(pod) ?? fail(pod)).find(({ name }) => name === container)
  const id = status?.containerID?.replace(/^.*:\/\//, '') ?? fail(container)
  const { machine } = run.mainKubelet
  const answer = await machine?.runtime.stopContainer(id, timeoutSeconds)
  if (answer?.ok !== true) throw new Error(`${container} of ${pod} was not stopped`)
}

function fail(name: string): never {
  throw new Error(`there is no ${name}`)
}

/** Waits until the container runs after that many restarts. */
export async function untilRestarted(
  run: ScenarioRun,
  pod: string,
  name: string,
  restarts: number,
): Promise<void> {
  await run.until(pod, `has restarted ${name}`, (now) =>
    containersOf(now).some(
      (one) =>
        one.name === name && one.restartCount === restarts && one.state?.running !== undefined,
    ),
  )
}

/** Another client of the runtime stops a container, which no kubelet is asked for. */
export const stoppedContainers: readonly Scenario[] = [
  {
    title:
      'a container is stopped at the runtime twice: it restarts at once, and after its back-off',
    key: 'stopped-always',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['BackOff', ...started],
    cutAt: 'restarts 2',
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      await stopAtRuntime(run, 'web', 'c', 5)
      await untilRestarted(run, 'web', 'c', 1)
      await stopAtRuntime(run, 'web', 'c', 5)
      await untilRestarted(run, 'web', 'c', 2)
      await run.delete('web', 0)
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'the container of a static pod is stopped at the runtime, and ends by SIGKILL',
    key: 'stopped-static',
    phases: { [`web-${mainNode}`]: ['Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const name = `web-${mainNode}`
      const spec = specOf(ignoresSigterm(), { terminationGracePeriodSeconds: 2 })
      await run.mainKubelet.putManifest(manifestOf(run, 'web', spec))
      await run.untilRunning(name)
      await stopAtRuntime(run, name, 'c', 1)
      await untilRestarted(run, name, 'c', 1)
      await remove(run, 'web')
      return {}
    },
  },
  {
    title: 'containers are stopped at the runtime that the restart policy leaves as they end',
    key: 'stopped-ended',
    phases: {
      failure: ['Pending', 'Running', 'Succeeded', 'gone'],
      never: ['Pending', 'Running', 'Failed', 'gone'],
      two: ['Pending', 'Running', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('failure', specOf(handlesSigterm(), { restartPolicy: 'OnFailure' }))
      await run.create('never', specOf(ignoresSigterm(), { restartPolicy: 'Never' }))
      await run.create('two', {
        containers: [handlesSigterm('a'), ignoresSigterm('b')],
        restartPolicy: 'Never',
      })
      for (const name of ['failure', 'never', 'two']) await run.untilRunning(name)
      await stopAtRuntime(run, 'failure', 'c', 5)
      await stopAtRuntime(run, 'never', 'c', 0)
      await stopAtRuntime(run, 'two', 'a', 5)
      await run.untilEnded('failure', 'Succeeded')
      await run.untilEnded('never', 'Failed')
      await run.until('two', 'has lost one', (pod) =>
        containersOf(pod).some(
          ({ name, state }) => name === 'a' && state?.terminated !== undefined,
        ),
      )
      for (const name of ['failure', 'never']) {
        await run.delete(name)
        await run.untilGone(name)
      }
      await run.delete('two', 0)
      await run.untilGone('two')
      return {}
    },
  },
  {
    title: 'an init container and a sidecar are stopped at the runtime',
    key: 'stopped-init',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('web', {
        initContainers: [
          { ...handlesSigterm('side'), restartPolicy: 'Always' },
          handlesSigterm('first'),
        ],
        containers: [handlesSigterm()],
      })
      await untilRestarted(run, 'web', 'first', 0)
      await stopAtRuntime(run, 'web', 'side', 5)
      await untilRestarted(run, 'web', 'side', 1)
      await stopAtRuntime(run, 'web', 'first', 5)
      await run.untilRunning('web')
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
]
