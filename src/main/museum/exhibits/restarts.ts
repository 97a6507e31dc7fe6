import type { Exhibit } from '../exhibit.ts'
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

const backOff: Exhibit = {
  id: 'back-off-outlives-the-edit',
  title: 'Edited, and still in CrashLoopBackOff',
  confusion:
    'The pod was changed to mend it, but it goes on waiting in CrashLoopBackOff for minutes.',
  truth:
    'The back-off belongs to pod, container, image and resources. A change of anything else, a label for one, syncs the pod, and the sync finds the same back-off, counted from the container’s last end. A new image has a back-off of its own, which is none yet, and is started at once.',
  sections: ['7.2', '7.4'],
  nodes: [alone],
  moment: 'The label has changed and the pod was synced; the container waits on.',
  next: 'The container starts when the back-off is over. Change its image instead (kubectl set image pod/flaky main=busybox:1.37), and it starts at once.',
  play: async (stage) => {
    await stage.step('kubectl create -f flaky.yaml; it fails after a second, each time.', () =>
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

const forgets: Exhibit = {
  id: 'restart-forgets-the-back-off',
  title: 'What a restart of the kubelet forgets',
  confusion:
    'The pod waited in CrashLoopBackOff for minutes; the kubelet was restarted, and the pod runs at once. Has the restart mended it?',
  truth:
    'The kubelet keeps its back-offs in memory: with the process they are gone, and the container is started at once. The count of restarts stays, since it is read from the containers in the runtime. The container fails as before, and its back-off grows anew.',
  sections: ['5.8', '7.4', '7.9'],
  nodes: [alone],
  moment:
    'The container has been started minutes before its back-off would have been over; the count has gone on by one.',
  next: 'It fails after a second, waits 10 s, then 20 s, 40 s and so on, as in the beginning.',
  play: async (stage) => {
    await stage.step('kubectl create -f flaky.yaml; it fails after a second, each time.', () =>
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

const powerLoss: Exhibit = {
  id: 'never-after-a-power-loss',
  title: 'After the power loss one pod is back, the other is not',
  confusion:
    'The machine lost its power and is up again. One pod runs with a restart more, the other reads Unknown and stays down, although neither did anything wrong.',
  truth:
    'After the boot the kubelet finds all sandboxes dead and all containers ended, with exit code 255 and the reason Unknown, since nobody saw their end. Where the restartPolicy lets it, it makes a new sandbox and starts the containers again in the same pod. With Never a container that has run is not started twice: its end by the power loss is its end.',
  sections: ['7.2', '7.10', '10'],
  nodes: [alone],
  moment:
    'always runs again, restarted once; never is Failed. Both are the pods that they were, with the same uids.',
  next: 'Nothing more. A Job would make another pod in the place of never; nobody does so for a bare one.',
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
    await stage.step('The machine loses its power.', () => {
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

const shutDown: Exhibit = {
  id: 'shutdown-ends-pods',
  title: 'Shut down in good order, and the pod stays Failed',
  confusion:
    'The machine was shut down gracefully and started again. The static pod is back; the ordinary one reads Error and does not return, although its restartPolicy is Always. After a power loss it would have.',
  truth:
    'A graceful shutdown ends pods, not only their containers: the kubelet kills each pod and writes its end into the API, Failed with the reason Terminated. Failed is final; the object stays, and it is for a controller to make another pod. What a static pod is to do stands in its manifest alone, so the next kubelet begins with it anew.',
  sections: ['7.9', '8.11', '10'],
  nodes: [alone],
  moment: `ledger is Failed, reason Terminated; web-${alone} runs again.`,
  next: 'Nothing more: ledger stays as it is until somebody deletes it.',
  play: async (stage) => {
    const web = `web-${alone}`
    const leavesWithOne = `trap 'exit 1' TERM; while true; do sleep 1; done`
    await stage.step('web.yaml is put into the manifest folder.', () =>
      stage.putManifest('web.yaml', podText({ name: 'web', script: obedient })),
    )
    await stage.step('kubectl create -f ledger.yaml; it ends with 1 when it is told to.', () =>
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
    await stage.step('A minute after it went off it boots.', () => {
      stage.nodeAct('boot')
    })
    await stage.until('the static pod is back', () =>
      stage.has(web, { worker: 'SyncPod', status: 'Running', mirror: 'matched', restarts: 1 }),
    )
    return stage.row('ledger')
  },
}

const admittedAnew: Exhibit = {
  id: 'restart-admits-anew',
  title: 'A running pod that fails with NodeAffinity',
  confusion:
    'The pod ran well. The kubelet was restarted, nothing else, and the pod is Failed: kubectl get pods says Error, and its events say NodeAffinity.',
  truth:
    'A kubelet remembers no admissions: after a restart every pod is admitted anew. The label that the pod selects was taken off the node before, which matters to nobody while the pod runs. Now the pod is refused, and its containers, which no worker knows, are stopped as orphans. Until they have stopped the API still says Running.',
  sections: ['5.7', '5.8'],
  nodes: [alone],
  moment: 'The pod is Failed, reason NodeAffinity; its container was killed with a grace of 1 s.',
  next: 'Nothing: the object stays Failed, also when the label comes back.',
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
    await stage.step('A minute passes; the pod runs on.', () => stage.advance(60_000))
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
export const restartExhibits: readonly Exhibit[] = [
  backOff,
  forgets,
  powerLoss,
  shutDown,
  admittedAnew,
]
