import type { ExhibitScript } from '../exhibit.ts'
import { obedient, podText, stubborn } from '../pod-texts.ts'
import { alone, untilRuns } from '../scenes.ts'

const evicted: ExhibitScript = {
  id: 'evicted-reads-completed',
  title: 'Evicted, but kubectl says Completed',
  confusion:
    'The kubelet evicted two pods. kubectl get pods shows one as Completed, as if its work were done, and the other as Error. Neither is shown as Evicted.',
  truth:
    'The kubelet sets phase Failed with reason Evicted, but the exit codes of the containers take precedence. If all containers exit 0 on SIGTERM, the pod ends Succeeded, without reason or message; only the event and the DisruptionTarget condition show the eviction. If a container had to be killed, the pod ends Failed with reason Evicted. The STATUS column of kubectl prefers a container’s reason to the pod’s, so it prints Error.',
  sections: ['status#building-the-status', 'eviction#evicting-one-pod'],
  nodes: [alone],
  moment:
    'calm exited 0 and Succeeded, without a reason. loud ignored SIGTERM and is Failed, reason Evicted.',
  next: 'Both objects stay until they are deleted: the kubelet never deletes a pod that it evicted.',
  play: async (stage) => {
    await stage.step('kubectl create -f calm.yaml; it exits 0 on SIGTERM.', () =>
      stage.create(podText({ name: 'calm', script: obedient })),
    )
    await stage.step('kubectl create -f loud.yaml; it ignores SIGTERM.', () =>
      stage.create(podText({ name: 'loud', script: stubborn })),
    )
    const calm = await untilRuns(stage, 'calm')
    const loud = await untilRuns(stage, 'loud')
    await stage.step('The kubelet evicts both, as it would under node pressure.', () => {
      stage.evictByKubelet(calm)
      stage.evictByKubelet(loud)
    })
    await stage.until('both are over', () =>
      stage.rows().every(({ worker, status }) => worker === 'finished' && status !== 'Running'),
    )
    return stage.row('calm')
  },
}

const budget: ExhibitScript = {
  id: 'budget-is-not-asked',
  title: 'Protected by a disruption budget, evicted anyway',
  confusion:
    'The PodDisruptionBudget requires one available pod, and it blocks kubectl drain. A minute later the same pod is evicted.',
  truth:
    'Two different operations are called eviction. Eviction through the API, which kubectl drain uses, is a delete that checks PodDisruptionBudgets first. Eviction by the kubelet, under node pressure, checks no budget: it kills the pod and writes its final status, and the object stays. A budget protects only against the first.',
  sections: ['eviction#evicting-one-pod', 'api-server#eviction-api'],
  nodes: [alone],
  moment:
    'The API server refused to evict api because its budget allows no disruption. Now the kubelet evicts it, and the pod has the event Evicted.',
  next: 'The container ignores SIGTERM, so SIGKILL ends it after 2 s, the shortest grace period that the runtime allows. The pod ends Failed, reason Evicted, and the budget has no healthy pod.',
  play: async (stage) => {
    await stage.step('kubectl create -f api.yaml; it ignores SIGTERM.', () =>
      stage.create(podText({ name: 'api', labels: { app: 'api' }, script: stubborn })),
    )
    const row = await untilRuns(stage, 'api')
    await stage.step(
      'kubectl apply -f budget.yaml, with selector app=api and minAvailable: 1.',
      () => stage.createBudget('api', 'api', 1),
    )
    await stage.until('the budget is counted', () => {
      const known = stage.detail(row).facts.budget
      return known.kind === 'refuses' && known.why.includes('has 1')
    })
    const answer = await stage.step('kubectl drain evicts through the API and is refused.', () =>
      stage.tryEvictThroughApi(row),
    )
    if (answer.ok) throw new Error('the budget allowed it')
    await stage.advance(60_000)
    await stage.step(
      'A minute later the kubelet evicts it, as it would under node pressure.',
      () => {
        stage.evictByKubelet(row)
      },
    )
    await stage.advance(1000)
    return stage.row('api')
  },
}

