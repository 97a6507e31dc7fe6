import type { RuntimeCall } from '../../src/main/runtimes/simulated/runtime-faults.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import type { Chance } from './chance.ts'
import type { Stage, Step } from './stage.ts'

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

/** What a runtime call that is made to fail says. */
export const simulatedFailure = 'this failure is simulated'

/** Mostly short; now and then so long that the control plane gives the node up (api-server#missing-heartbeats). */
function awayMs(chance: Chance): number {
  return chance.is(0.25) ? chance.whole(60_000, 500_000) : chance.whole(0, 45_000)
}

function outage({ cluster }: Stage, nodes: readonly SimulatedNode[], isCut: boolean): void {
  for (const { nodeName } of nodes) {
    if (isCut) cluster.outage(nodeName).cut()
    else cluster.outage(nodeName).restore()
  }
}

/** What happens to nodes, their agents, their runtimes, and their way to the API server. */
export const nodeSteps = {
  'restart an agent': {
    weight: 5,
    act: (stage, chance) => {
      const node = stage.node(chance)
      const ms = chance.is(0.5) ? 0 : awayMs(chance)
      node.stopKubelet()
      stage.later(`agent ${node.nodeName}`, ms, () => {
        stage.cluster.bringUp(node.nodeName)
      })
      return `stops the agent of ${node.nodeName} for ${ms} ms`
    },
  },
  'cut the power of a node': {
    weight: 2,
    act: (stage, chance) => {
      const node = stage.node(chance)
      const ms = awayMs(chance)
      stage.cluster.powerOff(node.nodeName)
      stage.later(`agent ${node.nodeName}`, ms, () => {
        stage.cluster.bringUp(node.nodeName)
      })
      return `cuts the power of ${node.nodeName} for ${ms} ms`
    },
  },
  'cut a node off': {
    weight: 4,
    act: (stage, chance) => {
      const node = stage.node(chance)
      const ms = awayMs(chance)
      outage(stage, [node], true)
      stage.later(`outage ${node.nodeName}`, ms, () => {
        outage(stage, [node], false)
      })
      return `cuts ${node.nodeName} off for ${ms} ms`
    },
  },
  'API server unreachable': {
    weight: 2,
    act: (stage, chance) => {
      const ms = awayMs(chance)
      outage(stage, stage.nodes, true)
      for (const node of stage.nodes)
        stage.later(`outage ${node.nodeName}`, ms, () => {
          outage(stage, [node], false)
        })
      return `takes the API server from all nodes for ${ms} ms`
    },
  },
  'lose what is on its way': {
    weight: 4,
    act: (stage, chance) => {
      const node = stage.node(chance)
      outage(stage, [node], true)
      outage(stage, [node], false)
      return `loses what is on its way between ${node.nodeName} and the API server`
    },
  },
  'drop watches': {
    weight: 5,
    act: (stage, chance) => {
      const { nodeName } = stage.node(chance)
      return `drops ${stage.cluster.outage(nodeName).dropWatches()} watches of ${nodeName}`
    },
  },
  'fail a runtime call': {
    weight: 7,
    act: (stage, chance) => {
      const node = stage.node(chance)
      const call = chance.among(calls) ?? 'status'
      const times = chance.whole(1, 3)
      const kind = chance.oneOf('failed', 'unavailable')
      node.runtime.faults.failNext(call, { kind, message: simulatedFailure }, times)
      return `lets ${call} of ${node.nodeName} fail ${times} times (${kind})`
    },
  },
  'slow a runtime call': {
    weight: 5,
    act: (stage, chance) => {
      const node = stage.node(chance)
      const call = chance.among(calls) ?? 'status'
      const ms = chance.whole(200, 12_000)
      stage.cluster.slowRuntime(node.nodeName).delayNext(call, ms, chance.whole(1, 3))
      return `slows ${call} of ${node.nodeName} by ${ms} ms`
    },
  },
  'delete a node': {
    weight: 1,
    act: async (stage, chance) => {
      const { nodeName } = stage.node(chance)
      return `deletes the node ${nodeName}: ${await stage.send('DELETE', `/api/v1/nodes/${nodeName}`)}`
    },
  },
  cordon: {
    weight: 2,
    act: async (stage, chance) => {
      const { nodeName } = stage.node(chance)
      const unschedulable = chance.is(0.5)
      const answer = await stage.patch(`/api/v1/nodes/${nodeName}`, { spec: { unschedulable } })
      return `${unschedulable ? 'cordons' : 'uncordons'} ${nodeName}: ${answer}`
    },
  },
  'create the namespace': {
    weight: 3,
    act: async (stage) => {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }
      return `creates the namespace team: ${await stage.send('POST', '/api/v1/namespaces', body)}`
    },
  },
  'delete the namespace': {
    weight: 1,
    act: async (stage) =>
      `deletes the namespace team: ${await stage.send('DELETE', '/api/v1/namespaces/team')}`,
  },
} satisfies Readonly<Record<string, Step>>
