import { get, patch, post, put, remove, type Scenario, type Step } from '../exchange.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

type Fields = Readonly<Record<string, unknown>>

const invalid = { status: 422, holds: { reason: 'Invalid' } }

interface Kind {
  readonly apiVersion: string
  readonly kind: string
  readonly path: string
}

function kindAt(apiVersion: string, kind: string, plural: string): Kind {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  return { apiVersion, kind, path: `${root}/namespaces/<ns>/${plural}` }
}

const deployment = kindAt('apps/v1', 'Deployment', 'deployments')
const replicaSet = kindAt('apps/v1', 'ReplicaSet', 'replicasets')
const daemonSet = kindAt('apps/v1', 'DaemonSet', 'daemonsets')
const statefulSet = kindAt('apps/v1', 'StatefulSet', 'statefulsets')
const replicationController = kindAt('v1', 'ReplicationController', 'replicationcontrollers')
const job = kindAt('batch/v1', 'Job', 'jobs')
const cronJob = kindAt('batch/v1', 'CronJob', 'cronjobs')

const container = { name: 'c', image: 'registry.example/app:1' }

function template(spec: Fields = {}, labels: Fields | null = { app: 'web' }): Fields {
  return {
    metadata: labels === null ? {} : { labels },
    spec: { containers: [container], ...spec },
  }
}

/** A valid object with other fields in its spec and metadata. */
function object(kind: Kind, spec: Fields = {}, metadata: Fields = {}): unknown {
  const isJob = kind.kind === 'Job'
  if (kind.kind === 'CronJob') {
    const jobTemplate = { spec: { template: template({ restartPolicy: 'Never' }) } }
    return {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      metadata: { name: 'web', ...metadata },
      spec: { schedule: '*/5 * * * *', jobTemplate, ...spec },
    }
  }
  const selected: Fields =
    kind.kind === 'ReplicationController'
      ? { selector: { app: 'web' } }
      : { selector: { matchLabels: { app: 'web' } } }
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name: 'web', ...metadata },
    spec: {
      ...(isJob ? {} : selected),
      template: template(isJob ? { restartPolicy: 'Never' } : {}),
      ...spec,
    },
  }
}

function refused(kind: Kind, title: string, ...specs: readonly Fields[]): Scenario {
  return {
    title: `a ${kind.kind} with ${title} is refused`,
    steps: specs.map((spec) => post(kind.path, { body: object(kind, spec), ...invalid })),
  }
}

function refusedChange(kind: Kind, title: string, ...specs: readonly Fields[]): Scenario {
  return {
    title: `a ${kind.kind} may not change ${title}`,
    steps: [
      post(kind.path, { body: object(kind) }),
      ...specs.map((spec) => patch('merge', `${kind.path}/web`, { spec }, invalid)),
    ],
  }
}

function names(kind: Kind, ...given: readonly string[]): Step[] {
  return given.map((name) => post(kind.path, { body: object(kind, {}, { name }), ...invalid }))
}

