import type { JsonObject } from '../../../src/shared/json.ts'
import type { KubeObject, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { RandomPicker } from '../../random-picker.ts'
import type { Step, StepContext } from '../step-context.ts'
import { podPath, titleOf } from '../step-context.ts'
import { hasTemplate } from './owner-kinds.ts'
import { ownerTitle, ownersOf } from './owner-steps.ts'
import type { FoundOwner } from './owner-steps.ts'
import { appLabel } from './owner-templates.ts'

const none = 'finds no pod with an owner'
const taintKey = 'simulation.nodescope.dev/away'

function ownedPods({ owners }: StepContext): readonly Pod[] {
  return owners.all('pods').filter(({ metadata }) => metadata.labels?.[appLabel] !== undefined)
}

/** Evicts a pod through the API; what that takes is checked against its budget. */
async function evict(context: StepContext, pod: Pod): Promise<string> {
  const { name, namespace } = pod.metadata
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
  const before = context.owners.get('pods', pod.metadata.uid)
  const answer = await context.send('POST', `${podPath(pod)}/eviction`, body)
  if (answer === '201' && before !== undefined) context.onEvicted(before)
  return answer
}

function collection(namespace: string, plural: string, group = 'api/v1'): string {
  return `/${group}/namespaces/${namespace}/${plural}`
}

/** Something that selects the pods of an owner: a Service or a budget. */
async function createFor(
  context: StepContext,
  pick: RandomPicker,
  what: string,
  make: (found: FoundOwner) => readonly [path: string, body: JsonObject],
): Promise<string> {
  const found = pick.among(ownersOf(context, hasTemplate))
  if (found === undefined) return 'finds no owner'
  const [path, body] = make(found)
  return `creates ${what} for ${ownerTitle(found)}: ${await context.send('POST', path, body)}`
}

async function removeOne(
  context: StepContext,
  pick: RandomPicker,
  objects: readonly KubeObject[],
  pathOf: (namespace: string) => string,
): Promise<string> {
  const object = pick.among(objects.filter(({ metadata }) => metadata.name !== 'kubernetes'))
  if (object === undefined) return 'finds nothing to delete'
  const { namespace = '', name } = object.metadata
  const path = `${pathOf(namespace)}/${name}`
  return `deletes ${path}: ${await context.send('DELETE', path)}`
}

const budgets = (namespace: string): string =>
  collection(namespace, 'poddisruptionbudgets', 'apis/policy/v1')

const guards = {
  'create a budget': {
    weight: 6,
    act: (context, pick) =>
      createFor(context, pick, 'a budget', ({ object }) => {
        const { namespace = '', name } = object.metadata
        const limit = pick.oneOf<JsonObject>(
          { minAvailable: pick.whole(0, 3) },
          { minAvailable: '50%' },
          { maxUnavailable: pick.whole(0, 2) },
          { maxUnavailable: '30%' },
        )
        const always = pick.is(0.3) ? { unhealthyPodEvictionPolicy: 'AlwaysAllow' } : {}
        const selector = { matchLabels: { [appLabel]: name } }
        return [budgets(namespace), { metadata: { name }, spec: { selector, ...limit, ...always } }]
      }),
  },
  'delete a budget': {
    weight: 2,
    act: (context, pick) =>
      removeOne(
        context,
        pick,
        context.owners.all('poddisruptionbudgets') as unknown as readonly KubeObject[],
        budgets,
      ),
  },
  'create a Service': {
    weight: 5,
    act: (context, pick) =>
      createFor(context, pick, 'a Service', ({ object }) => {
        const { namespace = '', name } = object.metadata
        const headless = pick.is(0.4) ? { clusterIP: 'None' } : {}
        const selector = { [appLabel]: name }
        const spec = { selector, ports: [{ port: 80 }], ...headless }
        return [collection(namespace, 'services'), { metadata: { name }, spec }]
      }),
  },
  'delete a Service': {
    weight: 2,
    act: (context, pick) =>
      removeOne(
        context,
        pick,
        context.owners.all('services') as readonly KubeObject[],
        (namespace) => collection(namespace, 'services'),
      ),
  },
  'limit the namespace': {
    weight: 2,
    act: async (context, pick) => {
      const hard = pick.oneOf<JsonObject>(
        { pods: String(pick.whole(1, 8)) },
        { 'count/replicasets.apps': String(pick.whole(1, 5)) },
        { 'count/jobs.batch': '1' },
      )
      const body = { metadata: { name: 'limit' }, spec: { hard } }
      const answer = await context.send('POST', collection('team', 'resourcequotas'), body)
      return `limits the namespace team to ${JSON.stringify(hard)}: ${answer}`
    },
  },
  'take the limit away': {
    weight: 2,
    act: async (context) =>
      `takes the limit away: ${await context.send('DELETE', `${collection('team', 'resourcequotas')}/limit`)}`,
  },
} satisfies Readonly<Record<string, Step>>

const disruptions = {
  'evict an owned pod': {
    weight: 10,
    act: async (context, pick) => {
      const pod = pick.among(ownedPods(context))
      if (pod === undefined) return none
      return `evicts ${titleOf(pod)}: ${await evict(context, pod)}`
    },
  },
  drain: {
    weight: 4,
    act: async (context, pick) => {
      const { nodeName } = context.node(pick)
      await context.patch(`/api/v1/nodes/${nodeName}`, { spec: { unschedulable: true } })
      const pods = ownedPods(context).filter(
        ({ spec, metadata }) =>
          spec.nodeName === nodeName &&
          metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') !== true,
      )
      const answers: string[] = []
      for (const pod of pods) answers.push(await evict(context, pod))
      context.later(`cordon ${nodeName}`, pick.whole(10_000, 90_000), () => {
        void context.patch(`/api/v1/nodes/${nodeName}`, { spec: { unschedulable: null } })
      })
      return `drains ${nodeName}: ${answers.join(', ')}`
    },
  },
  'taint a node': {
    weight: 3,
    act: async (context, pick) => {
      const { nodeName } = context.node(pick)
      const effect = pick.oneOf('NoSchedule', 'NoExecute', 'PreferNoSchedule')
      const words = `taints ${nodeName} ${effect}: ${await setTaint(context, nodeName, effect)}`
      context.later(`taint ${nodeName}`, pick.whole(5000, 120_000), () => {
        void setTaint(context, nodeName, undefined)
      })
      return words
    },
  },
  'relabel an owned pod': {
    weight: 3,
    act: async (context, pick) => {
      const pod = pick.among(ownedPods(context))
      if (pod === undefined) return none
      const app = pick.oneOf(
        'other',
        pick.among(ownedPods(context))?.metadata.labels?.[appLabel] ?? 'other',
      )
      const body = { metadata: { labels: { [appLabel]: app } } }
      return `labels ${titleOf(pod)} ${app}: ${await context.patch(podPath(pod), body)}`
    },
  },
} satisfies Readonly<Record<string, Step>>

/** Adds the simulation's taint to a node, or takes it away. Others stay. */
export async function setTaint(
  context: StepContext,
  nodeName: string,
  effect: string | undefined,
): Promise<string> {
  const node = context.owners.all('nodes').find(({ metadata }) => metadata.name === nodeName)
  if (node === undefined) return 'finds no node'
  const others = (node.spec?.taints ?? []).filter(({ key }) => key !== taintKey)
  const own = effect === undefined ? [] : [{ key: taintKey, effect }]
  const { resourceVersion } = node.metadata
  return await context.patch(`/api/v1/nodes/${nodeName}`, {
    metadata: { resourceVersion },
    spec: { taints: [...others, ...own] },
  })
}

/** What happens to the pods of owners and to their nodes, and what guards them. */
export const disruptionSteps = { ...guards, ...disruptions }
