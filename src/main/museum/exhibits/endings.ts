import type { Exhibit } from '../exhibit.ts'
import { obedient, podText, stubborn } from '../pod-texts.ts'
import { alone, untilRuns } from '../scenes.ts'

const evicted: Exhibit = {
  id: 'evicted-reads-completed',
  title: 'Evicted, and it reads Completed',
  confusion:
    'The kubelet evicted two pods. kubectl get pods shows one as Completed, as if it had done its work, and the other as Error; it shows none as Evicted.',
  truth:
    'The kubelet means the phase Failed with the reason Evicted, but how the containers end counts for more. Where all of them leave with 0 on SIGTERM the pod has Succeeded, with neither reason nor message; only the event and the condition DisruptionTarget tell of the eviction. A pod whose container had to be killed is Failed, reason Evicted. kubectl’s column prefers the reason of a container to that of the pod, and so says Error.',
  sections: ['7.9', '8.7'],
  nodes: [alone],
  moment:
    'calm left with 0 and has Succeeded, without a reason; loud ignored SIGTERM and is Failed, reason Evicted.',
  next: 'Both objects stay as they are until somebody deletes them: the kubelet never deletes what it evicted.',
  play: async (stage) => {
    await stage.step('kubectl create -f calm.yaml; it ends with 0 when it is told to.', () =>
      stage.create(podText({ name: 'calm', script: obedient })),
    )
    await stage.step('kubectl create -f loud.yaml; it ignores SIGTERM.', () =>
      stage.create(podText({ name: 'loud', script: stubborn })),
    )
    const calm = await untilRuns(stage, 'calm')
    const loud = await untilRuns(stage, 'loud')
    await stage.step('The kubelet evicts both, as under node pressure.', () => {
      stage.evictByKubelet(calm)
      stage.evictByKubelet(loud)
    })
    await stage.until('both are over', () =>
      stage.rows().every(({ worker, status }) => worker === 'finished' && status !== 'Running'),
    )
    return stage.row('calm')
  },
}

const budget: Exhibit = {
  id: 'budget-is-not-asked',
  title: 'A disruption budget, and the pod goes all the same',
  confusion:
    'The budget says that one pod must stay, and kubectl drain is refused because of it. A minute later the same pod is evicted.',
  truth:
    'Two evictions that share a name. The API server’s, which drain asks for, is a deletion that asks the budgets first. The kubelet’s, under node pressure, asks nobody: it kills the pod with a grace of 1 s and writes its end; the object stays. A budget guards against the first kind alone.',
  sections: ['8.7', '8.11'],
  nodes: [alone],
  moment:
    'The API server has refused to evict api, as its budget allows no disruption; now the kubelet evicts it, and its event says so.',
  next: 'Its container ignores SIGTERM and is killed after the least time that the runtime gives, 2 s. The pod is Failed, reason Evicted, and the budget has no healthy pod.',
  play: async (stage) => {
    await stage.step('kubectl create -f api.yaml; it ignores SIGTERM.', () =>
      stage.create(podText({ name: 'api', labels: { app: 'api' }, script: stubborn })),
    )
    const row = await untilRuns(stage, 'api')
    await stage.step(
      'kubectl apply -f budget.yaml: of app=api one pod must stay (minAvailable: 1).',
      () => stage.createBudget('api', 'api', 1),
    )
    await stage.until('the budget is counted', () => {
      const known = stage.detail(row).facts.budget
      return known.kind === 'refuses' && known.why.includes('has 1')
    })
    const answer = await stage.step('kubectl drain is refused: an eviction through the API.', () =>
      stage.tryEvictThroughApi(row),
    )
    if (answer.ok) throw new Error('the budget allowed it')
    await stage.advance(60_000)
    await stage.step('A minute later the kubelet evicts it, as under node pressure.', () => {
      stage.evictByKubelet(row)
    })
    await stage.advance(1000)
    return stage.row('api')
  },
}

const finalizer: Exhibit = {
  id: 'finalizer-keeps-it',
  title: 'Deleted and over, and still there',
  confusion:
    'The pod was deleted two minutes ago and its containers have ended; kubectl goes on listing it, as Completed. The kubelet seems to hang, and a deletion by force does not help either.',
  truth:
    'The kubelet has done its part: the containers have stopped, the last status is written, and it has asked the API server to remove the object. The server waits until the finalizers are taken off, which is for whoever put them there. No kubelet can do that.',
  sections: ['6.5', '8.11'],
  nodes: [alone],
  moment: 'The worker has finished; the object has a deletionTimestamp and one finalizer.',
  next: 'Nothing, until the finalizer is removed: kubectl patch pod guarded -p \'{"metadata":{"finalizers":null}}\'. Then the object is gone at once.',
  play: async (stage) => {
    const text = podText({
      name: 'guarded',
      finalizers: ['example.com/backup'],
      script: obedient,
    })
    await stage.step('kubectl create -f guarded.yaml, with the finalizer example.com/backup.', () =>
      stage.create(text),
    )
    await untilRuns(stage, 'guarded')
    await stage.step('kubectl delete pod guarded --wait=false', () => stage.delete('guarded'))
    await stage.step('Two minutes pass.', () => stage.advance(120_000))
    return stage.row('guarded')
  },
}