/** What every kind does: defaults, reads, tables, generation, status, deletion. */
function life(kind: Kind, changes: readonly Fields[], status: Fields): Scenario {
  const web = `${kind.path}/web`
  const at = 'body.rows.0.object.metadata.annotations'
  const why = 'tables of kube-apiserver are made from the internal type, without this annotation'
  const containers = [{ name: 'c', image: 'registry.example/app:2' }]
  const changed = { template: { spec: { containers } } }
  const differsInTable = kind.kind === 'DaemonSet' ? { differs: [{ at, why }] } : {}
  return {
    title: `a ${kind.kind} is created, changed, given a status, listed and deleted`,
    steps: [
      post(kind.path, { body: object(kind), query: { dryRun: 'All' } }),
      post(kind.path, { body: object(kind, {}, { labels: { tier: 'front' } }), save: 'web' }),
      post(kind.path, { body: object(kind), status: 409 }),
      post(kind.path, {
        body: object(
          kind,
          {},
          { name: undefined, generateName: 'other-', finalizers: ['example.com/x'] },
        ),
        query: { dryRun: 'All' },
        differs: [
          { at: 'body.metadata.name', why: 'generated' },
          ...(kind.kind === 'Job'
            ? [
                { at: 'body.metadata.labels', why: 'has the generated name' },
                { at: 'body.spec.template.metadata.labels', why: 'has the generated name' },
              ]
            : []),
        ],
      }),
      ...changes.map((spec) => patch('merge', web, { spec })),
      patch('merge', web, { metadata: { annotations: { note: 'changed' } } }),
      patch('strategic', web, { metadata: { labels: { more: 'yes' } } }),
      patch('json', web, [{ op: 'remove', path: '/metadata/labels/more' }]),
      patch('merge', web, { status: { observedGeneration: 7 } }),
      patch('merge', `${web}/status`, { status, spec: { paused: true } }),
      patch('merge', `${web}/status`, {
        status,
        metadata: { labels: { status: 'x' }, annotations: { status: 'x' } },
      }),
      get(`${web}/status`),
      get(kind.path),
      get(kind.path, { accept: table, ...differsInTable }),
      get(kind.path, { accept: table, query: { labelSelector: 'tier=front' }, ...differsInTable }),
      get(kind.path, { query: { fieldSelector: 'metadata.name=web' } }),
      get(kind.path, { query: { fieldSelector: 'spec.paused=true' }, status: 400 }),
      put(web, { body: object(kind, {}, { name: 'other' }), status: 400 }),
      put(web, {
        body: object(kind, {}, { resourceVersion: '<web.metadata.resourceVersion>' }),
        status: 409,
      }),
      ...names(kind, 'No_Name', '-x'),
      patch(
        'strategic',
        web,
        {
          spec: kind.kind === 'CronJob' ? { jobTemplate: { spec: changed } } : changed,
        },
        kind.kind === 'Job'
          ? {
              ...invalid,
              differs: [
                { at: 'body.message', why: 'Go type' },
                { at: 'body.details.causes', why: 'Go type' },
              ],
            }
          : {},
      ),
      remove(web, { query: { propagationPolicy: 'Background' } }),
    ],
  }
}

function scales(kind: Kind): Scenario {
  const scale = `${kind.path}/web/scale`
  const body = (fields: Fields, metadata: Fields = {}): unknown => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web', namespace: '<ns>', ...metadata },
    ...fields,
  })
  return {
    title: `a ${kind.kind} is scaled`,
    steps: [
      get(scale, { status: 404 }),
      put(scale, { body: body({ spec: { replicas: 1 } }), status: 404 }),
      post(kind.path, { body: object(kind, { replicas: 2 }), save: 'web' }),
      get(scale, { holds: { kind: 'Scale', spec: { replicas: 2 } } }),
      get(scale, { accept: table }),
      put(scale, { body: body({ spec: { replicas: 3 } }), holds: { spec: { replicas: 3 } } }),
      get(`${kind.path}/web`, { holds: { spec: { replicas: 3 }, metadata: { generation: 2 } } }),
      put(scale, {
        body: body(
          { spec: { replicas: 4 } },
          { resourceVersion: '<web.metadata.resourceVersion>' },
        ),
        status: 409,
      }),
      put(scale, { body: body({ spec: { replicas: 4 } }, { uid: 'other' }), status: 409 }),
      put(scale, { body: body({ spec: { replicas: -1 } }), ...invalid }),
      put(scale, { body: body({ spec: { replicas: 'x' } }), status: 400 }),
      put(scale, { body: body({ spec: { replicas: 1 } }, { name: 'other' }), status: 400 }),
      put(scale, { body: object(kind), status: 400 }),
      patch('merge', scale, { spec: { replicas: 0 } }),
      patch('json', scale, [{ op: 'replace', path: '/spec/replicas', value: 5 }]),
      patch('strategic', scale, { spec: { replicas: 6 } }),
      patch('merge', scale, { spec: { replicas: 7 } }, { query: { dryRun: 'All' } }),
      patch('merge', scale, { spec: { replicas: -7 } }, invalid),
      patch('merge', scale, { status: { replicas: 7 } }),
      get(scale),
      put(scale, { body: body({}) }),
      remove(scale, { status: 405 }),
      post(scale, { body: body({}), status: 405 }),
    ],
  }
}

