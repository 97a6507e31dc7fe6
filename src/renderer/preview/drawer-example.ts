import type { PodEventView } from '../../shared/model/pod-objects.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { WhyAnswer } from '../../shared/model/why.ts'
import type { FakeBridge } from '../bridge/fake-bridge.ts'
import { fakeDetail, fakeNow } from '../bridge/fake-views.ts'

const second = 1000

function apiTime(msAgo: number): string {
  return new Date(fakeNow - msAgo).toISOString()
}

/** Why api-gateway is still here. */
export const gatewayWhy: WhyAnswer = {
  question: 'Why is it still here?',
  section: 'pod-workers#sync-functions',
  lines: [
    {
      text: 'Its preStop hook has run, for 5 s of its grace.',
      source: 'lifecycle.preStop.sleep.seconds: 5',
      progress: 'done',
    },
    {
      text: 'Its container still runs: SIGTERM was sent 4.4 s ago, 21 s of grace are left.',
      source: 'containerStatuses[gateway].state.running',
      progress: 'now',
    },
    {
      text: 'Then volumes unmount and the cgroup goes (SyncTerminatedPod).',
      source: '1 volume mounted: kube-api-access-x7t2d',
      progress: 'next',
    },
    {
      text: 'Then the kubelet deletes the object, grace 0, UID as precondition.',
      source: 'finalizers: none, deletionTimestamp 14:02:52Z',
      progress: 'next',
    },
  ],
}

const mirrorWhy: WhyAnswer = {
  question: 'Why has it no mirror?',
  section: 'mirror-pods#reconciliation',
  lines: [
    {
      text: 'The API server refused the mirror: its namespace is being deleted.',
      source: 'namespaces "kube-system" is terminating',
      progress: 'now',
    },
    { text: 'The next sync tries again, in 41 s.', source: 'nextSyncAt', progress: 'next' },
  ],
}

/** Details of the pods whose drawer shows more than their row. */
export function drawerDetails(row: PodRow): readonly PodDetail[] {
  if (row.name.startsWith('log-shipper')) return [fakeDetail(row, { why: mirrorWhy })]
  if (row.name !== 'worker-0') return []
  const plain = fakeDetail(row)
  const base = plain.containers[0]
  if (base === undefined) return []
  return [
    {
      ...plain,
      containers: [
        {
          ...base,
          name: 'migrate',
          kind: 'init',
          state: 'terminated',
          reason: 'Completed',
          restarts: 0,
          exitCode: 0,
          startedAt: apiTime(49 * second),
          finishedAt: apiTime(46 * second),
        },
        { ...base, name: 'proxy', kind: 'sidecar', state: 'running', ready: true, restarts: 0 },
        {
          ...base,
          state: 'waiting',
          reason: 'CrashLoopBackOff',
          message:
            'back-off 40s restarting failed container=worker pod=worker-0_jobs(1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d)',
          startedAt: null,
          lastExitCode: 137,
          containerId:
            'containerd://31b07d7903818799f8081f48d65eacd832332afc40c1492017b7fcd5b9e1654f',
          backOffUntil: fakeNow + 37 * second,
          lastTermination: {
            exitCode: 137,
            reason: 'OOMKilled',
            message: '',
            startedAt: apiTime(8 * second),
            finishedAt: apiTime(3 * second),
          },
        },
      ],
    },
  ]
}

function event(part: Partial<PodEventView> & { readonly reason: string }): PodEventView {
  return {
    type: 'Normal',
    message: '',
    under: 'pod',
    source: 'kubelet',
    count: 1,
    firstAt: fakeNow - 34 * second,
    lastAt: fakeNow - 34 * second,
    fieldPath: '',
    ...part,
  }
}

const events: readonly PodEventView[] = [
  event({
    type: 'Warning',
    reason: 'BackOff',
    message: 'Back-off restarting failed container web in pod web-scope-node-1_default',
    count: 4,
    firstAt: fakeNow - 90 * second,
    lastAt: fakeNow - 5 * second,
    fieldPath: 'spec.containers{web}',
  }),
  event({
    reason: 'Killing',
    message: 'Stopping container web',
    fieldPath: 'spec.containers{web}',
  }),
  event({
    reason: 'Scheduled',
    message: 'Successfully assigned default/web-scope-node-1 to scope-node-1',
    under: 'mirror',
    source: 'default-scheduler',
  }),
]

function podObject(row: PodRow): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: row.name,
      namespace: row.namespace,
      uid: row.uid,
      labels: { app: row.bricks[0]?.name ?? 'app', tier: 'front' },
      annotations: {
        'kubernetes.io/config.seen': apiTime(34 * second),
        'kubernetes.io/config.source': row.source,
      },
    },
    spec: {
      nodeName: row.node,
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      containers: row.bricks.map(({ name }) => ({
        name,
        image: `registry.k8s.io/${name}:1.28`,
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        resources: { requests: { cpu: '100m', memory: '64Mi' } },
        readinessProbe: { httpGet: { path: '/ready', port: 80 }, periodSeconds: 10 },
      })),
      volumes: [{ name: 'kube-api-access-x7t2d', emptyDir: {} }],
    },
  }
}

/** Main's answers about every pod of the example. */
export function fillDrawers(bridge: FakeBridge): void {
  for (const row of bridge.rows) {
    const status = {
      phase: 'Running',
      podIP: '10.88.0.14',
      conditions: [
        { type: 'PodReadyToStartContainers', status: 'True', lastTransitionTime: apiTime(90_000) },
        { type: 'Initialized', status: 'True', lastTransitionTime: apiTime(90_000) },
        {
          type: 'Ready',
          status: row.tone === 'plain' ? 'True' : 'False',
          reason: row.tone === 'plain' ? '' : 'ContainersNotReady',
          message: row.tone === 'plain' ? '' : 'containers with unready status: [web]',
          lastTransitionTime: apiTime(8000),
        },
        { type: 'PodScheduled', status: 'True', lastTransitionTime: apiTime(90_000) },
      ],
    }
    const pod = podObject(row)
    bridge.setObjects(row.key, {
      pod,
      mirror: row.mirrorUid === null || row.kind === 'regular' ? null : { ...pod, status },
      status,
    })
    bridge.events.set(row.key, {
      events: row.kind === 'static' ? events : events.slice(0, 2),
      note: row.name.startsWith('web') ? 'events of more than an hour ago are not kept.' : '',
    })
  }
}
