import type { RuntimeCall } from '../../src/main/runtimes/simulated/runtime-faults.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import type { CallFault } from '../../src/shared/model/node/node-faults.ts'
import { runtimeCallNames } from '../../src/shared/model/node/node-faults.ts'
import type { RandomPicker } from '../random-picker.ts'
import { settingsName } from './pod-templates.ts'
import type { StepContext, Step } from './step-context.ts'

const calls: readonly RuntimeCall[] = [
  'status',
  'runPodSandbox',
  'stopPodSandbox',
  'removePodSandbox',
  'listPodSandboxes',
  'createContainer',
  'startContainer',
  'stopContainer',
  'removeContainer',
  'listContainers',
  'containerStatus',
  'imageStatus',
  'pullImage',
]

/** The error message of a simulated failure of a runtime call. */
const simulatedFailure = 'this failure is simulated'

/** What is logged while calls of the runtime fail. */
export const failuresOfRuntime: readonly string[] = [
  simulatedFailure,
  'this call was made to fail in Nodescope',
  'containerd.sock: connect: connection refused',
  'code = DeadlineExceeded desc = context deadline exceeded',
]

function configMaps(namespace = 'default'): string {
  return `/api/v1/namespaces/${namespace}/configmaps`
}

/** Creates the ConfigMap that pods wait for, if it is not there; returns the answer. */
export function createSettings(
  context: StepContext,
  number: number,
  namespace?: string,
): Promise<string> {
  return context.send('POST', configMaps(namespace), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: settingsName },
    data: { number: String(number) },
  })
}

/** Mostly short; sometimes long enough for the control plane to mark the node Unknown (api-server#missing-heartbeats). */
function awayMs(pick: RandomPicker): number {
  return pick.is(0.25) ? pick.whole(60_000, 500_000) : pick.whole(0, 45_000)
}

function outage({ cluster }: StepContext, nodes: readonly SimulatedNode[], isCut: boolean): void {
  for (const { nodeName } of nodes) {
    if (isCut) cluster.outage(nodeName).cut()
    else cluster.outage(nodeName).restore()
  }
}

