import { nodeA } from '../gotcha.ts'
import type { GotchaScript } from '../gotcha.ts'
import { ignoresSigterm, podManifest } from '../pod-manifest.ts'

const name = `web-${nodeA}`

/** What people expect of manifests. */
export const manifests: readonly GotchaScript[] = [
  {
    id: 'backup-wins',
    title: 'The backup file wins',
    confusion:
      'web.yaml was edited, with a backup in the same folder. The edit works for a moment, then the old version is back. This repeats at every edit.',
    truth:
      'The kubelet reads every file in the folder whose name does not start with a dot, whatever its extension. If two files define the same pod, the last by name wins: web.yaml.bak. A changed file is read at once and wins until the next full scan of the folder, every 20 s. The path is part of the UID, so each change of the winner makes a different pod.',
    sections: ['identity#static-pods', 'sources#file-source'],
    lookAt:
      'web.yaml was just saved, and the kubelet uses it: the pod from web.yaml.bak is terminating, and the pod from web.yaml waits.',
    next: 'Within 20 s the whole folder is read, web.yaml.bak wins again, and the edit is gone. Remove the backup to end this.',
    run: async (sandbox) => {
      await sandbox.addManifest({ name: 'web' })
      const first = await sandbox.untilRunning(name)
      await sandbox.step('It is copied to web.yaml.bak.', () =>
        sandbox.putManifest('web.yaml.bak', podManifest({ name: 'web' })),
      )
      await sandbox.until(
        'the copy runs',
        () =>
          sandbox.has(name, { status: 'Running', mirror: 'matched', worker: 'SyncPod' }) &&
          sandbox.row(name).uid !== first.uid,
      )
      const copy = sandbox.row(name)
      await sandbox.editManifest({ name: 'web', image: 'busybox:1.37' }, ': image busybox:1.37.')
      return sandbox.rows(name).find(({ uid }) => uid !== copy.uid) ?? null
    },
  },
  {
    id: 'replacement-waits',
    title: 'The edited pod does not start',
    confusion:
      'The manifest was changed a while ago. The old version is terminating or already gone, the new one does not start, and no event says why.',
    truth:
      'An edited manifest is a different pod with the same name. Only one static pod of a name may run, so the new one waits until the old one has terminated; a container that ignores SIGTERM uses its whole grace period. The new pod is not woken up then: its worker retries every 10 to 15 s.',
    sections: [
      'identity#static-pods',
      'pod-workers#static-pods-of-one-name',
      'termination#grace-period',
    ],
    lookAt:
      'Two pods of one name: the old one has received SIGTERM and ignores it; the new one waits.',
    next: 'SIGKILL comes 30 s after the edit. The new pod starts at its worker’s next retry after the old worker has finished, at most 15 s later.',
    run: async (sandbox) => {
      const web = { name: 'web', graceSeconds: 30, script: ignoresSigterm }
      await sandbox.addManifest({ ...web, labels: { app: 'web' } }, '; it ignores SIGTERM.')
      const old = await sandbox.untilRunning(name)
      await sandbox.editManifest({ ...web, labels: { app: 'shop' } }, ': its label changes.')
      await sandbox.step('Five seconds pass.', () => sandbox.advance(5000))
      return sandbox.rows(name).find(({ uid }) => uid !== old.uid) ?? null
    },
  },
  {
    id: 'fixed-uid-reused',
    title: 'A fixed UID is reused too early',
    confusion:
      'The manifest was moved away and put back at once. It is in the folder and the kubelet has read it, but the pod is still being stopped.',
    truth:
      'The manifest sets metadata.uid, so for the kubelet it is the same pod. Termination cannot be undone: the worker records that a restart is requested and terminates the pod. Only after the worker’s record is removed does housekeeping start the pod again. Without a fixed UID an unchanged file behaves the same, because its UID is a hash of the content.',
    sections: [
      'identity#a-uid-in-the-manifest',
      'pod-workers#reuse-of-a-uid',
      'pod-workers#syncknownpods',
    ],
    lookAt:
      'The worker is terminating the pod and has recorded that a restart is requested (restartRequested).',
    next: 'After 20 s SIGKILL ends the container. The worker finishes, housekeeping removes its record and starts the pod with the same UID and a new container.',
    run: async (sandbox) => {
      const uid = '7e5ab1e0-0000-4000-8000-000000000002'
      const text = podManifest({ name: 'web', uid, graceSeconds: 20, script: ignoresSigterm })
      await sandbox.step(
        'web.yaml, which sets metadata.uid, is added to the manifest folder.',
        () => sandbox.putManifest('web.yaml', text),
      )
      await sandbox.untilRunning(name)
      await sandbox.step('web.yaml is removed.', () => sandbox.removeManifest('web.yaml'))
      await sandbox.advance(3000)
      await sandbox.step('Three seconds later it is added again.', () =>
        sandbox.putManifest('web.yaml', text),
      )
      const row = sandbox.row(name)
      await sandbox.until('it is wanted again', () => sandbox.worker(row).restartRequested)
      return sandbox.row(name)
    },
  },
  {
    id: 'bad-edit-stops-later',
    title: 'A typo takes effect 20 seconds later',
    confusion:
      'A manifest was saved with a mistake. Nothing happened, so the kubelet seems to keep the last good version. Some seconds later the pod is stopped.',
    truth:
      'A changed file is read at once. If it is not a valid pod, the kubelet logs the error and keeps what it has. But every 20 s it reads the whole folder, and an invalid file is not in that list: for the kubelet the manifest is gone, and it stops the pod.',
    sections: ['sources#file-source', 'sources#merge'],
    lookAt: 'The file is invalid and the pod keeps running.',
    next: 'Within 20 s the whole folder is read. The kubelet stops the pod and deletes its mirror. If the file is fixed before that, nothing happens.',
    run: async (sandbox) => {
      await sandbox.addManifest({ name: 'web' })
      await sandbox.untilRunning(name)
      await sandbox.step('web.yaml is saved with a typo: containrs.', () =>
        sandbox.putManifest(
          'web.yaml',
          podManifest({ name: 'web' }).replace('containers:', 'containrs:'),
        ),
      )
      return sandbox.row(name)
    },
  },
  {
    id: 'killed-stays-down',
    title: 'A killed static pod stays down',
    confusion:
      'A static pod always restarts, so killing it should restart it. It stays down, kubectl says Completed, and the phase is Running.',
    truth:
      'A container restarts if it exits while its pod should run. A kill ends the pod itself: its worker finishes, and a finished worker accepts no more updates. The manifest is unchanged, so the kubelet has no reason to start it again. A static pod with restartPolicy Always has no phase for this: it stays Running, even after all its containers have exited.',
    sections: ['pod-workers#updatepod', 'termination#killpodnow', 'status#phase'],
    lookAt: 'The worker has finished and no container runs. The mirror’s phase is Running.',
    next: 'Nothing changes, however long the clock runs. Change the manifest or restart the kubelet, and the pod runs again.',
    run: async (sandbox) => {
      await sandbox.addManifest({ name: 'web' })
      const row = await sandbox.untilRunning(name)
      await sandbox.step('The pod is killed through its worker, as in an eviction.', () =>
        sandbox.kill(row),
      )
      await sandbox.until('its worker has finished', () =>
        sandbox.has(name, { worker: 'finished' }),
      )
      await sandbox.step('A minute passes.', () => sandbox.advance(60_000))
      return sandbox.row(name)
    },
  },
]
