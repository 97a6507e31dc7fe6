import type { OwnerCase } from '../manifest-case.ts'
import { documents, nginx, service, workload } from './objects.ts'

const headless = service(
  'nginx',
  'clusterIP: None\nselector: { app: web }\nports: [{ port: 80, name: web }]',
)

function web(spec: string, pod = nginx): string {
  return workload('StatefulSet', 'web', { spec: `serviceName: nginx\n${spec}`, pod })
}

function claimTemplates(more = ''): string {
  const lines = ['accessModes: [ReadWriteOnce]', 'resources: { requests: { storage: 1Gi } }', more]
  const spec = lines.filter((line) => line !== '').join(', ')
  return `volumeClaimTemplates: [{ metadata: { name: www }, spec: { ${spec} } }]`
}

const newer = nginx.replace('1.28', '1.29')

const unready = `${nginx}
    readinessProbe: { httpGet: { path: /none, port: 80 }, periodSeconds: 5 }`

export const setCases: readonly OwnerCase[] = [
  {
    name: 'web',
    kind: 'StatefulSet',
    about: 'a StatefulSet with its headless Service',
    yaml: documents(headless, web('replicas: 3')),
    seconds: 120,
    outcome: '3/3',
    pods: ['3x 1/1 Running 0'],
    others: {
      Service: ['1x ClusterIP None <none> 80/TCP'],
      EndpointSlice: ['1x IPv4 80 IP,IP,IP'],
      ControllerRevision: ['1x statefulset.apps/web 1'],
    },
  },
  {
    name: 'web',
    kind: 'StatefulSet',
    about: 'a StatefulSet whose pods are reached by their own names',
    yaml: documents(
      headless,
      web('replicas: 2'),
      `apiVersion: batch/v1
kind: Job
metadata: { name: client }
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: client
          image: busybox:1.36
          command: [sh, -c, 'until nslookup web-1.nginx; do sleep 2; done; wget -qO- http://web-0.nginx.default.svc.cluster.local']`,
    ),
    seconds: 60,
    outcome: '2/2',
    pods: ['1x 0/1 Completed 0', '2x 1/1 Running 0'],
    others: { Job: ['1x Complete 1/1'] },
  },
  {
    name: 'web',
    kind: 'StatefulSet',
    about: 'a StatefulSet whose first pod never becomes ready',
    yaml: web('replicas: 3', unready),
    seconds: 60,
    outcome: '0/3',
    pods: ['1x 0/1 Running 0'],
    warnings: ['Unhealthy'],
  },
  {
    name: 'web',
    kind: 'StatefulSet',
    about: 'the same with podManagementPolicy Parallel',
    yaml: web('replicas: 3\npodManagementPolicy: Parallel', unready),
    seconds: 60,
    outcome: '0/3',
    pods: ['3x 0/1 Running 0'],
    warnings: ['Unhealthy'],
  },
  {
    name: 'web',
    kind: 'StatefulSet',
    about: 'a rolling update of a StatefulSet',
    yaml: web('replicas: 3'),
    later: web('replicas: 3', newer),
    seconds: 360,
    outcome: '3/3',
    pods: ['3x 1/1 Running 0'],
    others: { ControllerRevision: ['1x statefulset.apps/web 1', '1x statefulset.apps/web 2'] },
  },
  {
    name: 'web',
    kind: 'StatefulSet',
    about: 'a rolling update of a StatefulSet that stops at a pod which never becomes ready',
    yaml: web('replicas: 3'),
    later: web('replicas: 3', unready),
    seconds: 300,
    outcome: '2/3',
    pods: ['1x 0/1 Running 0', '2x 1/1 Running 0'],
    warnings: ['Unhealthy'],
  },
  {
    name: 'web',
    kind: 'StatefulSet',
    about: 'a partition that leaves all pods as they were',
    yaml: web('replicas: 2'),
    later: web(
      'replicas: 2\nupdateStrategy: { type: RollingUpdate, rollingUpdate: { partition: 2 } }',
      unready,
    ),
    seconds: 240,
    outcome: '2/2',
    pods: ['2x 1/1 Running 0'],
  },
  {
    name: 'web',
    kind: 'StatefulSet',
    about: 'a StatefulSet that is scaled down from three to one',
    yaml: web('replicas: 3'),
    later: web('replicas: 1'),
    seconds: 240,
    outcome: '1/1',
    pods: ['1x 1/1 Running 0'],
  },
  {
    name: 'web',
    kind: 'StatefulSet',
    about: 'volumeClaimTemplates of the default class',
    yaml: web(`replicas: 2\n${claimTemplates()}`),
    seconds: 120,
    outcome: '2/2',
    pods: ['2x 1/1 Running 0'],
    others: { PersistentVolumeClaim: ['2x Bound pvc-UID 1Gi RWO standard <unset>'] },
  },
  {
    name: 'web',
    kind: 'StatefulSet',
    about: 'volumeClaimTemplates of a class that does not exist',
    yaml: web(`replicas: 2\n${claimTemplates('storageClassName: missing')}`),
    seconds: 60,
    outcome: '0/2',
    pods: ['1x 0/1 Pending 0'],
    others: { PersistentVolumeClaim: ['1x Pending    missing <unset>'] },
    warnings: ['FailedScheduling', 'ProvisioningFailed'],
  },
  {
    name: 'agent',
    kind: 'DaemonSet',
    about: 'a DaemonSet on every node',
    yaml: workload('DaemonSet', 'agent'),
    seconds: 60,
    outcome: '3 3 3 3 3 <none>',
    pods: ['3x 1/1 Running 0'],
    perNode: [1, 1, 1],
  },
  {
    name: 'agent',
    kind: 'DaemonSet',
    about: 'a DaemonSet for nodes with a label that none has',
    yaml: workload('DaemonSet', 'agent', { pod: `nodeSelector: { disktype: ssd }\n${nginx}` }),
    seconds: 60,
    outcome: '0 0 0 0 0 disktype=ssd',
    pods: [],
  },
  {
    name: 'agent',
    kind: 'DaemonSet',
    about: 'a DaemonSet for one node',
    yaml: workload('DaemonSet', 'agent', {
      pod: `nodeSelector: { kubernetes.io/hostname: n2 }\n${nginx}`,
    }),
    seconds: 60,
    outcome: '1 1 1 1 1 kubernetes.io/hostname=n2',
    pods: ['1x 1/1 Running 0'],
    perNode: [1],
  },
  {
    name: 'agent',
    kind: 'DaemonSet',
    about: 'a rolling update of a DaemonSet',
    yaml: workload('DaemonSet', 'agent'),
    later: workload('DaemonSet', 'agent', { pod: newer }),
    seconds: 300,
    outcome: '3 3 3 3 3 <none>',
    pods: ['3x 1/1 Running 0'],
    others: { ControllerRevision: ['1x daemonset.apps/agent 1', '1x daemonset.apps/agent 2'] },
  },
  {
    name: 'agent',
    kind: 'DaemonSet',
    about: 'a rolling update of a DaemonSet that stops at the first pod which is not ready',
    yaml: workload('DaemonSet', 'agent'),
    later: workload('DaemonSet', 'agent', { pod: unready }),
    seconds: 240,
    outcome: '3 3 2 1 2 <none>',
    pods: ['1x 0/1 Running 0', '2x 1/1 Running 0'],
    warnings: ['Unhealthy'],
  },
  {
    name: 'agent',
    kind: 'DaemonSet',
    about: 'the update strategy OnDelete',
    yaml: workload('DaemonSet', 'agent', { spec: 'updateStrategy: { type: OnDelete }' }),
    later: workload('DaemonSet', 'agent', {
      spec: 'updateStrategy: { type: OnDelete }',
      pod: newer,
    }),
    seconds: 120,
    outcome: '3 3 3 0 3 <none>',
    pods: ['3x 1/1 Running 0'],
  },
]
