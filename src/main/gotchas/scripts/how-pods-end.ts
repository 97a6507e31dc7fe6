import { nodeA } from '../gotcha.ts'
import type { GotchaScript } from '../gotcha.ts'
import { ignoresSigterm, podManifest } from '../pod-manifest.ts'

/** How pods end, and how they do not. */
export const howPodsEnd: readonly GotchaScript[] = [
  {
    id: 'evicted-reads-completed',
    title: 'Evicted, but kubectl says Completed',
    confusion:
      'The kubelet evicted two pods. kubectl get pods shows one as Completed, as if its work were done, and the other as Error. Neither is shown as Evicted.',
    truth:
      'The kubelet sets phase Failed with reason Evicted, but the exit codes of the containers take precedence. If all containers exit 0 on SIGTERM, the pod ends Succeeded, without reason or message; only the event and the DisruptionTarget condition show the eviction. If a container had to be killed, the pod ends Failed with reason Evicted. The STATUS column of kubectl prefers a container’s reason to the pod’s, so it prints Error.',
    sections: ['status#building-the-status', 'eviction#evicting-one-pod'],
    lookAt:
      'calm exited 0 and Succeeded, without a reason. loud ignored SIGTERM and is Failed, reason Evicted.',
    next: 'Both objects stay until they are deleted: the kubelet never deletes a pod that it evicted.',
    run: async (sandbox) => {
      await sandbox.createPod({ name: 'calm' }, '; it exits 0 on SIGTERM.')
      await sandbox.createPod({ name: 'loud', script: ignoresSigterm }, '; it ignores SIGTERM.')
      const calm = await sandbox.untilRunning('calm')
      const loud = await sandbox.untilRunning('loud')
      await sandbox.step('The kubelet evicts both, as it would under node pressure.', () => {
        sandbox.evictByKubelet(calm)
        sandbox.evictByKubelet(loud)
      })
      await sandbox.until('both are over', () =>
        sandbox.rows().every(({ worker, status }) => worker === 'finished' && status !== 'Running'),
      )
      return sandbox.row('calm')
    },
  },
  {
    id: 'budget-is-not-asked',
    title: 'Protected by a disruption budget, evicted anyway',
    confusion:
      'The PodDisruptionBudget requires one available pod, and it blocks kubectl drain. A minute later the same pod is evicted.',
    truth:
      'Two different operations are called eviction. Eviction through the API, which kubectl drain uses, is a delete that checks PodDisruptionBudgets first. Eviction by the kubelet, under node pressure, checks no budget: it kills the pod and writes its final status, and the object stays. A budget protects only against the first.',
    sections: ['eviction#evicting-one-pod', 'api-server#eviction-api'],
    lookAt:
      'The API server refused to evict api because its budget allows no disruption. Now the kubelet evicts it, and the pod has the event Evicted.',
    next: 'The container ignores SIGTERM, so SIGKILL ends it after 2 s, the shortest grace period that the runtime allows. The pod ends Failed, reason Evicted, and the budget has no healthy pod.',
    run: async (sandbox) => {
      await sandbox.createPod(
        { name: 'api', labels: { app: 'api' }, script: ignoresSigterm },
        '; it ignores SIGTERM.',
      )
      const row = await sandbox.untilRunning('api')
      await sandbox.step(
        'kubectl apply -f budget.yaml, with selector app=api and minAvailable: 1.',
        () => sandbox.createBudget('api', 'api', 1),
      )
      await sandbox.until('the budget is counted', () => {
        const known = sandbox.detail(row).facts.budget
        return known.kind === 'refuses' && known.why.includes('has 1')
      })
      const answer = await sandbox.step(
        'kubectl drain evicts through the API and is refused.',
        () => sandbox.tryEvictThroughApi(row),
      )
      if (answer.ok) throw new Error('the budget allowed it')
      await sandbox.advance(60_000)
      await sandbox.step(
        'A minute later the kubelet evicts it, as it would under node pressure.',
        () => sandbox.evictByKubelet(row),
      )
      await sandbox.advance(1000)
      return sandbox.row('api')
    },
  },
  {
    id: 'finalizer-keeps-it',
    title: 'Deleted and finished, but still listed',
    confusion:
      'The pod was deleted two minutes ago and its containers have exited. kubectl still lists it as Completed, and even a force delete does not remove it. The kubelet seems to hang.',
    truth:
      'The kubelet is done: the containers have stopped, the final status is written, and it has asked the API server to remove the object. The API server keeps the object until its finalizers are removed, which is up to the controller that added them. The kubelet cannot do that.',
    sections: ['status#sending-a-status', 'api-server#pod-deletion'],
    lookAt: 'The worker has finished. The object has a deletionTimestamp and one finalizer.',
    next: 'Nothing changes until the finalizer is removed: kubectl patch pod guarded -p \'{"metadata":{"finalizers":null}}\'. Then the object is gone at once.',
    run: async (sandbox) => {
      const pod = { name: 'guarded', finalizers: ['example.com/backup'] }
      await sandbox.createPod(pod, ', with the finalizer example.com/backup.')
      await sandbox.untilRunning('guarded')
      await sandbox.step('kubectl delete pod guarded --wait=false', () => sandbox.delete('guarded'))
      await sandbox.step('Two minutes pass.', () => sandbox.advance(120_000))
      return sandbox.row('guarded')
    },
  },
  {
    id: 'rejected-stays-failed',
    title: 'There is room now, but the pod stays Failed',
    confusion:
      'The pod was rejected with OutOfcpu. The pod that used the CPU is gone, but the rejected pod does not start.',
    truth:
      'The kubelet admits a pod once, when it first sees it. A rejection is final: the pod is Failed, and a failed pod never runs again. The scheduler would have left it Pending, but this pod names its node in nodeName and bypasses the scheduler.',
    sections: ['sync-loop#handlers', 'admission#handlers', 'admission#rejection'],
    lookAt: 'The node has 4 CPUs, none of them requested. late requests 2 and is Failed.',
    next: 'Nothing changes. Delete the pod and create it again, and it runs.',
    run: async (sandbox) => {
      await sandbox.createPod(
        { name: 'big', node: nodeA, cpu: '3' },
        '; it requests 3 of the 4 CPUs.',
      )
      await sandbox.untilRunning('big')
      await sandbox.createPod(
        { name: 'late', node: nodeA, cpu: '2' },
        '; it requests 2 and sets nodeName.',
      )
      await sandbox.until('it is refused', () => sandbox.has('late', { status: 'OutOfcpu' }))
      await sandbox.step('kubectl delete pod big', () => sandbox.delete('big'))
      await sandbox.until('it is gone', () => sandbox.rows('big').length === 0)
      await sandbox.step('A minute passes.', () => sandbox.advance(60_000))
      return sandbox.row('late')
    },
  },
  {
    id: 'name-still-taken',
    title: 'Deleted, but the name is still taken',
    confusion:
      'kubectl delete has returned, but kubectl create of the same pod is refused: it already exists.',
    truth:
      'A deleted pod keeps its API object until its containers have stopped. Through this object the kubelet learns of the delete and reports how the pod ended. Until then the name is taken. A force delete frees the name at once, while the old container may still run.',
    sections: ['status#sending-a-status', 'api-server#pod-deletion'],
    lookAt:
      'The pod is Terminating, with part of its grace period left. The API server answers a create with 409 AlreadyExists.',
    next: 'The container exits, the kubelet writes the final status and removes the object. Then the create succeeds.',
    run: async (sandbox) => {
      const pod = { name: 'cache', graceSeconds: 30, script: ignoresSigterm }
      await sandbox.createPod(pod)
      await sandbox.untilRunning('cache')
      await sandbox.step('kubectl delete pod cache --wait=false', () => sandbox.delete('cache'))
      await sandbox.advance(5000)
      const again = await sandbox.step('Five seconds later: kubectl create -f cache.yaml', () =>
        sandbox.tryCreate(podManifest(pod)),
      )
      if (again.ok) throw new Error('the name was free')
      return sandbox.row('cache')
    },
  },
  {
    id: 'shorter-grace-comes-too-late',
    title: 'The shorter grace period has no effect',
    confusion:
      'The pod was deleted with a grace period of two minutes. A second delete with --grace-period=20 is accepted and the object shows 20 s, but the pod still takes two minutes.',
    truth:
      'The kubelet stores the shorter grace period in its record. But the StopContainer call was already made with the longer one and is still in progress, so the runtime sends SIGKILL when the longer one is over. The shorter one applies only to calls made later.',
    sections: [
      'termination#grace-period',
      'termination#cancellation',
      'termination#stopping-containers',
    ],
    lookAt:
      'The object says 20 s, counted from the first delete, and that time has passed. The worker’s record says 20 s. The call in progress has 120 s.',
    next: 'SIGKILL comes 120 s after the first delete.',
    run: async (sandbox) => {
      await sandbox.createPod(
        { name: 'slow', graceSeconds: 120, script: ignoresSigterm },
        '; it ignores SIGTERM.',
      )
      await sandbox.untilRunning('slow')
      await sandbox.step('kubectl delete pod slow --wait=false', () => sandbox.delete('slow'))
      await sandbox.step('Ten seconds pass.', () => sandbox.advance(10_000))
      await sandbox.step('kubectl delete pod slow --grace-period=20 --wait=false', () =>
        sandbox.delete('slow', 20),
      )
      await sandbox.step('Twenty seconds pass.', () => sandbox.advance(20_000))
      return sandbox.row('slow')
    },
  },
  {
    id: 'preempted-by-a-manifest',
    title: 'A manifest stops another pod',
    confusion:
      'A healthy pod is stopped. The node is not under pressure, the pod was not deleted or drained, and the scheduler was not involved. Meanwhile other new pods on the node do not start either.',
    truth:
      'A manifest was added to the folder. Every static pod is critical. If it does not fit, the kubelet does not reject it but preempts pods that are not critical until it fits. The sync loop waits for their whole grace period, so no other new pod is handled meanwhile.',
    sections: ['identity#kinds-of-pods', 'admission#handlers', 'admission#preemption'],
    lookAt:
      'shop is terminating, with a grace period of 30 s and the event Preempting. proxy is known to the kubelet and waits for admission, and so does the sync loop.',
    next: 'SIGKILL comes 30 s after the manifest was added. shop ends Failed, reason Preempting; proxy is admitted and starts.',
    run: async (sandbox) => {
      await sandbox.createPod(
        { name: 'shop', cpu: '3', graceSeconds: 30, script: ignoresSigterm },
        '; it requests 3 of the 4 CPUs.',
      )
      await sandbox.untilRunning('shop')
      await sandbox.addManifest({ name: 'proxy', cpu: '2' }, '; it requests 2 CPUs.')
      await sandbox.step('Five seconds pass.', () => sandbox.advance(5000))
      return sandbox.row('shop')
    },
  },
]
