import { nodeA, nodeB } from '../gotcha.ts'
import type { GotchaScript } from '../gotcha.ts'
import { ignoresSigterm } from '../pod-manifest.ts'

const name = `web-${nodeA}`

/** What happens while the API server or a kubelet is unreachable. */
export const apiServerUnreachable: readonly GotchaScript[] = [
  {
    id: 'removed-while-server-is-away',
    title: 'The manifest is gone, but the pod keeps running',
    confusion:
      'The manifest was removed a minute ago, and the kubelet has seen that. The pod keeps running.',
    truth:
      'The kubelet restarted while it could not reach the API server, so that source has not reported its pods yet. Until every source has reported once, the kubelet stops no pod that disappears, because another source might still want it. Housekeeping waits for the same reason. The skipped stop is not retried: housekeeping finds the orphaned pod when it runs again.',
    sections: ['sources#sources-ready', 'sync-loop#handlers', 'sync-loop#housekeeping'],
    lookAt:
      'The file source is ready and has no pods. The API source is not ready. The worker of the removed pod is in SyncPod.',
    next: 'Reconnect the node. The API source becomes ready, and the next housekeeping, within 2 s, stops the pod as an orphan.',
    run: async (sandbox) => {
      await sandbox.addManifest({ name: 'web' })
      await sandbox.untilRunning(name)
      await sandbox.step('The node is disconnected from the API server.', () => sandbox.cutOff())
      await sandbox.step('The kubelet is restarted.', () => sandbox.nodeAct('restartAgent'))
      await sandbox.until('the new kubelet has its pod', () =>
        sandbox.has(name, { worker: 'SyncPod' }),
      )
      await sandbox.advance(5000)
      await sandbox.step('web.yaml is removed.', () => sandbox.removeManifest('web.yaml'))
      await sandbox.step('A minute passes.', () => sandbox.advance(60_000))
      return sandbox.row(name)
    },
  },
  {
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
    lookAt:
      'The new version runs. The container of the old version runs too; no worker knows it, so no row shows it.',
    next: 'Reconnect the node. Housekeeping finds the old version in the runtime and stops it with the shortest grace period, as it does with every orphaned pod: SIGKILL comes after 2 s.',
    run: async (sandbox) => {
      await sandbox.addManifest({ name: 'web', labels: { app: 'web' } })
      const old = await sandbox.untilRunning(name)
      await sandbox.step('The node is disconnected from the API server.', () => sandbox.cutOff())
      await sandbox.step('The kubelet is stopped.', () => sandbox.nodeAct('stopAgent'))
      await sandbox.editManifest({ name: 'web', labels: { app: 'shop' } }, ': its label changes.')
      await sandbox.step('The kubelet is started.', () => sandbox.nodeAct('startAgent'))
      await sandbox.until('the new version runs', () =>
        sandbox
          .rows(name)
          .some(({ uid, readyContainers }) => uid !== old.uid && readyContainers === 1),
      )
      await sandbox.step('A minute passes.', () => sandbox.advance(60_000))
      return sandbox.row(name)
    },
  },
  {
    id: 'force-deleted-but-running',
    title: 'Force-deleted, and running twice',
    confusion:
      'The node did not respond, so its pod was force-deleted and recreated on another node. kubectl shows one pod. Two of them write to the same disk.',
    truth:
      'A force delete removes the API object and nothing else. On a node whose kubelet is stopped, the containers keep running. When the kubelet returns, the pod is not in the list from the API server; housekeeping finds its containers in the runtime and stops them with the shortest grace period: SIGKILL comes after 2 s.',
    sections: [
      'sync-loop#housekeeping',
      'api-server#pod-deletion',
      'api-server#missing-heartbeats',
    ],
    nodes: [nodeA, nodeB],
    lookAt: `The API has one pod db, on ${nodeB}. On ${nodeA}, whose kubelet is stopped, the first db still runs; its row shows the last state known to that kubelet.`,
    next: `Start the kubelet of ${nodeA}. Its first housekeeping stops the first db, which has no API object any more.`,
    run: async (sandbox) => {
      await sandbox.createPod(
        { name: 'db', node: nodeA, script: ignoresSigterm },
        `; it is bound to ${nodeA}.`,
      )
      await sandbox.untilRunning('db')
      await sandbox.step(`The kubelet of ${nodeA} is stopped.`, () => sandbox.nodeAct('stopAgent'))
      await sandbox.step('Ninety seconds pass; the node is NotReady.', () =>
        sandbox.advance(90_000),
      )
      await sandbox.step('kubectl delete pod db --force --grace-period=0', () =>
        sandbox.delete('db', 0),
      )
      await sandbox.createPod(
        { name: 'db', node: nodeB, script: ignoresSigterm },
        `; it is bound to ${nodeB}.`,
      )
      await sandbox.until('it runs there', () =>
        sandbox.rows('db').some(({ node, status }) => node === nodeB && status === 'Running'),
      )
      return sandbox.rows('db').find(({ node }) => node === nodeB) ?? null
    },
  },
  {
    id: 'terminating-without-a-kubelet',
    title: 'Terminating, and nothing terminates it',
    confusion:
      'The pod was deleted with a grace period of 30 s. Five minutes later kubectl still shows it as Terminating.',
    truth:
      'The API server only records that the pod is to be deleted, and by when. The kubelet of its node stops the containers and then removes the object. Without a kubelet neither happens, and the recorded time passes without effect.',
    sections: [
      'status#sending-a-status',
      'api-server#pod-deletion',
      'api-server#missing-heartbeats',
    ],
    lookAt:
      'The deletion is minutes overdue and the container still runs. The row shows the last state known to the kubelet: Running.',
    next: 'Start the kubelet. It receives the pod as deleted, stops it within its grace period and removes the object.',
    run: async (sandbox) => {
      await sandbox.createPod({ name: 'job' })
      await sandbox.untilRunning('job')
      await sandbox.step('The kubelet is stopped.', () => sandbox.nodeAct('stopAgent'))
      await sandbox.step('kubectl delete pod job --wait=false', () => sandbox.delete('job'))
      await sandbox.step('Five minutes pass.', () => sandbox.advance(300_000))
      return sandbox.row('job')
    },
  },
]
