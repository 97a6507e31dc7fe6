import type { GotchaScript } from '../gotcha.ts'
import type { PodManifest } from '../pod-manifest.ts'

const hasFile = { exec: { command: ['cat', '/tmp/ok'] }, periodSeconds: 5 }

/** Has its file for twenty seconds; without it the readiness probe fails. Exported for the claims. */
export const unready: PodManifest = {
  name: 'unready',
  graceSeconds: 1,
  script: 'touch /tmp/ok; sleep 20; rm /tmp/ok; sleep 86400',
  containerFields: { readinessProbe: hasFile },
}

/** The same with a liveness probe. */
export const unhealthy: PodManifest = {
  ...unready,
  name: 'unhealthy',
  containerFields: { livenessProbe: hasFile },
}

/** Reaches its memory limit after twenty seconds. */
export const hungry: PodManifest = {
  name: 'hungry',
  annotations: { 'simulated.nodescope.dev/out-of-memory': '20s' },
  script: 'sleep 86400',
  containerFields: { resources: { limits: { memory: '64Mi' } } },
}

export const hungryOnce: PodManifest = { ...hungry, name: 'once', restartPolicy: 'Never' }

/** Without a policy; the API server fills it in by the tag. */
export const imagePods = {
  pinned: { name: 'pinned', image: 'shop/app:1.0', script: 'sleep 86400' },
  latest: { name: 'latest', image: 'shop/app:latest', script: 'sleep 86400' },
  never: {
    name: 'never',
    image: 'shop/tool:2.0',
    script: 'sleep 86400',
    containerFields: { imagePullPolicy: 'Never' },
  },
} as const satisfies Readonly<Record<string, PodManifest>>

const large = { requests: { memory: '256Mi' }, limits: { memory: '256Mi' } }
const small = { requests: { memory: '128Mi' }, limits: { memory: '128Mi' } }

/** Uses 200Mi of its 256Mi. */
const usesMuch: PodManifest = {
  name: 'stays',
  graceSeconds: 1,
  annotations: { 'simulated.nodescope.dev/memory': '200Mi' },
  script: 'sleep 86400',
  containerFields: { resources: large },
}

const restarts: PodManifest = {
  ...usesMuch,
  name: 'restarts',
  annotations: { 'simulated.nodescope.dev/memory': '100Mi' },
  containerFields: {
    resources: large,
    resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }],
  },
}

