import { setTimeout as sleep } from 'node:timers/promises'
import { ignoresSigterm } from '../../../src/main/session/scenarios/fake-pod-manifest.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { must } from '../integration/administrator.ts'
import { isReady, mainNode } from '../integration/scenario-run.ts'
import { untilAnotherRuns } from '../integration/static.ts'
import type { Claim, Scene } from './scene.ts'

/** Its kubelet ends and starts again once. */
export const stoppedNode = 'stopped'
/** Its kubelet loses the API server, ends and starts again meanwhile, and finds the API server again. */
export const cutOffNode = 'cut-off'
/** It loses its power once. */
export const poweredNode = 'powered'

const started = ['RunPodSandbox', 'CreateContainer main, attempt 0', 'StartContainer main']
/** Longer than a kubelet needs for its first housekeeping. */
const settledMs = 12_000

function isRunningAndReady(pod: Pod | undefined): boolean {
  return pod !== undefined && isReady(pod)
}

/** Of a kubelet that starts again; all scenes of a node wait for each other before that. */
export const kubeletAwayClaims: readonly Claim[] = [
  {
    key: 'mirror-of-a-finished-pod',
    node: stoppedNode,
    says: [
      'This pod has restartPolicy Never and has finished, so its worker has ended and no sync follows. After a restart the kubelet finds the pod finished and does not sync it either',
      'Only a changed manifest makes another pod with another mirror.',
      'and even after a restart of the kubelet, the mirror stays missing. Change the manifest, for example a label: another pod runs, and it gets a mirror.',
    ],
    steps: async (scene) => {
      const name = scene.staticName('setup')
      const setup = { name: 'setup', restartPolicy: 'Never', script: 'sleep 2' } as const
      await scene.put('setup.yaml', setup)
      await scene.run.untilEnded(name, 'Succeeded')
      await scene.run.delete(name)
      await sleep(settledMs)
      const before = scene.run.pod(name)
      await scene.stopKubelet()
      await scene.startKubelet()
      await sleep(settledMs)
      const after = scene.run.pod(name)
      await scene.put('setup.yaml', { ...setup, labels: { app: 'setup' } })
      await scene.run.untilEnded(name, 'Succeeded')
      return { mirrors: [before, after], calls: scene.calls(name) }
    },
    shows: { mirrors: [undefined, undefined], calls: [...started, ...started] },
  },
  {
    key: 'force-deleted-but-running',
    node: stoppedNode,
    says: [
      'A force delete removes the API object and nothing else. On a node whose kubelet is stopped, the containers keep running. When the kubelet returns, the pod is not in the list from the API server; housekeeping finds its containers in the runtime and stops them with the shortest grace period: SIGKILL comes after 2 s.',
    ],
    steps: async (scene) => {
      const { run } = scene
      await scene.create({ name: 'db', script: ignoresSigterm })
      await run.untilRunning('db')
      await scene.stopKubelet()
      await run.delete('db', 0)
      await run.untilGone('db')
      const second = await scene.create({ name: 'db', node: mainNode, script: ignoresSigterm })
      await run.untilRunning('db')
      await sleep(2000)
      const endsBefore = scene.exits('db').length
      await scene.startKubelet()
      await scene.wait('the end of the first', () => scene.exits('db').length === 1)
      const isSecondLeft = run.pod('db')?.metadata.uid === second.metadata.uid
      return { endsBefore, isSecondLeft, stop: scene.calls('db')[started.length] }
    },
    shows: { endsBefore: 0, isSecondLeft: true, stop: 'StopContainer main, 2 s' },
  },
  {
    key: 'terminating-without-a-kubelet',
    node: stoppedNode,
    says: [
      'The API server only records that the pod is to be deleted, and by when. The kubelet of its node stops the containers and then removes the object. Without a kubelet neither happens, and the recorded time passes without effect.',
      'It receives the pod as deleted, stops it within its grace period and removes the object.',
    ],
    steps: async (scene) => {
      const { run } = scene
      await scene.create({ name: 'job' })
      await run.untilRunning('job')
      await scene.stopKubelet()
      await run.delete('job', 1)
      await sleep(4000)
      const { metadata, status } = run.pod('job') ?? {}
      const isOverdue = Date.parse(metadata?.deletionTimestamp ?? '') < Date.now()
      const endsBefore = scene.exits('job').length
      await scene.startKubelet()
      await run.untilGone('job')
      return { isOverdue, phase: status?.phase, endsBefore, codes: scene.exitCodes('job') }
    },
    shows: { isOverdue: true, phase: 'Running', endsBefore: 0, codes: [0] },
  },
  {
    key: 'restart-forgets-the-back-off',
    node: stoppedNode,
    says: [
      'The kubelet keeps back-offs in memory. A restart loses them, and the container starts at once. The restart count remains, because it is read from the containers in the runtime.',
    ],
    steps: async (scene) => {
      await scene.create({ name: 'flaky', script: 'sleep 1; exit 1' })
      await scene.wait('the fourth failure', () => scene.exits('flaky').length === 4)
      await scene.stopKubelet()
      await scene.startKubelet()
      await scene.wait('the fifth start', () => scene.starts('flaky').length === 5)
      const waitedMs = (scene.starts('flaky')[4] ?? 0) - (scene.exits('flaky')[3] ?? 0)
      const count = (pod: Pod | undefined) => pod?.status?.containerStatuses?.[0]?.restartCount
      await scene.waitForPod('flaky', 'counts it', (pod) => (count(pod) ?? 0) >= 4)
      // Without the restart it is 40 s.
      return { isEarly: waitedMs < 38_000 }
    },
    shows: { isEarly: true },
  },
  {
    key: 'restart-admits-again',
    node: stoppedNode,
    says: [
      'after a restart it admits every pod again. The label that the pod selects was removed from the node earlier, which has no effect on a running pod. Now the pod is rejected, and its containers, which have no worker, are stopped as orphans.',
      'Its container was killed with the shortest grace period, 2 s.',
    ],
    steps: async (scene) => {
      const { run } = scene
      const label = async (disk: string | null): Promise<void> => {
        const body = { metadata: { labels: { disk } } }
        must(
          await run.admin.api.patch(
            { resource: 'nodes', name: run.node },
            { type: 'strategic', body },
          ),
        )
      }
      await label('fast')
      await sleep(2000)
      await scene.create({ name: 'index', nodeSelector: { disk: 'fast' }, script: ignoresSigterm })
      await run.untilRunning('index')
      await label(null)
      await sleep(settledMs)
      const ranOn = scene.exits('index').length === 0
      await scene.stopKubelet()
      await scene.startKubelet()
      await scene.waitForPod(
        'index',
        'is rejected',
        (pod) => pod?.status?.reason === 'NodeAffinity',
      )
      await scene.wait('the end of its container', () => scene.exits('index').length === 1)
      const phase = run.pod('index')?.status?.phase
      return { ranOn, phase, calls: scene.calls('index'), codes: scene.exitCodes('index') }
    },
    shows: {
      ranOn: true,
      phase: 'Failed',
      calls: [...started, 'StopContainer main, 2 s'],
      codes: [137],
    },
  },
  {
    key: 'removed-while-server-is-away',
    node: cutOffNode,
    says: [
      'Until every source has reported once, the kubelet stops no pod that disappears, because another source might still want it. Housekeeping waits for the same reason.',
      'The API source becomes ready, and the next housekeeping, within 2 s, stops the pod as an orphan.',
    ],
    steps: async (scene) => {
      const name = scene.staticName('web')
      await scene.put('web.yaml', { name: 'web' })
      await scene.run.untilRunning(name)
      await scene.cutOff()
      await scene.stopKubelet()
      await scene.startKubelet()
      await scene.put('late.yaml', { name: 'late' })
      const late = scene.staticName('late')
      await scene.wait('its manifests are read', () => scene.starts(late).length === 1)
      await scene.remove('web.yaml')
      await sleep(settledMs)
      const endsBefore = scene.exits(name).length
      await scene.reconnect()
      await scene.run.untilGone(name)
      return { endsBefore, codes: scene.exitCodes(name) }
    },
    shows: { endsBefore: 0, codes: [0] },
  },
  {
    key: 'two-versions-at-once',
    node: cutOffNode,
    says: [
      'The new kubelet knows only the new version and starts it. The old version is in no source. Finding containers that run without a pod is the job of housekeeping, and housekeeping waits for the API source, which cannot be reached.',
      'Housekeeping finds the old version in the runtime and stops it with the shortest grace period, as it does with every orphaned pod: SIGKILL comes after 2 s.',
    ],
    steps: async (scene) => {
      const name = scene.staticName('web')
      await scene.put('web.yaml', { name: 'web', labels: { app: 'web' } })
      const first = await scene.run.untilRunning(name)
      await scene.cutOff()
      await scene.stopKubelet()
      await scene.put('web.yaml', { name: 'web', labels: { app: 'shop' } })
      await scene.startKubelet()
      await scene.wait('the start of the new one', () => scene.starts(name).length === 2)
      await sleep(settledMs)
      const running = 2 - scene.exits(name).length
      await scene.reconnect()
      await untilAnotherRuns(scene.run, name, first)
      await scene.wait('the end of the old one', () => scene.exits(name).length === 1)
      return { running, stop: scene.calls(name)[2 * started.length] }
    },
    shows: { running: 2, stop: 'StopContainer main, 2 s' },
  },
  {
    key: 'mirror-without-a-pod',
    node: cutOffNode,
    says: [
      'The kubelet stops a static pod without the API server. To delete the mirror it needs the API server, which it cannot reach, so the API shows the last written status. Housekeeping notices a mirror without a static pod and deletes it as soon as the API server responds again.',
    ],
    steps: async (scene) => {
      const { run } = scene
      const name = scene.staticName('web')
      await scene.put('web.yaml', { name: 'web' })
      await run.untilRunning(name)
      await scene.cutOff()
      await scene.remove('web.yaml')
      await scene.wait('the end of its container', () => scene.exits(name).length === 1)
      await sleep(2000)
      const saysReady = isRunningAndReady(run.pod(name))
      await scene.stopKubelet()
      await scene.startKubelet()
      await scene.reconnect()
      await run.untilGone(name)
      return { saysReady }
    },
    shows: { saysReady: true },
  },
  {
    key: 'never-after-a-power-loss',
    node: poweredNode,
    says: [
      'the kubelet finds every sandbox dead and every container exited with code 255 and reason Unknown, because their exits were not observed. If restartPolicy allows it, the kubelet creates a new sandbox and starts the containers again in the same pod. With Never, a container that has run is not started again',
      'Both pods have kept their UIDs.',
    ],
    steps: async (scene) => {
      const { run } = scene
      const names = ['always', 'never']
      await scene.create({ name: 'always', restartPolicy: 'Always' })
      await scene.create({ name: 'never', restartPolicy: 'Never' })
      const before = await Promise.all(names.map((name) => run.untilRunning(name)))
      await scene.losePower()
      await scene.boot()
      await run.untilEnded('never', 'Failed')
      const again = (pod: Pod | undefined) =>
        ended(pod)?.restartCount === 1 && isRunningAndReady(pod)
      await scene.waitForPod('always', 'runs again', again)
      const after = names.map((name) => run.pod(name))
      return {
        haveKeptUids: after.map((pod, at) => pod?.metadata.uid === before[at]?.metadata.uid),
        sandboxes: names.map((name) => sandboxes(scene, name)),
        ends: [ended(after[0])?.lastState, ended(after[1])?.state].map((state) => [
          state?.terminated?.exitCode,
          state?.terminated?.reason,
        ]),
      }
    },
    shows: {
      haveKeptUids: [true, true],
      sandboxes: [2, 1],
      ends: [
        [255, 'Unknown'],
        [255, 'Unknown'],
      ],
    },
  },
]

function ended(pod: Pod | undefined) {
  return pod?.status?.containerStatuses?.[0]
}

function sandboxes(scene: Scene, pod: string): number {
  return scene.calls(pod).filter((call) => call === 'RunPodSandbox').length
}
