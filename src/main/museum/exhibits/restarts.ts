import type { ExhibitScript } from '../exhibit.ts'
import type { Stage } from '../stage.ts'
import { obedient, podText, stubborn } from '../pod-texts.ts'
import { alone, untilRuns } from '../scenes.ts'

/** Lets `name` fail until its back-off is so long that nothing else can be the reason for a start. */
async function untilLongBackOff(stage: Stage, name: string): Promise<void> {
  await stage.until('the back-off is a long one', () => {
    if (!stage.has(name, { status: 'CrashLoopBackOff' })) return false
    const { restarts, backOffUntil } = stage.container(stage.row(name))
    return restarts >= 4 && backOffUntil !== null && backOffUntil > stage.now() + 60_000
  })
}

const backOff: ExhibitScript = {
  id: 'back-off-outlives-the-edit',
  title: 'Edited, but still in CrashLoopBackOff',
  confusion: 'The pod was edited to fix it, but it waits in CrashLoopBackOff for minutes.',
  truth:
    'The back-off is kept per pod, container, image and resources. Any other change, such as a label, triggers a sync of the pod, and the sync finds the same back-off, counted from the container’s last exit. A new image has no back-off yet and starts at once.',
  sections: ['containers#pod-actions', 'containers#back-off'],
  nodes: [alone],
  moment: 'The label has changed and the pod was synced. The container still waits.',
  next: 'The container starts when the back-off is over. Change its image instead (kubectl set image pod/flaky main=busybox:1.37), and it starts at once.',
  play: async (stage) => {
    await stage.step('kubectl create -f flaky.yaml; it fails after a second every time.', () =>
      stage.create(podText({ name: 'flaky', script: 'sleep 1; exit 1' })),
    )
    await untilLongBackOff(stage, 'flaky')
    await stage.step('kubectl label pod flaky fixed=yes', () =>
      stage.patch('pods', 'flaky', { metadata: { labels: { fixed: 'yes' } } }),
    )
    await stage.step('Ten seconds pass.', () => stage.advance(10_000))
    return stage.row('flaky')
  },
}

const forgets: ExhibitScript = {
  id: 'restart-forgets-the-back-off',
  title: 'A kubelet restart resets the back-off',
  confusion:
    'The pod had been in CrashLoopBackOff for minutes. After a kubelet restart it runs at once. Did the restart fix it?',
  truth:
    'The kubelet keeps back-offs in memory. A restart loses them, and the container starts at once. The restart count remains, because it is read from the containers in the runtime. The container fails as before, and its back-off grows again.',
  sections: ['sync-loop#housekeeping', 'containers#back-off', 'status#building-the-status'],
  nodes: [alone],
  moment:
    'The container started minutes before its back-off would have ended. The restart count has increased by one.',
  next: 'It fails after a second and waits 10 s, then 20 s, 40 s and so on, as at the beginning.',
  play: async (stage) => {
    await stage.step('kubectl create -f flaky.yaml; it fails after a second every time.', () =>
      stage.create(podText({ name: 'flaky', script: 'sleep 1; exit 1' })),
    )
    await untilLongBackOff(stage, 'flaky')
    const { restarts } = stage.row('flaky')
    await stage.step('The kubelet is restarted.', () => {
      stage.nodeAct('restartAgent')
    })
    await stage.until(
      'it runs again',
      () => stage.has('flaky', { status: 'Running', restarts: restarts + 1 }),
      20_000,
    )
    return stage.row('flaky')
  },
}

const powerLoss: ExhibitScript = {
  id: 'never-after-a-power-loss',
  title: 'After a power loss one pod returns, the other does not',
  confusion:
    'The machine lost power and is up again. One pod runs, with one more restart. The other shows Unknown and stays down, although neither failed by itself.',
  truth:
    'After the boot the kubelet finds every sandbox dead and every container exited with code 255 and reason Unknown, because their exits were not observed. If restartPolicy allows it, the kubelet creates a new sandbox and starts the containers again in the same pod. With Never, a container that has run is not started again: the power loss is its end.',
  sections: ['containers#pod-actions', 'status#phase', 'node#graceful-shutdown'],
  nodes: [alone],
  moment: 'always runs again, restarted once. never is Failed. Both pods have kept their UIDs.',
  next: 'Nothing changes. A Job would replace never with another pod; a bare pod is not replaced.',
  play: async (stage) => {
    for (const [name, restartPolicy] of [
      ['always', 'Always'],
      ['never', 'Never'],
    ] as const)
      await stage.step(`kubectl create -f ${name}.yaml, with restartPolicy ${restartPolicy}.`, () =>
        stage.create(podText({ name, restartPolicy, script: obedient })),
      )
    await untilRuns(stage, 'always')
    await untilRuns(stage, 'never')
    await stage.step('The machine loses power.', () => {
      stage.nodeAct('powerOff')
    })
    await stage.advance(20_000)
    await stage.step('Twenty seconds later it boots.', () => {
      stage.nodeAct('boot')
    })
    await stage.until(
      'one runs and one is over',
      () =>
        stage.has('always', { status: 'Running', restarts: 1 }) &&
        stage.has('never', { worker: 'finished' }),
    )
    return stage.row('never')
  },
}

