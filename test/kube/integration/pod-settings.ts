import { setTimeout as sleep } from 'node:timers/promises'
import type { RuntimeContainer } from '../../../src/main/kubelet/ports.ts'
import type {
  Container,
  ContainerStatus,
  Pod,
  PodSpec,
} from '../../../src/shared/kubernetes/objects.ts'
import type { RecordedRuntime } from '../cri/recorded-runtime.ts'
import { must } from './administrator.ts'
import { handlesSigterm, shell, specOf } from './containers.ts'
import { startOwnNode } from './own-node.ts'
import type { Scenario, ScenarioRun } from './scenario-run.ts'

const never = { restartPolicy: 'Never' } as const
const started = ['Created', 'Pulled', 'Started'] as const

/** Ends after more time than a kubelet on a busy machine needs to report that it runs. */
function ends(name: string, script: string, more: Partial<Container> = {}): Container {
  return { ...shell(name, `sleep 12; ${script}`), ...more }
}

async function removed(run: ScenarioRun, ...names: readonly string[]): Promise<undefined> {
  for (const name of names) await run.delete(name, 0)
  for (const name of names) await run.untilGone(name)
  return undefined
}

function containersOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
}

function runtimeOf({ mainKubelet: { machine } }: ScenarioRun): RecordedRuntime {
  if (machine === undefined) throw new Error('a kubelet without a recorded runtime')
  return machine.runtime
}

/** Those of its pods that the runtime still has. */
async function containersIn(run: ScenarioRun): Promise<readonly RuntimeContainer[]> {
  const labelSelector = { 'io.kubernetes.pod.namespace': run.namespace }
  const listed = await runtimeOf(run).listContainers({ labelSelector })
  if (!listed.ok) throw new Error(listed.error.message)
  return listed.value
}

function untilRestarts(run: ScenarioRun, count: number): Promise<Pod> {
  return run.until('web', 'was restarted', (pod) =>
    containersOf(pod).some(({ restartCount }) => restartCount === count),
  )
}

function waitsFor(reason: string): (pod: Pod) => boolean {
  return (pod) => containersOf(pod).some(({ state }) => state?.waiting?.reason === reason)
}

/** A pod whose containers end with a message. */
function endsWith(spec: PodSpec, phase: 'Succeeded' | 'Failed' = 'Succeeded'): Scenario['steps'] {
  return async (run) => {
    await run.create('web', { ...never, ...spec })
    await run.untilEnded('web', phase)
    return removed(run, 'web')
  }
}

const succeeded = { web: ['Pending', 'Running', 'Succeeded', 'gone'] }
const failed = { web: ['Pending', 'Running', 'Failed', 'gone'] }

const hundredLines =
  'i=0; while [ $i -lt 100 ]; do echo "line $i of the log, with more text"; i=$((i+1)); done'
const longText = 'i=0; while [ $i -lt 500 ]; do printf 0123456789; i=$((i+1)); done'
const toLogs = { terminationMessagePolicy: 'FallbackToLogsOnError' } as const

/** How containers end, and what is said of it. */
export const endings: readonly Scenario[] = [
  {
    title:
      'messages of containers that end: from a file, from another file, from the log of one that fails',
    key: 'message',
    phases: failed,
    events: started,
    steps: endsWith(
      {
        containers: [
          ends('file', 'echo why > /dev/termination-log; exit 3'),
          ends('other', 'printf " two\nlines " > /tmp/why', { terminationMessagePath: '/tmp/why' }),
          ends('log', 'echo one; echo two >&2; exit 1', toLogs),
          ends('good', 'echo unread', toLogs),
          ends('both', 'echo log; echo file > /dev/termination-log; exit 1', toLogs),
        ],
      },
      'Failed',
    ),
  },
  {
    title: 'messages that are too long: of a file, of lines of a log, of many containers together',
    key: 'message-long',
    phases: failed,
    events: started,
    steps: endsWith(
      {
        containers: [
          ends('file', `(${longText}) > /dev/termination-log`),
          ends('lines', `${hundredLines}; exit 1`, toLogs),
          ends('line', `${longText}; exit 1`, toLogs),
          ends('second', `(${longText}) > /dev/termination-log`),
        ],
      },
      'Failed',
    ),
  },
  {
    title: 'a container that has no memory left is OOMKilled, and restarted',
    key: 'oom',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: started,
    cutAt: 'restarts 1',
    steps: async (run) => {
      const annotations = { 'simulated.nodescope.dev/out-of-memory': '10s' }
      must(
        await run.admin.api.create(
          { resource: 'pods', namespace: run.namespace },
          {
            metadata: { name: 'web', uid: '', annotations },
            spec: {
              ...specOf({ ...handlesSigterm(), resources: { limits: { memory: '64Mi' } } }),
              automountServiceAccountToken: false,
              nodeName: run.node,
            },
          },
        ),
      )
      await untilRestarts(run, 1)
      return removed(run, 'web')
    },
  },
  {
    title: 'another client removes the container that ended: its restarts are counted by its logs',
    key: 'restart-count',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: started,
    cutAt: 'restarts 2',
    steps: async (run) => {
      await run.create('web', specOf(ends('c', 'exit 1')))
      // The kubelet says CrashLoopBackOff only when it is about to try again.
      await run.until('web', 'has ended twice', (pod) =>
        containersOf(pod).some(
          ({ restartCount, state }) => restartCount === 1 && state?.terminated !== undefined,
        ),
      )
      for (const { id } of await containersIn(run)) await runtimeOf(run).removeContainer(id)
      await untilRestarts(run, 2)
      return removed(run, 'web')
    },
  },
  {
    title: 'the kubelet removes the container that ended first, and counts on',
    key: 'container-gc',
    phases: { web: ['Pending', 'Running', 'gone'] },
    events: started,
    cutAt: 'restarts 3',
    steps: async (run) => {
      await run.create('web', specOf(ends('c', 'exit 1')))
      for (const count of [1, 2, 3]) await untilRestarts(run, count)
      const isFirst = ({ attempt }: RuntimeContainer): boolean => attempt === 0
      // The garbage collection of containers runs every minute.
      const limit = Date.now() + 90_000
      while ((await containersIn(run)).some(isFirst)) {
        if (Date.now() > limit) throw new Error('the container that ended first is still there')
        await sleep(1000)
      }
      return removed(run, 'web')
    },
  },
]

