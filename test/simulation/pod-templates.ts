import type { Container, PodSpec } from '../../src/shared/kubernetes/objects.ts'
import type { RandomPicker } from '../random-picker.ts'

/** The pods of a simulation. Those of `lasting` run until they are stopped. */
export interface PodTemplate {
  readonly weight: number
  readonly behavior: string
  readonly spec: (pick: RandomPicker) => PodSpec
  readonly annotations?: Readonly<Record<string, string>>
}

function shell(name: string, script: string, more: Partial<Container> = {}): Container {
  return { name, image: 'busybox:1.36', command: ['sh', '-c', script], ...more }
}

const exits = "trap 'exit 0' TERM; while true; do sleep 5; done"
const exitsLate = "trap 'sleep 4; exit 0' TERM; while true; do sleep 5; done"
const steady = shell('steady', exits)
const ignoring: Container = {
  name: 'ignoring',
  image: 'busybox:1.36',
  command: ['sleep', '1000000'],
}

function succeeds(test: string, periodSeconds: number, failureThreshold: number): object {
  return { exec: { command: ['sh', '-c', test] }, periodSeconds, failureThreshold }
}

/** The files that the probes of `probed` look for: without them all of them succeed. */
export const probeFiles = { readiness: '/tmp/unready', liveness: '/tmp/dead' } as const

/** An image that no registry has. */
export const missingImage = 'registry.example/does-not-exist:1'

/** The name of the container with probes. */
export const probedName = 'probed'

/** The name of a container that is resized. */
export const resizedName = 'resized'

const probed = shell(probedName, `sleep 3; touch /tmp/started; ${exits}`, {
  startupProbe: succeeds('test -e /tmp/started', 2, 30),
  readinessProbe: succeeds(`test ! -e ${probeFiles.readiness}`, 5, 1),
  livenessProbe: succeeds(`test ! -e ${probeFiles.liveness}`, 5, 2),
  lifecycle: { postStart: { exec: { command: ['true'] } }, preStop: { sleep: { seconds: 2 } } },
})

/** Pods that run until they are stopped, as long as nothing of the node keeps them from it. */
export const lasting: readonly PodTemplate[] = [
  { weight: 5, behavior: 'steady', spec: () => ({ containers: [steady] }) },
  {
    weight: 3,
    behavior: 'ignores SIGTERM',
    spec: (pick) => ({
      containers: [ignoring],
      terminationGracePeriodSeconds: pick.whole(0, 25),
    }),
  },
  {
    weight: 2,
    behavior: 'slow to end',
    spec: (pick) => ({
      containers: [shell('slow', exitsLate)],
      terminationGracePeriodSeconds: pick.whole(1, 20),
    }),
  },
  {
    weight: 2,
    behavior: 'two containers',
    spec: () => ({ containers: [steady, ignoring], terminationGracePeriodSeconds: 6 }),
  },
  {
    weight: 2,
    behavior: 'init containers',
    spec: () => ({
      initContainers: [shell('first', 'sleep 3'), shell('second', 'sleep 1')],
      containers: [steady],
    }),
  },
  {
    weight: 2,
    behavior: 'sidecar',
    spec: () => ({
      initContainers: [shell('sidecar', exits, { restartPolicy: 'Always' })],
      containers: [steady],
      terminationGracePeriodSeconds: 8,
    }),
  },
  { weight: 3, behavior: 'probed', spec: () => ({ containers: [probed] }) },
  {
    weight: 1,
    behavior: 'critical',
    spec: () => ({ priorityClassName: 'system-node-critical', containers: [steady] }),
  },
  {
    weight: 1,
    behavior: 'host network',
    spec: () => ({ hostNetwork: true, containers: [steady] }),
  },
  {
    weight: 8,
    behavior: 'asks for much',
    spec: () => ({
      containers: [shell('much', exits, { resources: { requests: { cpu: '1500m' } } })],
    }),
  },
  {
    weight: 3,
    behavior: 'can be resized',
    spec: (pick) => ({
      containers: [
        shell(resizedName, exits, {
          resources: { requests: { cpu: '100m' }, limits: { cpu: '4' } },
          resizePolicy: [
            {
              resourceName: 'cpu',
              restartPolicy: pick.oneOf('NotRequired', 'NotRequired', 'RestartContainer'),
            },
          ],
        }),
      ],
    }),
  },
  {
    weight: 3,
    behavior: 'volumes',
    spec: (pick) => ({
      containers: [
        shell('steady', `echo $(ls /names) >> /shared/log; ${exits}`, {
          volumeMounts: [
            { name: 'shared', mountPath: '/shared' },
            { name: 'names', mountPath: '/names' },
            { name: 'node', mountPath: '/node', subPath: 'below' },
          ],
        }),
      ],
      volumes: [
        { name: 'shared', emptyDir: {} },
        {
          name: 'names',
          downwardAPI: {
            items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }],
          },
        },
        { name: 'node', hostPath: { path: '/tmp/data', type: 'DirectoryOrCreate' } },
      ],
      terminationGracePeriodSeconds: pick.whole(0, 9),
    }),
  },
  {
    weight: 1,
    behavior: 'host port',
    spec: () => ({
      containers: [shell('port', exits, { ports: [{ containerPort: 80, hostPort: 8080 }] })],
    }),
  },
]