/** What restarts a container and what does not: probes, memory, images. */
export const containerLimits: readonly GotchaScript[] = [
  {
    id: 'unready-is-not-restarted',
    title: 'The probe has failed for minutes, and nothing restarts',
    confusion:
      'Both pods run the same program, which breaks after twenty seconds, and both have the same probe. One is restarted again and again. The other shows 0/1 for minutes, and the kubelet leaves it alone.',
    truth:
      'A failed readiness probe only makes the container unready: the pod gets no traffic from Services. It never restarts a container, however long it fails. A failed liveness probe restarts it. The kubelet goes on with the readiness probe, so that the pod becomes ready as soon as it succeeds.',
    sections: ['containers#probes', 'status#building-the-status'],
    lookAt: 'unready is 0/1 with no restart. unhealthy has been restarted.',
    next: 'unhealthy goes on like this, with a longer back-off each time. unready stays as it is.',
    run: async (sandbox) => {
      await sandbox.createPod(unready, '; its readiness probe fails after 20 s.')
      await sandbox.createPod(unhealthy, '; the same, as a liveness probe.')
      await sandbox.until('unhealthy has been restarted, and unready was not', () => {
        const isRestarted = sandbox.has('unhealthy', { restarts: 1, status: 'Running' })
        return isRestarted && sandbox.has('unready', { readyContainers: 0 })
      })
      await sandbox.step('Two minutes pass.', () => sandbox.advance(2 * 60_000))
      return sandbox.row('unready')
    },
  },
  {
    id: 'out-of-memory-ends-one-container',
    title: 'OOMKilled, and still Running',
    confusion:
      'The container needed more memory than its limit. One pod shows OOMKilled and is over. The other one had the same and shows Running. The node has enough memory, and no pod was evicted.',
    truth:
      'The limit belongs to the container. The Linux kernel kills what exceeds it, with SIGKILL: no SIGTERM, no grace period, no preStop hook. The kubelet only finds the container dead, with exit code 137 and reason OOMKilled. Then restartPolicy decides: Always starts another container in the same pod, after the back-off; with Never the pod is Failed.',
    sections: ['containers#pod-actions', 'containers#back-off', 'status#phase'],
    lookAt:
      'The last container of hungry ended with exit code 137, OOMKilled. Its pod is the same. once is Failed.',
    next: 'hungry runs for 20 s each time; the back-off before its next start doubles. once stays Failed.',
    run: async (sandbox) => {
      await sandbox.createPod(hungry, '; it reaches its memory limit after 20 s.')
      await sandbox.createPod(hungryOnce, '; the same with restartPolicy Never.')
      await sandbox.until('hungry runs again, and once is over', () => {
        const isAgain = sandbox.has('hungry', { restarts: 1, status: 'Running' })
        return isAgain && sandbox.has('once', { worker: 'finished' })
      })
      return sandbox.row('hungry')
    },
  },
  {
    id: 'same-tag-is-not-pulled',
    title: 'A new image under the same tag, and the old one runs',
    confusion:
      'The image was pushed again under the tag 1.0. The pod was deleted and created, but it runs the old image. A pod with the tag latest got the new one. A third pod, with the policy Never, does not start at all.',
    truth:
      'With IfNotPresent the kubelet asks the runtime whether it has an image of that name. If it has one, no registry is asked, wherever the tag points now. The default is Always for the tag latest or no tag, and IfNotPresent for every other; the API server writes it into the pod. With Never, an image that is missing is the error ErrImageNeverPull, and the kubelet tries again.',
    sections: ['images#pull-policy', 'images#pulling'],
    lookAt:
      'The events of pinned say already present on machine. Those of latest have another pull. never waits with ErrImageNeverPull.',
    next: 'never starts by itself once its image is on the node: another pod with that image and the policy IfNotPresent is enough.',
    run: async (sandbox) => {
      const { pinned, latest, never } = imagePods
      for (const pod of [pinned, latest]) {
        await sandbox.createPod(pod, `, with the image ${pod.image}.`)
        await sandbox.untilRunning(pod.name)
      }
      for (const pod of [pinned, latest]) {
        await sandbox.step(`kubectl delete pod ${pod.name} --force`, () =>
          sandbox.delete(pod.name, 0),
        )
        await sandbox.until('it is gone', () => sandbox.rows(pod.name).length === 0)
        await sandbox.createPod(pod)
        await sandbox.untilRunning(pod.name)
      }
      await sandbox.createPod(never, ', with the policy Never.')
      await sandbox.until('it waits', () => sandbox.has('never', { status: 'ErrImageNeverPull' }))
      return sandbox.row('pinned')
    },
  },
  {
    id: 'resize-below-the-use',
    title: 'The resize was accepted, and the limit is as before',
    confusion:
      'Both pods were resized from 256Mi to 128Mi of memory, and kubectl accepted it. One container was restarted, although a resize is in place. The other one runs on with its old limit.',
    truth:
      'The spec says what is wanted, and the status what the runtime enforces. Before the kubelet lowers a memory limit it compares it with the memory in use. If more is in use, it changes nothing, sets PodResizeInProgress with reason Error, and tries again at each sync. A container whose resizePolicy is RestartContainer is stopped and started with the new limit.',
    sections: ['containers#in-place-resize'],
    lookAt:
      'stays: the spec says 128Mi, the resources of the container’s status say 256Mi, and PodResizeInProgress has reason Error. restarts has been restarted with 128Mi.',
    next: 'stays keeps its limit as long as it uses 200Mi.',
    run: async (sandbox) => {
      await sandbox.createPod(usesMuch, '; it uses 200Mi of its 256Mi.')
      await sandbox.createPod(restarts, '; its resizePolicy is RestartContainer.')
      for (const name of ['stays', 'restarts']) await sandbox.untilRunning(name)
      for (const name of ['stays', 'restarts'])
        await sandbox.step(`kubectl patch pod ${name} --subresource resize: memory 128Mi.`, () =>
          sandbox.resize(name, small),
        )
      await sandbox.until('restarts has its new limit', () =>
        sandbox.has('restarts', { restarts: 1, status: 'Running' }),
      )
      await sandbox.step('A minute passes.', () => sandbox.advance(60_000))
      return sandbox.row('stays')
    },
  },
]