function statuses(kind: Kind, ...refusedOnes: readonly Fields[]): Scenario {
  return {
    title: `the status of a ${kind.kind} is validated`,
    steps: [
      post(kind.path, { body: object(kind) }),
      ...refusedOnes.map((status) =>
        patch('merge', `${kind.path}/web/status`, { status }, invalid),
      ),
    ],
  }
}

const templates: readonly Fields[] = [
  { template: undefined },
  { template: {} },
  { template: template({}, null) },
  { template: template({}, { app: 'other' }) },
  { template: template({}, { app: 'web', 'no/such/key': 'x' }) },
  { template: template({}, { app: 'web', b: 'not valid' }) },
  { template: template({ containers: [] }) },
  { template: template({ containers: [{ name: 'C', image: '' }] }) },
  { template: template({ containers: [container, container] }) },
  { template: template({ activeDeadlineSeconds: 5 }) },
  { template: template({ ephemeralContainers: [{ ...container, name: 'e' }] }) },
  {
    template: template({
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'v', emptyDir: {} },
      ],
    }),
  },
  { template: template({ restartPolicy: 'Sometimes' }) },
]

const selectors: readonly Fields[] = [
  { selector: undefined },
  { selector: {} },
  { selector: { matchLabels: { app: 'other' } } },
  { selector: { matchLabels: { app: 'not valid' } } },
  { selector: { matchExpressions: [{ key: 'app', operator: 'Is' }] } },
  { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: [] }] } },
  { selector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] } },
  { selector: { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['web'] }] } },
]

const always: readonly Fields[] = [
  { template: template({ restartPolicy: 'Never' }) },
  { template: template({ restartPolicy: 'OnFailure' }) },
]

const full = template({
  containers: [
    {
      ...container,
      resources: { limits: { cpu: '1', memory: '0.5Gi' } },
      ports: [{ containerPort: 80 }],
      livenessProbe: { httpGet: { port: 80 } },
    },
  ],
  hostNetwork: true,
  volumes: [{ name: 'v', configMap: { name: 'x' } }],
})

function completed(kind: Kind, ...specs: readonly Fields[]): Scenario {
  return {
    title: `a ${kind.kind} has the defaults of its other forms`,
    steps: specs.map((spec, index) =>
      post(kind.path, { body: object(kind, spec, { name: `web-${index}` }) }),
    ),
  }
}

const condition = { type: 'Available', status: 'True', reason: 'R', message: 'm' }