const ending: readonly PodTemplate[] = [
  {
    weight: 3,
    behavior: 'crashes',
    spec: (pick) => ({ containers: [shell('crash', `sleep ${pick.whole(0, 9)}; exit 1`)] }),
  },
  {
    weight: 1,
    behavior: 'ends and begins again',
    spec: () => ({ containers: [shell('again', 'sleep 4')] }),
  },
  {
    weight: 2,
    behavior: 'done once',
    spec: (pick) => ({
      restartPolicy: pick.oneOf('Never', 'OnFailure'),
      containers: [shell('job', `sleep ${pick.whole(0, 40)}`)],
    }),
  },
  {
    weight: 2,
    behavior: 'fails once',
    spec: () => ({ restartPolicy: 'Never', containers: [shell('job', 'sleep 6; exit 3')] }),
  },
  {
    weight: 1,
    behavior: 'tries again',
    spec: () => ({ restartPolicy: 'OnFailure', containers: [shell('job', 'sleep 9; exit 3')] }),
  },
  {
    weight: 1,
    behavior: 'init container fails',
    spec: (pick) => ({
      restartPolicy: pick.oneOf('Never', 'Always'),
      initContainers: [shell('first', 'sleep 2; exit 1')],
      containers: [steady],
    }),
  },
  {
    weight: 1,
    behavior: 'has a deadline',
    spec: (pick) => ({
      activeDeadlineSeconds: pick.whole(5, 60),
      containers: [pick.oneOf(steady, ignoring)],
      terminationGracePeriodSeconds: 5,
    }),
  },
  {
    weight: 1,
    behavior: 'one of two ends',
    spec: () => ({
      restartPolicy: 'Never',
      containers: [shell('job', 'sleep 7'), ignoring],
      terminationGracePeriodSeconds: 3,
    }),
  },
  {
    weight: 1,
    behavior: 'no such image',
    spec: () => ({ containers: [{ name: 'c', image: missingImage }] }),
  },
  {
    weight: 1,
    behavior: 'asks for too much',
    spec: () => ({
      containers: [shell('much', exits, { resources: { requests: { cpu: '64' } } })],
    }),
  },
  {
    weight: 1,
    behavior: 'another node wanted',
    spec: () => ({ nodeSelector: { disk: 'none' }, containers: [steady] }),
  },
]

/** The name of a ConfigMap that comes, changes and goes. */
export const settingsName = 'settings'

const topologyKey = 'kubernetes.io/hostname'

/** Away from pods with this label, which some get later. */
const alone = {
  requiredDuringSchedulingIgnoredDuringExecution: [
    {
      topologyKey,
      labelSelector: { matchExpressions: [{ key: 'version', operator: 'Exists' }] },
    },
  ],
}

/** With all pods: an empty selector counts none. */
const spread = {
  topologyKey,
  labelSelector: { matchExpressions: [{ key: 'none', operator: 'DoesNotExist' }] },
  maxSkew: 2,
  whenUnsatisfiable: 'DoNotSchedule',
}

/** Pods that only the API can have: a static pod refers to no other object. */
export const apiTemplates: readonly PodTemplate[] = [
  {
    weight: 3,
    behavior: 'needs a ConfigMap',
    spec: () => ({
      containers: [
        shell('steady', exits, {
          env: [
            { name: 'N', valueFrom: { configMapKeyRef: { name: settingsName, key: 'number' } } },
          ],
        }),
      ],
      terminationGracePeriodSeconds: 5,
    }),
  },
  {
    weight: 3,
    behavior: 'mounts a ConfigMap',
    spec: () => ({
      containers: [
        shell('steady', exits, { volumeMounts: [{ name: 'settings', mountPath: '/settings' }] }),
      ],
      volumes: [{ name: 'settings', configMap: { name: settingsName } }],
      terminationGracePeriodSeconds: 5,
    }),
  },
  {
    weight: 2,
    behavior: 'runs out of memory',
    annotations: { 'simulated.nodescope.dev/out-of-memory': '20s' },
    spec: (pick) => ({
      restartPolicy: pick.oneOf('Always', 'OnFailure', 'Never'),
      containers: [shell('leak', exits, { resources: { limits: { memory: '64Mi' } } })],
    }),
  },
  {
    weight: 10,
    behavior: 'needs room urgently',
    spec: (pick) => ({
      priorityClassName: 'system-cluster-critical',
      containers: [shell('urgent', exits, { resources: { requests: { cpu: '3' } } })],
      terminationGracePeriodSeconds: pick.whole(0, 9),
    }),
  },
  {
    weight: 2,
    behavior: 'away from labeled pods',
    spec: () => ({ affinity: { podAntiAffinity: alone }, containers: [steady] }),
  },
  {
    weight: 1,
    behavior: 'spread over nodes',
    spec: () => ({ topologySpreadConstraints: [spread], containers: [steady] }),
  },
]

/** Every template. */
export const templates: readonly PodTemplate[] = [...lasting, ...ending]
