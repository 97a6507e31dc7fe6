import type { ContainerStatus, Pod, RestartPolicy } from '../../../src/shared/kubernetes/objects.ts'
import { handlesSigterm, exitsAfter, specOf, ignoresSigterm } from './containers.ts'
import { isReady, type Scenario, type ScenarioRun } from './scenario-run.ts'

const started = ['Created', 'Pulled', 'Started'] as const
const startedAndKilled = ['Created', 'Killing', 'Pulled', 'Started'] as const

function container(pod: Pod): ContainerStatus | undefined {
  return pod.status?.containerStatuses?.[0]
}

function hasPhase(phase: string): (pod: Pod) => boolean {
  return (pod) => pod.status?.phase === phase
}

/** Deletes the remaining pods, so that they do not change while other scenarios run. */
async function clear(run: ScenarioRun, ...names: readonly string[]): Promise<void> {
  for (const name of names) await run.delete(name, 0)
  for (const name of names) await run.untilGone(name)
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
    steps: async (run) => {
      await run.create('web', specOf(exitsAfter(exitCode), { restartPolicy }))
      const isRunningAgain = (pod: Pod): boolean => (container(pod)?.restartCount ?? 0) > 0
      if (isRestarted) await run.until('web', 'was started again', isRunningAgain)
      else await run.untilEnded('web', end)
      await clear(run, 'web')
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
    title: 'init containers run in sequence, then the app containers run together',
    key: 'init',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('web', {
        initContainers: [
          exitsAfter(0, { name: 'first', seconds: 3 }),
          exitsAfter(0, { name: 'second', seconds: 3 }),
        ],
        containers: [handlesSigterm('one'), handlesSigterm('two')],
      })
      await run.untilRunning('web')
      await clear(run, 'web')
    },
  },
  {
    title: 'an init container that fails under Never fails its pod',
    key: 'init-fails',
    phases: { web: ['Pending', 'Failed', 'gone'] },
    events: started,
    steps: async (run) => {
      await run.create('web', {
        initContainers: [exitsAfter(3, { name: 'first', seconds: 3 })],
        containers: [handlesSigterm()],
        restartPolicy: 'Never',
      })
      await run.untilEnded('web', 'Failed')
      await clear(run, 'web')
    },
  },
  {
    title: 'a deletion of a container that handles SIGTERM',
    key: 'deleted',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      await run.delete('web')
      await run.untilGone('web')
    },
  },
  {
    title: 'a deletion of a container that ignores SIGTERM',
    key: 'deleted-ignores-sigterm',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('web', specOf(ignoresSigterm()))
      await run.untilRunning('web')
      await run.delete('web', 4)
      await run.untilGone('web')
    },
  },
  {
    title: 'a deletion of a terminated pod',
    key: 'deleted-ended',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: started,
    steps: async (run) => {
      await run.create('web', specOf(exitsAfter(0), { restartPolicy: 'Never' }))
      await run.untilEnded('web', 'Succeeded')
      await run.delete('web')
      await run.untilGone('web')
    },
  },
  {
    title: 'a forced deletion',
    key: 'forced',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      await run.delete('web', 0)
      await run.untilGone('web')
    },
  },
  {
    title: 'an eviction through the API',
    key: 'evicted-api',
    phases: {
      handles: ['Pending', 'Running', 'Succeeded', 'gone'],
      ignores: ['Pending', 'Running', 'Failed', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('handles', specOf(handlesSigterm()))
      await run.create('ignores', specOf(ignoresSigterm(), { terminationGracePeriodSeconds: 3 }))
      for (const name of ['handles', 'ignores']) {
        await run.untilRunning(name)
        await run.evict(name)
      }
      await run.untilGone('handles')
      await run.untilGone('ignores')
    },
  },
  {
    title: 'an eviction by the kubelet',
    key: 'evicted-kubelet',
    onlyOurs: 'only the program’s page can do it by hand',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: ['Created', 'Evicted', 'Killing', 'Pulled', 'Started'],
    steps: async (run) => {
      await run.create('web', specOf(ignoresSigterm()))
      await run.mainAgent.evictByKubelet(await run.untilRunning('web'))
      await run.untilEnded('web', 'Failed')
      await clear(run, 'web')
    },
  },
  {
    title: 'a manual kill without a deletion',
    key: 'killed',
    onlyOurs: 'only the program’s page can do it by hand',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('web', specOf(ignoresSigterm()))
      await run.mainAgent.kill(await run.untilRunning('web'), 2)
      await run.untilEnded('web', 'Failed')
      await clear(run, 'web')
    },
  },
  {
    title: 'pods of each QoS class, and pods that the node does not admit',
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
    steps: async (run) => {
      const asking = (requests: Readonly<Record<string, string>>) =>
        specOf({ ...handlesSigterm(), resources: { requests } })
      const onPort = specOf({ ...handlesSigterm(), ports: [{ containerPort: 80, hostPort: 8099 }] })
      // No other scenario here requests resources, so the usage is known.
      const both = { cpu: '10m', memory: '16Mi' }
      await run.create('burstable', asking({ memory: '16Mi' }))
      await run.create(
        'guaranteed',
        specOf({ ...handlesSigterm(), resources: { requests: both, limits: both } }),
      )
      await run.untilRunning('burstable')
      await run.untilRunning('guaranteed')
      await run.create('cpu', asking({ cpu: '500' }))
      await run.create('memory', asking({ memory: '5Ti' }))
      await run.create('selector', specOf(handlesSigterm(), { nodeSelector: { disk: 'fast' } }))
      await run.create('taken', onPort)
      await run.untilRunning('taken')
      await run.create('port', onPort)
      const rejected = ['cpu', 'memory', 'selector', 'port']
      for (const name of rejected) await run.until(name, 'is rejected', hasPhase('Failed'))
      await clear(run, ...rejected, 'burstable', 'guaranteed', 'taken')
    },
  },
  {
    title: 'an exceeded active deadline',
    key: 'deadline',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: ['Created', 'DeadlineExceeded', 'Killing', 'Pulled', 'Started'],
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm('c', 1), { activeDeadlineSeconds: 12 }))
      await run.untilEnded('web', 'Failed')
      await clear(run, 'web')
    },
  },
  {
    title: 'an image that cannot be pulled',
    key: 'image',
    phases: { web: ['Pending', 'gone'] },
    events: ['BackOff', 'Failed', 'Pulling'],
    steps: async (run) => {
      await run.create('web', specOf({ ...handlesSigterm(), image: 'busybox:missing' }))
      const isBackingOff = (pod: Pod): boolean =>
        container(pod)?.state?.waiting?.reason === 'ImagePullBackOff'
      await run.until('web', 'backs off', isBackingOff)
      await clear(run, 'web')
    },
  },
  {
    title: 'a command that the image does not have, never restarted',
    key: 'no-such-command',
    phases: { web: ['Pending', 'Failed', 'gone'] },
    events: ['Created', 'Failed', 'Pulled'],
    steps: async (run) => {
      const absent = { ...handlesSigterm(), command: ['absent'] }
      await run.create('web', specOf(absent, { restartPolicy: 'Never' }))
      await run.untilEnded('web', 'Failed')
      await clear(run, 'web')
    },
  },
  {
    title: 'a path that the image does not have, never restarted',
    key: 'no-such-path',
    phases: { web: ['Pending', 'Failed', 'gone'] },
    events: ['Created', 'Failed', 'Pulled'],
    steps: async (run) => {
      const absent = { ...handlesSigterm(), command: ['/no/such', 'x'] }
      await run.create('web', specOf(absent, { restartPolicy: 'Never' }))
      await run.untilEnded('web', 'Failed')
      await clear(run, 'web')
    },
  },
  {
    title: 'a finalizer keeps a deleted pod until it is removed',
    key: 'finalizer',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm()))
      await run.untilRunning('web')
      await run.patch('web', { metadata: { finalizers: ['example.com/kept'] } })
      await run.delete('web')
      await run.untilEnded('web', 'Succeeded')
      await run.patch('web', { metadata: { finalizers: null } })
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'a readiness gate holds back Ready until its condition is True',
    key: 'readiness-gate',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const conditionType = 'example.com/open'
      await run.create('web', specOf(handlesSigterm(), { readinessGates: [{ conditionType }] }))
      await run.until('web', 'runs without being Ready', ({ status }) =>
        (status?.conditions ?? []).some(({ reason }) => reason === 'ReadinessGatesNotReady'),
      )
      await run.patchStatus('web', {
        conditions: [
          { type: conditionType, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
        ],
      })
      await run.untilRunning('web')
      await clear(run, 'web')
      return {}
    },
  },
  {
    title: 'a sidecar runs until the app container has exited',
    key: 'sidecar',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('web', {
        restartPolicy: 'Never',
        initContainers: [{ ...handlesSigterm('beside'), restartPolicy: 'Always' }],
        containers: [exitsAfter(0)],
      })
      await run.untilEnded('web', 'Succeeded')
      await clear(run, 'web')
      return {}
    },
  },
  {
    title: 'a container that fails again and again is in CrashLoopBackOff',
    key: 'crash-loop',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: ['Created', 'Pulled', 'Started'],
    cutAt: 'waiting CrashLoopBackOff',
    steps: async (run) => {
      await run.create('web', specOf(exitsAfter(1, { seconds: 5 })))
      const waitsFor = (pod: Pod): string => container(pod)?.state?.waiting?.reason ?? ''
      await run.until('web', 'backs off', (pod) => waitsFor(pod) === 'CrashLoopBackOff')
      await clear(run, 'web')
      return {}
    },
  },
  {
    title: 'one container of two exits, and the other runs on',
    key: 'one-of-two',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('web', {
        restartPolicy: 'Never',
        containers: [exitsAfter(4, { name: 'ends', seconds: 8 }), ignoresSigterm('stays')],
      })
      const hasOneEnded = (pod: Pod): boolean =>
        (pod.status?.containerStatuses ?? []).some(({ state }) => state?.terminated !== undefined)
      await run.until('web', 'has one container that exited', hasOneEnded)
      await run.delete('web', 3)
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'a shorter grace period does not reach a container that is being stopped',
    key: 'shorter-grace',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      await run.create('web', specOf(ignoresSigterm(), { terminationGracePeriodSeconds: 20 }))
      await run.untilRunning('web')
      await run.delete('web')
      await run.untilEvents(['Killing'])
      // Longer than has passed since the first deletion: the server counts from there.
      await run.delete('web', 12)
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'a changed image restarts its container',
    key: 'image-changed',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Pulling', 'Started'],
    steps: async (run) => {
      await run.create('web', specOf(handlesSigterm()))
      const first = await run.untilRunning('web')
      const idIn = (pod: Pod): string => container(pod)?.containerID ?? ''
      await run.patch('web', { spec: { containers: [{ name: 'c', image: 'busybox:1.37' }] } })
      await run.until(
        'web',
        'runs the new image',
        (pod) => isReady(pod) && idIn(pod) !== idIn(first),
      )
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
]
