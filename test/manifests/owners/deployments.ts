import type { OwnerCase } from '../manifest-case.ts'
import { documents, nginx, workload } from './objects.ts'

const nginxAt = (version: string): string => nginx.replace('1.28', version)

const available = 'Available=True MinimumReplicasAvailable'
const progressed = 'Progressing=True NewReplicaSetAvailable'

const unready = `${nginx}
    readinessProbe: { httpGet: { path: /none, port: 80 }, periodSeconds: 5 }`

export const deploymentCases: readonly OwnerCase[] = [
  {
    name: 'nginx-deployment',
    kind: 'Deployment',
    about: 'a Deployment of three web servers',
    yaml: workload('Deployment', 'nginx-deployment', { spec: 'replicas: 3' }),
    seconds: 60,
    outcome: '3/3 3 3',
    pods: ['3x 1/1 Running 0'],
    perNode: [1, 1, 1],
    conditions: [available, progressed],
    others: { ReplicaSet: ['1x 3 3 3'] },
  },
  {
    name: 'scaled',
    kind: 'Deployment',
    about: 'a Deployment that is scaled from two to four replicas',
    yaml: workload('Deployment', 'scaled', { spec: 'replicas: 2' }),
    later: workload('Deployment', 'scaled', { spec: 'replicas: 4' }),
    seconds: 120,
    outcome: '4/4 4 4',
    pods: ['4x 1/1 Running 0'],
    others: { ReplicaSet: ['1x 4 4 4'] },
  },
  {
    name: 'rolled',
    kind: 'Deployment',
    about: 'a rolling update to another image',
    yaml: workload('Deployment', 'rolled', { spec: 'replicas: 3' }),
    later: workload('Deployment', 'rolled', { spec: 'replicas: 3', pod: nginxAt('1.29') }),
    seconds: 240,
    outcome: '3/3 3 3',
    pods: ['3x 1/1 Running 0'],
    conditions: [available, progressed],
    others: { ReplicaSet: ['1x 0 0 0', '1x 3 3 3'] },
  },
  {
    name: 'stuck',
    kind: 'Deployment',
    about: 'a rolling update to an image that does not exist',
    yaml: workload('Deployment', 'stuck', { spec: 'replicas: 3\nprogressDeadlineSeconds: 60' }),
    later: workload('Deployment', 'stuck', {
      spec: 'replicas: 3\nprogressDeadlineSeconds: 60',
      pod: nginx.replace('nginx:1.28', 'registry.example/does-not-exist:1'),
    }),
    seconds: 270,
    outcome: '3/3 1 3',
    pods: ['1x 0/1 ImagePullBackOff 0', '3x 1/1 Running 0'],
    conditions: [available, 'Progressing=False ProgressDeadlineExceeded'],
    others: { ReplicaSet: ['1x 1 1 0', '1x 3 3 3'] },
    warnings: ['Failed'],
  },
  {
    name: 'recreated',
    kind: 'Deployment',
    about: 'the strategy Recreate',
    yaml: workload('Deployment', 'recreated', {
      spec: 'replicas: 2\nstrategy: { type: Recreate }',
    }),
    later: workload('Deployment', 'recreated', {
      spec: 'replicas: 2\nstrategy: { type: Recreate }',
      pod: nginxAt('1.29'),
    }),
    seconds: 180,
    outcome: '2/2 2 2',
    pods: ['2x 1/1 Running 0'],
    others: { ReplicaSet: ['1x 0 0 0', '1x 2 2 2'] },
  },
  {
    name: 'paused',
    kind: 'Deployment',
    about: 'a new template while the rollout is paused',
    yaml: workload('Deployment', 'paused', { spec: 'replicas: 2' }),
    later: workload('Deployment', 'paused', {
      spec: 'replicas: 2\npaused: true',
      pod: nginxAt('1.29'),
    }),
    seconds: 120,
    outcome: '2/2 0 2',
    pods: ['2x 1/1 Running 0'],
    conditions: [available, 'Progressing=Unknown DeploymentPaused'],
    others: { ReplicaSet: ['1x 2 2 2'] },
  },
  {
    name: 'no-history',
    kind: 'Deployment',
    about: 'a rolling update without a history of revisions',
    yaml: workload('Deployment', 'no-history', { spec: 'replicas: 1\nrevisionHistoryLimit: 0' }),
    later: workload('Deployment', 'no-history', {
      spec: 'replicas: 1\nrevisionHistoryLimit: 0',
      pod: nginxAt('1.29'),
    }),
    seconds: 120,
    outcome: '1/1 1 1',
    pods: ['1x 1/1 Running 0'],
    others: { ReplicaSet: ['1x 1 1 1'] },
  },
  {
    name: 'not-yet-available',
    kind: 'Deployment',
    about: 'ready pods that are not available before minReadySeconds',
    yaml: workload('Deployment', 'not-yet-available', {
      spec: 'replicas: 2\nminReadySeconds: 300',
    }),
    seconds: 60,
    outcome: '2/2 2 0',
    pods: ['2x 1/1 Running 0'],
    conditions: [
      'Available=False MinimumReplicasUnavailable',
      'Progressing=True ReplicaSetUpdated',
    ],
  },
  {
    name: 'never-ready',
    kind: 'Deployment',
    about: 'a Deployment whose pods never become ready',
    yaml: workload('Deployment', 'never-ready', { spec: 'replicas: 2', pod: unready }),
    seconds: 60,
    outcome: '0/2 2 0',
    pods: ['2x 0/1 Running 0'],
    warnings: ['Unhealthy'],
  },
  {
    name: 'surge-only',
    kind: 'Deployment',
    about: 'maxUnavailable 0 keeps every old pod while the new ones are not ready',
    yaml: workload('Deployment', 'surge-only', {
      spec: 'replicas: 2\nstrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }',
    }),
    later: workload('Deployment', 'surge-only', {
      spec: 'replicas: 2\nstrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }',
      pod: unready,
    }),
    seconds: 120,
    outcome: '2/2 1 2',
    pods: ['1x 0/1 Running 0', '2x 1/1 Running 0'],
    warnings: ['Unhealthy'],
  },
  {
    name: 'frontend',
    kind: 'ReplicaSet',
    about: 'a ReplicaSet that takes over two pods with its labels',
    yaml: documents(
      ...['pod1', 'pod2'].map(
        (name) => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: frontend } }
spec: { containers: [{ name: hello, image: 'nginx:1.28' }] }`,
      ),
      workload('ReplicaSet', 'frontend', { spec: 'replicas: 3' }),
    ),
    seconds: 60,
    outcome: '3 3 3',
    pods: ['3x 1/1 Running 0'],
  },
  {
    name: 'no-pods',
    kind: 'ReplicaSet',
    about: 'a ReplicaSet that is scaled to zero',
    yaml: workload('ReplicaSet', 'no-pods', { spec: 'replicas: 2' }),
    later: workload('ReplicaSet', 'no-pods', { spec: 'replicas: 0' }),
    seconds: 120,
    outcome: '0 0 0',
    pods: [],
  },
  {
    name: 'nginx-rc',
    kind: 'ReplicationController',
    about: 'a ReplicationController',
    yaml: `apiVersion: v1
kind: ReplicationController
metadata: { name: nginx-rc }
spec:
  replicas: 2
  selector: { app: nginx-rc }
  template:
    metadata: { labels: { app: nginx-rc } }
    spec: { containers: [{ name: nginx, image: 'nginx:1.28' }] }`,
    seconds: 60,
    outcome: '2 2 2',
    pods: ['2x 1/1 Running 0'],
  },
]
