import type { ContainerStatus, Pod, RestartPolicy } from '../../../src/shared/kubernetes/objects.ts'
import { obedient, passing, specOf, stubborn } from './containers.ts'
import type { Scenario, Stage } from './stage.ts'

const started = ['Created', 'Pulled', 'Started'] as const
const startedAndKilled = ['Created', 'Killing', 'Pulled', 'Started'] as const
const nothing = {} as const

function container(pod: Pod): ContainerStatus | undefined {
  return pod.status?.containerStatuses?.[0]
}

function hasPhase(phase: string): (pod: Pod) => boolean {
  return (pod) => pod.status?.phase === phase
}

/** Ends what the story leaves, so that nothing happens to it while others are still told. */
async function clear(stage: Stage, ...names: readonly string[]): Promise<void> {
  for (const name of names) await stage.delete(name, 0)
  for (const name of names) await stage.untilGone(name)
}

function exits(restartPolicy: RestartPolicy, exitCode: 0 | 1): Scenario {
  const isRestarted =
    restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode === 1)
  const end = exitCode === 0 ? 'Succeeded' : 'Failed'
  return {
    title: `a container that exits ${exitCode} under ${restartPolicy}`,
    key: `exits-${exitCode}-${restartPolicy.toLowerCase()}`,
    phases: { web: ['Pending', 'Running', ...(isRestarted ? [] : [end]), 'gone'] },
    events: started,
    ...(isRestarted ? { cutAt: 'running since then ready started restarts 1' } : {}),
    play: async (stage) => {
      await stage.create('web', specOf(passing(exitCode), { restartPolicy }))
      const isRunningAgain = (pod: Pod): boolean => (container(pod)?.restartCount ?? 0) > 0
      if (isRestarted) await stage.until('web', 'was started again', isRunningAgain)
      else await stage.untilEnded('web', end)
      await clear(stage, 'web')
      return nothing
    },
  }
}

