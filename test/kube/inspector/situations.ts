import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { PodSpec } from '../../../src/shared/kubernetes/objects.ts'
import {
  exitsAfter,
  handlesSigterm,
  ignoresSigterm,
  shell,
  specOf,
} from '../integration/containers.ts'
import { nodeName, type InspectedNode } from './inspected-node.ts'

const pods = '/api/v1/namespaces/default/pods'

async function create(
  { administrator }: InspectedNode,
  name: string,
  spec: PodSpec,
  more: object = {},
): Promise<void> {
  await administrator.ask('POST', pods, {
    metadata: { name, ...more },
    spec: {
      nodeName,
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 5,
      ...spec,
    },
  })
}

function manifest(command: string, graceSeconds: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default' },
    spec: specOf(shell('c', command), { terminationGracePeriodSeconds: graceSeconds }),
  }
}

const deaf = 'trap "" TERM; sleep 100000'

async function createAll(node: InspectedNode): Promise<void> {
  await node.kubelet.putManifest('web', manifest(deaf, 4))
  const never = { restartPolicy: 'Never' } as const
  await create(node, 'steady', specOf(handlesSigterm()))
  await create(node, 'deaf', specOf(ignoresSigterm()))
  await create(node, 'forced', specOf(ignoresSigterm(), { terminationGracePeriodSeconds: 30 }))
  await create(node, 'evicted', specOf(handlesSigterm()))
  await create(node, 'held', specOf(handlesSigterm()), { finalizers: ['example.com/held'] })
  await create(node, 'hooked', {
    ...specOf({
      ...handlesSigterm(),
      lifecycle: { preStop: { exec: { command: ['sleep', '3'] } } },
    }),
    terminationGracePeriodSeconds: 8,
  })
  await create(node, 'crash', specOf(exitsAfter(3, { seconds: 1 })))
  await create(node, 'done', specOf(exitsAfter(0, { seconds: 8 }), never))
  await create(node, 'failed', specOf(exitsAfter(1, { seconds: 8 }), never))
  await create(node, 'late', specOf(ignoresSigterm(), { activeDeadlineSeconds: 12 }))
  const large = { ...handlesSigterm(), resources: { requests: { cpu: '100000' } } }
  await create(node, 'large', specOf(large))
}

/** Takes the node through the situations that are told apart; returns the times at which its kubelet was stopped, ms. */
export async function runSituations(node: InspectedNode): Promise<readonly number[]> {
  const { administrator, kubelet } = node
  await createAll(node)
  await sleep(16_000)
  const remove = (name: string, grace?: number): Promise<unknown> =>
    administrator.ask(
      'DELETE',
      `${pods}/${name}`,
      grace === undefined ? undefined : { gracePeriodSeconds: grace },
    )
  await remove('deaf')
  await remove('forced', 0)
  await administrator.ask('POST', `${pods}/evicted/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'evicted', namespace: 'default' },
  })
  await remove('held')
  await remove('hooked')
  await sleep(12_000)
  await remove(`web-${nodeName}`)
  await sleep(4000)
  await kubelet.putManifest('web', manifest(`${deaf} # second`, 4))
  await sleep(25_000)
  await administrator.api.patch(
    { resource: 'pods', namespace: 'default', name: 'held' },
    { type: 'merge', body: { metadata: { finalizers: null } } },
  )
  await rm(join(kubelet.manifests, 'web.yaml'))
  await sleep(8000)
  const stopped = Date.now()
  await kubelet.stop()
  await sleep(6000)
  await kubelet.start()
  await sleep(10_000)
  return [stopped]
}

/** Pods that run; returns when they do. */
export async function createMany(node: InspectedNode, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await create(node, `many-${index}`, specOf(ignoresSigterm()))
  const isRunning = async (): Promise<boolean> => {
    const list = await node.administrator.ask('GET', pods)
    const phases = objectsAt(list, 'items').filter(
      (pod) =>
        textAt(objectAt(pod, 'metadata'), 'name').startsWith('many-') &&
        textAt(objectAt(pod, 'status'), 'phase') === 'Running',
    )
    return phases.length === count
  }
  while (!(await isRunning())) await sleep(500)
}
