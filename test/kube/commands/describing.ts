import { kubectl, refused, type CommandScenario, type TextDifference } from './command.ts'
import { runs, workload } from './workload-objects.ts'

const noDescriptions: TextDifference = {
  // Fields have a tab behind their name, descriptions have none.
  lines: /^( {4}(?!.*\t| *enum:).*)?$/,
  why: 'the table of kinds has no descriptions',
}

const template = {
  metadata: { labels: { app: 'web' } },
  spec: {
    automountServiceAccountToken: false,
    containers: [
      {
        name: 'c',
        image: runs,
        args: ['-v'],
        ports: [{ containerPort: 80, name: 'http' }],
        env: [
          { name: 'A', valueFrom: { configMapKeyRef: { name: 'm', key: 'k', optional: true } } },
        ],
        resources: { requests: { cpu: '100m' }, limits: { memory: '64Mi' } },
        readinessProbe: { httpGet: { path: '/', port: 'http' } },
        volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true }],
      },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
  },
}

const each = [
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j' },
    spec: {
      parallelism: 2,
      completions: 3,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 1,
      ttlSecondsAfterFinished: 60,
      template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
    },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'cj' },
    spec: {
      schedule: '@yearly',
      timeZone: 'Europe/Berlin',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 60,
      suspend: true,
      jobTemplate: {
        spec: {
          parallelism: 2,
          template: { ...template, spec: { ...template.spec, restartPolicy: 'OnFailure' } },
        },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name: 'rc' },
    spec: { replicas: 2, selector: { app: 'web' }, template },
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'l' },
    spec: {
      limits: [
        { type: 'Container', min: { cpu: '10m' }, max: { cpu: '2' }, default: { cpu: '1' } },
        { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } },
      ],
    },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'e', labels: { 'kubernetes.io/service-name': 's' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.9'], conditions: { ready: true }, nodeName: 'n1' }],
    ports: [{ port: 80, name: 'http' }],
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name: 'r' },
    revision: 1,
    data: { spec: {} },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 't' },
    type: 'kubernetes.io/basic-auth',
    stringData: { username: 'u', password: 'p' },
  },
]

/** What kubectl says of each kind, and how it prints it. */
export const describeCommands: readonly CommandScenario[] = [
  {
    title: 'describe and get each kind with owners',
    steps: [
      kubectl('create -f -', {
        // YAML, since before 1.33 kubectl reads a text that begins with JSON as JSON alone.
        stdin: [
          '',
          ...each.map((one) => JSON.stringify(one)),
          workload('Deployment', 'web', {
            pod: template.spec,
            spec: { replicas: 2, paused: true },
          }),
          workload('ReplicaSet', 'set'),
          workload('DaemonSet', 'agent'),
          workload('StatefulSet', 'db', { spec: { serviceName: 'db', minReadySeconds: 3 } }),
        ].join('\n---\n'),
        prints: /deployment\.apps\/web created/,
      }),
      kubectl('describe deployment,replicaset,daemonset,statefulset', {
        prints: /^Pod Template:/m,
      }),
      kubectl('describe job j', { prints: /^Completion Mode: +Indexed$/m }),
      kubectl('describe cronjob cj', { prints: /^Concurrency Policy: +Forbid$/m }),
      kubectl('describe rc rc', { prints: /^Replicas: +0 current \/ 2 desired$/m }),
      kubectl('describe limitrange l', { prints: /PersistentVolumeClaim +storage/ }),
      kubectl('describe endpointslice e', { prints: /^AddressType: +IPv4$/m }),
      kubectl('describe controllerrevision r', { prints: /^Revision: +1$/m }),
      kubectl('describe secret t', {
        // A map in Go's order.
        isUnordered: true,
        prints: /^password: +1 bytes$/m,
      }),
      kubectl('get deployments,replicasets,daemonsets,statefulsets,jobs,cronjobs,rc -o wide', {
        prints: /SELECTOR/,
      }),
      kubectl('get limitranges,endpointslices,controllerrevisions', { prints: /CREATED AT/ }),
      kubectl(
        'get deployments -o custom-columns=N:.metadata.name,R:.spec.replicas,I:.spec.template.spec.containers[*].image',
      ),
      kubectl(
        `get deployments,replicasets -o 'jsonpath={range .items[*]}{.kind}/{.metadata.name} {end}'`,
        {
          prints: /Deployment\/web ReplicaSet\/set/,
        },
      ),
      kubectl(
        `get deployments -o 'go-template={{range .items}}{{.metadata.name}} {{.spec.replicas}}{{end}}'`,
        {
          prints: /^web 2$/,
        },
      ),
      kubectl('get replicasets,statefulsets --sort-by=.metadata.name -o name', { prints: /db/ }),
      kubectl('get jobs --field-selector status.successful=0 -o name', { prints: /job\.batch\/j/ }),
      refused('get deployments --field-selector spec.replicas=2', /is not a known field selector/),
      kubectl('get rc --field-selector status.replicas=0 -o name', { prints: /rc/ }),
      kubectl('get job j -o yaml', { prints: /podReplacementPolicy: Failed|completionMode/ }),
      kubectl('get statefulset db -o yaml', { prints: /persistentVolumeClaimRetentionPolicy/ }),
      kubectl('get all -L app', { prints: /daemonset\.apps\/agent/ }),
      kubectl('set env deployment/web --from=configmap/none', { code: 1 }),
      kubectl(
        'set resources deployment web --limits=cpu=2 --dry-run=server -o jsonpath={.spec.template.spec.containers[0].resources}',
        {
          prints: /"cpu":"2"/,
        },
      ),
    ],
  },
  {
    title: 'explain and api-resources of what has owners',
    steps: [
      kubectl('explain deployment.spec.strategy --recursive', {
        prints: /maxSurge/,
        differs: [noDescriptions],
      }),
      kubectl('explain job.spec --recursive', {
        prints: /podFailurePolicy/,
        differs: [noDescriptions],
      }),
      kubectl('explain pdb.spec.maxUnavailable', {
        prints: /<IntOrString>/,
        differs: [noDescriptions],
      }),
      kubectl('explain role.rules', { prints: /<\[\]PolicyRule>/, differs: [noDescriptions] }),
      kubectl('explain statefulset.spec.podManagementPolicy', {
        prints: /OrderedReady/,
        since: 30,
        differs: [noDescriptions],
      }),
      kubectl('api-resources --api-group=apps', {
        prints: /^deployments +deploy +apps\/v1 +true +Deployment$/m,
      }),
      kubectl('api-resources --api-group=rbac.authorization.k8s.io -o name', {
        prints: /clusterroles/,
      }),
      refused('api-resources --api-group=none.example', /./, { code: 0 }),
      kubectl('api-resources --api-group=apps -o wide', { prints: /deletecollection/ }),
    ],
  },
]
