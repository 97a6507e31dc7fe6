import { get, patch, pod, pods, post, remove, web } from '../exchange.ts'
import type { Ask, Scenario } from '../exchange.ts'

const namespace = '/api/v1/namespaces/<ns>'
const namespaced = (group: string, plural: string): string =>
  `/${group === 'v1' ? 'api/v1' : `apis/${group}`}/namespaces/<ns>/${plural}`

type Options = Parameters<typeof patch>[3]

const prefix = 'pod-security.kubernetes.io/'

/** Labels the namespace; null removes a label. */
function label(labels: Readonly<Record<string, string | null>>, options: Options = {}): Ask {
  const named = Object.entries(labels).map(([name, value]) => [`${prefix}${name}`, value])
  return patch('merge', namespace, { metadata: { labels: Object.fromEntries(named) } }, options)
}

const image = 'registry.example/app:1'

/** What `restricted` demands of a container. */
const safe = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
}

function safePod(name: string): unknown {
  return pod(name, { spec: { containers: [{ name: 'c', image, securityContext: safe }] } })
}

function refused(message: string): Options {
  return { status: 403, holds: { reason: 'Forbidden', message } }
}

/** A real server learns the labels of a namespace from a watch: a pod that is not stored finds out when it has. */
const enforced = post(pods, {
  body: pod('probe'),
  query: { dryRun: 'All' },
  status: 403,
  isEventual: true,
})

const baselineEnforced = post(pods, {
  body: pod('probe', { spec: { hostNetwork: true } }),
  query: { dryRun: 'All' },
  status: 403,
  isEventual: true,
})

const unsafe =
  'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")'

/** A pod that every check of `baseline` refuses, and one that those of `restricted` refuse in other words. */
const worst = {
  metadata: { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } },
  spec: {
    hostNetwork: true,
    hostPID: true,
    hostIPC: true,
    securityContext: {
      sysctls: [{ name: 'vm.swappiness', value: '1' }],
      seLinuxOptions: { type: 'spc_t', user: 'u', role: 'r' },
      seccompProfile: { type: 'Unconfined' },
      appArmorProfile: { type: 'Unconfined' },
      runAsNonRoot: false,
      runAsUser: 0,
    },
    volumes: [
      { name: 'h', hostPath: { path: '/x' } },
      { name: 'n', nfs: { server: 's', path: '/p' } },
      { name: 'e', emptyDir: {} },
    ],
    initContainers: [
      {
        name: 'i',
        image,
        securityContext: {
          seLinuxOptions: { type: 'container_engine_t' },
          seccompProfile: { type: 'Unconfined' },
          appArmorProfile: { type: 'Unconfined' },
          runAsUser: 0,
        },
      },
    ],
    containers: [
      {
        name: 'c',
        image,
        ports: [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 9, hostPort: 9 },
        ],
        securityContext: { privileged: true, capabilities: { add: ['NET_RAW', 'SYS_ADMIN'] } },
        livenessProbe: { httpGet: { port: 80, host: 'b.example' } },
        lifecycle: { preStop: { httpGet: { port: 80, host: 'a.example' } } },
      },
    ],
  },
}

const added = [{ name: 'd', image }]

function owner(group: string, kind: string, spec: object = {}): unknown {
  return {
    apiVersion: group,
    kind,
    metadata: { name: 'web' },
    spec: {
      selector: kind === 'ReplicationController' ? { app: 'web' } : { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image, securityContext: { privileged: true } }] },
      },
      ...spec,
    },
  }
}

const jobSpec = {
  template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image }] } },
}

const deployments = namespaced('apps/v1', 'deployments')

