import type { Exhibit } from '../exhibit.ts'
import { obedient, podText } from '../pod-texts.ts'
import { alone, untilRuns } from '../scenes.ts'

const web = podText({ name: 'web', labels: { app: 'web' }, script: obedient })
const name = `web-${alone}`

const comesBack: Exhibit = {
  id: 'mirror-comes-back',
  title: 'The static pod that cannot be deleted',
  confusion:
    'kubectl delete says that the pod is deleted, but it is there again at once, only its AGE is new. It looks as if it had been restarted.',
  truth:
    'What kubectl sees is a mirror, a copy that the kubelet keeps in the API. Only the copy was deleted. The kubelet deletes it for good and creates another; the containers never stop. The pod goes when its manifest goes.',
  sections: ['3.3', '3.4'],
  nodes: [alone],
  moment:
    'The mirror has a new uid and reads Pending, while the container that it speaks of has been running all the time: it started before the mirror was created.',
  next: 'Within 10 s the status manager writes the status into the new mirror, which then reads Running. Nothing is started for it.',
  play: async (stage) => {
    await stage.step('web.yaml is put into the manifest folder.', () =>
      stage.putManifest('web.yaml', web),
    )
    const before = await untilRuns(stage, name)
    await stage.advance(60_000)
    await stage.step(`kubectl delete pod ${name}`, () => stage.delete(name))
    await stage.until('there is another mirror', () => {
      const { mirror, mirrorUid } = stage.row(name)
      return mirror === 'matched' && mirrorUid !== before.mirrorUid
    })
    return stage.row(name)
  },
}

const goneForAMinute: Exhibit = {
  id: 'mirror-gone-for-a-minute',
  title: 'The static pod that vanishes for a minute',
  confusion:
    'After kubectl delete --force --grace-period=0 the static pod is really gone: kubectl get pods does not list it any more, and nothing brings it back.',
  truth:
    'The API server removed the mirror at once, so the kubelet’s own DELETE finds nothing and it creates nothing either. The next sync of the pod finds that there is no mirror and creates one: after 60 to 90 s, unless something else happens to the pod before. The containers run on all the while.',
  sections: ['3.3', '3.4'],
  nodes: [alone],
  moment: 'The container runs, and no API object speaks of it.',
  next: 'The worker syncs the pod once in 60 to 90 s; the next time creates the mirror.',
  play: async (stage) => {
    await stage.step('web.yaml is put into the manifest folder.', () =>
      stage.putManifest('web.yaml', web),
    )
    await untilRuns(stage, name)
    await stage.step(`kubectl delete pod ${name} --force --grace-period=0`, () =>
      stage.delete(name, 0),
    )
    await stage.step('Ten seconds pass.', () => stage.advance(10_000))
    return stage.row(name)
  },
}

const frozen: Exhibit = {
  id: 'mirror-says-running',
  title: 'Running, says the API, but nothing runs',
  confusion:
    'The manifest was edited and the old container has ended, yet kubectl goes on showing Running and 1/1 ready, and the new container is not there.',
  truth:
    'The edited manifest is another pod with another uid, which waits for its turn. The mirror still belongs to the old one, whose status is not written any more, since its uid leads to no mirror now; and the new one has no status before it starts. So the mirror keeps what was written last until the new pod’s first sync replaces it.',
  sections: ['2.5', '3.4', '6.5'],
  nodes: [alone],
  moment:
    'The old pod’s container has ended, the new pod waits, and the mirror says Running and ready.',
  next: 'The new pod is asked again 10 to 15 s after it was told to wait. Its first sync deletes the stale mirror and creates one with the new hash.',
  play: async (stage) => {
    await stage.step('web.yaml is put into the manifest folder.', () =>
      stage.putManifest('web.yaml', web),
    )
    const old = await untilRuns(stage, name)
    await stage.step('web.yaml is edited: its label changes.', () =>
      stage.putManifest(
        'web.yaml',
        podText({ name: 'web', labels: { app: 'shop' }, script: obedient }),
      ),
    )
    await stage.until('the old pod has ended and the new one waits', () => {
      const rows = stage.rows(name)
      return rows.every((row) => row.worker === (row.uid === old.uid ? 'finished' : 'waiting'))
    })
    return stage.rows(name).find((row) => row.uid !== old.uid) ?? null
  },
}

