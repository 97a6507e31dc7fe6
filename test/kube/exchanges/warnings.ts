import { patch, pod, pods, post, put, remove, type Scenario } from '../exchange.ts'

const namespaced = (group: string, plural: string): string =>
  `/${group === 'v1' ? 'api/v1' : `apis/${group}`}/namespaces/<ns>/${plural}`
const deployments = namespaced('apps/v1', 'deployments')
const controllers = namespaced('v1', 'replicationcontrollers')
const services = namespaced('v1', 'services')
const jobs = namespaced('batch/v1', 'jobs')
const cronJobs = namespaced('batch/v1', 'cronjobs')
const endpoints = namespaced('v1', 'endpoints')

const image = 'registry.example/app:1'

/** What is valid and discouraged, in every part of a pod. */
const discouraged = {
  metadata: {
    labels: { app: 'web' },
    annotations: {
      'scheduler.alpha.kubernetes.io/critical-pod': '',
      'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
      'container.seccomp.security.alpha.kubernetes.io/c': 'runtime/default',
    },
  },
  spec: {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: -1,
    nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
    imagePullSecrets: [{ name: 'a' }, { name: 'a' }],
    hostAliases: [
      { ip: '10.0.0.1', hostnames: ['a'] },
      { ip: '10.0.0.1', hostnames: ['b'] },
    ],
    dnsConfig: { nameservers: ['2001:0db8::1'] },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'beta.kubernetes.io/arch', operator: 'Exists' }] },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 1,
            preference: {
              matchExpressions: [{ key: 'a', operator: 'In', values: ['not a value'] }],
            },
          },
        ],
      },
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }],
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: 'zone' } },
        ],
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'failure-domain.beta.kubernetes.io/zone',
        whenUnsatisfiable: 'ScheduleAnyway',
      },
    ],
    containers: [
      {
        name: 'c',
        image,
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
          { name: 'A', value: '$(A)3' },
        ],
        ports: [
          { containerPort: 80, name: 'http' },
          { containerPort: 80, protocol: 'UDP', hostIP: '10.0.0.1' },
        ],
        resources: { requests: { memory: '100m' }, limits: { memory: '1500m' } },
      },
      { name: 'd', image, ports: [{ containerPort: 80 }, { containerPort: 81, name: 'http' }] },
    ],
    volumes: [
      { name: 'old', glusterfs: { endpoints: 'a', path: 'b' } },
      {
        name: 'twice',
        configMap: {
          name: 'm',
          items: [
            { key: 'a', path: 'x' },
            { key: 'b', path: 'x/y' },
          ],
        },
      },
      {
        name: 'both',
        projected: {
          sources: [
            { configMap: { name: 'm', items: [{ key: 'a', path: 'x' }] } },
            { secret: { name: 's', items: [{ key: 'a', path: 'x/z' }] } },
          ],
        },
      },
    ],
  },
}

const plain = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image }] },
}

function owner(kind: string, template: unknown, spec: object = {}, name = 'web'): object {
  const isController = kind === 'ReplicationController'
  const selector = { app: 'web' }
  const apiVersion = isController ? 'v1' : 'apps/v1'
  return {
    apiVersion,
    kind,
    metadata: { name },
    spec: { selector: isController ? selector : { matchLabels: selector }, template, ...spec },
  }
}

function cronJob(name: string, spec: object): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name },
    spec: { schedule: '@daily', jobTemplate: { spec } },
  }
}

function job(name: string, more: object = {}): object {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image }] } }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template, ...more } }
}