const deployments: readonly Scenario[] = [
  life(deployment, [{ replicas: 2 }, { paused: true }, { paused: false }, { minReadySeconds: 3 }], {
    replicas: 2,
    updatedReplicas: 0,
    observedGeneration: 2,
    conditions: [condition],
    collisionCount: 0,
    terminatingReplicas: 1,
  }),
  scales(deployment),
  completed(
    deployment,
    { template: full, minReadySeconds: 0, paused: false, revisionHistoryLimit: 0 },
    { strategy: { type: 'Recreate' } },
    { strategy: { rollingUpdate: { maxSurge: 1 } } },
    { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: 0 } } },
    { replicas: 0, progressDeadlineSeconds: 2_147_483_647 },
    { selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }], matchLabels: {} } },
  ),
  refused(deployment, 'an invalid template', ...templates, ...always),
  refused(deployment, 'an invalid selector', ...selectors),
  refused(
    deployment,
    'invalid numbers',
    { replicas: -1 },
    { minReadySeconds: -1 },
    { minReadySeconds: 600 },
    { revisionHistoryLimit: -1 },
    { progressDeadlineSeconds: -1 },
    { progressDeadlineSeconds: 0 },
    { strategy: { type: 'Sometimes' } },
    { strategy: { type: 'Sometimes', rollingUpdate: { maxSurge: 1 } } },
    { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
    { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
    { strategy: { rollingUpdate: { maxSurge: '0%', maxUnavailable: '0%' } } },
    { strategy: { rollingUpdate: { maxSurge: -1, maxUnavailable: '101%' } } },
    { strategy: { rollingUpdate: { maxSurge: 'x', maxUnavailable: '5' } } },
    { replicas: -1, minReadySeconds: -1, template: {}, selector: undefined },
  ),
  refusedChange(
    deployment,
    'its selector, and not to anything invalid',
    { selector: { matchLabels: { app: 'other' } } },
    { selector: { matchLabels: { more: 'x' } }, template: { metadata: { labels: { more: 'x' } } } },
    { template: { metadata: { labels: { app: null } } } },
    { replicas: -1 },
    { strategy: { type: 'Recreate' } },
  ),
  statuses(
    deployment,
    { replicas: -1 },
    { updatedReplicas: 1 },
    { replicas: 1, readyReplicas: 2, availableReplicas: 3 },
    { collisionCount: -1 },
  ),
]

const replicaSets: readonly Scenario[] = [
  life(replicaSet, [{ replicas: 2 }, { minReadySeconds: 3 }, { minReadySeconds: 0 }], {
    replicas: 2,
    readyReplicas: 0,
    fullyLabeledReplicas: 1,
    observedGeneration: 2,
    conditions: [{ ...condition, type: 'ReplicaFailure', message: '' }],
  }),
  scales(replicaSet),
  completed(replicaSet, { template: full }, { replicas: 0 }),
  refused(replicaSet, 'an invalid template', ...templates, ...always),
  refused(replicaSet, 'an invalid selector', ...selectors),
  refused(replicaSet, 'invalid numbers', { replicas: -1, minReadySeconds: -1 }),
  refusedChange(replicaSet, 'its selector', { selector: { matchLabels: { app: 'other' } } }),
  statuses(
    replicaSet,
    { replicas: -1, fullyLabeledReplicas: -1 },
    { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 3 },
  ),
]

const daemonSets: readonly Scenario[] = [
  life(daemonSet, [{ minReadySeconds: 3 }, { revisionHistoryLimit: 0 }], {
    desiredNumberScheduled: 2,
    numberReady: 0,
    updatedNumberScheduled: 0,
    observedGeneration: 2,
    conditions: [condition],
  }),
  completed(
    daemonSet,
    { template: full },
    { updateStrategy: { type: 'OnDelete' } },
    { updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } } },
    { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
  ),
  refused(daemonSet, 'an invalid template', ...templates, ...always),
  refused(daemonSet, 'an invalid selector', ...selectors),
  refused(
    daemonSet,
    'invalid numbers',
    { minReadySeconds: -1, revisionHistoryLimit: -1 },
    { updateStrategy: { type: 'Sometimes' } },
    { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } },
    { updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } },
    { updateStrategy: { rollingUpdate: { maxUnavailable: '200%', maxSurge: 'x' } } },
  ),
  refusedChange(daemonSet, 'its selector', { selector: { matchLabels: { app: 'other' } } }),
  statuses(daemonSet, { numberReady: -1, numberAvailable: -1, collisionCount: -1 }),
]

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}

