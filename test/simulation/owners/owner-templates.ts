import { objectAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { Container, PodSpec } from '../../../src/shared/kubernetes/objects.ts'
import type { RandomPicker } from '../../random-picker.ts'
import { lasting } from '../pod-templates.ts'
import type { PodTemplate } from '../pod-templates.ts'

/** The label by which owners, Services and budgets select pods: the owner's name. */
export const appLabel = 'app'

/**
 * A PriorityClass below the default, for pods that others preempt. One above it would let pods preempt mirrors, over and over: the
 * static pod keeps running, and its kubelet rejects what was scheduled in its place.
 */
export const lowClass: JsonObject = {
  metadata: { name: 'low' },
  value: -10,
}

const exits = "trap 'exit 0' TERM; while true; do sleep 5; done"

function shell(script: string, more: Partial<Container> = {}): Container {
  return { name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script], ...more }
}

/** Pods for owners whose pods always run again. */
const kept: readonly PodTemplate[] = [
  ...lasting,
  {
    weight: 8,
    behavior: 'ready later',
    spec: (pick) => ({
      containers: [
        shell(`sleep ${pick.whole(1, 20)}; touch /tmp/ready; ${exits}`, {
          readinessProbe: { exec: { command: ['test', '-e', '/tmp/ready'] }, periodSeconds: 2 },
        }),
      ],
      terminationGracePeriodSeconds: 5,
    }),
  },
  {
    weight: 2,
    behavior: 'crashes',
    spec: (pick) => ({ containers: [shell(`sleep ${pick.whole(0, 9)}; exit 1`)] }),
  },
  {
    weight: 5,
    behavior: 'gives way',
    spec: () => ({
      priorityClassName: 'low',
      containers: [shell(exits, { resources: { requests: { cpu: '1200m' } } })],
      terminationGracePeriodSeconds: 4,
    }),
  },
]

/** Pods that come to an end, for Jobs. */
const ending: readonly PodTemplate[] = [
  {
    weight: 6,
    behavior: 'succeeds',
    spec: (pick) => ({ containers: [shell(`sleep ${pick.whole(0, 40)}`)] }),
  },
  {
    weight: 3,
    behavior: 'fails',
    spec: (pick) => ({
      containers: [shell(`sleep ${pick.whole(0, 9)}; exit ${pick.whole(1, 3)}`)],
    }),
  },
  {
    weight: 3,
    behavior: 'fails for one index',
    spec: () => ({ containers: [shell('sleep 3; test "$JOB_COMPLETION_INDEX" != 1')] }),
  },
  {
    weight: 2,
    behavior: 'lasts',
    spec: () => ({ containers: [shell(exits)], terminationGracePeriodSeconds: 3 }),
  },
]

interface Described {
  readonly behavior: string
  readonly object: JsonObject
}

function templateOf(app: string, spec: PodSpec): JsonObject {
  return { metadata: { labels: { [appLabel]: app } }, spec: { ...spec } }
}

/** A pod template for an owner of lasting pods. */
export function keptTemplate(app: string, pick: RandomPicker): Described {
  const { behavior, spec } = pick.weighted(kept)
  return { behavior, object: templateOf(app, spec(pick)) }
}

function workload(app: string, pick: RandomPicker, spec: JsonObject): Described {
  const { behavior, object } = keptTemplate(app, pick)
  const minReadySeconds = pick.is(0.2) ? { minReadySeconds: pick.whole(1, 15) } : {}
  const selector = { matchLabels: { [appLabel]: app } }
  return {
    behavior,
    object: {
      metadata: { name: app },
      spec: { selector, template: object, ...minReadySeconds, ...spec },
    },
  }
}

export function rolloutStrategy(pick: RandomPicker): JsonObject {
  return pick.oneOf<JsonObject>(
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '50%' } },
    { type: 'Recreate', rollingUpdate: null },
  )
}

export function deployment(app: string, pick: RandomPicker): Described {
  const limits = {
    progressDeadlineSeconds: pick.whole(20, 90),
    revisionHistoryLimit: pick.whole(0, 3),
  }
  return workload(app, pick, {
    replicas: pick.whole(0, 4),
    strategy: rolloutStrategy(pick),
    ...(pick.is(0.3) ? limits : {}),
  })
}