const shutDown: ExhibitScript = {
  id: 'shutdown-ends-pods',
  title: 'After a graceful shutdown the pod stays Failed',
  confusion:
    'The machine was shut down gracefully and started again. The static pod is back. The ordinary pod shows Error and does not return, although its restartPolicy is Always. After a power loss it would have returned.',
  truth:
    'A graceful shutdown ends pods, not only their containers: the kubelet kills each pod and writes its final status to the API, Failed with reason Terminated. Failed is final; the object stays, and only a controller would create a replacement. A static pod is defined by its manifest alone, so the next kubelet starts it again.',
  sections: [
    'status#building-the-status',
    'termination#ways-to-stop-a-pod',
    'node#graceful-shutdown',
  ],
  nodes: [alone],
  moment: `ledger is Failed, reason Terminated. web-${alone} runs again.`,
  next: 'Nothing changes: ledger stays until it is deleted.',
  play: async (stage) => {
    const web = `web-${alone}`
    const leavesWithOne = `trap 'exit 1' TERM; while true; do sleep 1; done`
    await stage.step('web.yaml is added to the manifest folder.', () =>
      stage.putManifest('web.yaml', podText({ name: 'web', script: obedient })),
    )
    await stage.step('kubectl create -f ledger.yaml; it exits 1 on SIGTERM.', () =>
      stage.create(podText({ name: 'ledger', script: leavesWithOne })),
    )
    await untilRuns(stage, web)
    await untilRuns(stage, 'ledger')
    await stage.step(
      'The machine is shut down: shutdownGracePeriod 30s, of which 10s are for critical pods.',
      () => {
        stage.shutDown(30, 10)
      },
    )
    await stage.untilOff()
    await stage.advance(60_000)
    await stage.step('A minute after power-off it boots.', () => {
      stage.nodeAct('boot')
    })
    await stage.until('the static pod is back', () =>
      stage.has(web, { worker: 'SyncPod', status: 'Running', mirror: 'matched', restarts: 1 }),
    )
    return stage.row('ledger')
  },
}

const admittedAnew: ExhibitScript = {
  id: 'restart-admits-anew',
  title: 'A running pod fails with NodeAffinity',
  confusion:
    'The pod ran without problems. Only the kubelet was restarted, and the pod is Failed: kubectl get pods says Error, and its events say NodeAffinity.',
  truth:
    'The kubelet does not remember admissions: after a restart it admits every pod again. The label that the pod selects was removed from the node earlier, which has no effect on a running pod. Now the pod is rejected, and its containers, which have no worker, are stopped as orphans. Until they have stopped, the API still says Running.',
  sections: ['admission#handlers', 'admission#rejection', 'sync-loop#housekeeping'],
  nodes: [alone],
  moment:
    'The pod is Failed, reason NodeAffinity. Its container was killed with a grace period of 1 s.',
  next: 'Nothing changes: the pod stays Failed even if the label returns.',
  play: async (stage) => {
    await stage.step(`kubectl label node ${alone} disk=fast`, () =>
      stage.patch('nodes', alone, { metadata: { labels: { disk: 'fast' } } }),
    )
    await stage.step('kubectl create -f index.yaml, with nodeSelector disk: fast.', () =>
      stage.create(podText({ name: 'index', nodeSelector: { disk: 'fast' }, script: stubborn })),
    )
    await untilRuns(stage, 'index')
    await stage.step(`kubectl label node ${alone} disk-`, () =>
      stage.patch('nodes', alone, { metadata: { labels: { disk: null } } }),
    )
    await stage.step('A minute passes; the pod keeps running.', () => stage.advance(60_000))
    await stage.step('The kubelet is restarted.', () => {
      stage.nodeAct('restartAgent')
    })
    await stage.until('the API says that it was refused', async () => {
      const status = (await stage.pod('index'))?.status
      return status?.phase === 'Failed' && status.reason === 'NodeAffinity'
    })
    return stage.row('index')
  },
}

/** What a restart, of a container, a kubelet or a machine, keeps and forgets. */
export const restartExhibits: readonly ExhibitScript[] = [
  backOff,
  forgets,
  powerLoss,
  shutDown,
  admittedAnew,
]
