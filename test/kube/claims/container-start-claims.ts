import { setTimeout as sleep } from 'node:timers/promises'
import { gotchaPod } from './shipped-gotchas.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { isReady } from '../integration/scenario-run.ts'
import type { Claim, Scene } from './scene.ts'

function waitingOf(pod: Pod | undefined) {
  return pod?.status?.containerStatuses?.[0]?.state?.waiting
}

function waitForReason(scene: Scene, name: string, reason: string): Promise<void> {
  return scene.waitForPod(name, `has ${reason}`, (pod) => waitingOf(pod)?.reason === reason)
}

/** Whole seconds from each time to the next. */
function gaps(times: readonly number[]): readonly number[] {
  return times.slice(1).map((at, index) => Math.round((at - (times[index] ?? at)) / 1000))
}

const pulledPod = gotchaPod('pull-back-off-goes-on', 'shop')

/** Of what keeps containers from starting. */
export const containerStartClaims: readonly Claim[] = [
  {
    key: 'post-start-hook-fails',
    says: [
      'The kubelet starts the container and waits for its postStart hook before it goes on with the pod: until then the container counts as waiting and is not ready. A hook that fails has the event FailedPostStartHook, and the kubelet stops the container as at any other end, with SIGTERM and the grace period. Then it restarts it, with the back-off of a container that crashes.',
      'web has been stopped twice and was never ready. Its container exited with 0: the program was told to stop.',
    ],
    steps: async (scene) => {
      await scene.create(gotchaPod('post-start-hook-fails', 'web'))
      await scene.waitForLine('web', 'serving', (line) => line === 'serving')
      const whileItRuns = waitingOf(scene.run.pod('web'))?.reason
      await scene.wait('its second end', () => scene.exits('web').length >= 2)
      await waitForReason(scene, 'web', 'CrashLoopBackOff')
      const pods = scene.run.observer.of('pods', { namespace: scene.run.namespace, name: 'web' })
      const pod = scene.run.pod('web')
      return {
        whileItRuns,
        wasReady: pods.some(({ object }) => isReady(object)),
        codes: scene.exitCodes('web').slice(0, 2),
        stops: scene.calls('web').filter((call) => call === 'StopContainer main, 5 s').length >= 2,
        hasEvent:
          pod !== undefined && (await scene.eventReasons(pod)).includes('FailedPostStartHook'),
      }
    },
    shows: {
      whileItRuns: 'ContainerCreating',
      wasReady: false,
      codes: [0, 0],
      stops: true,
      hasEvent: true,
    },
  },
  {
    key: 'secret-without-the-key',
    says: [
      'A variable needs its key, and its container is not created without it: CreateContainerConfigError, with the name of the Secret or of the key that is missing. A volume of a Secret needs the Secret only. Until it exists, no container of the pod is created, the status stays ContainerCreating, and only the event FailedMount names the Secret.',
      'Both start by themselves.',
      'the message says that the key password is not in the Secret login.',
      'variable starts within 15 s.',
    ],
    steps: async (scene) => {
      const { run } = scene
      await scene.create(gotchaPod('secret-without-the-key', 'variable'))
      const mounts = await scene.create(gotchaPod('secret-without-the-key', 'files'))
      await waitForReason(scene, 'variable', 'CreateContainerConfigError')
      const first = waitingOf(run.pod('variable'))?.message
      await sleep(20_000)
      const without = {
        first,
        files: waitingOf(run.pod('files'))?.reason,
        reasons: [...new Set(await scene.eventReasons(mounts))],
      }
      await scene.createSecret('login', { user: 'ada' })
      await run.untilRunning('files')
      await scene.waitForPod(
        'variable',
        'was tried again',
        (pod) => waitingOf(pod)?.message?.includes('password') === true,
      )
      const second = waitingOf(run.pod('variable'))
      await scene.replaceSecret('login', { user: 'ada', password: 'x' })
      const from = Date.now()
      await run.untilRunning('variable')
      const isSoon = Date.now() - from < 18_000
      return { without, second, isSoon }
    },
    shows: {
      without: {
        first: 'secret "login" not found',
        files: 'ContainerCreating',
        reasons: ['FailedMount'],
      },
      second: {
        reason: 'CreateContainerConfigError',
        message: "couldn't find key password in Secret secret-without-the-key/login",
      },
      isSoon: true,
    },
  },
  {
    key: 'pull-back-off-goes-on',
    says: [
      'After a failed pull (ErrImagePull) the kubelet waits 10 s, then 20, 40, 80, 160 and at most 300 s before it asks again (ImagePullBackOff). It does not learn that the image can be pulled now. There is one sequence for each pod and image: a new pod, or another image in the same pod, is pulled at once',
      'An image that is on the node needs no pull, whoever pulled it.',
      'create another pod of the same image. It is pulled at once, and shop starts at its next sync.',
    ],
    steps: async (scene) => {
      const { name, image = '' } = pulledPod
      const { missingImages } = scene.runtime
      missingImages.add(image)
      missingImages.add('registry.example/other:v1')
      await scene.create(pulledPod)
      await scene.create({ name: 'other', image: 'registry.example/other:v1' })
      await scene.wait('the fourth pull', () => scene.pulls(image).length === 4)
      await waitForReason(scene, name, 'ImagePullBackOff')
      missingImages.delete(image)
      await sleep(30_000)
      const whileItWaits = {
        pulls: scene.pulls(image).length,
        reason: waitingOf(scene.run.pod(name))?.reason,
      }
      const from = Date.now()
      // Another image in a pod that waits, and another pod of the image.
      await scene.setImage('other', 'busybox:1.37')
      await scene.run.untilRunning('other')
      await scene.create({ ...pulledPod, name: 'again' })
      await scene.run.untilRunning('again')
      const [, , , , fifth = 0] = scene.pulls(image)
      await scene.run.untilRunning(name)
      const [first = 0, second = 0, third = 0] = gaps(scene.pulls(image))
      return {
        // A sync asks, 10 to 15 s after the one before.
        isDoubled: first >= 10 && first < 30 && second >= 20 && second < 40 && third >= 40,
        whileItWaits,
        isAtOnce: fifth - from < 10_000,
        pulls: scene.pulls(image).length,
      }
    },
    shows: {
      isDoubled: true,
      whileItWaits: { pulls: 4, reason: 'ImagePullBackOff' },
      isAtOnce: true,
      pulls: 5,
    },
  },
]
