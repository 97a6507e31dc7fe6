import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { DaemonSet } from '../../../src/shared/kubernetes/workloads.ts'
import { allowsSurge } from '../../../src/main/sandbox/control-plane/daemon-set/daemon-rollout.ts'
import { isTerminal } from '../../../src/main/sandbox/control-plane/workloads/active-pods.ts'
import type { StepContext } from '../step-context.ts'
import { podPath } from '../step-context.ts'

/** Ended pods of one DaemonSet. */
const mostEnded = 20

/**
 * While a node rejects pods, a DaemonSet that surges creates new ones without a back-off, as upstream (podsShouldBeOnNode,
 * kubernetes/kubernetes#124388), and leaves thousands behind. Does what an administrator would: ends the surge, and deletes them.
 */
export async function endRejectedSurges(context: StepContext): Promise<void> {
  for (const set of context.owners.all('apps/v1/daemonsets') as readonly DaemonSet[]) {
    const { name, namespace = '', uid } = set.metadata
    if (!allowsSurge(set)) continue
    const ended = context.owners
      .ownedBy('pods', uid)
      .filter(
        ({ status, metadata }: Pod) =>
          isTerminal(status?.phase) && metadata.deletionTimestamp === undefined,
      )
    if (ended.length <= mostEnded) continue
    const rollingUpdate = { maxSurge: 0, maxUnavailable: 1 }
    await context.patch(`/apis/apps/v1/namespaces/${namespace}/daemonsets/${name}`, {
      spec: { updateStrategy: { rollingUpdate } },
    })
    for (const pod of ended) await context.send('DELETE', podPath(pod))
  }
}
