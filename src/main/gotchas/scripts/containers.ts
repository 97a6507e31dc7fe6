import type { GotchaScript } from '../gotcha.ts'
import type { PodManifest } from '../pod-manifest.ts'

const isUp = { exec: { command: ['cat', '/tmp/up'] }, periodSeconds: 5 }

/** Starts for forty seconds; its liveness probe asks from the first second. Exported for the claims. */
export const slowStart: PodManifest = {
  name: 'slow',
  graceSeconds: 1,
  script: 'sleep 40; touch /tmp/up; sleep 86400',
  containerFields: { livenessProbe: isUp, readinessProbe: isUp },
}

/** The same with a startup probe. */
export const patientStart: PodManifest = {
  ...slowStart,
  name: 'patient',
  containerFields: {
    ...slowStart.containerFields,
    startupProbe: { ...isUp, failureThreshold: 60 },
  },
}

/** Has a variable from a ConfigMap. */
export const needsSettings: PodManifest = {
  name: 'web',
  containerFields: { envFrom: [{ configMapRef: { name: 'settings' } }] },
}

/** Needs five seconds to stop, and has two. */
export const slowStop: PodManifest = {
  name: 'tidy',
  graceSeconds: 10,
  script: `trap 'sleep 5; exit 0' TERM; while true; do sleep 1; done`,
  containerFields: { lifecycle: { preStop: { sleep: { seconds: 8 } } } },
}

/** What containers get from a kubelet, and when. */
export const containers: readonly GotchaScript[] = [
  {
    id: 'liveness-kills-a-slow-start',
    title: 'Restarted again and again, and never ready',
    confusion:
      'The program needs forty seconds to start. Its container is restarted over and over and never becomes ready. Its log shows no error.',
    truth:
      'A liveness probe begins with the container. After three failures in a row, here after about 15 s, the kubelet stops the container and starts it from the beginning. With a startup probe, the liveness probe begins only after the startup probe has succeeded.',
    sections: ['containers#probes', 'containers#back-off'],
    lookAt:
      'slow has been restarted twice and was never ready. patient is the same with a startup probe: it is ready and was never restarted.',
    next: 'slow goes on like this, with a longer back-off before each start.',
    run: async (sandbox) => {
      await sandbox.createPod(slowStart, '; it starts for 40 s, and has a liveness probe.')
      await sandbox.createPod(patientStart, '; the same with a startup probe.')
      await sandbox.until(
        'slow has been restarted twice, and patient is ready',
        () =>
          sandbox.has('slow', { restarts: 2, status: 'Running' }) &&
          sandbox.has('patient', { readyContainers: 1 }),
      )
      return sandbox.row('slow')
    },
  },
  {
    id: 'config-map-comes-later',
    title: 'CreateContainerConfigError, and then it runs',
    confusion:
      'The pod needs a ConfigMap that was forgotten. The ConfigMap exists now. Does the pod have to be deleted and created again?',
    truth:
      'Variables belong to a container from its creation. Without the ConfigMap the kubelet creates no container, reports CreateContainerConfigError, and tries again 10 to 15 s later, and so on. The pod starts by itself once the ConfigMap exists. No restart is counted, because no container has ended.',
    sections: ['containers#environment', 'containers#reasons'],
    lookAt: 'web runs, without a restart. It is the pod that was created before the ConfigMap.',
    next: 'The container keeps its variables, even if the ConfigMap is changed or deleted.',
    run: async (sandbox) => {
      await sandbox.createPod(needsSettings, '; it refers to a ConfigMap that does not exist.')
      await sandbox.until('it waits', () =>
        sandbox.has('web', { status: 'CreateContainerConfigError' }),
      )
      await sandbox.step('A minute passes.', () => sandbox.advance(60_000))
      await sandbox.step('kubectl create configmap settings --from-literal=COLOR=blue', () =>
        sandbox.createConfigMap('settings', { COLOR: 'blue' }),
      )
      return sandbox.untilRunning('web')
    },
  },
  {
    id: 'pre-stop-takes-from-the-grace',
    title: 'A grace period of ten seconds, and killed after two',
    confusion:
      'The program needs five seconds to stop, and its pod has ten. It is killed all the same, two seconds after SIGTERM.',
    truth:
      'The time of a preStop hook is part of the grace period. The hook takes eight of the ten seconds, so SIGTERM is sent after eight and SIGKILL after ten. At least two seconds always remain for the container.',
    sections: ['containers#lifecycle-hooks', 'termination#stopping-containers'],
    lookAt: 'The container has ended with exit code 137, ten seconds after the deletion.',
    next: 'The kubelet has the object removed within two seconds.',
    run: async (sandbox) => {
      await sandbox.createPod(slowStop, '; its preStop hook takes 8 s.')
      await sandbox.untilRunning('tidy')
      await sandbox.step('kubectl delete pod tidy', () => sandbox.delete('tidy'))
      await sandbox.until('its container has ended', () => {
        const { exitCode } = sandbox.container(sandbox.row('tidy'))
        return exitCode !== null
      })
      return sandbox.row('tidy')
    },
  },
]