/** What happens to ordinary pods that are bound to a node. */
export const ordinary: readonly Scenario[] = [
  ...(['Always', 'OnFailure', 'Never'] as const).flatMap((policy) => [
    exits(policy, 0),
    exits(policy, 1),
  ]),
  {
    title: 'init containers run one after the other, then the others together',
    key: 'init',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    play: async (stage) => {
      await stage.create('web', {
        initContainers: [
          passing(0, { name: 'first', seconds: 3 }),
          passing(0, { name: 'second', seconds: 3 }),
        ],
        containers: [obedient('one'), obedient('two')],
      })
      await stage.untilRunning('web')
      await clear(stage, 'web')
      return nothing
    },
  },
  {
    title: 'an init container that fails under Never fails its pod',
    key: 'init-fails',
    phases: { web: ['Pending', 'Failed', 'gone'] },
    events: started,
    play: async (stage) => {
      await stage.create('web', {
        initContainers: [passing(3, { name: 'first', seconds: 3 })],
        containers: [obedient()],
        restartPolicy: 'Never',
      })
      await stage.untilEnded('web', 'Failed')
      await clear(stage, 'web')
      return nothing
    },
  },
  {
    title: 'a deletion whose container ends by itself',
    key: 'deleted',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: startedAndKilled,
    play: async (stage) => {
      await stage.create('web', specOf(obedient()))
      await stage.untilRunning('web')
      await stage.delete('web')
      await stage.untilGone('web')
      return nothing
    },
  },
  {
    title: 'a deletion whose container has to be killed after the grace',
    key: 'deleted-stubborn',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: startedAndKilled,
    play: async (stage) => {
      await stage.create('web', specOf(stubborn()))
      await stage.untilRunning('web')
      await stage.delete('web', 4)
      await stage.untilGone('web')
      return nothing
    },
  },
  {
    title: 'a deletion of a pod that has ended',
    key: 'deleted-ended',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: started,
    play: async (stage) => {
      await stage.create('web', specOf(passing(0), { restartPolicy: 'Never' }))
      await stage.untilEnded('web', 'Succeeded')
      await stage.delete('web')
      await stage.untilGone('web')
      return nothing
    },
  },
  {
    title: 'a deletion by force',
    key: 'forced',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    play: async (stage) => {
      await stage.create('web', specOf(obedient()))
      await stage.untilRunning('web')
      await stage.delete('web', 0)
      await stage.untilGone('web')
      return nothing
    },
  },
  {
    title: 'an eviction through the API',
    key: 'evicted-api',
    phases: {
      obedient: ['Pending', 'Running', 'Succeeded', 'gone'],
      stubborn: ['Pending', 'Running', 'Failed', 'gone'],
    },
    events: startedAndKilled,
    play: async (stage) => {
      await stage.create('obedient', specOf(obedient()))
      await stage.create('stubborn', specOf(stubborn(), { terminationGracePeriodSeconds: 3 }))
      for (const name of ['obedient', 'stubborn']) {
        await stage.untilRunning(name)
        const path = `/api/v1/namespaces/${stage.namespace}/pods/${name}/eviction`
        await stage.admin.ask('POST', path, {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name, namespace: stage.namespace },
        })
      }
      await stage.untilGone('obedient')
      await stage.untilGone('stubborn')
      return nothing
    },
  },
  {
    title: 'an eviction by the kubelet',
    key: 'evicted-kubelet',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: ['Created', 'Evicted', 'Killing', 'Pulled', 'Started'],
    play: async (stage) => {
      await stage.create('web', specOf(stubborn()))
      await stage.mainAgent.evictByKubelet(await stage.untilRunning('web'))
      await stage.untilEnded('web', 'Failed')
      await clear(stage, 'web')
      return nothing
    },
  },
  {
    title: 'a kill by hand, which is no deletion',
    key: 'killed',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: startedAndKilled,
    play: async (stage) => {
      await stage.create('web', specOf(stubborn()))
      await stage.mainAgent.kill(await stage.untilRunning('web'), 2)
      await stage.untilEnded('web', 'Failed')
      await clear(stage, 'web')
      return nothing
    },
  },
  {
    title: 'pods of each class of service, and pods that the node does not admit beside them',
    key: 'rejected',
    phases: {
      burstable: ['Pending', 'Running', 'gone'],
      cpu: ['Pending', 'Failed', 'gone'],
      guaranteed: ['Pending', 'Running', 'gone'],
      memory: ['Pending', 'Failed', 'gone'],
      port: ['Pending', 'Failed', 'gone'],
      selector: ['Pending', 'Failed', 'gone'],
      taken: ['Pending', 'Running', 'gone'],
    },
    events: [
      'Created',
      'Killing',
      'NodeAffinity',
      'NodePorts',
      'OutOfcpu',
      'OutOfmemory',
      'Pulled',
      'Started',
    ],
    play: async (stage) => {
      const asking = (requests: Readonly<Record<string, string>>) =>
        specOf({ ...obedient(), resources: { requests } })
      const onPort = specOf({ ...obedient(), ports: [{ containerPort: 80, hostPort: 8099 }] })
      // No other story here asks for anything, so what is used is known.
      const both = { cpu: '10m', memory: '16Mi' }
      await stage.create('burstable', asking({ memory: '16Mi' }))
      await stage.create(
        'guaranteed',
        specOf({ ...obedient(), resources: { requests: both, limits: both } }),
      )
      await stage.untilRunning('burstable')
      await stage.untilRunning('guaranteed')
      await stage.create('cpu', asking({ cpu: '500' }))
      await stage.create('memory', asking({ memory: '5Ti' }))
      await stage.create('selector', specOf(obedient(), { nodeSelector: { disk: 'fast' } }))
      await stage.create('taken', onPort)
      await stage.untilRunning('taken')
      await stage.create('port', onPort)
      const rejected = ['cpu', 'memory', 'selector', 'port']
      for (const name of rejected) await stage.until(name, 'is rejected', hasPhase('Failed'))
      await clear(stage, ...rejected, 'burstable', 'guaranteed', 'taken')
      return nothing
    },
  },
  {
    title: 'an active deadline that passes',
    key: 'deadline',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: ['Created', 'DeadlineExceeded', 'Killing', 'Pulled', 'Started'],
    play: async (stage) => {
      await stage.create('web', specOf(obedient('c', 1), { activeDeadlineSeconds: 12 }))
      await stage.untilEnded('web', 'Failed')
      await clear(stage, 'web')
      return nothing
    },
  },
  {
    title: 'an image that cannot be pulled',
    key: 'image',
    phases: { web: ['Pending', 'gone'] },
    events: ['BackOff', 'Failed', 'Pulling'],
    play: async (stage) => {
      await stage.create('web', specOf({ ...obedient(), image: 'busybox:missing' }))
      const isBackingOff = (pod: Pod): boolean =>
        container(pod)?.state?.waiting?.reason === 'ImagePullBackOff'
      await stage.until('web', 'backs off', isBackingOff)
      await clear(stage, 'web')
      return nothing
    },
  },
]
