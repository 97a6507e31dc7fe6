import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import type { SimulatedNode } from '../../src/main/nodes/simulated-node.ts'
import type { RandomPicker } from '../random-picker.ts'
import type { ClusterContext, Step, StepContext } from './step-context.ts'
import { probedName, probeFiles, resizedName } from './pod-templates.ts'
import { podPath, titleOf } from './step-context.ts'

/** Of ordinary pods for each node; with more of them nothing new would happen. */
const mostPods = 10
const heldFinalizer = 'simulation.nodescope.dev/hold'

const none = 'finds no pod'

async function create(
  context: ClusterContext,
  pick: RandomPicker,
  isBound: boolean,
): Promise<string> {
  const own = context.pods.filter(({ metadata }) => metadata.ownerReferences === undefined)
  if (own.length >= mostPods * context.nodes.length) return 'finds the cluster full'
  const { behavior, spec, annotations } = pick.weighted([
    ...context.templates,
    ...context.apiTemplates,
  ])
  const node = context.node(pick)
  const namespace = pick.is(0.15) ? 'team' : 'default'
  const name = `p${pick.whole(0, 2 * mostPods * context.nodes.length)}`
  const tolerations = pick.is(0.5) ? [{ operator: 'Exists' as const }] : undefined
  const finalizers = pick.is(0.06) ? [heldFinalizer] : undefined
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: '',
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      ...spec(pick),
      ...(isBound ? { nodeName: node.nodeName } : {}),
      ...(tolerations === undefined ? {} : { tolerations }),
    },
  }
  const answer = await context.send('POST', `/api/v1/namespaces/${namespace}/pods`, pod)
  const where = isBound ? `on ${node.nodeName}` : 'for the scheduler'
  return `creates ${namespace}/${name} ${where}, ${behavior}${finalizers === undefined ? '' : ', held by a finalizer'}: ${answer}`
}

async function remove(
  context: ClusterContext,
  pod: Pod | undefined,
  grace?: number,
): Promise<string> {
  if (pod === undefined) return none
  const body =
    grace === undefined
      ? undefined
      : { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: grace }
  const answer = await context.send('DELETE', podPath(pod), body)
  return `deletes ${titleOf(pod)}${grace === undefined ? '' : ` with grace ${grace}`}: ${answer}`
}

/** A pod that a kubelet wants, with the node of that kubelet. */
function wanted(
  context: StepContext,
  pick: RandomPicker,
): readonly [SimulatedNode, Pod] | undefined {
  const node = context.node(pick)
  if (!node.isRunning) return undefined
  const pod = pick.among(node.kubelet.podManager.getPods())
  return pod === undefined ? undefined : [node, pod]
}