const oldSpec: Exhibit = {
  id: 'mirror-shows-old-spec',
  title: 'The API shows a spec that does not run',
  confusion:
    'The image in the manifest was changed and the new one runs, but kubectl get pod -o yaml still shows the old image in the spec.',
  truth:
    'The manifest fixes metadata.uid, so the edit makes no new pod: the kubelet updates the one it has, and restarts the container because its image changed. A mirror counts as up to date when its hash is the pod’s uid, and that has not changed. So the mirror stays as it was created; only its status is kept up to date.',
  sections: ['1.4', '3.4', '7.2'],
  nodes: [alone],
  moment:
    'The container runs the new image, and so says the mirror’s status; the mirror’s spec names the old image.',
  next: 'Nothing mends it by itself. Delete the mirror, and the kubelet creates one with the spec of now.',
  play: async (stage) => {
    const uid = '7e5ab1e0-0000-4000-8000-000000000001'
    const text = (image: string): string => podText({ name: 'web', uid, image, script: obedient })
    await stage.step('web.yaml, which fixes metadata.uid, is put into the manifest folder.', () =>
      stage.putManifest('web.yaml', text('busybox:1.36')),
    )
    await untilRuns(stage, name)
    await stage.step('web.yaml is edited: image busybox:1.37.', () =>
      stage.putManifest('web.yaml', text('busybox:1.37')),
    )
    await stage.until('the mirror’s status names the new image', async () => {
      const [status] = (await stage.pod(name))?.status?.containerStatuses ?? []
      return status?.image.includes('1.37') === true && status.ready
    })
    return stage.row(name)
  },
}

const noNamespace: Exhibit = {
  id: 'no-namespace-no-mirror',
  title: 'A pod that runs and is in no API',
  confusion:
    'The manifest is in the folder and the process is there, but kubectl get pods --all-namespaces does not show the pod.',
  truth:
    'A static pod needs no API server to run. Its mirror is an ordinary object, which the server can refuse: here its namespace does not exist; elsewhere it may be a quota, a webhook or PodSecurity. The kubelet tries again at every sync and says so only in its log.',
  sections: ['3.1', '3.6'],
  nodes: [alone],
  moment: 'The container runs; the server refuses the mirror at each sync of the pod.',
  next: 'kubectl create namespace monitoring, and the next sync, at most 90 s later, creates the mirror.',
  play: async (stage) => {
    const text = podText({ name: 'agent', namespace: 'monitoring', script: obedient })
    await stage.step(
      'agent.yaml is put into the manifest folder; its namespace monitoring does not exist.',
      () => stage.putManifest('agent.yaml', text),
    )
    const agent = `agent-${alone}`
    await stage.until('it runs', () => stage.has(agent, { readyContainers: 1, mirror: 'missing' }))
    await stage.step('Two minutes pass.', () => stage.advance(120_000))
    return stage.row(agent)
  },
}

const orphan: Exhibit = {
  id: 'mirror-without-a-pod',
  title: 'The mirror that outlives its pod',
  confusion:
    'The manifest was taken away and the containers have stopped, but kubectl still shows the pod as Running.',
  truth:
    'The kubelet stops a static pod without asking anybody; for the mirror it needs the API server, which it cannot reach. What the API shows is what was written last. Housekeeping knows that there is a mirror without a static pod of its name, and deletes it as soon as the server can be reached.',
  sections: ['2.4', '3.5'],
  nodes: [alone],
  moment: 'The pod is over and forgotten; its mirror in the API says Running and ready.',
  next: 'Connect the node again: a housekeeping, which comes every 2 s, deletes the mirror.',
  play: async (stage) => {
    await stage.step('web.yaml is put into the manifest folder.', () =>
      stage.putManifest('web.yaml', web),
    )
    const before = await untilRuns(stage, name)
    await stage.step('The node is cut off from the API server.', () => {
      stage.cutOff()
    })
    await stage.step('web.yaml is taken away.', () => stage.removeManifest('web.yaml'))
    await stage.until('the pod is forgotten', () =>
      stage.rows(name).every(({ uid }) => uid !== before.uid),
    )
    return stage.rows(name)[0] ?? null
  },
}

const neverAgain: Exhibit = {
  id: 'mirror-of-a-finished-pod',
  title: 'The mirror that does not come back',
  confusion:
    'Deleted mirrors come back, everybody says. This one was deleted and stays away, although its manifest is still there.',
  truth:
    'Mirrors are created when a pod is synced. This pod has restartPolicy Never and is over, so its worker has finished and no sync will come. The mirror returns only when the kubelet restarts or the manifest changes.',
  sections: ['3.3', '3.4', '4.4'],
  nodes: [alone],
  moment:
    'The pod has succeeded and its worker has finished; its manifest is there, its mirror is not.',
  next: 'However long the clock runs, there is no mirror. Restart the kubelet, and there is one: at its start it looks after the mirror of every static pod.',
  play: async (stage) => {
    const text = podText({ name: 'setup', restartPolicy: 'Never', script: 'sleep 2' })
    const setup = `setup-${alone}`
    await stage.step('setup.yaml, with restartPolicy Never, is put into the manifest folder.', () =>
      stage.putManifest('setup.yaml', text),
    )
    await stage.until('it has succeeded', () =>
      stage.has(setup, { worker: 'finished', status: 'Completed', mirror: 'matched' }),
    )
    await stage.step(`kubectl delete pod ${setup}`, () => stage.delete(setup))
    await stage.step('Two minutes pass.', () => stage.advance(120_000))
    return stage.row(setup)
  },
}

/** What people take mirrors for. */
export const mirrorExhibits: readonly Exhibit[] = [
  comesBack,
  goneForAMinute,
  frozen,
  oldSpec,
  noNamespace,
  orphan,
  neverAgain,
]
