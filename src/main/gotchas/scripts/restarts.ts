import { nodeA } from '../gotcha.ts'
import type { GotchaScript } from '../gotcha.ts'
import type { ScriptedSandbox } from '../scripted-sandbox.ts'
import { ignoresSigterm } from '../pod-manifest.ts'

/** Creates a pod that fails, until its back-off is so long that nothing else can be the reason for a start. */
async function createCrashLooping(sandbox: ScriptedSandbox, name: string): Promise<void> {
  const pod = { name, script: 'sleep 1; exit 1' }
  await sandbox.createPod(pod, '; it fails after a second every time.')
  await sandbox.until('the back-off is a long one', () => {
    if (!sandbox.has(name, { status: 'CrashLoopBackOff' })) return false
    const { restarts, backOffUntil } = sandbox.container(sandbox.row(name))
    return restarts >= 4 && backOffUntil !== null && backOffUntil > sandbox.now() + 60_000
  })
}

/** What the restart of a container, a kubelet or a machine keeps and loses. */
export const restarts: readonly GotchaScript[] = [
  {
    id: 'back-off-outlives-the-edit',
    title: 'Edited, but still in CrashLoopBackOff',
    confusion: 'The pod was edited to fix it, but it waits in CrashLoopBackOff for minutes.',
    truth:
      'The back-off is kept per pod, container, image and resources. Any other change, such as a label, triggers a sync of the pod, and the sync finds the same back-off, counted from the container’s last exit. A new image has no back-off yet and starts at once.',
    sections: ['containers#pod-actions', 'containers#back-off'],
    lookAt: 'The label has changed and the pod was synced. The container still waits.',
    next: 'The container starts when the back-off is over. Change its image instead (kubectl set image pod/flaky main=busybox:1.37), and it starts at once.',
    run: async (sandbox) => {
      await createCrashLooping(sandbox, 'flaky')
      await sandbox.step('kubectl label pod flaky fixed=yes', () =>
        sandbox.patch('pods', 'flaky', { metadata: { labels: { fixed: 'yes' } } }),
      )
      await sandbox.step('Ten seconds pass.', () => sandbox.advance(10_000))
      return sandbox.row('flaky')
    },
  },
  {
    id: 'restart-forgets-the-back-off',
    title: 'A kubelet restart resets the back-off',
    confusion:
      'The pod had been in CrashLoopBackOff for minutes. After a kubelet restart it runs at once. Did the restart fix it?',
    truth:
      'The kubelet keeps back-offs in memory. A restart loses them, and the container starts at once. The restart count remains, because it is read from the containers in the runtime. The container fails as before, and its back-off grows again.',
    sections: ['sync-loop#housekeeping', 'containers#back-off', 'status#building-the-status'],
    lookAt:
      'The container started minutes before its back-off would have ended. The restart count has increased by one.',
    next: 'It fails after a second and waits 10 s, then 20 s, 40 s and so on, as at the beginning.',
    run: async (sandbox) => {
      await createCrashLooping(sandbox, 'flaky')
      const { restarts } = sandbox.row('flaky')
      await sandbox.step('The kubelet is restarted.', () => sandbox.nodeAct('restartAgent'))
      await sandbox.until(
        'it runs again',
        () => sandbox.has('flaky', { status: 'Running', restarts: restarts + 1 }),
        20_000,
      )
      return sandbox.row('flaky')
    },
  },
  {
    id: 'never-after-a-power-loss',
    title: 'After a power loss one pod returns, the other does not',
    confusion:
      'The machine lost power and is up again. One pod runs, with one more restart. The other shows Unknown and stays down, although neither failed by itself.',
    truth:
      'After the boot the kubelet finds every sandbox dead and every container exited with code 255 and reason Unknown, because their exits were not observed. If restartPolicy allows it, the kubelet creates a new sandbox and starts the containers again in the same pod. With Never, a container that has run is not started again: the power loss is its end.',
    sections: ['containers#pod-actions', 'status#phase', 'node#graceful-shutdown'],
    lookAt: 'always runs again, restarted once. never is Failed. Both pods have kept their UIDs.',
    next: 'Nothing changes. A Job would replace never with another pod; a bare pod is not replaced.',
    run: async (sandbox) => {
      for (const [name, restartPolicy] of [
        ['always', 'Always'],
        ['never', 'Never'],
      ] as const)
        await sandbox.createPod({ name, restartPolicy }, `, with restartPolicy ${restartPolicy}.`)
      await sandbox.untilRunning('always')
      await sandbox.untilRunning('never')
      await sandbox.step('The machine loses power.', () => sandbox.nodeAct('powerOff'))
      await sandbox.advance(20_000)
      await sandbox.step('Twenty seconds later it boots.', () => sandbox.nodeAct('boot'))
      await sandbox.until(
        'one runs and one is over',
        () =>
          sandbox.has('always', { status: 'Running', restarts: 1 }) &&
          sandbox.has('never', { worker: 'finished' }),
      )
      return sandbox.row('never')
    },
  },
  {
    id: 'shutdown-ends-pods',
    title: 'After a graceful shutdown the pod stays Failed',
    confusion:
      'The machine was shut down gracefully and started again. The static pod is back. The ordinary pod shows Error and does not return, although its restartPolicy is Always. After a power loss it would have returned.',
    truth:
      'A graceful shutdown ends pods, not only their containers: the kubelet kills each pod and writes its final status to the API, Failed with reason Terminated. Failed is final; the object stays, and only a controller would create a replacement. A static pod is defined by its manifest nodeA, so the next kubelet starts it again.',
    sections: [
      'status#building-the-status',
      'termination#ways-to-stop-a-pod',
      'node#graceful-shutdown',
    ],
    lookAt: `ledger is Failed, reason Terminated. web-${nodeA} runs again.`,
    next: 'Nothing changes: ledger stays until it is deleted.',
    run: async (sandbox) => {
      const web = `web-${nodeA}`
      const script = `trap 'exit 1' TERM; while true; do sleep 1; done`
      await sandbox.addManifest({ name: 'web' })
      await sandbox.createPod({ name: 'ledger', script }, '; it exits 1 on SIGTERM.')
      await sandbox.untilRunning(web)
      await sandbox.untilRunning('ledger')
      await sandbox.step(
        'The machine is shut down: shutdownGracePeriod 30s, of which 10s are for critical pods.',
        () => sandbox.shutDown(30, 10),
      )
      await sandbox.untilOff()
      await sandbox.advance(60_000)
      await sandbox.step('A minute after power-off it boots.', () => sandbox.nodeAct('boot'))
      await sandbox.until('the static pod is back', () =>
        sandbox.has(web, { worker: 'SyncPod', status: 'Running', mirror: 'matched', restarts: 1 }),
      )
      return sandbox.row('ledger')
    },
  },
  {
    id: 'restart-admits-again',
    title: 'A running pod fails with NodeAffinity',
    confusion:
      'The pod ran without problems. Only the kubelet was restarted, and the pod is Failed: kubectl get pods says Error, and its events say NodeAffinity.',
    truth:
      'The kubelet does not remember admissions: after a restart it admits every pod again. The label that the pod selects was removed from the node earlier, which has no effect on a running pod. Now the pod is rejected, and its containers, which have no worker, are stopped as orphans. Until they have stopped, the API still says Running.',
    sections: ['admission#handlers', 'admission#rejection', 'sync-loop#housekeeping'],
    lookAt:
      'The pod is Failed, reason NodeAffinity. Its container was killed with the shortest grace period, 2 s.',
    next: 'Nothing changes: the pod stays Failed even if the label returns.',
    run: async (sandbox) => {
      await sandbox.step(`kubectl label node ${nodeA} disk=fast`, () =>
        sandbox.patch('nodes', nodeA, { metadata: { labels: { disk: 'fast' } } }),
      )
      await sandbox.createPod(
        { name: 'index', nodeSelector: { disk: 'fast' }, script: ignoresSigterm },
        ', with nodeSelector disk: fast.',
      )
      await sandbox.untilRunning('index')
      await sandbox.step(`kubectl label node ${nodeA} disk-`, () =>
        sandbox.patch('nodes', nodeA, { metadata: { labels: { disk: null } } }),
      )
      await sandbox.step('A minute passes; the pod keeps running.', () => sandbox.advance(60_000))
      await sandbox.step('The kubelet is restarted.', () => sandbox.nodeAct('restartAgent'))
      await sandbox.until('the API says that it was refused', async () => {
        const status = (await sandbox.pod('index'))?.status
        return status?.phase === 'Failed' && status.reason === 'NodeAffinity'
      })
      return sandbox.row('index')
    },
  },
]
