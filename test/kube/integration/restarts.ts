import { setTimeout as sleep } from 'node:timers/promises'
import type { ContainerStatus, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { exitsAfter, handlesSigterm, ignoresSigterm, specOf } from './containers.ts'
import { startAgain, startOwnNode } from './own-node.ts'
import { isReady, type Scenario } from './scenario-run.ts'
import { isOwnMirror, manifestOf } from './static.ts'

const started = ['Created', 'Pulled', 'Started'] as const
const startedAndKilled = ['Created', 'Killing', 'Pulled', 'Started'] as const
function container({ status }: Pod): ContainerStatus | undefined {
  return status?.containerStatuses?.[0] ?? status?.initContainerStatuses?.[0]
}

function idOf(pod: Pod): string {
  return container(pod)?.containerID ?? ''
}

/** A kubelet that stops and starts again while its containers run on. */
export const restarts: readonly Scenario[] = [
  {
    title: 'a kubelet is restarted while an ordinary and a static pod run',
    key: 'restart-running',
    node: 'restart-running',
    phases: {
      web: ['Pending', 'Running', 'Succeeded', 'gone'],
      'fixed-restart-running': ['Pending', 'Running', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      const fixed = `fixed-${run.node}`
      const kubelet = await startOwnNode(run)
      await kubelet.putManifest(manifestOf(run, 'fixed', specOf(handlesSigterm())))
      await run.create('web', specOf(handlesSigterm()))
      const before = [await run.untilRunning('web'), await run.untilRunning(fixed)]
      await kubelet.untilEventsSent()
      await kubelet.stopKubelet('SIGTERM')
      await startAgain(run, kubelet)
      const after = [await run.untilRunning('web'), await run.untilRunning(fixed)]
      const isUntouched = before.map(idOf).join() === after.map(idOf).join()
      await run.delete('web')
      await run.untilGone('web')
      await kubelet.removeManifest({ name: 'fixed', namespace: run.namespace })
      await run.untilGone(fixed)
      return { isUntouched }
    },
  },
  {
    title: 'a kubelet is killed while a container is being stopped, and stops it again',
    key: 'restart-deleting',
    node: 'restart-deleting',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const kubelet = await startOwnNode(run)
      await run.create('web', specOf(ignoresSigterm(), { terminationGracePeriodSeconds: 15 }))
      await run.untilRunning('web')
      await run.delete('web')
      await run.untilEvents(['Killing'])
      await kubelet.stopKubelet('SIGKILL')
      await sleep(2000)
      await startAgain(run, kubelet)
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'a kubelet is restarted while an init container runs',
    key: 'restart-init',
    node: 'restart-init',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const kubelet = await startOwnNode(run)
      await run.create('web', {
        initContainers: [exitsAfter(0, { name: 'first', seconds: 15 })],
        containers: [handlesSigterm()],
      })
      const runsFirst = ({ status }: Pod): boolean =>
        status?.initContainerStatuses?.[0]?.state?.running !== undefined
      await run.until('web', 'runs its init container', runsFirst)
      await kubelet.untilEventsSent()
      await kubelet.stopKubelet('SIGTERM')
      await startAgain(run, kubelet)
      await run.untilRunning('web')
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'a restarted kubelet has forgotten the back-off of a container',
    key: 'restart-back-off',
    node: 'restart-back-off',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: started,
    cutAt: 'running since then ready started restarts 3',
    steps: async (run) => {
      const kubelet = await startOwnNode(run)
      await run.create('web', specOf(exitsAfter(1, { seconds: 5 })))
      // The next start is 20 s later, and CrashLoopBackOff is told with the next sync.
      const hasFailedAgain = (pod: Pod): boolean =>
        container(pod)?.restartCount === 2 && container(pod)?.state?.running === undefined
      await run.until('web', 'has failed three times', hasFailedAgain)
      await sleep(1000)
      await kubelet.stopKubelet('SIGKILL')
      await startAgain(run, kubelet)
      const restarted = await run.until(
        'web',
        'runs again',
        (pod) => container(pod)?.restartCount === 3 && isReady(pod),
      )
      const { state, lastState } = container(restarted) ?? {}
      const waitedMs =
        Date.parse(state?.running?.startedAt ?? '') -
        Date.parse(lastState?.terminated?.finishedAt ?? '')
      await run.delete('web', 0)
      await run.untilGone('web')
      return { isEarly: waitedMs < 19_000 }
    },
  },
  {
    title: 'a manifest is edited while its kubelet is away',
    key: 'restart-edited',
    node: 'restart-edited',
    sandboxesOverlap: true,
    phases: {
      'web-restart-edited': ['Pending', 'Running', 'gone', 'Pending', 'Running', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      const name = `web-${run.node}`
      const kubelet = await startOwnNode(run)
      await kubelet.putManifest(manifestOf(run, 'web', specOf(ignoresSigterm())))
      const first = await run.untilRunning(name)
      await kubelet.untilEventsSent()
      await kubelet.stopKubelet('SIGTERM')
      await kubelet.putManifest(manifestOf(run, 'web', specOf(handlesSigterm())))
      await startAgain(run, kubelet)
      await run.until(
        name,
        'has a new mirror',
        (pod) => pod.metadata.uid !== first.metadata.uid && isOwnMirror(pod) && isReady(pod),
      )
      await kubelet.removeManifest({ name: 'web', namespace: run.namespace })
      await run.untilGone(name)
      return {}
    },
  },
  {
    title: 'a manifest is removed while its kubelet is away: the mirror is an orphan',
    key: 'restart-orphan',
    node: 'restart-orphan',
    phases: { 'web-restart-orphan': ['Pending', 'Running', 'gone'] },
    events: startedAndKilled,
    steps: async (run) => {
      const name = `web-${run.node}`
      const kubelet = await startOwnNode(run)
      await kubelet.putManifest(manifestOf(run, 'web', specOf(ignoresSigterm())))
      await run.untilRunning(name)
      await kubelet.untilEventsSent()
      await kubelet.stopKubelet('SIGKILL')
      await kubelet.removeManifest({ name: 'web', namespace: run.namespace })
      await startAgain(run, kubelet)
      await run.untilGone(name)
      await run.untilEvents(['Killing'])
      return {}
    },
  },
  {
    title: 'a kubelet is killed while it pulls an image',
    key: 'restart-pulling',
    node: 'restart-pulling',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Pulling', 'Started'],
    steps: async (run) => {
      const kubelet = await startOwnNode(run)
      const { machine } = kubelet
      if (machine !== undefined) machine.runtime.pullDelayMs = 12_000
      await run.create('web', specOf({ ...handlesSigterm(), image: 'busybox:1.37' }))
      await run.untilEvents(['Pulling'])
      await kubelet.stopKubelet('SIGKILL')
      await sleep(1000)
      await startAgain(run, kubelet)
      await run.untilRunning('web')
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'pods are created, deleted, deleted by force, and end while their kubelet is away',
    key: 'restart-missed',
    node: 'restart-missed',
    phases: {
      deleted: ['Pending', 'Running', 'Succeeded', 'gone'],
      ended: ['Pending', 'Running', 'Succeeded', 'gone'],
      forced: ['Pending', 'Running', 'gone'],
      late: ['Pending', 'Running', 'Succeeded', 'gone'],
    },
    events: startedAndKilled,
    steps: async (run) => {
      const kubelet = await startOwnNode(run)
      await run.create('deleted', specOf(handlesSigterm()))
      await run.create('forced', specOf(handlesSigterm()))
      await run.create('ended', specOf(exitsAfter(0, { seconds: 15 }), { restartPolicy: 'Never' }))
      for (const name of ['deleted', 'forced', 'ended']) await run.untilRunning(name)
      await kubelet.untilEventsSent()
      await kubelet.stopKubelet('SIGTERM')
      await run.delete('deleted')
      await run.delete('forced', 0)
      await run.create('late', specOf(handlesSigterm()))
      await sleep(15_000)
      await startAgain(run, kubelet)
      await run.untilGone('deleted')
      await run.untilEnded('ended', 'Succeeded')
      await run.untilRunning('late')
      await run.delete('late')
      await run.delete('ended')
      await run.untilGone('late')
      await run.untilGone('ended')
      return {}
    },
  },
]
