import { objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { pods } from '../fake-client.ts'
import type { ClusterUnderTest } from './fake-cluster.ts'

/** A workload whose pods no scheduler binds, for tests of its controller. */
export function workloadNamed(name: string, spec: JsonObject, image = 'x:1'): JsonObject {
  const labels = { app: name }
  const pod = { schedulerName: 'none', containers: [{ name: 'c', image }] }
  const template = { metadata: { labels }, spec: pod }
  return { metadata: { name }, spec: { selector: { matchLabels: labels }, template, ...spec } }
}

/** The pods of the default namespace that are not being deleted. */
export async function livePods({ client }: ClusterUnderTest): Promise<readonly JsonObject[]> {
  const { body } = await client.get(pods)
  return objectsAt(body, 'items').filter(
    (pod) => !('deletionTimestamp' in objectAt(pod, 'metadata')),
  )
}

export function nameOf(object: JsonObject): string {
  return textAt(objectAt(object, 'metadata'), 'name')
}

/** Writes the phase of a pod, as its kubelet would. */
export async function writePhase(
  { client, clock }: ClusterUnderTest,
  pod: JsonObject,
  phase: 'Running' | 'Succeeded' | 'Failed',
): Promise<void> {
  const ready = {
    type: 'Ready',
    status: phase === 'Running' ? 'True' : 'False',
    lastTransitionTime: toTimestamp(clock.now()),
  }
  const podIP = `10.1.0.${nameOf(pod).length}`
  const status = { phase, podIP, podIPs: [{ ip: podIP }], conditions: [ready] }
  await client.patch(`${pods}/${nameOf(pod)}/status`, { status }, 'merge')
}

/** Runs every pending pod until the controllers create no more. */
export async function runPods(test: ClusterUnderTest): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await test.settle()
    const pending = (await livePods(test)).filter(
      (pod) => textAt(objectAt(pod, 'status'), 'phase') === 'Pending',
    )
    if (pending.length === 0) return
    for (const pod of pending) await writePhase(test, pod, 'Running')
  }
}
