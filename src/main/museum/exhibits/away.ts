import type { Exhibit } from '../exhibit.ts'
import { obedient, podText, stubborn } from '../pod-texts.ts'
import { alone, other, untilRuns } from '../scenes.ts'

const name = `web-${alone}`

const removal: Exhibit = {
  id: 'removed-while-server-is-away',
  title: 'The manifest is gone, the pod runs on',
  confusion:
    'The manifest was taken away a minute ago, and the kubelet has seen it. The pod runs on as if nothing had been said.',
  truth:
    'The kubelet was restarted while the API server could not be reached, so it has not heard of its pods from there yet. Until every source has spoken once it stops nothing that goes missing, since it cannot know whether another source wants it; and housekeeping waits as well. The refused stop is not tried again: housekeeping finds the orphan when it runs at last.',
  sections: ['5.4', '5.6', '5.8'],
  nodes: [alone],
  moment:
    'The source file is ready and has no pods, the source api is not ready; the worker of the removed pod is in SyncPod.',
  next: 'Connect the node: the source api becomes ready, and at the next housekeeping, within 2 s, the pod is stopped as an orphan.',
  play: async (stage) => {
    await stage.step('web.yaml is put into the manifest folder.', () =>
      stage.putManifest('web.yaml', podText({ name: 'web', script: obedient })),
    )
    await untilRuns(stage, name)
    await stage.step('The node is cut off from the API server.', () => {
      stage.cutOff()
    })
    await stage.step('The kubelet is restarted.', () => {
      stage.nodeAct('restartAgent')
    })
    await stage.until('the new kubelet has its pod', () => stage.has(name, { worker: 'SyncPod' }))
    await stage.advance(5000)
    await stage.step('web.yaml is taken away.', () => stage.removeManifest('web.yaml'))
    await stage.step('A minute passes.', () => stage.advance(60_000))
    return stage.row(name)
  },
}

const twoRun: Exhibit = {
  id: 'two-versions-at-once',
  title: 'Two versions of one static pod at once',
  confusion:
    'Only one static pod of a name may run, yet after a restart of the kubelet the old and the new version both run, and the new one cannot have its port.',
  truth:
    'The manifest was edited while the kubelet did not run. The new kubelet knows only the new version, and starts it. The old one is in no source: to find what runs without being wanted is for housekeeping, and that waits until the API server has been heard, which cannot be reached.',
  sections: ['4.5', '5.4', '5.8'],
  nodes: [alone],
  moment:
    'The new version runs. The container of the old one runs too; no worker knows it, so no row shows it.',
  next: 'Connect the node: housekeeping finds the old version in the runtime and stops it with a grace of 1 s, as it stops all that nobody wants.',
  play: async (stage) => {
    const text = (app: string): string =>
      podText({ name: 'web', labels: { app }, script: obedient })
    await stage.step('web.yaml is put into the manifest folder.', () =>
      stage.putManifest('web.yaml', text('web')),
    )
    const old = await untilRuns(stage, name)
    await stage.step('The node is cut off from the API server.', () => {
      stage.cutOff()
    })
    await stage.step('The kubelet is stopped.', () => {
      stage.nodeAct('stopAgent')
    })
    await stage.step('web.yaml is edited: its label changes.', () =>
      stage.putManifest('web.yaml', text('shop')),
    )
    await stage.step('The kubelet is started.', () => {
      stage.nodeAct('startAgent')
    })
    await stage.until('the new version runs', () =>
      stage.rows(name).some(({ uid, readyContainers }) => uid !== old.uid && readyContainers === 1),
    )
    await stage.step('A minute passes.', () => stage.advance(60_000))
    return stage.row(name)
  },
}

const ghost: Exhibit = {
  id: 'force-deleted-but-running',
  title: 'Deleted by force, and running twice',
  confusion:
    'The node did not answer, so its pod was deleted by force and made anew on another node. kubectl shows one pod. Two of them write to the same disk.',
  truth:
    'A deletion by force removes the object, and nothing else. On a node whose kubelet does not run the containers go on. When the kubelet returns, the pod is not in the list that it gets; housekeeping finds its containers in the runtime, and stops them with a grace of 1 s.',
  sections: ['5.8', '8.11', '9.5'],
  nodes: [alone, other],
  moment: `The API has one pod db, on ${other}. On ${alone}, whose kubelet is stopped, the first db runs on; its row shows what that kubelet knew last.`,
  next: `Start the kubelet of ${alone}: at its first housekeeping it stops the first db, which no object speaks of any more.`,
  play: async (stage) => {
    await stage.step(`kubectl create -f db.yaml; it is bound to ${alone}.`, () =>
      stage.create(podText({ name: 'db', node: alone, script: stubborn })),
    )
    await untilRuns(stage, 'db')
    await stage.step(`The kubelet of ${alone} is stopped.`, () => {
      stage.nodeAct('stopAgent')
    })
    await stage.step('Ninety seconds pass; the node reads NotReady.', () => stage.advance(90_000))
    await stage.step('kubectl delete pod db --force --grace-period=0', () => stage.delete('db', 0))
    await stage.step(`kubectl create -f db.yaml; it is bound to ${other}.`, () =>
      stage.create(podText({ name: 'db', node: other, script: stubborn })),
    )
    await stage.until('it runs there', () =>
      stage.rows('db').some(({ node, status }) => node === other && status === 'Running'),
    )
    return stage.rows('db').find(({ node }) => node === other) ?? null
  },
}

const terminating: Exhibit = {
  id: 'terminating-without-a-kubelet',
  title: 'Terminating, and nobody terminates',
  confusion:
    'The pod was deleted with a grace of 30 s. Five minutes later kubectl still shows it as Terminating.',
  truth:
    'The API server only notes that the pod is to go, and until when. The kubelet of its node stops the containers and then removes the object. While no kubelet runs there, neither happens; the time that the object names simply passes.',
  sections: ['6.5', '8.11', '9.5'],
  nodes: [alone],
  moment:
    'The deletion is overdue by minutes and the container runs. What is shown of the pod here is what its kubelet knew last: Running.',
  next: 'Start the kubelet: the pod comes to it as deleted, is stopped with its grace, and the object goes.',
  play: async (stage) => {
    await stage.step('kubectl create -f job.yaml', () =>
      stage.create(podText({ name: 'job', script: obedient })),
    )
    await untilRuns(stage, 'job')
    await stage.step('The kubelet is stopped.', () => {
      stage.nodeAct('stopAgent')
    })
    await stage.step('kubectl delete pod job --wait=false', () => stage.delete('job'))
    await stage.step('Five minutes pass.', () => stage.advance(300_000))
    return stage.row('job')
  },
}

/** What happens while the API server or a kubelet is away. */
export const awayExhibits: readonly Exhibit[] = [removal, twoRun, ghost, terminating]