const rejected: Exhibit = {
  id: 'rejected-stays-failed',
  title: 'There is room now, and it stays Failed',
  confusion:
    'The pod was refused with OutOfcpu. The pod that had the processors is gone, but the refused one does not start.',
  truth:
    'The kubelet admits a pod once, when it first sees it. A refusal is final: the pod is Failed, and a failed pod never runs again. A scheduler would have left it Pending; this one was bound to the node by its nodeName, past the scheduler.',
  sections: ['5.6', '5.7', '8.11'],
  nodes: [alone],
  moment: 'The node has 4 processors, none of them asked for; late asks for 2 and is Failed.',
  next: 'Nothing. Delete it and create it again, and it runs.',
  play: async (stage) => {
    await stage.step(`kubectl create -f big.yaml; it asks for 3 of the 4 processors.`, () =>
      stage.create(podText({ name: 'big', node: alone, cpu: '3', script: obedient })),
    )
    await untilRuns(stage, 'big')
    await stage.step(`kubectl create -f late.yaml; it asks for 2 and names its node.`, () =>
      stage.create(podText({ name: 'late', node: alone, cpu: '2', script: obedient })),
    )
    await stage.until('it is refused', () => stage.has('late', { status: 'OutOfcpu' }))
    await stage.step('kubectl delete pod big', () => stage.delete('big'))
    await stage.until('it is gone', () => stage.rows('big').length === 0)
    await stage.step('A minute passes.', () => stage.advance(60_000))
    return stage.row('late')
  },
}

const nameTaken: Exhibit = {
  id: 'name-still-taken',
  title: 'Deleted, and its name is still taken',
  confusion:
    'kubectl delete has answered, and kubectl create of the same pod is refused: it already exists.',
  truth:
    'A deleted pod keeps its object until its containers have stopped: the object is how the kubelet learns of the deletion and tells of its end. Until then the name is taken. A deletion by force would free it at once, while the old container still runs.',
  sections: ['6.5', '8.11'],
  nodes: [alone],
  moment:
    'The pod is Terminating with seconds of its grace left; the API server answers a create with 409 AlreadyExists.',
  next: 'The container ends, the kubelet writes the last status and removes the object; then the create succeeds.',
  play: async (stage) => {
    const text = podText({ name: 'cache', graceSeconds: 30, script: stubborn })
    await stage.step('kubectl create -f cache.yaml', () => stage.create(text))
    await untilRuns(stage, 'cache')
    await stage.step('kubectl delete pod cache --wait=false', () => stage.delete('cache'))
    await stage.advance(5000)
    const again = await stage.step('Five seconds later: kubectl create -f cache.yaml', () =>
      stage.tryCreate(text),
    )
    if (again.ok) throw new Error('the name was free')
    return stage.row('cache')
  },
}

const tooLate: Exhibit = {
  id: 'shorter-grace-comes-too-late',
  title: 'The shorter grace that changes nothing',
  confusion:
    'The pod was deleted with two minutes of grace. A second delete with --grace-period=5 is accepted and the object shows it, but the pod takes its two minutes.',
  truth:
    'The kubelet takes the shorter time into its record. But the call that stops the container was made with the longer one and is on its way: the runtime sends SIGKILL when that is over. The shorter time counts for what is still to be called.',
  sections: ['4.6', '4.14', '7.6'],
  nodes: [alone],
  moment:
    'The object says 5 s and its time has passed; the worker’s record says 5 s; the call under way was given 120 s.',
  next: 'SIGKILL comes 120 s after the first delete.',
  play: async (stage) => {
    await stage.step('kubectl create -f slow.yaml; it ignores SIGTERM.', () =>
      stage.create(podText({ name: 'slow', graceSeconds: 120, script: stubborn })),
    )
    await untilRuns(stage, 'slow')
    await stage.step('kubectl delete pod slow --wait=false', () => stage.delete('slow'))
    await stage.step('Ten seconds pass.', () => stage.advance(10_000))
    await stage.step('kubectl delete pod slow --grace-period=5 --wait=false', () =>
      stage.delete('slow', 5),
    )
    await stage.step('Twenty seconds pass.', () => stage.advance(20_000))
    return stage.row('slow')
  },
}

const preempted: Exhibit = {
  id: 'preempted-by-a-manifest',
  title: 'A file in a folder ends somebody’s pod',
  confusion:
    'A pod that ran well is stopped. The node is not under pressure, nobody deleted or drained anything, and no scheduler was asked. While it stops, other pods of the node do not start either.',
  truth:
    'Somebody put a manifest into the folder. Every static pod counts as critical, so when it does not fit, the kubelet does not refuse it but stops pods that are not critical until it does. It waits for their whole grace, and the sync loop with it: nothing else that is new is looked at meanwhile.',
  sections: ['1.3', '5.7', '8.10'],
  nodes: [alone],
  moment:
    'shop is being stopped, with 30 s of grace, and its event says Preempting. proxy is known and waits to be admitted; the sync loop waits with it.',
  next: 'SIGKILL comes 30 s after the manifest. shop is Failed, reason Preempting; proxy is admitted and starts.',
  play: async (stage) => {
    await stage.step('kubectl create -f shop.yaml; it asks for 3 of the 4 processors.', () =>
      stage.create(podText({ name: 'shop', cpu: '3', graceSeconds: 30, script: stubborn })),
    )
    await untilRuns(stage, 'shop')
    await stage.step('proxy.yaml is put into the manifest folder; it asks for 2 processors.', () =>
      stage.putManifest('proxy.yaml', podText({ name: 'proxy', cpu: '2', script: obedient })),
    )
    await stage.step('Five seconds pass.', () => stage.advance(5000))
    return stage.row('shop')
  },
}

/** How pods end, and how they do not. */
export const endingExhibits: readonly Exhibit[] = [
  evicted,
  budget,
  finalizer,
  rejected,
  nameTaken,
  tooLate,
  preempted,
]
