import type { JsonObject } from '../../../src/shared/json.ts'
import {
  create,
  deletePod,
  failPod,
  patch,
  relabelPod,
  remove,
  scale,
  setImage,
  setReady,
} from './acts.ts'
import { app, template, workload } from './basic-sequences.ts'
import type { Sequence } from './basic-sequences.ts'

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}

function service(spec: JsonObject = {}, name = app): JsonObject {
  const ports = [{ name: 'http', port: 80, targetPort: 8080 }]
  return { metadata: { name, labels: { team: 'a' } }, spec: { selector: { app }, ports, ...spec } }
}

const rolling = (maxUnavailable: string): JsonObject => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxUnavailable },
})

const serving = template('registry.example/run:1', { nodeName: 'n1' })

export const setSequences: readonly Sequence[] = [
  {
    name: 'statefulsets-ordered',
    acts: [
      create('statefulsets', workload({ replicas: 3, serviceName: app })),
      setImage('statefulsets', app, 'registry.example/run:2'),
      scale('statefulsets', app, 1),
      scale('statefulsets', app, 4),
      deletePod(1),
      failPod(2),
      setReady(1, 'False'),
      setImage('statefulsets', app, 'registry.example/run:1'),
      setReady(1, 'True'),
      remove('statefulsets', app, 'Foreground'),
    ],
  },
  {
    name: 'statefulsets-parallel',
    acts: [
      create(
        'statefulsets',
        workload({
          replicas: 3,
          serviceName: app,
          podManagementPolicy: 'Parallel',
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
          volumeClaimTemplates: [claim],
        }),
      ),
      setImage('statefulsets', app, 'registry.example/run:2'),
      // One more than before: of two pods made at once either event may be the one that is combined.
      scale('statefulsets', app, 4),
      patch('statefulsets', app, {
        spec: { updateStrategy: { rollingUpdate: { partition: 0 } } },
      }),
      scale('statefulsets', app, 2),
      remove('statefulsets', app),
    ],
  },
  {
    name: 'daemonsets-rolling',
    acts: [
      // Both nodes at once: the real controller begins with either.
      create('daemonsets', workload({ updateStrategy: rolling('100%') })),
      setImage('daemonsets', app, 'registry.example/run:2'),
      deletePod(0),
      relabelPod(0),
      setImage('daemonsets', app, 'registry.example/unready:1'),
      setImage('daemonsets', app, 'registry.example/run:1'),
      patch('daemonsets', app, {
        spec: { template: { spec: { nodeSelector: { disk: 'ssd' } } } },
      }),
      remove('daemonsets', app, 'Orphan'),
    ],
  },
  {
    name: 'daemonsets-surge',
    acts: [
      create(
        'daemonsets',
        workload({
          updateStrategy: {
            type: 'RollingUpdate',
            rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
          },
        }),
      ),
      setImage('daemonsets', app, 'registry.example/run:2'),
      patch('daemonsets', app, {
        spec: { updateStrategy: { $patch: 'replace', type: 'OnDelete' } },
      }),
      setImage('daemonsets', app, 'registry.example/run:3'),
      deletePod(0),
    ],
  },
  {
    name: 'services',
    quietMs: 1300,
    acts: [
      create('services', service()),
      create('replicasets', workload({ replicas: 3, template: serving })),
      setReady(0, 'False'),
      deletePod(1),
      create('services', service({ clusterIP: 'None', ports: [] }, 'headless')),
      create('services', service({ publishNotReadyAddresses: true }, 'early')),
      patch('services', app, { metadata: { labels: { team: 'b' } } }),
      scale('replicasets', app, 0),
      remove('services', app),
    ],
  },
]