/** The labels `pod-security.kubernetes.io/…` of namespaces. */
export const podSecurityExchanges: readonly Scenario[] = [
  {
    title: 'a namespace enforces the level restricted',
    steps: [
      label({ enforce: 'restricted' }),
      enforced,
      post(pods, {
        body: pod('x'),
        ...refused(`pods "x" is forbidden: violates PodSecurity "restricted:latest": ${unsafe}`),
      }),
      post(pods, {
        body: pod('two', {
          spec: {
            securityContext: { runAsNonRoot: true },
            initContainers: [{ name: 'i', image, securityContext: safe }],
            containers: [
              { name: 'a', image },
              { name: 'b', image, securityContext: { runAsNonRoot: false } },
            ],
          },
        }),
        status: 403,
      }),
      post(pods, { body: pod('worst', worst), status: 403 }),
      post(pods, { body: safePod('web') }),
      // Validation comes first, and a name that is taken last.
      post(pods, { body: pod('No_Name'), status: 422 }),
      post(pods, { body: pod('web'), status: 403 }),
      post(pods, { body: safePod('web'), status: 409 }),
      // A pod for Windows does not have what Linux has.
      post(pods, {
        body: pod('windows', {
          spec: { os: { name: 'windows' }, securityContext: { runAsNonRoot: true } },
        }),
      }),
    ],
  },
  ...['latest', 'v1.18', 'v1.30', 'v1.99'].map((version) => ({
    title: `a namespace enforces the level baseline of version ${version}`,
    steps: [
      label({ enforce: 'baseline', 'enforce-version': version }),
      baselineEnforced,
      post(pods, { body: pod('worst', worst), status: 403 }),
      post(pods, { body: pod('web') }),
    ],
  })),
  {
    title: 'updates of pods that a level does not allow',
    steps: [
      post(pods, {
        body: pod('web', {
          spec: {
            nodeName: 'n1',
            containers: [{ name: 'c', image, resources: { requests: { cpu: '1' } } }],
          },
        }),
      }),
      label({ enforce: 'restricted' }),
      enforced,
      patch('merge', web, { metadata: { labels: { a: 'b' } } }),
      patch('merge', web, { spec: { activeDeadlineSeconds: 60 } }),
      patch('strategic', `${web}/status`, { status: { message: 'm' } }),
      patch('strategic', `${web}/resize`, {
        spec: { containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }] },
      }),
      patch(
        'strategic',
        web,
        { spec: { containers: [{ name: 'c', image: 'registry.example/app:2' }] } },
        { status: 403 },
      ),
      patch(
        'strategic',
        `${web}/ephemeralcontainers`,
        { spec: { ephemeralContainers: added } },
        { status: 403 },
      ),
      get(web, { holds: { spec: { containers: [{ image }] } } }),
    ],
  },
  {
    title: 'ephemeral containers of a restricted pod',
    steps: [
      post(pods, { body: safePod('web') }),
      label({ enforce: 'restricted' }),
      enforced,
      patch(
        'strategic',
        `${web}/ephemeralcontainers`,
        { spec: { ephemeralContainers: added } },
        refused(
          `pods "web" is forbidden: violates PodSecurity "restricted:latest": ${unsafe.replaceAll('"c"', '"d"')}`,
        ),
      ),
      patch('strategic', `${web}/ephemeralcontainers`, {
        spec: { ephemeralContainers: added.map((one) => ({ ...one, securityContext: safe })) },
      }),
    ],
  },
  {
    title: 'warnings about pods, and about the templates of their owners',
    steps: [
      label({
        enforce: 'baseline',
        warn: 'restricted',
        'warn-version': 'v1.24',
        audit: 'baseline',
      }),
      baselineEnforced,
      post(pods, { body: pod('web') }),
      post(pods, { body: safePod('safe') }),
      post(deployments, { body: owner('apps/v1', 'Deployment') }),
      patch('merge', `${deployments}/web`, { metadata: { labels: { b: 'c' } } }),
      patch('merge', `${deployments}/web/scale`, { spec: { replicas: 3 } }),
      post(namespaced('apps/v1', 'replicasets'), { body: owner('apps/v1', 'ReplicaSet') }),
      post(namespaced('apps/v1', 'daemonsets'), { body: owner('apps/v1', 'DaemonSet') }),
      post(namespaced('apps/v1', 'statefulsets'), {
        body: owner('apps/v1', 'StatefulSet', { serviceName: 'db' }),
      }),
      post(namespaced('v1', 'replicationcontrollers'), {
        body: owner('v1', 'ReplicationController'),
      }),
      post(namespaced('batch/v1', 'jobs'), {
        body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec: jobSpec },
      }),
      post(namespaced('batch/v1', 'cronjobs'), {
        body: {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          metadata: { name: 'j' },
          spec: { schedule: '@daily', jobTemplate: { spec: jobSpec } },
        },
      }),
      remove(`${deployments}/web`),
    ],
  },
  {
    title: 'an enforced level is warned about, too',
    steps: [
      label({ enforce: 'baseline' }),
      baselineEnforced,
      // The template is allowed, its pods are not.
      post(deployments, { body: owner('apps/v1', 'Deployment') }),
    ],
  },
  {
    title: 'an enforced level is not warned about if another one is',
    steps: [
      label({ enforce: 'baseline', warn: 'privileged' }),
      baselineEnforced,
      post(deployments, { body: owner('apps/v1', 'Deployment') }),
    ],
  },
  {
    title: 'a level that pods of the namespace violate',
    steps: [
      post(pods, { body: pod('b', { spec: { hostNetwork: true } }) }),
      post(pods, { body: pod('a', { spec: { hostNetwork: true } }) }),
      post(pods, { body: pod('c', { spec: { hostNetwork: true } }) }),
      post(pods, { body: pod('plain') }),
      post(pods, { body: pod('worst', worst) }),
      post(pods, { body: safePod('safe') }),
      label({ enforce: 'baseline' }, { query: { dryRun: 'All' } }),
      label({ enforce: 'restricted' }),
      label({ 'enforce-version': 'v1.20' }),
      label({ enforce: 'baseline' }),
      label({ enforce: 'privileged' }),
      label({ warn: 'restricted', audit: 'restricted' }),
      label({ enforce: null, warn: null, audit: null, 'enforce-version': null }),
    ],
  },
  {
    title: 'labels that cannot be read',
    steps: [
      label({ enforce: 'strict' }, { status: 422 }),
      label(
        {
          enforce: 'Baseline',
          'enforce-version': '1.20',
          audit: '',
          'audit-version': 'v2.0',
          warn: 'none',
          'warn-version': 'v1.01',
        },
        {
          status: 422,
          holds: { reason: 'Invalid', details: { kind: 'Namespace' } },
        },
      ),
      label({ 'enforce-version': 'v1.9223372036854775808' }, { status: 422 }),
      label({ 'enforce-version': 'v1.9223372036854775807', other: 'x' }),
      post('/api/v1/namespaces', {
        body: {
          metadata: { name: '<ns>-strict', labels: { [`${prefix}enforce`]: 'strict' } },
        },
        status: 422,
      }),
      post('/api/v1/namespaces', {
        body: {
          metadata: { name: '<ns>-strict', labels: { [`${prefix}enforce`]: 'restricted' } },
        },
        query: { dryRun: 'All' },
      }),
    ],
  },
]