/** Answers whose Warning header says what is valid and discouraged. */
export const warningExchanges: readonly Scenario[] = [
  {
    title: 'warnings about pods and templates of pods',
    steps: [
      post(pods, {
        body: {
          apiVersion: 'v1',
          kind: 'Pod',
          ...discouraged,
          metadata: { name: 'a', ...discouraged.metadata },
        },
      }),
      post(pods, { body: pod('with.dots') }),
      patch('merge', `${pods}/a`, { metadata: { labels: { b: 'c' } } }),
      post(deployments, { body: owner('Deployment', discouraged) }),
      post(deployments, { body: owner('Deployment', plain, {}, 'with.dots') }),
      patch('merge', `${deployments}/web`, { metadata: { labels: { b: 'c' } } }),
      patch('merge', `${deployments}/web`, { spec: { replicas: 2 } }),
      patch('merge', `${deployments}/web/scale`, { spec: { replicas: 3 } }),
      put(`${deployments}/web`, { body: owner('Deployment', plain) }),
      post(namespaced('apps/v1', 'replicasets'), { body: owner('ReplicaSet', discouraged) }),
      post(namespaced('apps/v1', 'daemonsets'), { body: owner('DaemonSet', discouraged) }),
      patch('merge', `${namespaced('apps/v1', 'daemonsets')}/web`, {
        spec: { minReadySeconds: 3 },
      }),
      post(namespaced('apps/v1', 'statefulsets'), {
        body: owner('StatefulSet', discouraged, { serviceName: 'db', revisionHistoryLimit: -1 }),
      }),
      post(controllers, { body: owner('ReplicationController', discouraged) }),
      put(`${controllers}/web`, { body: owner('ReplicationController', plain) }),
      put(`${controllers}/web`, { body: owner('ReplicationController', discouraged) }),
    ],
  },
  {
    title: 'warnings about jobs and their deletion',
    steps: [
      post(jobs, { body: job('with.dots') }),
      post(jobs, {
        body: job('large', {
          completionMode: 'Indexed',
          completions: 100_001,
          parallelism: 10_001,
        }),
        status: 201,
      }),
      remove(`${jobs}/with.dots`, { body: {} }),
      remove(`${jobs}/large`, { query: { propagationPolicy: 'Background' } }),
      remove(jobs),
    ],
  },
  {
    title: 'warnings about the templates of cron jobs',
    steps: [
      post(cronJobs, {
        body: cronJob('with.dots', {
          completionMode: 'Indexed',
          completions: 100_001,
          parallelism: 10_001,
          template: { ...discouraged, spec: { ...discouraged.spec, restartPolicy: 'Never' } },
        }),
      }),
      patch('merge', `${cronJobs}/with.dots`, { metadata: { labels: { b: 'c' } } }),
      patch('merge', `${cronJobs}/with.dots`, { spec: { suspend: true } }),
      remove(`${cronJobs}/with.dots`),
    ],
  },
  {
    title: 'warnings about other kinds',
    steps: [
      post(services, {
        body: {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: {
            name: 's',
            annotations: { 'service.kubernetes.io/topology-aware-hints': 'auto' },
          },
          spec: {
            clusterIP: 'None',
            sessionAffinity: 'ClientIP',
            externalIPs: ['10.0.0.1'],
            externalName: 'x.example',
            ports: [{ port: 80 }],
          },
        },
      }),
      post(namespaced('v1', 'serviceaccounts'), {
        body: {
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: {
            name: 'sa',
            annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' },
          },
        },
      }),
      post(namespaced('v1', 'persistentvolumeclaims'), {
        body: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'c', annotations: { 'volume.beta.kubernetes.io/storage-class': '' } },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } },
        },
      }),
      post(endpoints, {
        body: {
          apiVersion: 'v1',
          kind: 'Endpoints',
          metadata: { name: 'e' },
          subsets: [{ addresses: [{ ip: '2001:db8:0::1' }], ports: [{ port: 80 }] }],
        },
      }),
      remove(`${endpoints}/e`),
      post(namespaced('discovery.k8s.io/v1', 'endpointslices'), {
        body: {
          apiVersion: 'discovery.k8s.io/v1',
          kind: 'EndpointSlice',
          metadata: { name: 'f' },
          addressType: 'FQDN',
          endpoints: [{ addresses: ['a.example'] }],
        },
      }),
      post('/apis/storage.k8s.io/v1/storageclasses', {
        body: {
          metadata: { name: '<ns>' },
          provisioner: 'example.com/d',
          allowedTopologies: [
            { matchLabelExpressions: [{ key: 'beta.kubernetes.io/arch', values: ['x'] }] },
          ],
        },
      }),
      post('/apis/node.k8s.io/v1/runtimeclasses', {
        body: {
          metadata: { name: '<ns>' },
          handler: 'h',
          scheduling: { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
        },
      }),
      post('/api/v1/persistentvolumes', {
        body: {
          metadata: { name: '<ns>' },
          spec: {
            capacity: { storage: '1Gi' },
            accessModes: ['ReadWriteOnce'],
            persistentVolumeReclaimPolicy: 'Recycle',
            nfs: { server: 's', path: '/p' },
          },
        },
      }),
      post('/api/v1/nodes', {
        body: {
          metadata: { name: '<ns>' },
          spec: { externalID: 'x', podCIDRs: ['10.0.0.1/24'], podCIDR: '10.0.0.1/24' },
        },
      }),
    ],
  },
]