/** When a container does not start for its image. */
export const images: readonly Scenario[] = [
  ...(
    [
      [
        'image-never',
        'that is missing, with the policy Never',
        'nginx:1.27',
        'ErrImageNeverPull',
        'Never',
      ],
      ['image-name', 'whose name is invalid', 'Not An Image', 'InvalidImageName', 'IfNotPresent'],
      [
        'image-denied',
        'that its registry does not give away',
        'example.com/unauthorized:1',
        'ImagePullBackOff',
        'Always',
      ],
      [
        'image-host',
        'of a registry that does not exist',
        'registry.invalid/app:1',
        'ImagePullBackOff',
        'IfNotPresent',
      ],
    ] as const
  ).map(([key, what, image, reason, imagePullPolicy]): Scenario => ({
    title: `an image ${what}`,
    key,
    phases: { web: ['Pending', 'gone'] },
    events: ['Failed'],
    steps: async (run) => {
      await run.create('web', specOf({ ...handlesSigterm(), image, imagePullPolicy }))
      await run.until('web', `waits: ${reason}`, waitsFor(reason))
      return removed(run, 'web')
    },
  })),
  {
    title: 'an image that is there is pulled again with the policy Always',
    key: 'image-always',
    phases: succeeded,
    events: [...started, 'Pulling'].toSorted(),
    steps: endsWith(specOf(ends('c', 'true', { imagePullPolicy: 'Always' }))),
  },
]

const show = (what: string): string => `${what} > /dev/termination-log`

