import type { Exhibit } from '../exhibit.ts'
import { obedient, podText, stubborn } from '../pod-texts.ts'
import { alone, untilRuns } from '../scenes.ts'

const name = `web-${alone}`

const backupWins: Exhibit = {
  id: 'backup-wins',
  title: 'The backup in the folder wins',
  confusion:
    'web.yaml was edited, with a backup beside it. The edit works for a moment, then the old version is back, and so it goes at every edit.',
  truth:
    'The kubelet reads every file of the folder whose name does not begin with a dot, whatever its ending. Of two files with the same pod the last by name wins: web.yaml.bak. A file that is written is read at once and wins until the whole folder is read again, every 20 s. As the path is part of the uid, each change of winner makes another pod.',
  sections: ['1.4', '1.5'],
  nodes: [alone],
  moment:
    'web.yaml has just been saved, and the kubelet takes it: the pod from web.yaml.bak is stopped, the one from web.yaml waits.',
  next: 'At the latest 20 s later the folder is read as a whole, web.yaml.bak wins again, and the edit is gone. Remove the backup to end this.',
  play: async (stage) => {
    const text = (image: string): string => podText({ name: 'web', image, script: obedient })
    await stage.step('web.yaml is put into the manifest folder.', () =>
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

const waits: Exhibit = {
  id: 'replacement-waits',
  title: 'The edited pod that does not start',
  confusion:
    'The manifest was changed a while ago. The old version is gone or still there, the new one does not start, and no event says why.',
  truth:
    'An edited manifest is another pod of the same name. Of one name only one static pod may run, so the new one waits until the old one has used its whole grace period; a container that ignores SIGTERM uses all of it. And nobody wakes the new one: it looks again every 10 to 15 s.',
  sections: ['1.4', '4.5', '4.6'],
  nodes: [alone],
  moment:
    'Two pods of one name: the old one has had SIGTERM and does not heed it, the new one waits for its turn.',
  next: 'SIGKILL comes 30 s after the edit. The new pod starts when it looks the next time after the old one’s worker has finished, about 15 s later at most.',
  play: async (stage) => {
    const text = (app: string): string =>
      podText({ name: 'web', labels: { app }, graceSeconds: 30, script: stubborn })
    await stage.step('web.yaml is put into the manifest folder; it ignores SIGTERM.', () =>
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

const fixedUid: Exhibit = {
  id: 'fixed-uid-reused',
  title: 'The same uid again, too early',
  confusion:
    'The manifest was moved away and put back at once. It is in the folder, the kubelet has read it, and still the pod is being stopped.',
  truth:
    'The manifest fixes metadata.uid, so to the kubelet it is the same pod. One that was told to stop cannot be called back: the worker notes that it is wanted again, stops it to the end, and only when the record has been forgotten does housekeeping start it anew. Without a uid of its own, the unchanged file would do the same, since then the uid is a hash of its content.',
  sections: ['1.4', '4.9', '4.10'],
  nodes: [alone],
  moment:
    'The worker is stopping the pod and has noted that it is wanted again (restartRequested).',
  next: 'After 20 s of grace SIGKILL comes. The worker finishes, a housekeeping forgets it and starts the pod of the same uid, with a new container.',
  play: async (stage) => {
    const uid = '7e5ab1e0-0000-4000-8000-000000000002'
    const text = podText({ name: 'web', uid, graceSeconds: 20, script: stubborn })
    await stage.step('web.yaml, which fixes metadata.uid, is put into the manifest folder.', () =>
      stage.putManifest('web.yaml', text),
    )
    await untilRuns(stage, name)
    await stage.step('web.yaml is taken away.', () => stage.removeManifest('web.yaml'))
    await stage.advance(3000)
    await stage.step('Three seconds later it is put back.', () =>
      stage.putManifest('web.yaml', text),
    )
    const row = stage.row(name)
    await stage.until('it is wanted again', () => stage.worker(row).restartRequested)
    return stage.row(name)
  },
}

const badEdit: Exhibit = {
  id: 'bad-edit-stops-later',
  title: 'The typo that strikes 20 seconds later',
  confusion:
    'A manifest was saved with a mistake. Nothing happened, so the kubelet seems to keep the last good version. Some seconds later the pod is stopped.',
  truth:
    'A file that is written is read at once; where it cannot be read as a pod, the kubelet logs that and keeps what it has. But every 20 s it reads the whole folder, and what it cannot read then is not in the list: to the kubelet the manifest is gone, and the pod is stopped.',
  sections: ['1.5', '5.2'],
  nodes: [alone],
  moment: 'The file is broken and the pod runs on, as if nothing had happened.',
  next: 'Within 20 s the folder is read as a whole; the pod is stopped and its mirror deleted. Put the old text back before that, and nothing comes of it.',
  play: async (stage) => {
    await stage.step('web.yaml is put into the manifest folder.', () =>
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

const killed: Exhibit = {
  id: 'killed-stays-down',
  title: 'The static pod that was killed and stays down',
  confusion:
    'A static pod is always brought back, so killing it should restart it. It stays down, kubectl says Completed, and the phase is Running.',
  truth:
    'What restarts is a container that ends while its pod is to run. A kill ends the pod itself: its worker finishes, and a finished worker takes no more updates. The manifest is still wanted and unchanged, so nothing tells the kubelet to begin again. A static pod with restartPolicy Always has no phase for this: it is Running, even with all its containers ended.',
  sections: ['4.4', '4.11', '7.10'],
  nodes: [alone],
  moment: 'The worker has finished and no container runs; the mirror’s phase is Running.',
  next: 'Nothing, however long the clock runs. Change the manifest or restart the kubelet, and the pod runs again.',
  play: async (stage) => {
    await stage.step('web.yaml is put into the manifest folder.', () =>
      stage.putManifest('web.yaml', podText({ name: 'web', script: obedient })),
    )
    const row = await untilRuns(stage, name)
    await stage.step('The pod is killed at its worker, as an eviction would do it.', () => {
      stage.kill(row)
    })
    await stage.until('its worker has finished', () => stage.has(name, { worker: 'finished' }))
    await stage.step('A minute passes.', () => stage.advance(60_000))
    return stage.row(name)
  },
}

/** What people expect of manifests. */
export const manifestExhibits: readonly Exhibit[] = [backupWins, waits, fixedUid, badEdit, killed]
