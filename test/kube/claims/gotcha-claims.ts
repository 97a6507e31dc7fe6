import { setTimeout as sleep } from 'node:timers/promises'
import {
  ignoresSigterm,
  type PodManifest,
} from '../../../src/main/session/scenarios/fake-pod-manifest.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { must } from '../integration/administrator.ts'
import { isNodeReady, untilNode } from '../integration/node-waits.ts'
import { isReady } from '../integration/scenario-run.ts'
import { untilAnotherRuns } from '../integration/static.ts'
import type { Claim, Scene } from './scene.ts'

const started = ['RunPodSandbox', 'CreateContainer main, attempt 0', 'StartContainer main']
const fixedUid = '7e5ab1e0-0000-4000-8000-00000000000'

function stopped(seconds: number): string {
  return `StopContainer main, ${seconds} s`
}

function hashOf(pod: Pod | undefined): string | undefined {
  return pod?.metadata.annotations?.['kubernetes.io/config.hash']
}

function imagesOf(pod: Pod | undefined): readonly (string | undefined)[] {
  return [pod?.spec.containers[0]?.image, pod?.status?.containerStatuses?.[0]?.image]
}

/** What `kubectl` is refused with; `none` where it is not. */
async function refusal(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

async function putWeb(scene: Scene, more: Partial<PodManifest> = {}): Promise<Pod> {
  await scene.put('web.yaml', { name: 'web', ...more })
  return scene.run.untilRunning(scene.staticName('web'))
}

function isFailed({ status }: Pod): boolean {
  return status?.phase === 'Failed'
}

async function allocatableMilliCpu({ run }: Scene): Promise<number> {
  const { status } = await untilNode(run, run.node, 'is ready', isNodeReady)
  return Number(status?.allocatable?.['cpu']) * 1000
}

/** A pod whose container has failed three times: its next start is 20 s after that. */
async function createCrashLooping(scene: Scene): Promise<void> {
  await scene.create({ name: 'flaky', script: 'sleep 1; exit 1' })
  await scene.wait('the third failure', () => scene.exits('flaky').length === 3)
}

/** Of one node on which everything else happens at the same time. */
export const gotchaClaims: readonly Claim[] = [
  {
    key: 'mirror-comes-back',
    says: [
      'Only this copy was deleted. The kubelet removes it and creates another; the containers never stop. To remove the pod, remove its manifest.',
      'No container is started for it.',
    ],
    steps: async (scene) => {
      const name = scene.staticName('web')
      const first = await putWeb(scene)
      await scene.run.delete(name)
      await untilAnotherRuns(scene.run, name, first)
      const before = scene.calls(name)
      await scene.remove('web.yaml')
      await scene.run.untilGone(name)
      return { before, after: scene.calls(name) }
    },
    shows: { before: started, after: [...started, stopped(30)] },
  },
  {
    key: 'mirror-gone-for-a-minute',
    says: [
      'The API server removed the mirror at once, so the kubelet’s own DELETE finds nothing, and it creates nothing.',
      'The next sync of the pod notices that the mirror is missing and creates one',
      'The containers keep running.',
    ],
    steps: async (scene) => {
      const name = scene.staticName('web')
      const first = await putWeb(scene)
      // What the runtime tells of its start is over.
      await sleep(5000)
      await scene.run.delete(name, 0)
      await scene.run.untilGone(name)
      await sleep(5000)
      const isMissing = scene.run.pod(name) === undefined
      await scene.waitForPod(name, 'is back', (pod) => pod !== undefined)
      const { metadata } = scene.run.pod(name) ?? first
      const isAnother = metadata.uid !== first.metadata.uid
      return { isMissing, isAnother, calls: scene.calls(name) }
    },
    shows: { isMissing: true, isAnother: true, calls: started },
  },
  {
    key: 'mirror-says-running',
    says: [
      'the mirror keeps the last written status until the first sync of the new pod replaces it.',
      'Its first sync deletes the outdated mirror and creates one with the new hash.',
    ],
    steps: async (scene) => {
      const name = scene.staticName('web')
      const first = await putWeb(scene, { labels: { app: 'web' } })
      await scene.put('web.yaml', { name: 'web', labels: { app: 'shop' } })
      await scene.wait('the end of the old container', () => scene.exits(name).length === 1)
      await sleep(2000)
      const between = scene.run.pod(name)
      const startsBetween = scene.starts(name).length
      const second = await untilAnotherRuns(scene.run, name, first)
      return {
        isTheOld: between?.metadata.uid === first.metadata.uid,
        saysReady: between !== undefined && isReady(between),
        startsBetween,
        hasNewHash: hashOf(second) !== hashOf(first),
        starts: scene.starts(name).length,
      }
    },
    shows: { isTheOld: true, saysReady: true, startsBetween: 1, hasNewHash: true, starts: 2 },
  },
  {
    key: 'mirror-shows-old-spec',
    says: [
      'the kubelet updates the existing pod and restarts the container because its image changed.',
      'So the mirror keeps its spec; only its status is updated.',
      'Delete the mirror, and the kubelet recreates it with the current spec.',
    ],
    steps: async (scene) => {
      const name = scene.staticName('web')
      const uid = `${fixedUid}1`
      const first = await putWeb(scene, { uid })
      await scene.put('web.yaml', { name: 'web', uid, image: 'busybox:1.37' })
      const hasNew = (pod: Pod): boolean =>
        isReady(pod) && imagesOf(pod)[1]?.endsWith('busybox:1.37') === true
      const updated = await scene.run.until(name, 'says that the new image runs', hasNew)
      await scene.run.delete(name)
      const second = await untilAnotherRuns(scene.run, name, first)
      return {
        isTheSame: updated.metadata.uid === first.metadata.uid,
        specs: [first, updated, second].map((pod) => imagesOf(pod)[0]),
        starts: scene.starts(name).length,
      }
    },
    shows: {
      isTheSame: true,
      specs: ['busybox:1.36', 'busybox:1.36', 'busybox:1.37'],
      starts: 2,
    },
  },
  {
    key: 'no-namespace-no-mirror',
    says: [
      'A static pod needs no API server to run. Its mirror is an ordinary object that the API server can refuse: here its namespace does not exist',
      'The next sync, at most 90 s later, creates the mirror.',
    ],
    steps: async (scene) => {
      const name = scene.staticName('agent')
      const namespace = 'monitoring'
      await scene.put('agent.yaml', { name: 'agent', namespace })
      await scene.wait('its start', () => scene.starts(name, namespace).length === 1)
      await sleep(3000)
      const { admin, observer } = scene.run
      const mirrorsBefore = observer.of('pods', { namespace }).length
      await admin.makeNamespace(namespace)
      const phase = () => observer.of('pods', { namespace, name }).at(-1)?.object.status?.phase
      await scene.wait('its mirror', () => phase() === 'Running')
      return { mirrorsBefore, calls: scene.calls(name, namespace) }
    },
    shows: { mirrorsBefore: 0, calls: started },
  },
  {
    key: 'backup-wins',
    says: [
      'The kubelet reads every file in the folder whose name does not start with a dot, whatever its extension. If two files define the same pod, the last by name wins: web.yaml.bak. A changed file is read at once and wins until the next full scan of the folder, every 20 s.',
      'web.yaml.bak wins again, and the edit is gone. Remove the backup to end this.',
    ],
    steps: async (scene) => {
      const name = scene.staticName('web')
      const isOf = (hash: string | undefined) => (pod: Pod | undefined) =>
        pod !== undefined && isReady(pod) && hashOf(pod) === hash
      const first = await putWeb(scene)
      await scene.put('.hidden.yaml', { name: 'hidden' })
      await scene.put('web.yaml.bak', { name: 'web' })
      const copy = await untilAnotherRuns(scene.run, name, first)
      const stopsBefore = scene.exits(name).length
      await scene.put('web.yaml', { name: 'web', image: 'busybox:1.37' })
      await scene.wait('the end of the copy', () => scene.exits(name).length > stopsBefore)
      const startsBefore = scene.starts(name).length
      await scene.wait('the copy again', () => scene.starts(name).length > startsBefore)
      await scene.waitForPod(name, 'is the copy again', isOf(hashOf(copy)))
      const [isBack] = imagesOf(scene.run.pod(name))
      await scene.remove('web.yaml.bak')
      const hasEdit = (pod: Pod | undefined): boolean =>
        imagesOf(pod)[0] === 'busybox:1.37' && pod !== undefined && isReady(pod)
      await scene.waitForPod(name, 'has the edit', hasEdit)
      const hidden = scene.run.observer.of('pods', { name: scene.staticName('hidden') }).length
      return { isAnother: hashOf(copy) !== hashOf(first), isBack, hidden }
    },
    shows: { isAnother: true, isBack: 'busybox:1.36', hidden: 0 },
  },
  {
    key: 'replacement-waits',
    says: [
      'An edited manifest is a different pod with the same name. Only one static pod of a name may run, so the new one waits until the old one has terminated; a container that ignores SIGTERM uses its whole grace period.',
    ],
    steps: async (scene) => {
      const name = scene.staticName('web')
      const web = { graceSeconds: 6, script: ignoresSigterm }
      const first = await putWeb(scene, { ...web, labels: { app: 'web' } })
      await scene.put('web.yaml', { name: 'web', ...web, labels: { app: 'shop' } })
      await untilAnotherRuns(scene.run, name, first)
      const [, startedAt = 0] = scene.starts(name)
      const [exitedAt = Infinity] = scene.exits(name)
      return {
        hasWaited: startedAt > exitedAt,
        codes: scene.exitCodes(name),
        calls: scene.calls(name),
      }
    },
    shows: { hasWaited: true, codes: [137], calls: [...started, stopped(6), ...started] },
  },
  {
    key: 'fixed-uid-reused',
    says: [
      'The manifest sets metadata.uid, so for the kubelet it is the same pod. Termination cannot be undone',
      'Without a fixed UID an unchanged file behaves the same, because its UID is a hash of the content.',
      'housekeeping removes its record and starts the pod with the same UID and a new container.',
    ],
    steps: async (scene) => {
      const web = { name: 'web', graceSeconds: 8, script: ignoresSigterm }
      const plain = { ...web, name: 'plain' }
      const names = [scene.staticName('web'), scene.staticName('plain')]
      const put = async (): Promise<void> => {
        await scene.put('web.yaml', { ...web, uid: `${fixedUid}2` })
        await scene.put('plain.yaml', plain)
      }
      await put()
      const first = await Promise.all(names.map((name) => scene.run.untilRunning(name)))
      await scene.remove('web.yaml')
      await scene.remove('plain.yaml')
      await sleep(1500)
      await put()
      const again = () => names.every((name) => scene.starts(name).length === 2)
      await scene.wait('the second start', again)
      for (const name of names)
        await scene.waitForPod(name, 'runs again', (pod) => pod !== undefined && isReady(pod))
      return names.map((name, at) => ({
        hasSameUid: hashOf(scene.run.pod(name)) === hashOf(first[at]),
        isAfterTheEnd: (scene.starts(name)[1] ?? 0) >= (scene.exits(name)[0] ?? Infinity),
        codes: scene.exitCodes(name),
      }))
    },
    shows: Array.from({ length: 2 }, () => ({
      hasSameUid: true,
      isAfterTheEnd: true,
      codes: [137],
    })),
  },
  {
    key: 'bad-edit-stops-later',
    says: [
      'A changed file is read at once. If it is not a valid pod, the kubelet logs the error and keeps what it has. But every 20 s it reads the whole folder, and an invalid file is not in that list: for the kubelet the manifest is gone, and it stops the pod.',
      'The kubelet stops the pod and deletes its mirror. If the file is fixed before that, nothing happens.',
    ],
    steps: async (scene) => {
      const name = scene.staticName('web')
      const typo = (text: string) => text.replace('containers:', 'containrs:')
      await putWeb(scene)
      await scene.put('web.yaml', { name: 'web' }, typo)
      await sleep(1500)
      // Only where the folder was read in that moment.
      if (scene.exits(name).length > 0) {
        await scene.run.untilGone(name)
        await scene.put('web.yaml', { name: 'web' })
        await scene.wait('another start', () => scene.starts(name).length === 2)
        await scene.put('web.yaml', { name: 'web' }, typo)
        await sleep(1500)
      }
      const [starts, ends] = [scene.starts(name).length, scene.exits(name).length]
      await scene.put('web.yaml', { name: 'web' })
      await sleep(22_000)
      const isUntouched = scene.exits(name).length === ends
      await scene.put('web.yaml', { name: 'web' }, typo)
      await scene.run.untilGone(name)
      return { runsOn: starts - ends, isUntouched, exits: scene.exits(name).length - ends }
    },
    shows: { runsOn: 1, isUntouched: true, exits: 1 },
  },
  {
    key: 'finalizer-keeps-it',
    says: [
      'The kubelet is done: the containers have stopped, the final status is written, and it has asked the API server to remove the object. The API server keeps the object until its finalizers are removed',
      'Then the object is gone at once.',
    ],
    steps: async (scene) => {
      const { run } = scene
      await scene.create({ name: 'guarded', finalizers: ['example.com/backup'] })
      await run.untilRunning('guarded')
      await run.delete('guarded')
      const { metadata } = await run.untilEnded('guarded', 'Succeeded')
      await run.delete('guarded', 0)
      await sleep(5000)
      const isKept = run.pod('guarded')?.metadata.uid === metadata.uid
      await run.patch('guarded', { metadata: { finalizers: null } })
      await run.untilGone('guarded')
      return { isKept, calls: scene.calls('guarded') }
    },
    shows: { isKept: true, calls: [...started, stopped(30)] },
  },
  {
    key: 'rejected-stays-failed',
    says: [
      'The kubelet admits a pod once, when it first sees it. A rejection is final: the pod is Failed, and a failed pod never runs again.',
      'Delete the pod and create it again, and it runs.',
    ],
    steps: async (scene) => {
      const { run } = scene
      const cpu = await allocatableMilliCpu(scene)
      const [big, late] = [`${Math.floor(cpu * 0.8)}m`, `${Math.floor(cpu * 0.4)}m`]
      await scene.create({ name: 'big', cpu: big })
      await run.untilRunning('big')
      await scene.create({ name: 'late', cpu: late })
      const { status } = await run.until('late', 'is rejected', isFailed)
      await run.delete('big')
      await run.untilGone('big')
      // Longer than until the next sync of a pod that is not Failed.
      await sleep(95_000)
      const isStillFailed = run.pod('late')?.status?.phase === 'Failed'
      await run.delete('late')
      await run.untilGone('late')
      const startsBefore = scene.starts('late').length
      await scene.create({ name: 'late', cpu: late })
      await run.untilRunning('late')
      return { reason: status?.reason, isStillFailed, startsBefore }
    },
    shows: { reason: 'OutOfcpu', isStillFailed: true, startsBefore: 0 },
  },
  {
    key: 'name-still-taken',
    says: [
      'A deleted pod keeps its API object until its containers have stopped.',
      'Until then the name is taken. A force delete frees the name at once, while the old container may still run.',
      'The API server answers a create with 409 AlreadyExists.',
      'Then the create succeeds.',
    ],
    steps: async (scene) => {
      const { run } = scene
      const pod = { name: 'cache', graceSeconds: 10, script: ignoresSigterm }
      const forced = { name: 'forced', script: ignoresSigterm }
      await scene.create(pod)
      await scene.create(forced)
      await run.untilRunning('cache')
      await run.untilRunning('forced')
      await run.delete('cache')
      const answer = await refusal(scene.create(pod))
      const endsThen = scene.exits('cache').length
      await run.untilGone('cache')
      const ends = scene.exits('cache').length
      await scene.create(pod)
      await run.untilRunning('cache')
      const key = { resource: 'pods', namespace: run.namespace, name: 'forced' } as const
      must(await run.admin.api.delete(key, { gracePeriodSeconds: 0 }))
      const isRunning = scene.exits('forced').length === 0
      await scene.create(forced)
      return { answer, endsThen, ends, isRunning }
    },
    shows: {
      answer: 'object is being deleted: pods "cache" already exists',
      endsThen: 0,
      ends: 1,
      isRunning: true,
    },
  },
  {
    key: 'shorter-grace-comes-too-late',
    says: [
      'But the StopContainer call was already made with the longer one and is still in progress, so the runtime sends SIGKILL when the longer one is over. The shorter one applies only to calls made later.',
    ],
    steps: async (scene) => {
      const { run } = scene
      await scene.create({ name: 'slow', graceSeconds: 25, script: ignoresSigterm })
      await run.untilRunning('slow')
      await run.delete('slow')
      await scene.wait('the call', () => scene.calls('slow').includes(stopped(25)))
      const calledAt = Date.now()
      await sleep(1000)
      await run.delete('slow', 20)
      await run.untilGone('slow')
      const { namespace } = run
      const versions = run.observer.of('pods', { namespace, name: 'slow' })
      const graces = versions.map(({ object }) => object.metadata.deletionGracePeriodSeconds)
      const [exitedAt = 0] = scene.exits('slow')
      return {
        graces: [...new Set(graces)],
        isLate: exitedAt - calledAt >= 24_000,
        firstCall: scene.calls('slow')[started.length],
        codes: scene.exitCodes('slow'),
      }
    },
    shows: { graces: [undefined, 25, 20, 0], isLate: true, firstCall: stopped(25), codes: [137] },
  },
  {
    key: 'back-off-outlives-the-edit',
    says: [
      'Any other change, such as a label, triggers a sync of the pod, and the sync finds the same back-off, counted from the container’s last exit. A new image has no back-off yet and starts at once.',
    ],
    steps: async (scene) => {
      const { run } = scene
      await createCrashLooping(scene)
      await run.patch('flaky', { metadata: { labels: { fixed: 'yes' } } })
      await scene.wait('the fourth start', () => scene.starts('flaky').length === 4)
      const waitedMs = (scene.starts('flaky')[3] ?? 0) - (scene.exits('flaky')[2] ?? 0)
      await scene.wait('the fourth failure', () => scene.exits('flaky').length === 4)
      const containers = [{ name: 'main', image: 'busybox:1.37' }]
      await run.patch('flaky', { spec: { containers } })
      await scene.wait('the fifth start', () => scene.starts('flaky').length === 5)
      const atOnceMs = (scene.starts('flaky')[4] ?? 0) - (scene.exits('flaky')[3] ?? 0)
      // Without the new image it is 40 s.
      return { hasWaited: waitedMs >= 19_000, isAtOnce: atOnceMs < 35_000 }
    },
    shows: { hasWaited: true, isAtOnce: true },
  },
  {
    key: 'preempted-by-a-manifest',
    node: 'full',
    says: [
      'Every static pod is critical. If it does not fit, the kubelet does not reject it but preempts pods that are not critical until it fits. The sync loop waits for their whole grace period, so no other new pod is handled meanwhile.',
      'shop ends Failed, reason Preempting; proxy is admitted and starts.',
    ],
    steps: async (scene) => {
      const { run } = scene
      const proxy = scene.staticName('proxy')
      const cpu = await allocatableMilliCpu(scene)
      const shop = { name: 'shop', graceSeconds: 8, script: ignoresSigterm }
      await scene.create({ ...shop, cpu: `${Math.floor(cpu * 0.8)}m` })
      await run.untilRunning('shop')
      await scene.put('proxy.yaml', { name: 'proxy', cpu: `${Math.floor(cpu * 0.5)}m` })
      await scene.wait('the call', () => scene.calls('shop').includes(stopped(8)))
      await scene.create({ name: 'other' })
      await run.untilRunning(proxy)
      await run.untilRunning('other')
      const { status } = await run.untilEnded('shop', 'Failed')
      await run.untilEvents(['Preempting'])
      const [exitedAt = Infinity] = scene.exits('shop')
      const startsAfter = [proxy, 'other'].map((name) => (scene.starts(name)[0] ?? 0) > exitedAt)
      return { reason: status?.reason, codes: scene.exitCodes('shop'), startsAfter }
    },
    shows: { reason: 'Preempting', codes: [137], startsAfter: [true, true] },
  },
]
