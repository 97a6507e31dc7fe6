import { setTimeout as sleep } from 'node:timers/promises'
import { gotchaPod } from './shipped-gotchas.ts'
import { isReady } from '../integration/scenario-run.ts'
import type { Claim } from './scene.ts'

/** Of what containers get from a kubelet, and when. */
export const containerClaims: readonly Claim[] = [
  {
    key: 'liveness-kills-a-slow-start',
    says: [
      'A liveness probe begins with the container. After three failures in a row, here after about 15 s, the kubelet stops the container and starts it from the beginning. With a startup probe, the liveness probe begins only after the startup probe has succeeded.',
      'slow has been restarted twice and was never ready. patient is the same with a startup probe: it is ready and was never restarted.',
    ],
    steps: async (scene) => {
      await scene.create(gotchaPod('liveness-kills-a-slow-start', 'slow'))
      await scene.create(gotchaPod('liveness-kills-a-slow-start', 'patient'))
      await scene.waitForPod('patient', 'is ready', (pod) => pod !== undefined && isReady(pod))
      await scene.wait('the third start', () => scene.starts('slow').length >= 3)
      const wasReady = scene.run.observer
        .of('pods', { namespace: scene.run.namespace, name: 'slow' })
        .some(({ object }) => isReady(object))
      const [firstStart = 0] = scene.starts('slow')
      const [firstEnd = 0] = scene.exits('slow')
      const seconds = (firstEnd - firstStart) / 1000
      return {
        wasReady,
        isAfterAbout15: seconds > 10 && seconds < 45,
        codes: scene.exitCodes('slow').slice(0, 2),
        patientEnds: scene.exits('patient').length,
      }
    },
    shows: { wasReady: false, isAfterAbout15: true, codes: [137, 137], patientEnds: 0 },
  },
  {
    key: 'config-map-comes-later',
    says: [
      'Without the ConfigMap the kubelet creates no container, reports CreateContainerConfigError, and tries again 10 to 15 s later, and so on. The pod starts by itself once the ConfigMap exists. No restart is counted, because no container has ended.',
      'The container keeps its variables, even if the ConfigMap is changed or deleted.',
    ],
    steps: async (scene) => {
      const { run } = scene
      const created = await scene.create(gotchaPod('config-map-comes-later', 'web'))
      const isWaiting = 'CreateContainerConfigError'
      await scene.waitForPod(
        'web',
        'waits',
        (pod) => pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason === isWaiting,
      )
      const path = `/api/v1/namespaces/${run.namespace}/configmaps`
      await run.admin.ask('POST', path, { metadata: { name: 'settings' }, data: { COLOR: 'blue' } })
      const pod = await run.untilRunning('web')
      await run.admin.ask('DELETE', `${path}/settings`)
      await sleep(3000)
      return {
        isTheSame: pod.metadata.uid === created.metadata.uid,
        restarts: pod.status?.containerStatuses?.[0]?.restartCount,
        ends: scene.exits('web').length,
      }
    },
    shows: { isTheSame: true, restarts: 0, ends: 0 },
  },
  {
    key: 'pre-stop-takes-from-the-grace',
    says: [
      'The hook takes eight of the ten seconds, so SIGTERM is sent after eight and SIGKILL after ten.',
    ],
    steps: async (scene) => {
      const { run } = scene
      await scene.create(gotchaPod('pre-stop-takes-from-the-grace', 'tidy'))
      await run.untilRunning('tidy')
      await run.delete('tidy')
      await scene.wait('its end', () => scene.exits('tidy').length === 1)
      return { codes: scene.exitCodes('tidy'), lastCall: scene.calls('tidy').at(-1) }
    },
    shows: { codes: [137], lastCall: 'StopContainer main, 2 s' },
  },
]
