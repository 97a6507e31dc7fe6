import type { OwnerCase } from '../manifest-case.ts'
import { documents, nginx, service, workload } from './objects.ts'

function quota(hard: string): string {
  return `apiVersion: v1
kind: ResourceQuota
metadata: { name: limit }
spec: { hard: { ${hard} } }`
}

function budget(limit: string): string {
  return `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: budget }
spec: { ${limit}, selector: { matchLabels: { app: web } } }`
}

function limits(limit: string): string {
  return `apiVersion: v1
kind: LimitRange
metadata: { name: limits }
spec: { limits: [{ type: Container, ${limit} }] }`
}

function enforced(level: string): string {
  return `apiVersion: v1
kind: Namespace
metadata: { name: default, labels: { pod-security.kubernetes.io/enforce: ${level} } }`
}

function web(replicas: number, pod = nginx): string {
  return workload('Deployment', 'web', { spec: `replicas: ${replicas}`, pod })
}

const requests = (cpu: string): string => `${nginx}
    resources: { requests: { cpu: ${cpu} } }`

const failed = 'ReplicaFailure=True FailedCreate'

export const aroundPodCases: readonly OwnerCase[] = [
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a Service in front of a Deployment',
    yaml: documents(service('web', 'selector: { app: web }\nports: [{ port: 80 }]'), web(3)),
    seconds: 60,
    outcome: '3/3 3 3',
    pods: ['3x 1/1 Running 0'],
    others: {
      Service: ['1x ClusterIP IP <none> 80/TCP'],
      EndpointSlice: ['1x IPv4 80 IP,IP,IP'],
    },
  },
  {
    name: 'client',
    kind: 'Job',
    about: 'a Job that reaches a Deployment through its Service, by name',
    yaml: documents(
      service('web', 'selector: { app: web }\nports: [{ port: 80 }]'),
      web(2),
      `apiVersion: batch/v1
kind: Job
metadata: { name: client }
spec:
  template:
    spec:
      restartPolicy: OnFailure
      containers:
        - name: client
          image: busybox:1.36
          command: [sh, -c, 'until wget -q -O - http://web; do sleep 2; done']`,
    ),
    seconds: 90,
    outcome: 'Complete 1/1',
    pods: ['1x 0/1 Completed 0', '2x 1/1 Running 0'],
  },
  {
    name: 'shop',
    kind: 'Deployment',
    about: 'a Deployment whose init container waits for a database and its Service',
    yaml: `apiVersion: apps/v1
kind: Deployment
metadata: { name: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: shop } }
  template:
    metadata: { labels: { app: shop } }
    spec:
      initContainers:
        - name: wait
          image: postgres:16
          command: [sh, -c, 'until pg_isready -h db -p 5432; do echo waiting; sleep 2; done']
      containers: [{ name: shop, image: nginx:1.28 }]`,
    later: documents(
      service('db', 'selector: { app: db }\nports: [{ port: 5432 }]'),
      `apiVersion: v1
kind: Pod
metadata: { name: db, labels: { app: db } }
spec:
  containers:
    - name: postgres
      image: postgres:16
      env: [{ name: POSTGRES_PASSWORD, value: secret }]
      readinessProbe: { exec: { command: [pg_isready, -U, postgres] }, periodSeconds: 5 }`,
    ),
    seconds: 90,
    outcome: '2/2 2 2',
    pods: ['3x 1/1 Running 0'],
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a Service leaves out pods that are not ready',
    yaml: documents(
      service('web', 'selector: { app: web }\nports: [{ port: 80, targetPort: 80 }]'),
      web(
        2,
        `${nginx}
    readinessProbe: { httpGet: { path: /none, port: 80 }, periodSeconds: 5 }`,
      ),
    ),
    seconds: 60,
    outcome: '0/2 2 0',
    pods: ['2x 0/1 Running 0'],
    others: { Endpoints: ['1x '] },
    warnings: ['Unhealthy'],
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a Service whose selector matches no pod',
    yaml: documents(service('other', 'selector: { app: other }\nports: [{ port: 80 }]'), web(1)),
    seconds: 60,
    outcome: '1/1 1 1',
    pods: ['1x 1/1 Running 0'],
    others: { EndpointSlice: ['1x IPv4 <unset> <unset>'], Endpoints: ['1x <none>'] },
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a Service of type NodePort',
    yaml: documents(
      service('web', 'type: NodePort\nselector: { app: web }\nports: [{ port: 80 }]'),
      web(1),
    ),
    seconds: 60,
    outcome: '1/1 1 1',
    pods: ['1x 1/1 Running 0'],
    others: { Service: ['1x NodePort IP <none> 80:PORT/TCP'] },
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a Service in front of more pods of the host network than nodes',
    yaml: documents(
      service('web', 'selector: { app: web }\nports: [{ port: 80 }]'),
      web(
        4,
        `hostNetwork: true
containers: [{ name: c, image: 'busybox:1.36', command: [sleep, '1000000'] }]`,
      ),
    ),
    seconds: 60,
    outcome: '4/4 4 4',
    pods: ['4x 1/1 Running 0'],
    others: { Endpoints: ['1x <none>'], EndpointSlice: ['1x IPv4 <unset> <unset>'] },
    warnings: ['FailedToCreateEndpointSlices'],
    differs:
      'The address of simulated nodes is 127.0.0.1, which no endpoint may have. In a cluster, the Service has four endpoints and there are no warnings.',
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a budget with minAvailable 2 for three pods',
    yaml: documents(budget('minAvailable: 2'), web(3)),
    seconds: 60,
    outcome: '3/3 3 3',
    pods: ['3x 1/1 Running 0'],
    others: { PodDisruptionBudget: ['1x 2 N/A 1'] },
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a budget with maxUnavailable 30% for three pods',
    yaml: documents(budget('maxUnavailable: 30%'), web(3)),
    seconds: 60,
    outcome: '3/3 3 3',
    pods: ['3x 1/1 Running 0'],
    others: { PodDisruptionBudget: ['1x N/A 30% 1'] },
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a quota of two pods for three replicas',
    yaml: documents(quota("pods: '2'"), web(3)),
    seconds: 60,
    outcome: '2/3 2 2',
    pods: ['2x 1/1 Running 0'],
    conditions: [
      'Available=False MinimumReplicasUnavailable',
      'Progressing=True ReplicaSetUpdated',
      failed,
    ],
    others: { ResourceQuota: ['1x pods: 2/2 '] },
    warnings: ['FailedCreate'],
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a quota of CPU for pods that request none',
    yaml: documents(quota("requests.cpu: '1'"), web(1)),
    seconds: 60,
    outcome: '0/1 0 0',
    pods: [],
    warnings: ['FailedCreate'],
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a quota of CPU, used by the requests of two pods',
    yaml: documents(quota("requests.cpu: '1'"), web(2, requests('300m'))),
    seconds: 60,
    outcome: '2/2 2 2',
    pods: ['2x 1/1 Running 0'],
    others: { ResourceQuota: ['1x requests.cpu: 600m/1 '] },
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a LimitRange whose defaults satisfy a quota',
    yaml: documents(
      quota("requests.cpu: '1', limits.cpu: '2'"),
      limits('default: { cpu: 500m }, defaultRequest: { cpu: 250m }'),
      web(2),
    ),
    seconds: 60,
    outcome: '2/2 2 2',
    pods: ['2x 1/1 Running 0'],
    others: { ResourceQuota: ['1x requests.cpu: 500m/1 limits.cpu: 1/2'] },
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a LimitRange that forbids the pods of a Deployment',
    yaml: documents(limits('max: { cpu: 200m }'), web(2, requests('300m'))),
    seconds: 60,
    outcome: '0/2 0 0',
    pods: [],
    warnings: ['FailedCreate'],
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a namespace whose level restricted forbids the pods of a Deployment',
    yaml: documents(enforced('restricted'), web(2)),
    seconds: 60,
    outcome: '0/2 0 0',
    pods: [],
    warnings: ['FailedCreate'],
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a namespace whose level restricted allows the pods of a Deployment',
    yaml: documents(
      enforced('restricted'),
      web(
        2,
        `securityContext: { runAsNonRoot: true, runAsUser: 101, seccompProfile: { type: RuntimeDefault } }
${nginx}
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }`,
      ),
    ),
    seconds: 60,
    outcome: '2/2 2 2',
    pods: ['2x 1/1 Running 0'],
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'a topology spread constraint over nodes',
    yaml: web(
      6,
      `topologySpreadConstraints:
  - { maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }
${nginx}`,
    ),
    seconds: 60,
    outcome: '6/6 6 6',
    pods: ['6x 1/1 Running 0'],
    perNode: [2, 2, 2],
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'required pod anti-affinity: more replicas than nodes',
    yaml: web(
      4,
      `affinity:
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      - { topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: web } } }
${nginx}`,
    ),
    seconds: 60,
    outcome: '3/4 4 3',
    pods: ['1x 0/1 Pending 0', '3x 1/1 Running 0'],
    perNode: [1, 1, 1],
    warnings: ['FailedScheduling'],
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'required pod affinity: all pods on one node',
    yaml: web(
      3,
      `affinity:
  podAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      - { topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: web } } }
${nginx}`,
    ),
    seconds: 60,
    outcome: '3/3 3 3',
    pods: ['3x 1/1 Running 0'],
    perNode: [3],
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'node affinity to two of three nodes',
    yaml: web(
      4,
      `affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
        - matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [n1, n3] }]
${nginx}`,
    ),
    seconds: 60,
    outcome: '4/4 4 4',
    pods: ['4x 1/1 Running 0'],
    perNode: [2, 2],
  },
  {
    name: 'web',
    kind: 'Deployment',
    about: 'pods of a higher priority that preempt others on full nodes',
    yaml: documents(
      `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 1000`,
      workload('Deployment', 'filler', { spec: 'replicas: 3', pod: requests("'3'") }),
      web(1, `priorityClassName: high\n${requests("'3'")}`),
    ),
    seconds: 120,
    outcome: '1/1 1 1',
    pods: ['1x 0/1 Pending 0', '3x 1/1 Running 0'],
    others: { ReplicaSet: ['1x 1 1 1', '1x 3 3 2'] },
    warnings: ['FailedScheduling'],
  },
]
