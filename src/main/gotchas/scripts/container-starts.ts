import type { GotchaScript } from '../gotcha.ts'
import type { PodManifest } from '../pod-manifest.ts'

/** Its program needs a minute to get ready; its hook looks for that after ten seconds, and fails. Exported for the claims. */
export const failingHook: PodManifest = {
  name: 'web',
  graceSeconds: 5,
  script: `trap 'exit 0' TERM; echo serving; while true; do sleep 1; done`,
  containerFields: {
    lifecycle: { postStart: { exec: { command: ['sh', '-c', 'sleep 10; cat /tmp/ready'] } } },
  },
}

const secretName = 'login'

/** Has a variable from a key of a Secret. */
export const secretVariable: PodManifest = {
  name: 'variable',
  containerFields: {
    env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: secretName, key: 'password' } } }],
  },
}

/** Mounts the same Secret. */
export const secretFiles: PodManifest = {
  name: 'files',
  volumes: [{ name: secretName, secret: { secretName } }],
  containerFields: { volumeMounts: [{ name: secretName, mountPath: '/login' }] },
}

/** Its image cannot be pulled at first. */
export const pulledPod: PodManifest = { name: 'shop', image: 'registry.example/shop:v2' }

/** Why containers do not start. */
export const containerStarts: readonly GotchaScript[] = [
  {
    id: 'post-start-hook-fails',
    title: 'The program runs, the pod says it is being created, and then it is killed',
    confusion:
      'The log says serving, and the pod says ContainerCreating. Ten seconds later the container is stopped, though its program had no error. This repeats.',
    truth:
      'The kubelet starts the container and waits for its postStart hook before it goes on with the pod: until then the container counts as waiting and is not ready. A hook that fails has the event FailedPostStartHook, and the kubelet stops the container as at any other end, with SIGTERM and the grace period. Then it restarts it, with the back-off of a container that crashes.',
    sections: ['containers#lifecycle-hooks', 'containers#back-off'],
    lookAt:
      'web has been stopped twice and was never ready. Its container exited with 0: the program was told to stop. The events say FailedPostStartHook.',
    next: 'It goes on like this, with a longer back-off before each start.',
    run: async (sandbox) => {
      await sandbox.createPod(failingHook, '; its postStart hook fails after 10 s.')
      await sandbox.until(
        'its program runs',
        async () =>
          sandbox.rows('web').length > 0 && (await sandbox.lastLine(sandbox.row('web'))) !== '',
      )
      const { status } = sandbox.row('web')
      await sandbox.step(`Its log says serving. Its status is ${status}.`, () => undefined)
      await sandbox.until(
        'it has been stopped twice',
        () =>
          sandbox.has('web', { status: 'CrashLoopBackOff' }) &&
          sandbox.container(sandbox.row('web')).restarts >= 1,
      )
      return sandbox.row('web')
    },
  },
  {
    id: 'secret-without-the-key',
    title: 'The Secret exists now, and one of two pods still fails',
    confusion:
      'Both pods need the same Secret, which was forgotten. One said CreateContainerConfigError, the other only ContainerCreating. Now the Secret exists. The second pod runs. The first one fails as before.',
    truth:
      'A variable needs its key, and its container is not created without it: CreateContainerConfigError, with the name of the Secret or of the key that is missing. A volume of a Secret needs the Secret only. Until it exists, no container of the pod is created, the status stays ContainerCreating, and only the event FailedMount names the Secret. The kubelet tries a variable again every 10 to 15 s, and a volume after a time that doubles up to 2 min 2 s. Both start by themselves.',
    sections: ['containers#environment', 'containers#volumes'],
    lookAt:
      'files runs. variable has CreateContainerConfigError: the message says that the key password is not in the Secret login.',
    next: 'With the key (kubectl patch secret login -p \'{"stringData":{"password":"x"}}\') variable starts within 15 s.',
    run: async (sandbox) => {
      await sandbox.createPod(secretVariable, '; its variable is a key of a Secret.')
      await sandbox.createPod(secretFiles, '; it mounts the same Secret.')
      await sandbox.until('variable waits', () =>
        sandbox.has('variable', { status: 'CreateContainerConfigError' }),
      )
      await sandbox.step('A minute passes.', () => sandbox.advance(60_000))
      await sandbox.step(
        `files is ${sandbox.row('files').status}. kubectl create secret generic login --from-literal=user=ada`,
        () => sandbox.createSecret(secretName, { user: 'ada' }),
      )
      await sandbox.untilRunning('files')
      await sandbox.until('variable was tried again', () =>
        sandbox.container(sandbox.row('variable')).message.includes('password'),
      )
      return sandbox.row('variable')
    },
  },
  {
    id: 'pull-back-off-goes-on',
    title: 'The registry is back, and the pod still says ImagePullBackOff',
    confusion:
      'The registry was away for a few minutes. It has answered again for a minute. The pod still says ImagePullBackOff, and nothing is pulled.',
    truth:
      'After a failed pull (ErrImagePull) the kubelet waits 10 s, then 20, 40, 80, 160 and at most 300 s before it asks again (ImagePullBackOff). It does not learn that the image can be pulled now. There is one sequence for each pod and image: a new pod, or another image in the same pod, is pulled at once, and so is everything after a restart of the kubelet, which keeps no sequence. An image that is on the node needs no pull, whoever pulled it.',
    sections: ['images#pull-back-off', 'images#pulling'],
    lookAt:
      'shop has ImagePullBackOff, a minute after the registry answers again. Its fifth pull failed; the sixth comes 160 s after that.',
    next: 'The sixth pull succeeds and shop runs, without a restart. Sooner: create another pod of the same image. It is pulled at once, and shop starts at its next sync.',
    run: async (sandbox) => {
      await sandbox.step('The registry does not answer: PullImage fails on this node.', () =>
        sandbox.failCall({ call: 'PullImage', how: 'fails', pod: null }),
      )
      await sandbox.createPod(pulledPod, `, with the image ${pulledPod.image ?? ''}.`)
      for (let pull = 1; pull <= 5; pull++) {
        await sandbox.until(`pull ${pull} fails`, () =>
          sandbox.has(pulledPod.name, { status: 'ErrImagePull' }),
        )
        await sandbox.until('it waits', () =>
          sandbox.has(pulledPod.name, { status: 'ImagePullBackOff' }),
        )
      }
      await sandbox.step('The registry answers again.', () => sandbox.nodeAct('callsAnswer'))
      await sandbox.step('A minute passes.', () => sandbox.advance(60_000))
      return sandbox.row(pulledPod.name)
    },
  },
]