const statefulSets: readonly Scenario[] = [
  life(
    statefulSet,
    [
      { replicas: 2 },
      { minReadySeconds: 3 },
      { updateStrategy: { rollingUpdate: { partition: 1 } } },
      { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } },
      { ordinals: { start: 2 } },
    ],
    {
      replicas: 2,
      readyReplicas: 0,
      currentRevision: 'a',
      updateRevision: '',
      observedGeneration: 2,
      conditions: [condition],
    },
  ),
  scales(statefulSet),
  completed(
    statefulSet,
    { template: full, serviceName: 'web', volumeClaimTemplates: [claim] },
    { updateStrategy: { type: 'OnDelete' } },
    { updateStrategy: { type: 'RollingUpdate' } },
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } } },
    { podManagementPolicy: 'Parallel', ordinals: {}, replicas: 0 },
    {
      volumeClaimTemplates: [claim],
      template: template({
        containers: [{ ...container, volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      }),
    },
  ),
  refused(statefulSet, 'an invalid template', ...templates, ...always),
  refused(statefulSet, 'an invalid selector', ...selectors),
  refused(
    statefulSet,
    'invalid fields',
    { replicas: -1, minReadySeconds: -1, ordinals: { start: -1 } },
    { podManagementPolicy: 'Random' },
    { updateStrategy: { type: 'Sometimes' } },
    { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
    { updateStrategy: { rollingUpdate: { partition: -1 } } },
    { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep' } },
    { serviceName: 'No_Name' },
    { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] },
  ),
  {
    title: 'a StatefulSet has a name for pods',
    steps: names(
      statefulSet,
      'a.b',
      '1234567890123456789012345678901234567890123456789012345678901234',
    ),
  },
  refusedChange(
    statefulSet,
    'most fields',
    { serviceName: 'other' },
    { podManagementPolicy: 'Parallel' },
    { selector: { matchLabels: { more: 'x' } } },
    { volumeClaimTemplates: [claim] },
    { replicas: -1 },
  ),
  statuses(
    statefulSet,
    { replicas: -1, currentReplicas: -1 },
    { replicas: 1, currentReplicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 3 },
  ),
]

const replicationControllers: readonly Scenario[] = [
  life(replicationController, [{ replicas: 2 }, { minReadySeconds: 3 }, { minReadySeconds: 0 }], {
    replicas: 2,
    readyReplicas: 0,
    observedGeneration: 2,
    conditions: [{ ...condition, type: 'ReplicaFailure' }],
  }),
  scales(replicationController),
  completed(
    replicationController,
    { template: full },
    { selector: undefined },
    { selector: {}, replicas: 0 },
  ),
  {
    title: 'a ReplicationController has the labels of its template',
    steps: [
      post(replicationController.path, { body: object(replicationController) }),
      patch('merge', `${replicationController.path}/web`, { metadata: { labels: null } }),
      get(replicationController.path, { query: { fieldSelector: 'status.replicas=0' } }),
    ],
  },
  refused(replicationController, 'an invalid template', ...templates, ...always),
  refused(
    replicationController,
    'invalid fields',
    { selector: { app: 'other' } },
    { selector: undefined, template: template({}, null) },
    { replicas: -1, minReadySeconds: -1 },
  ),
  refusedChange(
    replicationController,
    'its selector to another',
    { selector: { app: 'other' } },
    { replicas: -1 },
  ),
  statuses(replicationController, {
    replicas: 1,
    fullyLabeledReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 3,
  }),
]

export const workloadExchanges: readonly Scenario[] = [
  ...deployments,
  ...replicaSets,
  ...daemonSets,
  ...statefulSets,
  ...replicationControllers,
]

const never = { restartPolicy: 'Never' }
const webJob = `${job.path}/web`
const goType = [
  { at: 'body.message', why: 'kube-apiserver prints its internal Go type' },
  { at: 'body.details.causes', why: 'kube-apiserver prints its internal Go type' },
]

export const jobExchanges: readonly Scenario[] = [
  life(job, [{ parallelism: 2 }, { suspend: true }, { activeDeadlineSeconds: 60 }], {
    active: 2,
    succeeded: 0,
    ready: 0,
    startTime: '2026-01-01T00:00:00Z',
    conditions: [{ ...condition, type: 'Suspended' }],
    uncountedTerminatedPods: {},
  }),
  completed(
    job,
    { template: template({ ...never, ...(full['spec'] as Fields) }) },
    { template: template(never, null) },
    { template: template({ restartPolicy: 'OnFailure' }), completions: 3 },
    { parallelism: 3 },
    { completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1, maxFailedIndexes: 2 },
    {
      podFailurePolicy: {
        rules: [
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
          { action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 2] } },
        ],
      },
    },
    { manualSelector: true, selector: { matchLabels: { app: 'web' } } },
    {
      completionMode: 'Indexed',
      completions: 3,
      successPolicy: { rules: [{ succeededIndexes: '0,2', succeededCount: 1 }] },
    },
    { managedBy: 'example.com/controller', ttlSecondsAfterFinished: 0 },
  ),
  {
    title: 'jobs are found by their number of successes',
    steps: [
      post(job.path, { body: object(job) }),
      get(job.path, { query: { fieldSelector: 'status.successful=0' } }),
      get(job.path, { accept: table }),
    ],
  },
  refused(
    job,
    'an invalid template',
    { template: undefined },
    { template: template({}) },
    { template: template({ restartPolicy: 'Always' }) },
    { template: template({ restartPolicy: 'Sometimes' }) },
    { template: template({ ...never, containers: [] }) },
  ),
  {
    ...refused(job, 'a selector of its own', { selector: { matchLabels: { app: 'web' } } }),
    title: 'a Job with a selector of its own is refused',
  },
  refused(
    job,
    'labels of another job',
    { template: template(never, { 'controller-uid': 'x' }) },
    { template: template(never, { 'batch.kubernetes.io/job-name': 'x' }) },
    { manualSelector: true },
    { manualSelector: true, selector: { matchLabels: { app: 'other' } } },
  ),
  refused(
    job,
    'invalid numbers',
    { parallelism: -1, completions: -1, backoffLimit: -1 },
    { activeDeadlineSeconds: -1, ttlSecondsAfterFinished: -1 },
    { backoffLimitPerIndex: 1 },
    { maxFailedIndexes: 1 },
    { completionMode: 'Sometimes' },
    { completionMode: 'Indexed', parallelism: 1 },
    { completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1, maxFailedIndexes: 3 },
    { completionMode: 'Indexed', completions: 200_000, backoffLimitPerIndex: 1 },
    { completionMode: 'Indexed', completions: 2, parallelism: 100_001 },
    { podReplacementPolicy: 'Sometimes' },
    { managedBy: 'x' },
    { managedBy: '' },
    { managedBy: 'No_Host/x y' },
    {
      successPolicy: { rules: [{ succeededCount: 1 }] },
      completionMode: 'Indexed',
      completions: 0,
    },
    { completionMode: 'Indexed', completions: 2, successPolicy: { rules: [] } },
    { completionMode: 'Indexed', completions: 2, successPolicy: { rules: [{}] } },
    {
      completionMode: 'Indexed',
      completions: 2,
      successPolicy: {
        rules: [{ succeededIndexes: '1-0' }, { succeededIndexes: '5' }, { succeededIndexes: 'x' }],
      },
    },
  ),
  refused(
    job,
    'an invalid failure policy',
    { podFailurePolicy: { rules: [{ action: 'Ignore' }] } },
    { podFailurePolicy: { rules: [{ action: 'Sometimes', onPodConditions: [{ type: 'X' }] }] } },
    { podFailurePolicy: { rules: [{ action: 'FailIndex', onPodConditions: [{ type: 'X' }] }] } },
    {
      podFailurePolicy: {
        rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [0, 2, 1, 1] } }],
      },
    },
    {
      podFailurePolicy: {
        rules: [{ action: 'FailJob', onExitCodes: { operator: 'Is', values: [] } }],
      },
    },
    {
      podFailurePolicy: {
        rules: [
          {
            action: 'FailJob',
            onExitCodes: { containerName: 'x', operator: 'NotIn', values: [1] },
            onPodConditions: [{ type: 'no type', status: 'Perhaps' }],
          },
        ],
      },
    },
    { podFailurePolicy: { rules: [] }, template: template({ restartPolicy: 'OnFailure' }) },
    { podFailurePolicy: { rules: [] }, podReplacementPolicy: 'TerminatingOrFailed' },
  ),
  {
    title: 'a Job may not change most fields',
    steps: [
      post(job.path, { body: object(job) }),
      patch('merge', webJob, { spec: { completions: 2 } }, invalid),
      patch('merge', webJob, { spec: { completionMode: 'Indexed' } }, invalid),
      patch('merge', webJob, { spec: { managedBy: 'a.b/c' } }, invalid),
      patch(
        'merge',
        webJob,
        { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } },
        { ...invalid, differs: goType },
      ),
      patch('merge', webJob, { spec: { selector: { matchLabels: { a: 'b' } } } }, invalid),
    ],
  },
  {
    title: 'a suspended Job that has not started may change where its pods run',
    steps: [
      post(job.path, { body: object(job, { suspend: true }) }),
      patch('merge', webJob, { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } }),
      patch('merge', webJob, {
        spec: { template: { spec: { tolerations: [{ operator: 'Exists' }] } } },
      }),
    ],
  },
  {
    title: 'an indexed Job changes completions and parallelism together',
    steps: [
      post(job.path, {
        body: object(job, { completionMode: 'Indexed', completions: 2, parallelism: 2 }),
      }),
      patch('merge', webJob, { spec: { completions: 3 } }, invalid),
      patch('merge', webJob, { spec: { completions: 3, parallelism: 3 } }),
      patch('merge', `${webJob}/status`, { status: { completedIndexes: '0,1-2' } }),
      patch('merge', `${webJob}/status`, { status: { completedIndexes: '0,7' } }, invalid),
      patch('merge', `${webJob}/status`, { status: { failedIndexes: '1' } }, invalid),
      post(job.path, {
        body: object(
          job,
          { completionMode: 'Indexed', completions: 2 },
          { name: '123456789012345678901234567890123456789012345678901234567890123' },
        ),
        ...invalid,
      }),
    ],
  },
  {
    title: 'the status of a Job is validated',
    steps: [
      post(job.path, { body: object(job) }),
      ...[
        { active: -1, succeeded: -1, failed: -1, ready: -1, terminating: -1 },
        { ready: 1 },
        { completedIndexes: '1' },
        { failedIndexes: '1' },
        { completionTime: '2026-01-01T00:00:00Z' },
        { conditions: [{ type: 'Complete', status: 'True' }] },
        { conditions: [{ type: 'Failed', status: 'True' }] },
        { uncountedTerminatedPods: { succeeded: ['a', 'a', ''] } },
      ].map((status) => patch('merge', `${webJob}/status`, { status }, invalid)),
      patch('merge', `${webJob}/status`, {
        status: {
          startTime: '2026-01-01T00:00:00Z',
          failed: 2,
          conditions: [{ type: 'FailureTarget', status: 'True' }],
        },
      }),
      ...[
        { failed: 1 },
        { conditions: [] },
        { startTime: '2026-01-01T00:00:01Z' },
        {
          conditions: [
            { type: 'FailureTarget', status: 'True' },
            { type: 'SuccessCriteriaMet', status: 'True' },
          ],
        },
      ].map((status) => patch('merge', `${webJob}/status`, { status }, invalid)),
      patch('merge', `${webJob}/status`, {
        status: {
          conditions: [
            { type: 'FailureTarget', status: 'True' },
            { type: 'Failed', status: 'True' },
          ],
        },
      }),
      patch('merge', `${webJob}/status`, { status: { active: 1 } }, invalid),
      get(job.path, { accept: table }),
      remove(webJob, { query: { propagationPolicy: 'Background' } }),
    ],
  },
]

