import type { Container } from '../../../src/shared/kubernetes/objects.ts'
import { handlesSigterm, ignoresSigterm, shell, specOf } from './containers.ts'
import { startOwnNode } from './own-node.ts'
import type { Scenario } from './scenario-run.ts'

const startedAndEvicted = ['Created', 'Evicted', 'Killing', 'Pulled', 'Started'] as const

/** What the simulated runtime says of a container's writable layer: it passes 10 Mi after 10 s. */
const growing = { 'simulated.nodescope.dev/disk': '0 to 20Mi over 20s' }

function limitedTo(size: string, container: Container): Container {
  return { ...container, resources: { limits: { 'ephemeral-storage': size } } }
}

/** Pods that use more of the node's disk than their own limits allow. */
export const storageLimits: readonly Scenario[] = [
  {
    title: 'the writable layer of the only container exceeds its ephemeral-storage limit',
    key: 'storage-pod-limit',
    phases: {
      ended: ['Pending', 'Running', 'Succeeded', 'gone'],
      killed: ['Pending', 'Running', 'Failed', 'gone'],
    },
    events: startedAndEvicted,
    steps: async (run) => {
      await run.create('ended', specOf(limitedTo('10Mi', handlesSigterm())), run.node, growing)
      await run.create('killed', specOf(limitedTo('10Mi', ignoresSigterm())), run.node, growing)
      await run.untilEnded('ended')
      await run.untilEnded('killed')
      for (const name of ['ended', 'killed']) {
        await run.delete(name)
        await run.untilGone(name)
      }
      return {}
    },
  },
  {
    title: 'one of two containers exceeds its own ephemeral-storage limit, but not that of the pod',
    key: 'storage-container-limit',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: startedAndEvicted,
    steps: async (run) => {
      const containers = [
        limitedTo('10Mi', ignoresSigterm('large')),
        limitedTo('30Mi', handlesSigterm('small')),
      ]
      const annotations = { 'simulated.nodescope.dev/disk.large': '0 to 20Mi over 20s' }
      await run.create('web', { containers }, run.node, annotations)
      await run.untilEnded('web', 'Failed')
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
  {
    title: 'an emptyDir volume exceeds its sizeLimit',
    key: 'storage-emptydir',
    // A kubelet measures volumes once a minute by default.
    node: 'storage-emptydir',
    phases: { web: ['Pending', 'Running', 'Failed', 'gone'] },
    events: startedAndEvicted,
    steps: async (run) => {
      await startOwnNode(run, { configuration: { volumeStatsAggPeriod: '5s' } })
      const script = 'sleep 12; head -c 4000000 /dev/zero > /data/file; sleep infinity'
      const volumeMounts = [{ name: 'data', mountPath: '/data' }]
      const volumes = [{ name: 'data', emptyDir: { sizeLimit: '2Mi' } }]
      await run.create('web', specOf({ ...shell('c', script), volumeMounts }, { volumes }))
      await run.untilEnded('web', 'Failed')
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
]
