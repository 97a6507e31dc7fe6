import { setTimeout as sleep } from 'node:timers/promises'
import { objectAt } from '../../../src/shared/json.ts'
import { isNodeReady, untilNode, untilRenewed } from './node-waits.ts'
import type { NodeUnderTest } from './node-under-test.ts'
import type { KubeletStart, ScenarioRun } from './scenario-run.ts'

/** Which of several pods pulled an image would be chance. */
const images = ['registry.k8s.io/pause:3.10', 'busybox:1.36']
/** For a kubelet to find the pods that it has. */
const settlingMs = 4000

/** A node for one scenario, once it is Ready and has its lease. */
export async function startOwnNode(
  run: ScenarioRun,
  start: KubeletStart = {},
): Promise<NodeUnderTest> {
  const kubelet = await run.startKubelet({ images, ...start })
  await untilNode(run, run.node, 'is ready', isNodeReady)
  await untilRenewed(run, run.node, 1)
  return kubelet
}

/** Starts a stopped kubelet. Its lease has expired: otherwise the program would watch it for 15 s first. */
export async function startAgain(run: ScenarioRun, kubelet: NodeUnderTest): Promise<void> {
  const { node, observer } = run
  const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node}`
  const lease = await run.admin.ask('GET', path)
  const spec = { ...objectAt(lease, 'spec'), renewTime: '2026-01-01T00:00:00.000000Z' }
  await run.admin.ask('PUT', path, { ...lease, spec })
  await kubelet.startKubelet()
  const isRenewed = (): true | undefined => {
    const last = observer.of('leases', { name: node }).at(-1)?.object.spec?.renewTime ?? ''
    return last > spec.renewTime || undefined
  }
  await observer.until(`lease ${node} is renewed`, isRenewed, () => node)
  await sleep(settlingMs)
}
