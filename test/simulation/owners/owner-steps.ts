import { objectAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { KubeObject } from '../../../src/shared/kubernetes/objects.ts'
import type { Deployment } from '../../../src/shared/kubernetes/workloads.ts'
import { resourcePath } from '../../../src/main/cluster/client/resource-paths.ts'
import { manualJob } from '../../../src/main/session/workloads/owner-commands.ts'
import type { RandomPicker } from '../../random-picker.ts'
import { missingImage } from '../pod-templates.ts'
import type { Step, StepContext } from '../step-context.ts'
import type { Followed } from './owner-history.ts'
import { hasTemplate, isScalable, ownerKinds } from './owner-kinds.ts'
import { cronLimits, daemonStrategy, keptTemplate, rolloutStrategy } from './owner-templates.ts'

const none = 'finds no owner'

/** An owner that is there. */
export interface FoundOwner {
  readonly resource: Followed
  readonly object: KubeObject
}

function pathOf(resource: Followed, { metadata }: KubeObject): string {
  return resourcePath({ resource, namespace: metadata.namespace, name: metadata.name })
}

export function ownerTitle({ resource, object }: FoundOwner): string {
  const { namespace = '', name } = object.metadata
  return `${resource.split('/').at(-1) ?? ''} ${namespace}/${name}`
}

/** The owners that were created by steps, of resources that pass. */
export function ownersOf(
  { owners }: StepContext,
  passes: (resource: Followed) => boolean = () => true,
): readonly FoundOwner[] {
  return ownerKinds
    .filter(({ resource }) => passes(resource))
    .flatMap(({ resource }) =>
      owners
        .all(resource)
        .filter(({ metadata }) => (metadata.ownerReferences ?? []).length === 0)
        .map((object) => ({ resource, object: object as KubeObject })),
    )
}

function deployments({ owners }: StepContext): readonly Deployment[] {
  return owners.all('apps/v1/deployments')
}

async function patched(context: StepContext, found: FoundOwner, body: JsonObject): Promise<string> {
  return await context.patch(pathOf(found.resource, found.object), body)
}

/** A merge patch of a Deployment, in words. */
async function patchDeployment(
  context: StepContext,
  pick: RandomPicker,
  words: string,
  body: JsonObject,
): Promise<string> {
  const object = pick.among(deployments(context))
  if (object === undefined) return none
  const found: FoundOwner = { resource: 'apps/v1/deployments', object }
  return `${words} ${ownerTitle(found)}: ${await patched(context, found, body)}`
}

const creations = {
  'create an owner': {
    weight: 60,
    act: async (context, pick) => {
      const { resource, most, prefix, make } = pick.weighted(ownerKinds)
      const namespace = pick.is(0.25) ? 'team' : 'default'
      const name = `${prefix}${pick.below(most)}`
      const { behavior, object } = make(name, pick)
      const answer = await context.send('POST', resourcePath({ resource, namespace }), object)
      const spec = JSON.stringify({ ...objectAt(object, 'spec'), template: undefined })
      return `creates ${resource} ${namespace}/${name}, ${behavior}, ${spec}: ${answer}`
    },
  },
} satisfies Readonly<Record<string, Step>>

const propagations = ['Background', 'Foreground', 'Orphan', undefined] as const

/** Deletes an owner, and notes what is orphaned by that. */
async function removeOwner(
  context: StepContext,
  pick: RandomPicker,
  found: FoundOwner | undefined,
): Promise<string> {
  if (found === undefined) return none
  const propagationPolicy = pick.of(propagations)
  const body =
    propagationPolicy === undefined
      ? undefined
      : { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy }
  const answer = await context.send('DELETE', pathOf(found.resource, found.object), body)
  return `deletes ${ownerTitle(found)} ${propagationPolicy ?? ''}: ${answer}`
}

const deletions = {
  'delete an owner': {
    weight: 9,
    act: (context, pick) => removeOwner(context, pick, pick.among(ownersOf(context))),
  },
  'delete an owned ReplicaSet': {
    weight: 2,
    act: (context, pick) => {
      const owned = context.owners
        .all('apps/v1/replicasets')
        .filter(({ metadata }) => metadata.ownerReferences !== undefined)
      const object = pick.among(owned)
      const resource = 'apps/v1/replicasets' as const
      return removeOwner(context, pick, object === undefined ? undefined : { resource, object })
    },
  },
  'delete ended Jobs': {
    weight: 4,
    act: async (context) => {
      const ended = context.owners
        .all('batch/v1/jobs')
        .filter(({ status }) => status?.completionTime !== undefined || isFailed(status))
      for (const object of ended) {
        const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' }
        await context.send('DELETE', pathOf('batch/v1/jobs', object), body)
      }
      return `deletes ${ended.length} Jobs that have ended`
    },
  },
} satisfies Readonly<Record<string, Step>>

function isFailed(
  status: { readonly conditions?: readonly { type: string; status: string }[] } = {},
): boolean {
  return status.conditions?.some((one) => one.type === 'Failed' && one.status === 'True') === true
}

const sizes = {
  scale: {
    weight: 14,
    act: async (context, pick) => {
      const found = pick.among(ownersOf(context, isScalable))
      if (found === undefined) return none
      const replicas = pick.whole(0, 4)
      const path = `${pathOf(found.resource, found.object)}/scale`
      const answer = await context.patch(path, { spec: { replicas } })
      return `scales ${ownerTitle(found)} to ${replicas}: ${answer}`
    },
  },
  'change a Job': {
    weight: 5,
    act: async (context, pick) => {
      const object = pick.among(context.owners.all('batch/v1/jobs'))
      if (object === undefined) return none
      const found: FoundOwner = { resource: 'batch/v1/jobs', object }
      const spec = pick.oneOf<JsonObject>(
        { parallelism: pick.whole(0, 4) },
        { suspend: true },
        { suspend: false },
        { activeDeadlineSeconds: pick.whole(5, 60) },
        { ttlSecondsAfterFinished: pick.whole(0, 60) },
      )
      return `changes ${ownerTitle(found)} ${JSON.stringify(spec)}: ${await patched(context, found, { spec })}`
    },
  },
} satisfies Readonly<Record<string, Step>>

const schedules = {
  'change a CronJob': {
    weight: 6,
    act: async (context, pick) => {
      const object = pick.among(context.owners.all('batch/v1/cronjobs'))
      if (object === undefined) return none
      const found: FoundOwner = { resource: 'batch/v1/cronjobs', object }
      const spec = pick.oneOf<JsonObject>({ suspend: true }, { suspend: false }, cronLimits(pick))
      return `changes ${ownerTitle(found)} ${JSON.stringify(spec)}: ${await patched(context, found, { spec })}`
    },
  },
  'run a CronJob': {
    weight: 4,
    act: async (context, pick) => {
      const object = pick.among(context.owners.all('batch/v1/cronjobs'))
      if (object === undefined) return none
      const { name, namespace } = object.metadata
      const job = manualJob(object, `${name}-${context.cluster.clock.now()}`)
      const answer = await context.send(
        'POST',
        resourcePath({ resource: 'batch/v1/jobs', namespace }),
        job,
      )
      return `runs cronjobs ${namespace ?? ''}/${name}: ${answer}`
    },
  },
} satisfies Readonly<Record<string, Step>>

/** Suspends every CronJob, so that time alone causes nothing. */
export async function suspendAll(context: StepContext): Promise<void> {
  for (const object of context.owners.all('batch/v1/cronjobs'))
    await context.patch(pathOf('batch/v1/cronjobs', object), { spec: { suspend: true } })
}

/** Owners whose pods are rolled when their template changes. */
function isRolled(resource: Followed): boolean {
  return ['apps/v1/deployments', 'apps/v1/statefulsets', 'apps/v1/daemonsets'].includes(resource)
}

const rollouts = {
  'edit a template': {
    weight: 12,
    act: async (context, pick) => {
      const found = pick.among(ownersOf(context, hasTemplate))
      if (found === undefined) return none
      const { behavior, object } = keptTemplate(found.object.metadata.name, pick)
      // A new pod spec as a whole: what the old one had besides would stay in a merge.
      const old = objectAt(objectAt(objectAt({ ...found.object }, 'spec'), 'template'), 'spec')
      const cleared = Object.fromEntries(Object.keys(old).map((name) => [name, null]))
      const spec = { ...cleared, ...objectAt(object, 'spec') }
      const body = { spec: { template: { ...object, spec } } }
      return `gives ${ownerTitle(found)} pods that are ${behavior}: ${await patched(context, found, body)}`
    },
  },
  'set an image': {
    weight: 8,
    act: async (context, pick) => {
      const found = pick.among(ownersOf(context, isRolled))
      if (found === undefined) return none
      const image = pick.is(0.2) ? missingImage : `busybox:1.${pick.whole(34, 36)}`
      const template = objectAt(objectAt({ ...found.object }, 'spec'), 'template')
      const containers = objectAt(template, 'spec')['containers']
      const changed = (Array.isArray(containers) ? containers : []).map((one: object, index) =>
        index === 0 ? { ...one, image } : one,
      )
      const body = { spec: { template: { spec: { containers: changed } } } }
      return `gives ${ownerTitle(found)} the image ${image}: ${await patched(context, found, body)}`
    },
  },
  'restart a rollout': {
    weight: 5,
    act: async (context, pick) => {
      const found = pick.among(ownersOf(context, isRolled))
      if (found === undefined) return none
      const annotations = {
        'kubectl.kubernetes.io/restartedAt': String(context.cluster.clock.now()),
      }
      const body = { spec: { template: { metadata: { annotations } } } }
      return `restarts ${ownerTitle(found)}: ${await patched(context, found, body)}`
    },
  },
  'undo a rollout': {
    weight: 6,
    act: async (context, pick) => {
      const object = pick.among(deployments(context))
      if (object === undefined) return none
      const sets = context.owners.ownedBy('apps/v1/replicasets', object.metadata.uid)
      const set = pick.among(sets)
      if (set === undefined) return 'finds no older ReplicaSet'
      const found: FoundOwner = { resource: 'apps/v1/deployments', object }
      const { template } = set.spec
      const { 'pod-template-hash': _hash, ...labels } = template.metadata?.labels ?? {}
      const value = { ...template, metadata: { ...template.metadata, labels } }
      const answer = await context.cluster.send({
        method: 'PATCH',
        path: pathOf(found.resource, object),
        headers: { 'content-type': 'application/json-patch+json', accept: 'application/json' },
        body: [{ op: 'replace', path: '/spec/template', value }],
      })
      const status = answer.kind === 'watch' ? '' : answer.status
      return `returns ${ownerTitle(found)} to ${set.metadata.name}: ${status}`
    },
  },
  'pause a rollout': {
    weight: 3,
    act: (context, pick) => patchDeployment(context, pick, 'pauses', { spec: { paused: true } }),
  },
  'resume a rollout': {
    weight: 4,
    act: (context, pick) => patchDeployment(context, pick, 'resumes', { spec: { paused: null } }),
  },
  'change a strategy': {
    weight: 5,
    act: async (context, pick) => {
      const found = pick.among(ownersOf(context, isRolled))
      if (found === undefined) return none
      const spec = strategyOf(found.resource, pick)
      return `changes ${ownerTitle(found)} ${JSON.stringify(spec)}: ${await patched(context, found, { spec })}`
    },
  },
} satisfies Readonly<Record<string, Step>>

function strategyOf(resource: Followed, pick: RandomPicker): JsonObject {
  if (resource === 'apps/v1/deployments') return { strategy: rolloutStrategy(pick) }
  if (resource === 'apps/v1/daemonsets') return { updateStrategy: daemonStrategy(pick) }
  return {
    updateStrategy: pick.oneOf<JsonObject>(
      { type: 'RollingUpdate', rollingUpdate: { partition: pick.whole(0, 3) } },
      { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      { type: 'OnDelete', rollingUpdate: null },
    ),
  }
}

/** What happens to owners. */
export const ownerSteps = { ...creations, ...deletions, ...sizes, ...schedules, ...rollouts }
