import { setTimeout as sleep } from 'node:timers/promises'
import { objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { PodSpec } from '../../../src/shared/kubernetes/objects.ts'
import { exitsAfter, handlesSigterm, ignoresSigterm, specOf } from '../integration/containers.ts'
import { nodeName, type InspectedNode } from './inspected-node.ts'

const namespace = '/namespaces/default'
const deployments = `/apis/apps/v1${namespace}/deployments`
const jobs = `/apis/batch/v1${namespace}/jobs`
const pods = `/api/v1${namespace}/pods`
/** What the controllers and the kubelet take between two acts. */
const settleMs = 7000

function template(app: string, spec: PodSpec): JsonObject {
  const podSpec = {
    nodeName,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 3,
    ...spec,
  }
  return { metadata: { labels: { app } }, spec: podSpec }
}

function deployment(app: string, replicas: number, spec: PodSpec): JsonObject {
  const selector = { matchLabels: { app } }
  return { metadata: { name: app }, spec: { replicas, selector, template: template(app, spec) } }
}

async function podsOf({ administrator }: InspectedNode, app: string): Promise<readonly string[]> {
  const list = await administrator.ask('GET', `${pods}?labelSelector=app%3D${app}`)
  return objectsAt(list, 'items').map((pod) => textAt(objectAt(pod, 'metadata'), 'name'))
}

/** Waits for a condition; throws after half a minute. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (await holds()) return
    await sleep(200)
  }
  throw new Error(`${what} did not come`)
}

/** Pods that a ReplicaSet and a Job own, as their controllers, the garbage collector, the TTL controller and the taint manager end them. */
export async function runControlledSituations(node: InspectedNode): Promise<void> {
  const { administrator } = node
  const scale = (app: string, replicas: number): Promise<unknown> =>
    administrator.ask('PUT', `${deployments}/${app}/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: app, namespace: 'default' },
      spec: { replicas },
    })
  const count = (app: string, wanted: number) =>
    until(`${wanted} pods of ${app}`, async () => (await podsOf(node, app)).length === wanted)
  await administrator.ask('POST', deployments, deployment('web', 3, specOf(handlesSigterm())))
  await administrator.ask('POST', deployments, deployment('deaf', 2, specOf(ignoresSigterm())))
  const once = { ...specOf(exitsAfter(0, { seconds: 2 })), restartPolicy: 'Never' } as const
  await administrator.ask('POST', jobs, {
    metadata: { name: 'once' },
    spec: { ttlSecondsAfterFinished: 4, template: template('once', once) },
  })
  await count('web', 3)
  await count('deaf', 2)
  await count('once', 1)
  await sleep(settleMs)
  // The ReplicaSet replaces it.
  const [first = ''] = await podsOf(node, 'web')
  await administrator.ask('DELETE', `${pods}/${first}`)
  await until('its end', async () => !(await podsOf(node, 'web')).includes(first))
  await scale('web', 1)
  await count('web', 1)
  // The TTL controller deletes the Job, the garbage collector its pod.
  await count('once', 0)
  await administrator.ask('DELETE', `${deployments}/deaf`, { propagationPolicy: 'Background' })
  await count('deaf', 0)
  // The taint manager deletes what does not tolerate the taint; the ReplicaSet then makes others, again and again.
  await scale('web', 0)
  await administrator.ask('POST', pods, {
    metadata: { name: 'tainted', labels: { app: 'tainted' } },
    spec: objectAt(template('tainted', specOf(handlesSigterm())), 'spec'),
  })
  await sleep(settleMs)
  await administrator.api.patch(
    { resource: 'nodes', name: nodeName },
    {
      type: 'merge',
      body: { spec: { taints: [{ key: 'example.com/evict', effect: 'NoExecute' }] } },
    },
  )
  await count('tainted', 0)
  await sleep(2000)
}