export function replicaSet(app: string, pick: RandomPicker): Described {
  return workload(app, pick, { replicas: pick.whole(0, 3) })
}

export function replicationController(app: string, pick: RandomPicker): Described {
  return workload(app, pick, { replicas: pick.whole(0, 3), selector: { [appLabel]: app } })
}

export function statefulSet(app: string, pick: RandomPicker): Described {
  return workload(app, pick, {
    replicas: pick.whole(0, 3),
    serviceName: app,
    podManagementPolicy: pick.oneOf('OrderedReady', 'OrderedReady', 'Parallel'),
    ...(pick.is(0.2) ? { ordinals: { start: pick.whole(1, 3) } } : {}),
    ...(pick.is(0.2) ? { revisionHistoryLimit: pick.whole(0, 2) } : {}),
  })
}

export function daemonStrategy(pick: RandomPicker): JsonObject {
  return pick.oneOf<JsonObject>(
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    { type: 'OnDelete', rollingUpdate: null },
  )
}

export function daemonSet(app: string, pick: RandomPicker): Described {
  return workload(app, pick, { updateStrategy: daemonStrategy(pick) })
}

function jobLimits(pick: RandomPicker, restartPolicy: string, isIndexed: boolean): JsonObject {
  const ignored = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }
  const fatal = { action: 'FailJob', onExitCodes: { operator: 'In', values: [3] } }
  return {
    ...(pick.is(0.3) ? { ttlSecondsAfterFinished: pick.whole(0, 120) } : {}),
    ...(pick.is(0.2) ? { activeDeadlineSeconds: pick.whole(10, 200) } : {}),
    ...(pick.is(0.2) ? { suspend: true } : {}),
    ...(isIndexed && restartPolicy === 'Never' && pick.is(0.4)
      ? { backoffLimitPerIndex: pick.whole(0, 2) }
      : {}),
    ...(restartPolicy === 'Never' && pick.is(0.3)
      ? { podFailurePolicy: { rules: [ignored, fatal] } }
      : {}),
    ...(restartPolicy === 'Never' && pick.is(0.2) ? { podReplacementPolicy: 'Failed' } : {}),
  }
}

export function job(name: string, pick: RandomPicker): Described {
  const { behavior, spec } = pick.weighted(ending)
  const restartPolicy = pick.oneOf('Never', 'Never', 'OnFailure')
  const isIndexed = pick.is(0.4)
  const template = templateOf(name, { ...spec(pick), restartPolicy })
  return {
    behavior,
    object: {
      metadata: { name },
      spec: {
        parallelism: pick.whole(0, 3),
        ...(isIndexed || pick.is(0.7) ? { completions: pick.whole(1, 4) } : {}),
        ...(isIndexed ? { completionMode: 'Indexed' } : {}),
        backoffLimit: pick.whole(0, 3),
        template,
        ...jobLimits(pick, restartPolicy, isIndexed),
      },
    },
  }
}

/** What a CronJob may be given, alone and later. */
export function cronLimits(pick: RandomPicker): JsonObject {
  return {
    schedule: pick.oneOf('* * * * *', '* * * * *', '*/2 * * * *', '1-59/3 * * * *'),
    concurrencyPolicy: pick.oneOf('Allow', 'Forbid', 'Replace'),
    successfulJobsHistoryLimit: pick.whole(0, 3),
    failedJobsHistoryLimit: pick.whole(0, 2),
    ...(pick.is(0.2) ? { startingDeadlineSeconds: pick.whole(10, 120) } : {}),
    ...(pick.is(0.2) ? { timeZone: pick.oneOf('Europe/Berlin', 'Asia/Kolkata') } : {}),
  }
}

/** Its Jobs have an end, so that those of Allow do not fill the nodes. */
export function cronJob(name: string, pick: RandomPicker): Described {
  const { behavior, object } = job(name, pick)
  const spec = { ...objectAt(object, 'spec'), activeDeadlineSeconds: pick.whole(10, 150) }
  const suspended = pick.is(0.1) ? { suspend: true } : {}
  return {
    behavior,
    object: {
      metadata: { name },
      spec: { ...cronLimits(pick), ...suspended, jobTemplate: { spec } },
    },
  }
}
