import { expect, it } from 'vitest'
import { filterOutInactivePods } from '../../../src/main/kubelet/active-pods.ts'
import { admitHandlers } from '../../../src/main/kubelet/admission/admit-handlers.ts'
import { firstRefusal } from '../../../src/main/kubelet/admission/pod-admitter.ts'
import { PodEvictor } from '../../../src/main/kubelet/eviction/evict-pod.ts'
import { CriticalPodAdmissionHandler } from '../../../src/main/kubelet/preemption/critical-pod-admission.ts'
import { getPodsToPreempt } from '../../../src/main/kubelet/preemption/pods-to-preempt.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { ActiveDeadlineHandler } from '../../../src/main/kubelet/status/active-deadline.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { Refusal } from './oracle.ts'
import { describeOracle, functionComparisons } from './oracle-suite.ts'
import { plain } from './plain.ts'
import {
  admissions,
  criticalAdmissions,
  deadlines,
  evictions,
  podStates,
  preemptions,
} from './random-admissions.ts'
import type { Admission, PressureCondition } from './random-admissions.ts'
import { undated, Victims } from './victims.ts'

const counts: string[] = []
let preempted = 0

const clock = { now: () => Date.now(), after: () => () => undefined }

async function admitted(asked: Admission): Promise<unknown> {
  const { node, pod, others, conditions, kernel, appArmor, stuck } = asked
  const victims = new Victims(stuck)
  const isPressed = (condition: PressureCondition): boolean => conditions.includes(condition)
  const handlers = admitHandlers({
    node: () => node ?? undefined,
    operatingSystem: 'linux',
    kernelVersion: kernel,
    hasAppArmor: appArmor,
    pressure: () => ({
      memory: isPressed('MemoryPressure'),
      disk: isPressed('DiskPressure'),
      pid: isPressed('PIDPressure'),
    }),
    failureHandler: new CriticalPodAdmissionHandler({
      kill: victims.kill,
      recorder: victims.recorder,
      trace: new FakeTrace(),
      clock,
      log: new FakeLog(),
    }),
  })
  const refusal = await firstRefusal(handlers, pod, others, [])
  const { killed, events } = victims
  preempted += killed.length
  return undated({
    ...(refusal === undefined ? { admit: true } : { admit: false, ...refusal }),
    killed,
    events,
  })
}

function victimsOf({ pod, pods, missing }: PreemptionAsked): unknown {
  const requirements = missing.map(({ resource, quantity }) => ({
    resource,
    quantity: BigInt(quantity),
  }))
  const victims = getPodsToPreempt(pod, pods, requirements)
  return victims.ok ? victims.value.map(({ metadata }) => metadata.uid) : victims.error
}

interface PreemptionAsked {
  readonly pod: Pod
  readonly pods: readonly Pod[]
  readonly missing: readonly { readonly resource: string; readonly quantity: number }[]
}

await describeOracle(
  {
    name: 'admission',
    subject: 'admission',
    title: 'admission, preemption and eviction, compared with the kubelet’s',
    summary: () => `${counts.join(', ')}; ${preempted.toLocaleString('en')} pods preempted`,
  },
  (oracle) => {
    const compares = functionComparisons(oracle, counts)

    compares('admission by all handlers', {
      ask: 'admit',
      values: admissions,
      ours: admitted,
      theirs: undated,
      count: 2400,
    })

    compares('critical pods on a full node', {
      ask: 'admit',
      values: criticalAdmissions,
      ours: admitted,
      theirs: undated,
      count: 2000,
    })

    compares('choice of pods to preempt', {
      ask: 'podsToPreempt',
      values: preemptions,
      ours: victimsOf,
      theirs: (answer) => (answer instanceof Refusal ? answer.message : answer),
      count: 1000,
    })

    compares('eviction of one pod', {
      ask: 'evict',
      values: evictions,
      asked: ({ pods, ...rest }) => ({ pod: pods[0], ...rest }),
      ours: async ({ pods, grace, message, annotations, condition, stuck }) => {
        const [pod] = pods
        if (pod === undefined) throw new Error('there is one')
        const victims = new Victims(stuck ? [pod.metadata.uid] : [])
        const evictor = new PodEvictor({
          clock,
          recorder: victims.recorder,
          trace: new FakeTrace(),
          kill: victims.kill,
        })
        const eviction = {
          message,
          gracePeriodSeconds: grace,
          annotations,
          disruptionTarget: condition,
        }
        const evicted = await evictor.evictPod(pod, eviction, [])
        const { killed, events } = victims
        return undated({ evicted: evicted.ok, killed, events })
      },
      theirs: undated,
      count: 1000,
    })

    compares('active pods', {
      ask: 'activePods',
      values: podStates,
      ours: ({ pods, states }) =>
        filterOutInactivePods(pods, {
          podWorkers: {
            isPodKnownTerminated: (uid) => states[uid]?.knownTerminated ?? false,
            isPodTerminationRequested: (uid) => states[uid]?.terminationRequested ?? false,
          },
          statusManager: { getPodStatus: (uid) => states[uid]?.cached ?? undefined },
        }).map(({ metadata }) => metadata.uid),
      count: 1000,
    })

    compares('active deadline', {
      ask: 'deadline',
      values: deadlines,
      ours: ({ pod, cached, now }) => {
        const told = new Victims([])
        const handler = new ActiveDeadlineHandler({
          clock: { now: () => now, after: () => () => undefined },
          recorder: told.recorder,
          trace: new FakeTrace(),
          statuses: { getPodStatus: () => cached ?? undefined },
        })
        const ending = handler.shouldEvict(pod, [])
        return plain({
          past: handler.shouldSync(pod),
          ending: ending === undefined ? { evict: false } : { evict: true, ...ending },
          events: told.events,
        })
      },
      theirs: plain,
      count: 1000,
    })

    it('included preemptions', () => {
      expect(preempted).toBeGreaterThan(500)
    })
  },
)
