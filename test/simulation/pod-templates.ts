import type { Container, PodSpec } from '../../src/shared/kubernetes/objects.ts'
import type { Chance } from './chance.ts'

/** What the pods of a simulation do. Those of `lasting` run until they are told to stop. */
export interface PodTemplate {
  readonly weight: number
  readonly habit: string
  readonly spec: (chance: Chance) => PodSpec
}

function shell(name: string, script: string, more: Partial<Container> = {}): Container {
  return { name, image: 'busybox:1.36', command: ['sh', '-c', script], ...more }
}

const hears = "trap 'exit 0' TERM; while true; do sleep 5; done"
const hearsLate = "trap 'sleep 4; exit 0' TERM; while true; do sleep 5; done"
const steady = shell('steady', hears)
const deaf: Container = { name: 'deaf', image: 'busybox:1.36', command: ['sleep', '1000000'] }

/** Pods that run until they are stopped, as long as nothing of the node keeps them from it. */
const lasting: readonly PodTemplate[] = [
  { weight: 5, habit: 'steady', spec: () => ({ containers: [steady] }) },
  {
    weight: 3,
    habit: 'deaf',
    spec: (chance) => ({
      containers: [deaf],
      terminationGracePeriodSeconds: chance.whole(0, 25),
    }),
  },
  {
    weight: 2,
    habit: 'slow to end',
    spec: (chance) => ({
      containers: [shell('slow', hearsLate)],
      terminationGracePeriodSeconds: chance.whole(1, 20),
    }),
  },
  {
    weight: 2,
    habit: 'two containers',
    spec: () => ({ containers: [steady, deaf], terminationGracePeriodSeconds: 6 }),
  },
  {
    weight: 2,
    habit: 'init containers',
    spec: () => ({
      initContainers: [shell('first', 'sleep 3'), shell('second', 'sleep 1')],
      containers: [steady],
    }),
  },
  {
    weight: 2,
    habit: 'sidecar',
    spec: () => ({
      initContainers: [shell('sidecar', hears, { restartPolicy: 'Always' })],
      containers: [steady],
      terminationGracePeriodSeconds: 8,
    }),
  },
  {
    weight: 1,
    habit: 'critical',
    spec: () => ({ priorityClassName: 'system-node-critical', containers: [steady] }),
  },
  {
    weight: 1,
    habit: 'host network',
    spec: () => ({ hostNetwork: true, containers: [steady] }),
  },
  {
    weight: 2,
    habit: 'asks for much',
    spec: () => ({
      containers: [shell('much', hears, { resources: { requests: { cpu: '1500m' } } })],
    }),
  },
  {
    weight: 1,
    habit: 'host port',
    spec: () => ({
      containers: [shell('port', hears, { ports: [{ containerPort: 80, hostPort: 8080 }] })],
    }),
  },
]

const ending: readonly PodTemplate[] = [
  {
    weight: 3,
    habit: 'crashes',
    spec: (chance) => ({ containers: [shell('crash', `sleep ${chance.whole(0, 9)}; exit 1`)] }),
  },
  {
    weight: 1,
    habit: 'ends and begins again',
    spec: () => ({ containers: [shell('again', 'sleep 4')] }),
  },
  {
    weight: 2,
    habit: 'done once',
    spec: (chance) => ({
      restartPolicy: chance.oneOf('Never', 'OnFailure'),
      containers: [shell('job', `sleep ${chance.whole(0, 40)}`)],
    }),
  },
  {
    weight: 2,
    habit: 'fails once',
    spec: () => ({ restartPolicy: 'Never', containers: [shell('job', 'sleep 6; exit 3')] }),
  },
  {
    weight: 1,
    habit: 'tries again',
    spec: () => ({ restartPolicy: 'OnFailure', containers: [shell('job', 'sleep 9; exit 3')] }),
  },
  {
    weight: 1,
    habit: 'init container fails',
    spec: (chance) => ({
      restartPolicy: chance.oneOf('Never', 'Always'),
      initContainers: [shell('first', 'sleep 2; exit 1')],
      containers: [steady],
    }),
  },
  {
    weight: 1,
    habit: 'has a deadline',
    spec: (chance) => ({
      activeDeadlineSeconds: chance.whole(5, 60),
      containers: [chance.oneOf(steady, deaf)],
      terminationGracePeriodSeconds: 5,
    }),
  },
  {
    weight: 1,
    habit: 'one of two ends',
    spec: () => ({
      restartPolicy: 'Never',
      containers: [shell('job', 'sleep 7'), deaf],
      terminationGracePeriodSeconds: 3,
    }),
  },
  {
    weight: 1,
    habit: 'no such image',
    spec: () => ({ containers: [{ name: 'c', image: 'registry.example/does-not-exist:1' }] }),
  },
  {
    weight: 1,
    habit: 'asks for too much',
    spec: () => ({
      containers: [shell('much', hears, { resources: { requests: { cpu: '64' } } })],
    }),
  },
  {
    weight: 1,
    habit: 'another node wanted',
    spec: () => ({ nodeSelector: { disk: 'none' }, containers: [steady] }),
  },
]

/** Every template. */
export const templates: readonly PodTemplate[] = [...lasting, ...ending]