/** A CronJob whose Jobs have other fields in their spec. */
function ofJobs(spec: Fields): Fields {
  return { jobTemplate: { spec: { template: template(never), ...spec } } }
}

const webCronJob = `${cronJob.path}/web`

export const cronJobExchanges: readonly Scenario[] = [
  life(
    cronJob,
    [
      { schedule: '@hourly' },
      { suspend: true },
      { timeZone: 'Europe/Berlin' },
      { startingDeadlineSeconds: 60 },
      { concurrencyPolicy: 'Forbid' },
      { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 },
      { jobTemplate: { metadata: { labels: { a: 'b' } } } },
    ],
    {
      active: [{ name: 'web-1', namespace: 'x', uid: 'u' }, {}],
      lastScheduleTime: '2026-01-01T00:00:00Z',
      lastSuccessfulTime: '2026-01-01T00:00:01Z',
    },
  ),
  completed(
    cronJob,
    ofJobs({ template: template({ ...never, ...(full['spec'] as Fields) }) }),
    ofJobs({ template: template({ restartPolicy: 'OnFailure' }, null), completions: 3 }),
    ofJobs({ completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1 }),
    ofJobs({
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }],
      },
    }),
    ofJobs({ manualSelector: false, suspend: true }),
    { jobTemplate: { metadata: { annotations: { a: 'b' } }, spec: { template: template(never) } } },
    { concurrencyPolicy: 'Replace', suspend: true, timeZone: 'UTC', startingDeadlineSeconds: 0 },
  ),
  {
    title: 'a CronJob has these schedules and time zones',
    steps: [
      '*/15 0-6,20-23 1/2 JAN,mar-may ?',
      '@yearly',
      '@annually',
      '@monthly',
      '@weekly',
      '@daily',
      '@midnight',
      '@every 1h30m',
      '59 23 31 2 *',
      ', * * * *',
      '+5 * * * *',
      ' 0\t0 * *  * ',
    ]
      .map((schedule, index) =>
        post(cronJob.path, { body: object(cronJob, { schedule }, { name: `s-${index}` }) }),
      )
      .concat(
        ['UTC', 'Asia/Calcutta', 'America/Argentina/ComodRivadavia', 'Etc/GMT+5', 'EST5EDT'].map(
          (timeZone, index) =>
            post(cronJob.path, { body: object(cronJob, { timeZone }, { name: `z-${index}` }) }),
        ),
      ),
  },
  refused(
    cronJob,
    'an invalid schedule',
    { schedule: undefined },
    ...[
      '',
      ' ',
      '* * * *',
      '0 * * * * *',
      '60 * * * *',
      '* 24 * * *',
      '* * 0 * *',
      '* * 32 * *',
      '* * * 13 *',
      '* * * * 7',
      '* * * foo *',
      'sun * * * *',
      '5-1 * * * *',
      '1-2-3 * * * *',
      '*-2-3/2/2 * * * *',
      '*/0 * * * *',
      '*/-1 * * * *',
      '*/x * * * *',
      '-1 * * * *',
      '99999999999999999999 * * * *',
      '@often',
      '@every',
      '@every x',
      '@every 1d',
      'TZ=UTC * * * * *',
      'CRON_TZ=No/Where * * * * *',
      '0 0 TZ * *',
    ].map((schedule) => ({ schedule })),
  ),
  refused(
    cronJob,
    'an invalid time zone',
    ...[
      '',
      'Local',
      'local',
      'No/Where',
      'europe/berlin',
      'PST',
      '+0100',
      '-5',
      '../etc',
      'Europe/Berlin/',
      'Etc/GMT+13',
      'A/VeryVeryVeryLongName',
      'a b',
    ].map((timeZone) => ({ timeZone })),
  ),
  refused(
    cronJob,
    'invalid fields',
    { startingDeadlineSeconds: -1 },
    { concurrencyPolicy: 'Sometimes' },
    { successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
    { schedule: 'x', timeZone: 'x', concurrencyPolicy: 'x', startingDeadlineSeconds: -2 },
  ),
  refused(
    cronJob,
    'an invalid template',
    { jobTemplate: undefined },
    { jobTemplate: { spec: {} } },
    ofJobs({ template: template({}) }),
    ofJobs({ template: template({ restartPolicy: 'Sometimes' }) }),
    ofJobs({ template: template({ ...never, containers: [] }) }),
    ofJobs({ template: template(never, { 'no/such/key': 'x' }) }),
    ofJobs({ selector: { matchLabels: { app: 'web' } } }),
    ofJobs({ manualSelector: true }),
    ofJobs({ parallelism: -1, completions: -1, backoffLimit: -1 }),
    ofJobs({ completionMode: 'Sometimes' }),
    ofJobs({ completionMode: 'Indexed' }),
    ofJobs({ backoffLimitPerIndex: 1 }),
    ofJobs({ podReplacementPolicy: 'Sometimes' }),
    ofJobs({ podFailurePolicy: { rules: [{ action: 'Ignore' }] } }),
    ofJobs({ successPolicy: { rules: [{ succeededCount: 1 }] } }),
    ofJobs({ managedBy: 'x' }),
  ),
  refusedChange(
    cronJob,
    'to what a new one may not have',
    { schedule: 'TZ=UTC * * * * *' },
    { timeZone: 'No/Where' },
    { concurrencyPolicy: 'Sometimes' },
    { jobTemplate: { spec: { template: { spec: { restartPolicy: 'Always' } } } } },
  ),
  {
    title: 'a CronJob has a name that its Jobs have room for',
    steps: [
      post(cronJob.path, { body: object(cronJob, {}, { name: 'a'.repeat(53) }), ...invalid }),
      post(cronJob.path, { body: object(cronJob, {}, { name: 'a'.repeat(52) }) }),
    ],
  },
  {
    title: 'the status of a CronJob is not validated',
    steps: [
      post(cronJob.path, { body: object(cronJob), save: 'web' }),
      patch('merge', `${webCronJob}/status`, {
        status: { active: [], lastScheduleTime: '2030-01-01T00:00:00Z' },
      }),
      get(cronJob.path, { query: { fieldSelector: 'status.successful=0' }, status: 400 }),
      patch('merge', webCronJob, { metadata: { finalizers: ['example.com/x'] } }),
      remove(webCronJob),
      patch('merge', webCronJob, { metadata: { finalizers: null } }),
    ],
  },
]
