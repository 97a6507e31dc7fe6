// Scheduling cycles without their writes: pods onto 100 empty nodes in three zones. Pods of a Service are spread by default.
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { ClusterCache } from '../../src/main/sandbox/scheduler/cluster-cache.ts'
import { podInfo } from '../../src/main/sandbox/scheduler/pod-info.ts'
import { schedulePod } from '../../src/main/sandbox/scheduler/schedule-pod.ts'
import type { Node, Pod } from '../../src/shared/kubernetes/objects.ts'
import { report } from './quiet.ts'

const podCount = Number(process.argv[2] ?? 1000)
const nodeCount = 100

function nodeAt(index: number): Node {
  const name = `n${index}`
  const labels = {
    'kubernetes.io/hostname': name,
    'topology.kubernetes.io/zone': `z${index % 3}`,
  }
  const allocatable = { cpu: '8', memory: '32Gi', pods: '110' }
  return { metadata: { name, uid: name, labels }, status: { allocatable } }
}

function podAt(index: number): Pod {
  const name = `p${index}`
  const requests = { cpu: '100m', memory: '64Mi' }
  const containers = [{ name: 'c', image: 'app:1', resources: { requests } }]
  return {
    metadata: { name, uid: name, namespace: 'default', labels: { app: 'web' } },
    spec: { containers },
  }
}

/** Milliseconds for all pods. */
function measure(services: readonly { readonly selector: Readonly<Record<string, string>> }[]) {
  const snapshot = new ClusterCache()
  for (let index = 0; index < nodeCount; index++) snapshot.putNode(nodeAt(index))
  const random = seededRandom(1)
  const startedAt = performance.now()
  for (let index = 0; index < podCount; index++) {
    const pod = podAt(index)
    const scheduled = schedulePod(podInfo(pod), {
      snapshot,
      listers: {
        namespaces: () => [],
        namespaceLabels: () => undefined,
        services: () => services,
        ownerSelector: () => undefined,
        claim: () => undefined,
        storageClass: () => undefined,
        volume: () => undefined,
        volumesOfClass: () => [],
      },
      nominated: () => [],
      budgets: () => [],
      random,
      now: 0,
      startIndex: index % nodeCount,
    })
    if (scheduled.kind !== 'fits') throw new Error(scheduled.message)
    snapshot.putPod(pod, scheduled.nodeName)
  }
  return performance.now() - startedAt
}

const plainMs = measure([])
const spreadMs = measure([{ selector: { app: 'web' } }])
report({ plainMs, spreadMs })