/** What sandboxes and containers get of the fields of their pods. */
export const podFields: readonly Scenario[] = [
  {
    title: 'a host name, a subdomain and host aliases',
    key: 'host-aliases',
    phases: succeeded,
    events: started,
    steps: endsWith({
      hostname: 'fixed',
      subdomain: 'below',
      setHostnameAsFQDN: true,
      hostAliases: [
        { ip: '10.1.2.3', hostnames: ['one.example.com', 'one'] },
        { ip: '10.1.2.4', hostnames: ['two.example.com'] },
      ],
      containers: [ends('c', show('cat /etc/hosts'))],
    }),
  },
  {
    title: 'a working folder, an input, a terminal, ports, and a volume in two places',
    key: 'container-fields',
    phases: succeeded,
    events: started,
    steps: endsWith({
      volumes: [{ name: 'scratch', emptyDir: {} }],
      containers: [
        ends('folder', show('pwd'), {
          workingDir: '/data/below',
          volumeMounts: [
            { name: 'scratch', mountPath: '/data' },
            { name: 'scratch', mountPath: '/all', readOnly: true },
          ],
        }),
        ends('input', 'true', { stdin: true, stdinOnce: true, tty: true }),
        ends('ports', 'true', {
          ports: [
            { name: 'http', containerPort: 80, protocol: 'TCP' },
            { containerPort: 53, protocol: 'UDP', hostPort: 30_053 },
          ],
        }),
      ],
    }),
  },
  {
    title: 'security contexts of containers',
    key: 'security-context',
    phases: succeeded,
    events: started,
    steps: endsWith({
      containers: [
        ends('user', 'true', {
          securityContext: {
            runAsUser: 1000,
            runAsGroup: 3000,
            runAsNonRoot: true,
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
            seccompProfile: { type: 'RuntimeDefault' },
          },
        }),
        ends('privileged', 'true', { securityContext: { privileged: true } }),
        ends('labels', 'true', {
          securityContext: {
            seLinuxOptions: { user: 'u', role: 'r', type: 't', level: 's0:c1' },
            seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/own.json' },
            runAsUser: 0,
          },
        }),
        ends('plain', 'true'),
      ],
    }),
  },
  {
    title: 'a security context of the pod, with groups, and namespaces of the node',
    key: 'pod-security-context',
    phases: succeeded,
    events: started,
    steps: endsWith({
      hostPID: true,
      hostIPC: true,
      volumes: [{ name: 'scratch', emptyDir: {} }],
      securityContext: {
        runAsUser: 2000,
        runAsGroup: 2001,
        fsGroup: 2002,
        supplementalGroups: [2003, 2004],
        supplementalGroupsPolicy: 'Merge',
        seccompProfile: { type: 'Unconfined' },
      },
      containers: [
        ends('c', 'true', { volumeMounts: [{ name: 'scratch', mountPath: '/data' }] }),
        ends('own', 'true', {
          securityContext: { runAsUser: 5, seccompProfile: { type: 'RuntimeDefault' } },
        }),
      ],
    }),
  },
  {
    title: 'a policy for groups that the runtime does not have',
    key: 'groups-strict',
    phases: { web: ['Pending', 'Failed', 'gone'] },
    events: ['SupplementalGroupsPolicyNotSupported'],
    steps: async (run) => {
      await run.create('web', {
        securityContext: { supplementalGroups: [5], supplementalGroupsPolicy: 'Strict' },
        containers: [handlesSigterm()],
      })
      await run.until('web', 'is rejected', ({ status }) => status?.phase === 'Failed')
      return removed(run, 'web')
    },
  },
  {
    title: 'containers of a pod see the processes of each other',
    key: 'shared-processes',
    phases: succeeded,
    events: started,
    steps: endsWith({ shareProcessNamespace: true, containers: [ends('c', 'true')] }),
  },
  {
    title: 'a container that must not run as root, with an image that does',
    key: 'non-root',
    phases: { web: ['Pending', 'gone'] },
    events: ['Failed', 'Pulled'],
    steps: async (run) => {
      const securityContext = { runAsNonRoot: true }
      await run.create('web', {
        containers: [
          { ...handlesSigterm('image'), securityContext },
          { ...handlesSigterm('user'), securityContext: { ...securityContext, runAsUser: 0 } },
        ],
      })
      const waits = ({ state }: ContainerStatus): boolean =>
        state?.waiting?.reason === 'CreateContainerConfigError'
      await run.until('web', 'waits', (pod) => containersOf(pod).filter(waits).length === 2)
      return removed(run, 'web')
    },
  },
]

const dnsPods: Readonly<Record<string, PodSpec>> = {
  first: { containers: [] },
  node: { containers: [], dnsPolicy: 'Default' },
  none: {
    containers: [],
    dnsPolicy: 'None',
    dnsConfig: {
      nameservers: ['10.9.9.9'],
      searches: ['example.com'],
      // One only: a kubelet keeps them in a map, so that the order of several is by chance.
      options: [{ name: 'edns0' }],
    },
  },
  more: {
    containers: [],
    dnsConfig: {
      nameservers: ['10.9.9.9'],
      searches: ['example.com'],
      options: [{ name: 'ndots', value: '1' }],
    },
  },
  host: { containers: [], hostNetwork: true },
  'host-first': { containers: [], hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' },
}

/** The name servers that pods get. */
export const dnsConfigs: Scenario = {
  title: 'DNS policies and configs of pods, with clusterDNS and clusterDomain',
  key: 'config-dns',
  node: 'config-dns',
  phases: Object.fromEntries(
    Object.keys(dnsPods)
      .toSorted()
      .map((name) => [name, ['Pending', 'Running', 'Succeeded', 'gone']]),
  ),
  events: [...started].toSorted(),
  steps: async (run) => {
    const configuration = { clusterDNS: ['10.96.0.10'], clusterDomain: 'cluster.example' }
    await startOwnNode(run, { configuration })
    const container = ends('c', show('cat /etc/resolv.conf'))
    const names = Object.keys(dnsPods)
    for (const name of names)
      await run.create(name, { ...never, ...dnsPods[name], containers: [container] })
    for (const name of names) await run.untilEnded(name, 'Succeeded')
    return removed(run, ...names)
  },
}
