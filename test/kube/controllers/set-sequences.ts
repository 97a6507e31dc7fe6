import { create, deletePod, failPod, patch, remove, scale, setImage, setReady } from './acts.ts'
import { app, workload } from './basic-sequences.ts'
import type { Sequence } from './basic-sequences.ts'

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}

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
      scale('statefulsets', app, 4),
      patch('statefulsets', app, {
        spec: { updateStrategy: { rollingUpdate: { partition: 0 } } },
      }),
      scale('statefulsets', app, 2),
      remove('statefulsets', app),
    ],
  },
]