/** What happens to nodes, their agents, their runtimes, and their way to the API server. */
export const nodeSteps = {
  'restart an agent': {
    weight: 5,
    act: (context, pick) => {
      const node = context.node(pick)
      const ms = pick.is(0.5) ? 0 : awayMs(pick)
      node.stopKubelet()
      context.later(`agent ${node.nodeName}`, ms, () => {
        context.cluster.bringUp(node.nodeName)
      })
      return `stops the agent of ${node.nodeName} for ${ms} ms`
    },
  },
  'cut the power of a node': {
    weight: 2,
    act: (context, pick) => {
      const node = context.node(pick)
      const ms = awayMs(pick)
      context.cluster.powerOff(node.nodeName)
      context.later(`agent ${node.nodeName}`, ms, () => {
        context.cluster.bringUp(node.nodeName)
      })
      return `cuts the power of ${node.nodeName} for ${ms} ms`
    },
  },
  'cut a node off': {
    weight: 4,
    act: (context, pick) => {
      const node = context.node(pick)
      const ms = awayMs(pick)
      outage(context, [node], true)
      context.later(`outage ${node.nodeName}`, ms, () => {
        outage(context, [node], false)
      })
      return `cuts ${node.nodeName} off for ${ms} ms`
    },
  },
  'API server unreachable': {
    weight: 2,
    act: (context, pick) => {
      const ms = awayMs(pick)
      outage(context, context.nodes, true)
      for (const node of context.nodes)
        context.later(`outage ${node.nodeName}`, ms, () => {
          outage(context, [node], false)
        })
      return `takes the API server from all nodes for ${ms} ms`
    },
  },
  'lose what is on its way': {
    weight: 4,
    act: (context, pick) => {
      const node = context.node(pick)
      outage(context, [node], true)
      outage(context, [node], false)
      return `loses what is on its way between ${node.nodeName} and the API server`
    },
  },
  'drop watches': {
    weight: 5,
    act: (context, pick) => {
      const { nodeName } = context.node(pick)
      return `drops ${context.cluster.outage(nodeName).dropWatches()} watches of ${nodeName}`
    },
  },
  'fail a runtime call': {
    weight: 7,
    act: (context, pick) => {
      const node = context.node(pick)
      const call = pick.among(calls) ?? 'status'
      const times = pick.whole(1, 3)
      const kind = pick.oneOf('failed', 'unavailable')
      node.runtime.faults?.failNext(call, { kind, message: simulatedFailure }, times)
      return `lets ${call} of ${node.nodeName} fail ${times} times (${kind})`
    },
  },
  'slow a runtime call': {
    weight: 5,
    act: (context, pick) => {
      const node = context.node(pick)
      const call = pick.among(calls) ?? 'status'
      const ms = pick.whole(200, 12_000)
      context.cluster.slowRuntime(node.nodeName).delayNext(call, ms, pick.whole(1, 3))
      return `slows ${call} of ${node.nodeName} by ${ms} ms`
    },
  },
  'take a runtime away': {
    weight: 3,
    act: (context, pick) => {
      const node = context.node(pick)
      const ms = awayMs(pick)
      const runtime = pick.oneOf('down', 'hangs')
      node.faults.setRuntime(runtime)
      context.later(`runtime ${node.nodeName}`, ms, () => {
        node.faults.setRuntime('answers')
      })
      return `lets the runtime of ${node.nodeName} be ${runtime} for ${ms} ms`
    },
  },
  'break one runtime call': {
    weight: 3,
    act: (context, pick) => {
      const node = context.node(pick)
      const ms = awayMs(pick)
      const fault: CallFault = {
        call: pick.among(runtimeCallNames) ?? 'Status',
        how: pick.oneOf('fails', 'hangs'),
        pod: null,
      }
      node.faults.setCall(fault)
      context.later(`call ${node.nodeName}`, ms, () => {
        node.faults.setCall(null)
      })
      return `lets ${fault.call} of ${node.nodeName} ${fault.how} for ${ms} ms`
    },
  },
  'slow volumes': {
    weight: 3,
    act: (context, pick) => {
      const node = context.node(pick)
      const ms = awayMs(pick)
      node.faults.setSlowMounts(true)
      context.later(`volumes ${node.nodeName}`, ms, () => {
        node.faults.setSlowMounts(false)
      })
      return `slows the volumes of ${node.nodeName} for ${ms} ms`
    },
  },
  'fill a disk': {
    weight: 2,
    act: (context, pick) => {
      const node = context.node(pick)
      const ms = pick.whole(60_000, 500_000)
      node.faults.setDiskFull(true)
      context.later(`disk ${node.nodeName}`, ms, () => {
        node.faults.setDiskFull(false)
      })
      return `fills the disk of ${node.nodeName} for ${ms} ms`
    },
  },
  'use up a machine': {
    weight: 3,
    act: (context, pick) => {
      const node = context.node(pick)
      const ms = pick.whole(5000, 90_000)
      const before = node.runtime.otherUse
      const resource = pick.oneOf('memoryBytes', 'inodes', 'processes')
      node.runtime.useOther?.({ [resource]: Number.MAX_SAFE_INTEGER })
      context.later(`${resource} ${node.nodeName}`, ms, () => {
        if (before !== undefined) node.runtime.useOther?.({ [resource]: before[resource] })
      })
      return `uses up ${resource} of ${node.nodeName} for ${ms} ms`
    },
  },
  'shut a node down': {
    weight: 2,
    act: (context, pick) => {
      const node = context.node(pick)
      const ms = awayMs(pick)
      const [total, critical] = [pick.whole(1, 40), pick.whole(0, 10)]
      const begun = node.kubelet.shutdownManager.shutDown(
        {
          shutdownGracePeriodMs: (total + critical) * 1000,
          shutdownGracePeriodCriticalPodsMs: critical * 1000,
        },
        [],
      )
      context.later(`agent ${node.nodeName}`, (total + critical) * 1000 + ms, () => {
        context.cluster.powerOff(node.nodeName)
        context.cluster.bringUp(node.nodeName)
      })
      return `shuts ${node.nodeName} down for ${ms} ms: ${begun.ok ? 'begun' : begun.error}`
    },
  },
  'delete a node': {
    weight: 1,
    act: async (context, pick) => {
      const { nodeName } = context.node(pick)
      return `deletes the node ${nodeName}: ${await context.send('DELETE', `/api/v1/nodes/${nodeName}`)}`
    },
  },
  cordon: {
    weight: 2,
    act: async (context, pick) => {
      const { nodeName } = context.node(pick)
      const unschedulable = pick.is(0.5)
      const answer = await context.patch(`/api/v1/nodes/${nodeName}`, { spec: { unschedulable } })
      return `${unschedulable ? 'cordons' : 'uncordons'} ${nodeName}: ${answer}`
    },
  },
  'create the namespace': {
    weight: 3,
    act: async (context) => {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }
      return `creates the namespace team: ${await context.send('POST', '/api/v1/namespaces', body)}`
    },
  },
  'create the ConfigMap': {
    weight: 4,
    act: async (context, pick) =>
      `creates the ConfigMap: ${await createSettings(context, pick.whole(0, 9))}`,
  },
  'change the ConfigMap': {
    weight: 3,
    act: async (context, pick) => {
      const data = { number: String(pick.whole(0, 9)) }
      return `changes the ConfigMap: ${await context.patch(`${configMaps()}/${settingsName}`, { data })}`
    },
  },
  'delete the ConfigMap': {
    weight: 2,
    act: async (context) =>
      `deletes the ConfigMap: ${await context.send('DELETE', `${configMaps()}/${settingsName}`)}`,
  },
  'delete the namespace': {
    weight: 1,
    act: async (context) =>
      `deletes the namespace team: ${await context.send('DELETE', '/api/v1/namespaces/team')}`,
  },
} satisfies Readonly<Record<string, Step>>
