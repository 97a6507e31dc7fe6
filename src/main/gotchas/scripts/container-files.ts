import type { GotchaScript } from '../gotcha.ts'
import type { PodManifest } from '../pod-manifest.ts'
import type { ScriptedSandbox } from '../scripted-sandbox.ts'

const settings = { name: 'settings' }

/** Mounts one ConfigMap twice: as a folder, and one key of it by subPath. Exported for the claims. */
export const mountsTwice: PodManifest = {
  name: 'web',
  graceSeconds: 1,
  script:
    'while true; do echo volume=$(cat /config/color) subPath=$(cat /app/color); sleep 5; done',
  volumes: [{ name: 'settings', configMap: settings }],
  containerFields: {
    volumeMounts: [
      { name: 'settings', mountPath: '/config' },
      { name: 'settings', mountPath: '/app/color', subPath: 'color' },
    ],
  },
}

/** Prints a variable from a ConfigMap. */
export const printsVariable: PodManifest = {
  name: 'web',
  graceSeconds: 1,
  script: 'while true; do echo color=$color; sleep 5; done',
  containerFields: { envFrom: [{ configMapRef: settings }] },
}

/** Counts its starts in an emptyDir and in its own files, and fails after ten seconds. */
export const countsStarts: PodManifest = {
  name: 'counter',
  graceSeconds: 1,
  script:
    'echo start >> /cache/starts; echo start >> /tmp/starts; echo cache=$(wc -l < /cache/starts) own=$(wc -l < /tmp/starts); sleep 10; exit 1',
  volumes: [{ name: 'cache', emptyDir: {} }],
  containerFields: { volumeMounts: [{ name: 'cache', mountPath: '/cache' }] },
}

function createColor(sandbox: ScriptedSandbox): Promise<void> {
  return sandbox.step('kubectl create configmap settings --from-literal=color=blue', () =>
    sandbox.createConfigMap('settings', { color: 'blue' }),
  )
}

function editColor(sandbox: ScriptedSandbox): Promise<void> {
  return sandbox.step('kubectl edit configmap settings: the color is green now.', () =>
    sandbox.editConfigMap('settings', { color: 'green' }),
  )
}

function lineOf(sandbox: ScriptedSandbox, name: string): Promise<string> {
  return sandbox.lastLine(sandbox.row(name))
}

/** What the files and variables of a container keep, and until when. */
export const containerFiles: readonly GotchaScript[] = [
  {
    id: 'sub-path-keeps-the-old-file',
    title: 'The ConfigMap has changed, and one of two files has not',
    confusion:
      'The container mounts the same ConfigMap twice: as a folder, and one key of it as a single file. Minutes after the change the folder has the new value. The single file has the old one.',
    truth:
      'At each sync of the pod, 60 to 90 s apart, the kubelet writes the files of a changed ConfigMap into a new folder and replaces a link. A folder mount sees that. A subPath mount is bound to the old file when the container is created, so it never sees the new one.',
    sections: ['containers#volumes'],
    lookAt: 'The last line of the log of web says volume=green subPath=blue.',
    next: 'The line stays as it is. Only another container of the pod mounts the new file: kubectl set image pod/web main=busybox:1.37.',
    run: async (sandbox) => {
      await createColor(sandbox)
      await sandbox.createPod(mountsTwice, '; it prints the color from both mounts.')
      await sandbox.untilRunning('web')
      await sandbox.advance(10_000)
      await editColor(sandbox)
      await sandbox.until('the folder has the new color', async () =>
        (await lineOf(sandbox, 'web')).startsWith('volume=green'),
      )
      return sandbox.row('web')
    },
  },
  {
    id: 'variable-keeps-the-old-value',
    title: 'The ConfigMap says green, the program says blue',
    confusion:
      'The ConfigMap of the variables was changed five minutes ago. The kubelet watches it. The program still has the old value.',
    truth:
      'Variables belong to a container from its creation and never change in it. The kubelet does not restart a container because a ConfigMap has changed. The next container of the pod, for whatever reason it starts, gets the new value.',
    sections: ['containers#environment'],
    lookAt: 'The last line of the log of web says color=blue. Its restart count is 0.',
    next: 'Nothing changes until the container restarts. With another image (kubectl set image pod/web main=busybox:1.37) it restarts and says color=green.',
    run: async (sandbox) => {
      await createColor(sandbox)
      await sandbox.createPod(printsVariable, '; its variables are those of the ConfigMap.')
      await sandbox.untilRunning('web')
      await sandbox.advance(10_000)
      await editColor(sandbox)
      await sandbox.step('Five minutes pass.', () => sandbox.advance(5 * 60_000))
      return sandbox.row('web')
    },
  },
  {
    id: 'empty-dir-ends-with-the-pod',
    title: 'It survived every crash, and is gone now',
    confusion:
      'The program counts its starts in a file of an emptyDir. The file survived all crashes. Then the pod was deleted and created again from the same manifest, on the same node. The count begins at 1.',
    truth:
      'An emptyDir belongs to the pod, not to a container: it lives as long as the pod is on the node, however often its containers restart. What a container writes outside of volumes is gone with that container. Another pod, even of the same name, has another UID and another folder. The kubelet removes the old one when the pod has terminated.',
    sections: ['containers#volumes'],
    lookAt: 'The last line of the log of counter says cache=1 own=1, and its UID is another one.',
    next: 'It crashes again: cache goes up with each restart, own stays 1.',
    run: async (sandbox) => {
      await sandbox.createPod(countsStarts, '; it fails ten seconds after each start.')
      await sandbox.until('the third start', () =>
        sandbox.has('counter', { restarts: 2, status: 'Running' }),
      )
      await sandbox.advance(1000)
      const line = await lineOf(sandbox, 'counter')
      await sandbox.step(`It has been restarted twice. Its log says ${line}.`, () => undefined)
      await sandbox.step('kubectl delete pod counter', () => sandbox.delete('counter'))
      await sandbox.until('it is gone', async () => (await sandbox.pod('counter')) === undefined)
      await sandbox.until('no row is left', () => sandbox.rows('counter').length === 0)
      await sandbox.createPod(countsStarts)
      await sandbox.untilRunning('counter')
      await sandbox.advance(1000)
      return sandbox.row('counter')
    },
  },
]
