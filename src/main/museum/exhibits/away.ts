import type { ExhibitScript } from '../exhibit.ts'
import { obedient, podText, stubborn } from '../pod-texts.ts'
import { alone, other, untilRuns } from '../scenes.ts'

const name = `web-${alone}`

const removal: ExhibitScript = {
  id: 'removed-while-server-is-away',
  title: 'The manifest is gone, but the pod keeps running',
  confusion:
    'The manifest was removed a minute ago, and the kubelet has seen that. The pod keeps running.',
  truth:
    'The kubelet restarted while it could not reach the API server, so that source has not reported its pods yet. Until every source has reported once, the kubelet stops no pod that disappears, because another source might still want it. Housekeeping waits for the same reason. The skipped stop is not retried: housekeeping finds the orphaned pod when it runs again.',
  sections: ['sources#sources-ready', 'sync-loop#handlers', 'sync-loop#housekeeping'],
  nodes: [alone],
  moment:
    'The file source is ready and has no pods. The API source is not ready. The worker of the removed pod is in SyncPod.',
  next: 'Reconnect the node. The API source becomes ready, and the next housekeeping, within 2 s, stops the pod as an orphan.',
  play: async (stage) => {
    await stage.step('web.yaml is added to the manifest folder.', () =>
      stage.putManifest('web.yaml', podText({ name: 'web', script: obedient })),
    )
    await untilRuns(stage, name)
    await stage.step('The node is disconnected from the API server.', () => {
      stage.cutOff()
    })
    await stage.step('The kubelet is restarted.', () => {
      stage.nodeAct('restartAgent')
    })
    await stage.until('the new kubelet has its pod', () => stage.has(name, { worker: 'SyncPod' }))
    await stage.advance(5000)
    await stage.step('web.yaml is removed.', () => stage.removeManifest('web.yaml'))
    await stage.step('A minute passes.', () => stage.advance(60_000))
    return stage.row(name)
  },
}

const twoRun: ExhibitScript = {
  id: 'two-versions-at-once',
  title: 'Two versions of one static pod run at once',
  confusion:
    'Only one static pod of a name may run. Yet after a kubelet restart the old and the new version both run, and the new one cannot bind its port.',
  truth:
    'The manifest was edited while the kubelet was stopped. The new kubelet knows only the new version and starts it. The old version is in no source. Finding containers that run without a pod is the job of housekeeping, and housekeeping waits for the API source, which cannot be reached.',
  sections: [
    'pod-workers#static-pods-of-one-name',
    'sources#sources-ready',
    'sync-loop#housekeeping',
  ],
  nodes: [alone],
  moment:
    'The new version runs. The container of the old version runs too; no worker knows it, so no row shows it.',
  next: 'Reconnect the node. Housekeeping finds the old version in the runtime and stops it with a grace period of 1 s, as it does with every orphaned pod.',
  play: async (stage) => {
    const text = (app: string): string =>
      podText({ name: 'web', labels: { app }, script: obedient })
    await stage.step('web.yaml is added to the manifest folder.', () =>
      stage.putManifest('web.yaml', text('web')),
    )
    const old = await untilRuns(stage, name)
    await stage.step('The node is disconnected from the API server.', () => {
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

const ghost: ExhibitScript = {
  id: 'force-deleted-but-running',
  title: 'Force-deleted, and running twice',
  confusion:
    'The node did not respond, so its pod was force-deleted and recreated on another node. kubectl shows one pod. Two of them write to the same disk.',
  truth:
    'A force delete removes the API object and nothing else. On a node whose kubelet is stopped, the containers keep running. When the kubelet returns, the pod is not in the list from the API server; housekeeping finds its containers in the runtime and stops them with a grace period of 1 s.',
  sections: ['sync-loop#housekeeping', 'api-server#pod-deletion', 'api-server#missing-heartbeats'],
  nodes: [alone, other],
  moment: `The API has one pod db, on ${other}. On ${alone}, whose kubelet is stopped, the first db still runs; its row shows the last state known to that kubelet.`,
  next: `Start the kubelet of ${alone}. Its first housekeeping stops the first db, which has no API object any more.`,
  play: async (stage) => {
    await stage.step(`kubectl create -f db.yaml; it is bound to ${alone}.`, () =>
      stage.create(podText({ name: 'db', node: alone, script: stubborn })),
    )
    await untilRuns(stage, 'db')
    await stage.step(`The kubelet of ${alone} is stopped.`, () => {
      stage.nodeAct('stopAgent')
    })
    await stage.step('Ninety seconds pass; the node is NotReady.', () => stage.advance(90_000))
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

const terminating: ExhibitScript = {
  id: 'terminating-without-a-kubelet',
  title: 'Terminating, and nothing terminates it',
  confusion:
    'The pod was deleted with a grace period of 30 s. Five minutes later kubectl still shows it as Terminating.',
  truth:
    'The API server only records that the pod is to be deleted, and by when. The kubelet of its node stops the containers and then removes the object. Without a kubelet neither happens, and the recorded time passes without effect.',
  sections: ['status#sending-a-status', 'api-server#pod-deletion', 'api-server#missing-heartbeats'],
  nodes: [alone],
  moment:
    'The deletion is minutes overdue and the container still runs. The row shows the last state known to the kubelet: Running.',
  next: 'Start the kubelet. It receives the pod as deleted, stops it within its grace period and removes the object.',
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
export const awayExhibits: readonly ExhibitScript[] = [removal, twoRun, ghost, terminating]
