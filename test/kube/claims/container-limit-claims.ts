import { setTimeout as sleep } from 'node:timers/promises'
import { gotchaPod } from './shipped-gotchas.ts'
import { isReady } from '../integration/scenario-run.ts'
import type { Claim, Scene } from './scene.ts'

function stops(scene: Scene, pod: string): number {
  return scene.calls(pod).filter((call) => call.startsWith('StopContainer')).length
}

/** Of what restarts containers, and of images. */
export const containerLimitClaims: readonly Claim[] = [
  {
    key: 'unready-is-not-restarted',
    says: [
      'A failed readiness probe only makes the container unready',
      'It never restarts a container, however long it fails. A failed liveness probe restarts it.',
      'unready is 0/1 with no restart. unhealthy has been restarted.',
    ],
    steps: async (scene) => {
      await scene.create(gotchaPod('unready-is-not-restarted', 'unready'))
      await scene.create(gotchaPod('unready-is-not-restarted', 'unhealthy'))
      await scene.waitForPod('unready', 'is ready', (pod) => pod !== undefined && isReady(pod))
      await scene.wait('the second start', () => scene.starts('unhealthy').length >= 2)
      const isUnready = () => scene.run.until('unready', 'is unready', (pod) => !isReady(pod))
      await isUnready()
      await sleep(30_000)
      await isUnready()
      return {
        ends: scene.exits('unready').length,
        stops: stops(scene, 'unready'),
        codes: scene.exitCodes('unhealthy').slice(0, 1),
      }
    },
    shows: { ends: 0, stops: 0, codes: [137] },
  },
  {
    key: 'out-of-memory-ends-one-container',
    says: [
      'The kubelet only finds the container dead, with exit code 137 and reason OOMKilled. Then restartPolicy decides: Always starts another container in the same pod, after the back-off; with Never the pod is Failed.',
      'The last container of hungry ended with exit code 137, OOMKilled. Its pod is the same. once is Failed.',
    ],
    steps: async (scene) => {
      const { metadata } = await scene.create(
        gotchaPod('out-of-memory-ends-one-container', 'hungry'),
      )
      await scene.create(gotchaPod('out-of-memory-ends-one-container', 'once'))
      await scene.waitForPod(
        'hungry',
        'runs again',
        (pod) => pod?.status?.containerStatuses?.[0]?.restartCount === 1 && isReady(pod),
      )
      await scene.waitForPod('once', 'is over', (pod) => pod?.status?.phase === 'Failed')
      const [again, once] = ['hungry', 'once'].map((name) => scene.run.pod(name))
      const last = again?.status?.containerStatuses?.[0]?.lastState?.terminated
      const end = once?.status?.containerStatuses?.[0]?.state?.terminated
      return {
        isTheSame: again?.metadata.uid === metadata.uid,
        last: [last?.exitCode, last?.reason],
        end: [end?.exitCode, end?.reason],
        stops: stops(scene, 'hungry'),
      }
    },
    shows: { isTheSame: true, last: [137, 'OOMKilled'], end: [137, 'OOMKilled'], stops: 0 },
  },
  {
    key: 'same-tag-is-not-pulled',
    says: [
      'With IfNotPresent the kubelet asks the runtime whether it has an image of that name. If it has one, no registry is asked',
      'The default is Always for the tag latest or no tag, and IfNotPresent for every other; the API server writes it into the pod. With Never, an image that is missing is the error ErrImageNeverPull, and the kubelet tries again.',
      'never starts by itself once its image is on the node',
    ],
    steps: async (scene) => {
      const pod = (name: string) => gotchaPod('same-tag-is-not-pulled', name)
      const [pinned, latest, never] = [pod('pinned'), pod('latest'), pod('never')]
      const pulls: Record<string, number> = {}
      const policies: unknown[] = []
      for (const pod of [pinned, latest]) {
        await scene.create(pod)
        await scene.run.untilRunning(pod.name)
        await scene.run.delete(pod.name, 0)
        await scene.run.untilGone(pod.name)
        const second = await scene.create(pod)
        policies.push(second.spec.containers[0]?.imagePullPolicy)
        await scene.run.untilRunning(pod.name)
        const reasons = await scene.eventReasons(second)
        pulls[pod.name] = reasons.filter((reason) => reason === 'Pulling').length
      }
      await scene.create(never)
      const isWaiting = 'ErrImageNeverPull'
      await scene.waitForPod(
        'never',
        'waits',
        (pod) => pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason === isWaiting,
      )
      await scene.create({ name: 'puller', image: never.image ?? '' })
      await scene.waitForPod('never', 'runs', (pod) => pod !== undefined && isReady(pod))
      return { pulls, policies }
    },
    shows: { pulls: { pinned: 0, latest: 1 }, policies: ['IfNotPresent', 'Always'] },
  },
]