const ends = {
  'create bound': { weight: 7, act: (context, pick) => create(context, pick, true) },
  'create scheduled': { weight: 11, act: (context, pick) => create(context, pick, false) },
  delete: { weight: 10, act: (context, pick) => remove(context, pick.among(context.pods)) },
  'delete with grace': {
    weight: 4,
    act: (context, pick) => remove(context, pick.among(context.pods), pick.whole(0, 20)),
  },
  'force delete': {
    weight: 3,
    act: (context, pick) => remove(context, pick.among(context.pods), 0),
  },
  'delete what is over': {
    weight: 6,
    act: async (context) => {
      const over = context.pods.filter(({ status }) =>
        ['Failed', 'Succeeded'].includes(status?.phase ?? ''),
      )
      for (const pod of over) await remove(context, pod)
      return `deletes ${over.length} pods that are over`
    },
  },
  'evict through the API': {
    weight: 3,
    act: async (context, pick) => {
      const pod = pick.among(context.pods)
      if (pod === undefined) return none
      const { name, namespace } = pod.metadata
      const answer = await context.send('POST', `${podPath(pod)}/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name, namespace },
      })
      return `evicts ${titleOf(pod)}: ${answer}`
    },
  },
} satisfies Readonly<Record<string, Step<ClusterContext>>>

const byHand = {
  'evict by the kubelet': {
    weight: 3,
    act: (context, pick) => {
      const found = wanted(context, pick)
      if (found === undefined) return none
      const [node, pod] = found
      void node.kubelet.manualActions.evict(pod.metadata.uid, [])
      return `has ${node.nodeName} evict ${titleOf(pod)}`
    },
  },
  kill: {
    weight: 3,
    act: (context, pick) => {
      const found = wanted(context, pick)
      if (found === undefined) return none
      const [node, pod] = found
      const grace = pick.is(0.5) ? pick.whole(0, 10) : undefined
      context.killedByHand.add(pod.metadata.uid)
      void node.kubelet.manualActions.kill(pod.metadata.uid, grace, [])
      return `has ${node.nodeName} kill ${titleOf(pod)}${grace === undefined ? '' : ` with grace ${grace}`}`
    },
  },
} satisfies Readonly<Record<string, Step>>

/** Runs a command in the container of a pod, as soon as the runtime answers. */
async function execIn(node: SimulatedNode, podUid: string, command: readonly string[]) {
  const listed = await node.runtime.listContainers({ podUid })
  const running = listed.ok ? listed.value.filter(({ state }) => state === 'running') : []
  for (const { id } of running) await node.runtime.execSync(id, command, 10)
}

const probing = {
  'change a probe': {
    weight: 6,
    act: (context, pick) => {
      const isProbed = ({ spec }: Pod): boolean => spec.containers[0]?.name === probedName
      const pod = pick.among(context.pods.filter(isProbed))
      const node = context.nodes.find(({ nodeName }) => nodeName === pod?.spec.nodeName)
      if (pod === undefined || node === undefined) return none
      const kind = pick.oneOf('readiness', 'readiness', 'liveness')
      const begins = pick.is(0.5)
      void execIn(node, pod.metadata.uid, [
        ...(begins ? ['touch'] : ['rm', '-f']),
        probeFiles[kind],
      ])
      return `lets the ${kind} probe of ${titleOf(pod)} ${begins ? 'fail' : 'succeed'}`
    },
  },
} satisfies Readonly<Record<string, Step>>

/** Limits that are no smaller, so that the QoS class stays. */
function withRequest(pod: Pod, cpu: string): Pod {
  const resources = { requests: { cpu }, limits: { cpu: cpu === '100' ? '200' : '4' } }
  const containers = pod.spec.containers.map((container) =>
    container.name === resizedName ? { ...container, resources } : container,
  )
  const { resourceVersion: _any, ...metadata } = pod.metadata
  return { ...pod, metadata, spec: { ...pod.spec, containers } }
}

const changes = {
  label: {
    weight: 4,
    act: async (context, pick) => {
      const pod = pick.among(context.pods)
      if (pod === undefined) return none
      const labels = { version: String(pick.whole(1, 9)) }
      const answer = await context.patch(podPath(pod), { metadata: { labels } })
      return `labels ${titleOf(pod)}: ${answer}`
    },
  },
  resize: {
    weight: 12,
    act: async (context, pick) => {
      const isResized = ({ spec }: Pod): boolean => spec.containers[0]?.name === resizedName
      const pod = pick.among(context.pods.filter(isResized))
      if (pod === undefined) return none
      const cpu = pick.oneOf('50m', '200m', '1', '3', '100')
      const answer = await context.send('PUT', `${podPath(pod)}/resize`, withRequest(pod, cpu))
      return `resizes ${titleOf(pod)} to ${cpu}: ${answer}`
    },
  },
  'change an image': {
    weight: 3,
    act: async (context, pick) => {
      const pod = pick.among(context.pods)
      if (pod === undefined) return none
      const image = `busybox:1.${pick.whole(30, 37)}`
      const containers = pod.spec.containers.map((container, index) =>
        index === 0 ? { ...container, image } : container,
      )
      const answer = await context.patch(podPath(pod), { spec: { containers } })
      return `gives ${titleOf(pod)} the image ${image}: ${answer}`
    },
  },
  'let go of a held pod': {
    weight: 3,
    act: async (context, pick) => {
      const pod = pick.among(
        context.pods.filter(({ metadata }) => metadata.finalizers?.includes(heldFinalizer)),
      )
      if (pod === undefined) return none
      const answer = await context.patch(podPath(pod), { metadata: { finalizers: null } })
      return `takes the finalizer of ${titleOf(pod)}: ${answer}`
    },
  },
  'delete a mirror': {
    weight: 4,
    act: (context, pick) => remove(context, pick.among(context.mirrors)),
  },
  'force delete a mirror': {
    weight: 2,
    act: (context, pick) => remove(context, pick.among(context.mirrors), 0),
  },
} satisfies Readonly<Record<string, Step<ClusterContext>>>

/** What happens to pods by way of the API. */
export const apiSteps = { ...ends, ...changes }

/** What happens to pods by way of the API, and by hand on their node, and in their containers. */
export const podSteps = { ...ends, ...byHand, ...probing, ...changes }
