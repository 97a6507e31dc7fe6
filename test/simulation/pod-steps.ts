import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import type { Chance } from './chance.ts'
import { templates } from './pod-templates.ts'
import type { Stage, Step } from './stage.ts'
import { podPath, titleOf } from './stage.ts'

/** Of ordinary pods for each node; with more of them nothing new would happen. */
const mostPods = 10
const heldFinalizer = 'simulation.nodescope.dev/hold'

const none = 'finds no pod'

async function create(stage: Stage, chance: Chance, isBound: boolean): Promise<string> {
  if (stage.pods.length >= mostPods * stage.nodes.length) return 'finds the cluster full'
  const { habit, spec } = chance.weighted(templates)
  const node = stage.node(chance)
  const namespace = chance.is(0.15) ? 'team' : 'default'
  const name = `p${chance.whole(0, 2 * mostPods * stage.nodes.length)}`
  const tolerations = chance.is(0.5) ? [{ operator: 'Exists' as const }] : undefined
  const finalizers = chance.is(0.06) ? [heldFinalizer] : undefined
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, uid: '', ...(finalizers === undefined ? {} : { finalizers }) },
    spec: {
      ...spec(chance),
      ...(isBound ? { nodeName: node.nodeName } : {}),
      ...(tolerations === undefined ? {} : { tolerations }),
    },
  }
  const answer = await stage.send('POST', `/api/v1/namespaces/${namespace}/pods`, pod)
  const where = isBound ? `on ${node.nodeName}` : 'for the scheduler'
  return `creates ${namespace}/${name} ${where}, ${habit}${finalizers === undefined ? '' : ', held by a finalizer'}: ${answer}`
}

async function remove(stage: Stage, pod: Pod | undefined, grace?: number): Promise<string> {
  if (pod === undefined) return none
  const body =
    grace === undefined
      ? undefined
      : { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: grace }
  const answer = await stage.send('DELETE', podPath(pod), body)
  return `deletes ${titleOf(pod)}${grace === undefined ? '' : ` with grace ${grace}`}: ${answer}`
}

/** A pod that a kubelet wants, with the node of that kubelet. */
function wanted(stage: Stage, chance: Chance): readonly [SimulatedNode, Pod] | undefined {
  const node = stage.node(chance)
  if (!node.isRunning) return undefined
  const pod = chance.among(node.kubelet.podManager.getPods())
  return pod === undefined ? undefined : [node, pod]
}

/** What happens to pods by way of the API, and by hand on their node. */
export const podSteps = {
  'create bound': { weight: 12, act: (stage, chance) => create(stage, chance, true) },
  'create scheduled': { weight: 6, act: (stage, chance) => create(stage, chance, false) },
  delete: { weight: 10, act: (stage, chance) => remove(stage, chance.among(stage.pods)) },
  'delete with grace': {
    weight: 4,
    act: (stage, chance) => remove(stage, chance.among(stage.pods), chance.whole(0, 20)),
  },
  'force delete': {
    weight: 3,
    act: (stage, chance) => remove(stage, chance.among(stage.pods), 0),
  },
  'delete what is over': {
    weight: 6,
    act: async (stage) => {
      const over = stage.pods.filter(({ status }) =>
        ['Failed', 'Succeeded'].includes(status?.phase ?? ''),
      )
      for (const pod of over) await remove(stage, pod)
      return `deletes ${over.length} pods that are over`
    },
  },
  'evict through the API': {
    weight: 3,
    act: async (stage, chance) => {
      const pod = chance.among(stage.pods)
      if (pod === undefined) return none
      const { name, namespace } = pod.metadata
      const answer = await stage.send('POST', `${podPath(pod)}/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, namespace },
      })
      return `evicts ${titleOf(pod)}: ${answer}`
    },
  },
  'evict by the kubelet': {
    weight: 3,
    act: (stage, chance) => {
      const found = wanted(stage, chance)
      if (found === undefined) return none
      const [node, pod] = found
      void node.kubelet.manualActions.evict(pod.metadata.uid, [])
      return `has ${node.nodeName} evict ${titleOf(pod)}`
    },
  },
  kill: {
    weight: 3,
    act: (stage, chance) => {
      const found = wanted(stage, chance)
      if (found === undefined) return none
      const [node, pod] = found
      const grace = chance.is(0.5) ? chance.whole(0, 10) : undefined
      stage.killedByHand.add(pod.metadata.uid)
      void node.kubelet.manualActions.kill(pod.metadata.uid, grace, [])
      return `has ${node.nodeName} kill ${titleOf(pod)}${grace === undefined ? '' : ` with grace ${grace}`}`
    },
  },
  label: {
    weight: 4,
    act: async (stage, chance) => {
      const pod = chance.among(stage.pods)
      if (pod === undefined) return none
      const labels = { version: String(chance.whole(1, 9)) }
      const answer = await stage.patch(podPath(pod), { metadata: { labels } })
      return `labels ${titleOf(pod)}: ${answer}`
    },
  },
  'change an image': {
    weight: 3,
    act: async (stage, chance) => {
      const pod = chance.among(stage.pods)
      if (pod === undefined) return none
      const image = `busybox:1.${chance.whole(30, 37)}`
      const containers = pod.spec.containers.map((container, index) =>
        index === 0 ? { ...container, image } : container,
      )
      const answer = await stage.patch(podPath(pod), { spec: { containers } })
      return `gives ${titleOf(pod)} the image ${image}: ${answer}`
    },
  },
  'let go of a held pod': {
    weight: 3,
    act: async (stage, chance) => {
      const pod = chance.among(stage.pods.filter(({ metadata }) => metadata.finalizers))
      if (pod === undefined) return none
      const answer = await stage.patch(podPath(pod), { metadata: { finalizers: null } })
      return `takes the finalizer of ${titleOf(pod)}: ${answer}`
    },
  },
  'delete a mirror': {
    weight: 4,
    act: (stage, chance) => remove(stage, chance.among(stage.mirrors)),
  },
  'force delete a mirror': {
    weight: 2,
    act: (stage, chance) => remove(stage, chance.among(stage.mirrors), 0),
  },
} satisfies Readonly<Record<string, Step>>
