import { assertNever } from '../../../shared/assert-never.ts'
import { formatDuration } from '../../../shared/go/duration.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { highestUserDefinablePriority } from '../../../shared/kubernetes/critical-pod.ts'
import { lossTaint } from '../../../shared/model/loss/loss.ts'
import type { LossWay } from '../../../shared/model/loss/loss.ts'
import type { Result } from '../../../shared/result.ts'
import type { OpenSandbox } from '../cluster/open-cluster.ts'
import { drainNode } from '../scenarios/drain-step.ts'
import { createObject, deleteObject, patchObject } from '../scenarios/send-objects.ts'

/** The copy of a pod, alone on its node. */
export interface LossTarget {
  readonly cluster: Omit<OpenSandbox, 'stop'>
  readonly node: string
  readonly key: string
  /** For a drain that a budget does not let end. */
  readonly timeoutMs: number
}

function refusalOf(result: Result<unknown, { readonly message: string }>): string {
  return result.ok ? '' : result.error.message
}

/** What is left for pods and everything else, less than the threshold of 100Mi. */
const leftBytes = 50 * 2 ** 20

async function useUpMemory({ cluster, node: name }: LossTarget): Promise<string> {
  const view = await cluster.nodes.pressure(name)
  const other = view?.other ?? null
  const memory = view?.signals.find(({ signal }) => signal === 'memory.available')
  const available = memory?.available ?? null
  if (other === null || available === null) return 'The memory of the node is not known.'
  const memoryBytes = other.memoryBytes + available - leftBytes
  const use = { memoryBytes, diskBytes: null, inodes: null, processes: null }
  return refusalOf(cluster.nodes.useOther({ node: name, ...use }))
}

function actOnNode({ cluster, node }: LossTarget, act: 'shutDown' | 'powerOff'): string {
  const args = { shutdownGraceSeconds: null, criticalGraceSeconds: null, call: null }
  return refusalOf(cluster.nodes.act({ node, act, ...args }))
}

const pause = [{ name: 'c', image: 'registry.k8s.io/pause:3.10' }]

const lossClass = 'nodescope-preemptor'

/** The node has a place for one pod, which the copy has. */
async function preemptByScheduler({ cluster, node }: LossTarget): Promise<string> {
  const refused = await createObject(cluster, {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: lossClass },
    value: highestUserDefinablePriority,
  })
  if (refused !== '') return refused
  return createObject(
    cluster,
    preemptor('default', lossClass, { nodeSelector: { 'kubernetes.io/hostname': node } }),
  )
}

function preemptor(namespace: string, priorityClassName: string, where: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'nodescope-preemptor', namespace },
    spec: { priorityClassName, containers: pause, ...where },
  }
}

/** Loses the copy that way. Resolves with why it was refused; else empty. */
export async function losePod(way: LossWay, target: LossTarget): Promise<string> {
  const { cluster, node, key, timeoutMs } = target
  switch (way) {
    case 'pressure':
      return useUpMemory(target)
    case 'byHand':
      return refusalOf(cluster.commands.evictByKubelet(key))
    case 'evictionApi':
      return refusalOf(await cluster.commands.evictThroughApi(key, null))
    case 'drain':
      return drainNode(cluster, { node, timeout: formatDuration(timeoutMs) })
    case 'schedulerPreemption':
      return preemptByScheduler(target)
    case 'kubeletPreemption':
      // Bound by its manifest, so that no scheduler looks for a place first.
      return createObject(
        cluster,
        preemptor('kube-system', 'system-node-critical', { nodeName: node }),
      )
    case 'taint':
      return patchObject(cluster, {
        resource: `node/${node}`,
        type: 'merge',
        patch: { spec: { taints: [lossTaint] } },
      })
    case 'shutdown':
      return actOnNode(target, 'shutDown')
    case 'podGc':
      return actOnNode(target, 'powerOff') || deleteObject(cluster, { resource: `node/${node}` })
    default:
      return assertNever(way, 'way to lose a pod')
  }
}