const finalizer: ExhibitScript = {
  id: 'finalizer-keeps-it',
  title: 'Deleted and finished, but still listed',
  confusion:
    'The pod was deleted two minutes ago and its containers have exited. kubectl still lists it as Completed, and even a force delete does not remove it. The kubelet seems to hang.',
  truth:
    'The kubelet is done: the containers have stopped, the final status is written, and it has asked the API server to remove the object. The API server keeps the object until its finalizers are removed, which is up to the controller that added them. The kubelet cannot do that.',
  sections: ['status#sending-a-status', 'api-server#pod-deletion'],
  nodes: [alone],
  moment: 'The worker has finished. The object has a deletionTimestamp and one finalizer.',
  next: 'Nothing changes until the finalizer is removed: kubectl patch pod guarded -p \'{"metadata":{"finalizers":null}}\'. Then the object is gone at once.',
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

const rejected: ExhibitScript = {
  id: 'rejected-stays-failed',
  title: 'There is room now, but the pod stays Failed',
  confusion:
    'The pod was rejected with OutOfcpu. The pod that used the CPU is gone, but the rejected pod does not start.',
  truth:
    'The kubelet admits a pod once, when it first sees it. A rejection is final: the pod is Failed, and a failed pod never runs again. The scheduler would have left it Pending, but this pod names its node in nodeName and bypasses the scheduler.',
  sections: ['sync-loop#handlers', 'admission#handlers', 'admission#rejection'],
  nodes: [alone],
  moment: 'The node has 4 CPUs, none of them requested. late requests 2 and is Failed.',
  next: 'Nothing changes. Delete the pod and create it again, and it runs.',
  play: async (stage) => {
    await stage.step(`kubectl create -f big.yaml; it requests 3 of the 4 CPUs.`, () =>
      stage.create(podText({ name: 'big', node: alone, cpu: '3', script: obedient })),
    )
    await untilRuns(stage, 'big')
    await stage.step(`kubectl create -f late.yaml; it requests 2 and sets nodeName.`, () =>
      stage.create(podText({ name: 'late', node: alone, cpu: '2', script: obedient })),
    )
    await stage.until('it is refused', () => stage.has('late', { status: 'OutOfcpu' }))
    await stage.step('kubectl delete pod big', () => stage.delete('big'))
    await stage.until('it is gone', () => stage.rows('big').length === 0)
    await stage.step('A minute passes.', () => stage.advance(60_000))
    return stage.row('late')
  },
}

const nameTaken: ExhibitScript = {
  id: 'name-still-taken',
  title: 'Deleted, but the name is still taken',
  confusion:
    'kubectl delete has returned, but kubectl create of the same pod is refused: it already exists.',
  truth:
    'A deleted pod keeps its API object until its containers have stopped. Through this object the kubelet learns of the delete and reports how the pod ended. Until then the name is taken. A force delete frees the name at once, while the old container may still run.',
  sections: ['status#sending-a-status', 'api-server#pod-deletion'],
  nodes: [alone],
  moment:
    'The pod is Terminating, with part of its grace period left. The API server answers a create with 409 AlreadyExists.',
  next: 'The container exits, the kubelet writes the final status and removes the object. Then the create succeeds.',
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

const tooLate: ExhibitScript = {
  id: 'shorter-grace-comes-too-late',
  title: 'The shorter grace period has no effect',
  confusion:
    'The pod was deleted with a grace period of two minutes. A second delete with --grace-period=5 is accepted and the object shows 5 s, but the pod still takes two minutes.',
  truth:
    'The kubelet stores the shorter grace period in its record. But the StopContainer call was already made with the longer one and is still in progress, so the runtime sends SIGKILL when the longer one is over. The shorter one applies only to calls made later.',
  sections: [
    'termination#grace-period',
    'termination#cancellation',
    'termination#stopping-containers',
  ],
  nodes: [alone],
  moment:
    'The object says 5 s, and that time has passed. The worker’s record says 5 s. The call in progress has 120 s.',
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

const preempted: ExhibitScript = {
  id: 'preempted-by-a-manifest',
  title: 'A manifest stops another pod',
  confusion:
    'A healthy pod is stopped. The node is not under pressure, the pod was not deleted or drained, and the scheduler was not involved. Meanwhile other new pods on the node do not start either.',
  truth:
    'A manifest was added to the folder. Every static pod is critical. If it does not fit, the kubelet does not reject it but preempts pods that are not critical until it fits. The sync loop waits for their whole grace period, so no other new pod is handled meanwhile.',
  sections: ['identity#kinds-of-pods', 'admission#handlers', 'admission#preemption'],
  nodes: [alone],
  moment:
    'shop is terminating, with a grace period of 30 s and the event Preempting. proxy is known to the kubelet and waits for admission, and so does the sync loop.',
  next: 'SIGKILL comes 30 s after the manifest was added. shop ends Failed, reason Preempting; proxy is admitted and starts.',
  play: async (stage) => {
    await stage.step('kubectl create -f shop.yaml; it requests 3 of the 4 CPUs.', () =>
      stage.create(podText({ name: 'shop', cpu: '3', graceSeconds: 30, script: stubborn })),
    )
    await untilRuns(stage, 'shop')
    await stage.step('proxy.yaml is added to the manifest folder; it requests 2 CPUs.', () =>
      stage.putManifest('proxy.yaml', podText({ name: 'proxy', cpu: '2', script: obedient })),
    )
    await stage.step('Five seconds pass.', () => stage.advance(5000))
    return stage.row('shop')
  },
}

/** How pods end, and how they do not. */
export const endingExhibits: readonly ExhibitScript[] = [
  evicted,
  budget,
  finalizer,
  rejected,
  nameTaken,
  tooLate,
  preempted,
]
