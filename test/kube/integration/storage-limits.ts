import { setTimeout as sleep } from 'node:timers/promises'
import type { Container } from '../../../src/shared/kubernetes/objects.ts'
import { exitsAfter, handlesSigterm, ignoresSigterm, shell, specOf } from './containers.ts'
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
    title: 'what a container wrote that has ended does not count for the limit of its pod',
    key: 'storage-ended-container',
    phases: { web: ['Pending', 'Running', 'Succeeded', 'gone'] },
    events: ['Created', 'Killing', 'Pulled', 'Started'],
    steps: async (run) => {
      const containers = [
        limitedTo('5Mi', exitsAfter(0, { name: 'ends', seconds: 5 })),
        handlesSigterm('stays'),
      ]
      await run.create('web', { containers, restartPolicy: 'Never' }, run.node, {
        'simulated.nodescope.dev/disk.ends': '4Mi',
        'simulated.nodescope.dev/disk.stays': '0 to 3Mi over 20s',
      })
      await run.until('web', 'has lost a container', ({ status }) =>
        (status?.containerStatuses ?? []).some(
          ({ name, state }) => name === 'ends' && state?.terminated !== undefined,
        ),
      )
      // Two rounds after the other one has written so much that both together are over the limit.
      await sleep(40_000)
      await run.delete('web')
      await run.untilGone('web')
      return {}
    },
  },
  {
    title:
      'emptyDir volumes exceed their sizeLimit: by one file, and by the blocks of many small ones',
    key: 'storage-emptydir',
    // A kubelet measures volumes once a minute by default.
    node: 'storage-emptydir',
    phases: {
      one: ['Pending', 'Running', 'Failed', 'gone'],
      many: ['Pending', 'Running', 'Failed', 'gone'],
    },
    events: startedAndEvicted,
    steps: async (run) => {
      await startOwnNode(run, { configuration: { volumeStatsAggPeriod: '5s' } })
      const scripts = {
        one: 'seq 10000 > /data/file',
        many: 'for i in $(seq 12); do echo > /data/$i; done',
      }
      const volumeMounts = [{ name: 'data', mountPath: '/data' }]
      const volumes = [{ name: 'data', emptyDir: { sizeLimit: '32Ki' } }]
      for (const [name, script] of Object.entries(scripts)) {
        const container = shell('c', `sleep 12; ${script}; sleep infinity`)
        await run.create(name, specOf({ ...container, volumeMounts }, { volumes }))
      }
      for (const name of Object.keys(scripts)) await run.untilEnded(name, 'Failed')
      for (const name of Object.keys(scripts)) {
        await run.delete(name)
        await run.untilGone(name)
      }
      return {}
    },
  },
]
