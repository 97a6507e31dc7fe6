import type { JsonObject } from '../../../src/shared/json.ts'
import { create, deletePod, failPod, pass, remove, setImage } from './acts.ts'
import type { Act } from './acts.ts'
import { app, template, workload } from './basic-sequences.ts'
import type { Sequence } from './basic-sequences.ts'

/** The pod garbage collector looks every 20 s. */
const looked = pass(23)

const finalizers = ['example.com/hold']

/** A node that has no kubelet any more, as an administrator has marked it. */
const lostNode: JsonObject = {
  metadata: { name: 'out' },
  spec: { taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoSchedule' }] },
  status: { conditions: [{ type: 'Ready', status: 'False' }] },
}

function pod(name: string, spec: JsonObject, image?: string): Act {
  const { metadata, spec: same } = template(image, spec) as {
    metadata: JsonObject
    spec: JsonObject
  }
  return create('pods', { metadata: { ...metadata, name, finalizers }, spec: same })
}

/**
 * Pods that no kubelet ends. A finalizer keeps them, so that it is seen what the pod garbage collector wrote. It may look between two
 * acts.
 */
export const garbageSequences: readonly Sequence[] = [
  {
    name: 'garbage-unscheduled',
    comparesOnlyEnd: true,
    acts: [
      pod('waits', {}, 'registry.example/stay-pending:1'),
      pod('ended', {}, 'registry.example/succeed:1'),
      looked,
      remove('pods', 'waits'),
      remove('pods', 'ended'),
      looked,
    ],
  },
  {
    name: 'garbage-job',
    quietMs: 1300,
    comparesOnlyEnd: true,
    acts: [
      create('jobs', {
        metadata: { name: 'work' },
        spec: {
          podReplacementPolicy: 'Failed',
          template: template('registry.example/stay-pending:1', { restartPolicy: 'Never' }),
        },
      }),
      deletePod(0),
      looked,
    ],
  },
  {
    name: 'garbage-out-of-service',
    comparesOnlyEnd: true,
    acts: [
      create('nodes', lostNode),
      pod('stays', { nodeName: 'out' }),
      pod('goes', { nodeName: 'out' }),
      remove('pods', 'goes'),
      looked,
    ],
  },
  {
    // A Deployment is asked again when its last pod is gone. One that has failed counts, and is not deleted.
    name: 'garbage-recreate',
    acts: [
      create('deployments', workload({ replicas: 2, strategy: { type: 'Recreate' } })),
      failPod(0),
      setImage('deployments', app, 'registry.example/run:2'),
    ],
  },
]
