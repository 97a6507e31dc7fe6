import type { ExhibitScript } from '../exhibit.ts'
import { obedient, podText, stubborn } from '../pod-texts.ts'
import { alone, untilRuns } from '../scenes.ts'

const name = `web-${alone}`

const backupWins: ExhibitScript = {
  id: 'backup-wins',
  title: 'The backup file wins',
  confusion:
    'web.yaml was edited, with a backup in the same folder. The edit works for a moment, then the old version is back. This repeats at every edit.',
  truth:
    'The kubelet reads every file in the folder whose name does not start with a dot, whatever its extension. If two files define the same pod, the last by name wins: web.yaml.bak. A changed file is read at once and wins until the next full scan of the folder, every 20 s. The path is part of the UID, so each change of the winner makes a different pod.',
  sections: ['identity#static-pods', 'sources#file-source'],
  nodes: [alone],
  moment:
    'web.yaml was just saved, and the kubelet uses it: the pod from web.yaml.bak is terminating, and the pod from web.yaml waits.',
  next: 'Within 20 s the whole folder is read, web.yaml.bak wins again, and the edit is gone. Remove the backup to end this.',
  play: async (stage) => {
    const text = (image: string): string => podText({ name: 'web', image, script: obedient })
    await stage.step('web.yaml is added to the manifest folder.', () =>
      stage.putManifest('web.yaml', text('busybox:1.36')),
    )
    const first = await untilRuns(stage, name)
    await stage.step('It is copied to web.yaml.bak.', () =>
      stage.putManifest('web.yaml.bak', text('busybox:1.36')),
    )
    await stage.until(
      'the copy runs',
      () =>
        stage.has(name, { status: 'Running', mirror: 'matched', worker: 'SyncPod' }) &&
        stage.row(name).uid !== first.uid,
    )
    const copy = stage.row(name)
    await stage.step('web.yaml is edited: image busybox:1.37.', () =>
      stage.putManifest('web.yaml', text('busybox:1.37')),
    )
    return stage.rows(name).find(({ uid }) => uid !== copy.uid) ?? null
  },
}

const waits: ExhibitScript = {
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
  nodes: [alone],
  moment:
    'Two pods of one name: the old one has received SIGTERM and ignores it; the new one waits.',
  next: 'SIGKILL comes 30 s after the edit. The new pod starts at its worker’s next retry after the old worker has finished, at most 15 s later.',
  play: async (stage) => {
    const text = (app: string): string =>
      podText({ name: 'web', labels: { app }, graceSeconds: 30, script: stubborn })
    await stage.step('web.yaml is added to the manifest folder; it ignores SIGTERM.', () =>
      stage.putManifest('web.yaml', text('web')),
    )
    const old = await untilRuns(stage, name)
    await stage.step('web.yaml is edited: its label changes.', () =>
      stage.putManifest('web.yaml', text('shop')),
    )
    await stage.step('Five seconds pass.', () => stage.advance(5000))
    return stage.rows(name).find(({ uid }) => uid !== old.uid) ?? null
  },
}

const fixedUid: ExhibitScript = {
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
  nodes: [alone],
  moment:
    'The worker is terminating the pod and has recorded that a restart is requested (restartRequested).',
  next: 'After 20 s SIGKILL ends the container. The worker finishes, housekeeping removes its record and starts the pod with the same UID and a new container.',
  play: async (stage) => {
    const uid = '7e5ab1e0-0000-4000-8000-000000000002'
    const text = podText({ name: 'web', uid, graceSeconds: 20, script: stubborn })
    await stage.step('web.yaml, which sets metadata.uid, is added to the manifest folder.', () =>
      stage.putManifest('web.yaml', text),
    )
    await untilRuns(stage, name)
    await stage.step('web.yaml is removed.', () => stage.removeManifest('web.yaml'))
    await stage.advance(3000)
    await stage.step('Three seconds later it is added again.', () =>
      stage.putManifest('web.yaml', text),
    )
    const row = stage.row(name)
    await stage.until('it is wanted again', () => stage.worker(row).restartRequested)
    return stage.row(name)
  },
}

const badEdit: ExhibitScript = {
  id: 'bad-edit-stops-later',
  title: 'A typo takes effect 20 seconds later',
  confusion:
    'A manifest was saved with a mistake. Nothing happened, so the kubelet seems to keep the last good version. Some seconds later the pod is stopped.',
  truth:
    'A changed file is read at once. If it is not a valid pod, the kubelet logs the error and keeps what it has. But every 20 s it reads the whole folder, and an invalid file is not in that list: for the kubelet the manifest is gone, and it stops the pod.',
  sections: ['sources#file-source', 'sources#merge'],
  nodes: [alone],
  moment: 'The file is invalid and the pod keeps running.',
  next: 'Within 20 s the whole folder is read. The kubelet stops the pod and deletes its mirror. If the file is fixed before that, nothing happens.',
  play: async (stage) => {
    await stage.step('web.yaml is added to the manifest folder.', () =>
      stage.putManifest('web.yaml', podText({ name: 'web', script: obedient })),
    )
    await untilRuns(stage, name)
    await stage.step('web.yaml is saved with a typo: containrs.', () =>
      stage.putManifest(
        'web.yaml',
        podText({ name: 'web', script: obedient }).replace('containers:', 'containrs:'),
      ),
    )
    return stage.row(name)
  },
}

const killed: ExhibitScript = {
  id: 'killed-stays-down',
  title: 'A killed static pod stays down',
  confusion:
    'A static pod always restarts, so killing it should restart it. It stays down, kubectl says Completed, and the phase is Running.',
  truth:
    'A container restarts if it exits while its pod should run. A kill ends the pod itself: its worker finishes, and a finished worker accepts no more updates. The manifest is unchanged, so the kubelet has no reason to start it again. A static pod with restartPolicy Always has no phase for this: it stays Running, even after all its containers have exited.',
  sections: ['pod-workers#updatepod', 'termination#killpodnow', 'status#phase'],
  nodes: [alone],
  moment: 'The worker has finished and no container runs. The mirror’s phase is Running.',
  next: 'Nothing changes, however long the clock runs. Change the manifest or restart the kubelet, and the pod runs again.',
  play: async (stage) => {
    await stage.step('web.yaml is added to the manifest folder.', () =>
      stage.putManifest('web.yaml', podText({ name: 'web', script: obedient })),
    )
    const row = await untilRuns(stage, name)
    await stage.step('The pod is killed through its worker, as in an eviction.', () => {
      stage.kill(row)
    })
    await stage.until('its worker has finished', () => stage.has(name, { worker: 'finished' }))
    await stage.step('A minute passes.', () => stage.advance(60_000))
    return stage.row(name)
  },
}

/** What people expect of manifests. */
export const manifestExhibits: readonly ExhibitScript[] = [
  backupWins,
  waits,
  fixedUid,
  badEdit,
  killed,
]
