import { describe, expect, it } from 'vitest'
import type { Container, Pod, PodSpec } from '../../../shared/kubernetes/objects.ts'
import type { PodSandboxStatus, RuntimeContainerStatus } from '../ports.ts'
import { containerAnnotations } from './container-labels.ts'
import {
  containersOf,
  containerStatusOf,
  podOf,
  runtimeStatusOf,
  sandboxOf,
  sidecar,
} from '../container/fake-pods.ts'
import { computePodActions } from './pod-actions.ts'
import type { ProbeResults } from '../container/probe-results.ts'
import type { ProbeResult } from '../../../shared/model/trace-event.ts'

type State = RuntimeContainerStatus['state']

/** `running`, `exited`, `exited 1`, `unknown`, … */
function statusOf(name: string, text: string): RuntimeContainerStatus {
  const [state = '', exitCode = '0'] = text.split(' ')
  // The tables below only write the states that there are.
  return containerStatusOf(name, state as State, { exitCode: Number(exitCode) })
}

interface Row {
  readonly spec?: Partial<PodSpec>
  readonly metadata?: Partial<Pod['metadata']>
  readonly seen?: Readonly<Record<string, string>>
  readonly sandboxes?: readonly PodSandboxStatus[]
  readonly liveness?: Readonly<Record<string, ProbeResult>>
  readonly startup?: Readonly<Record<string, ProbeResult>>
  readonly expected: {
    readonly sandbox?: string
    readonly killPod?: boolean
    readonly ephemeral?: readonly string[]
    readonly init?: readonly string[]
    readonly start?: readonly string[]
    readonly kill?: readonly string[]
  }
}

const names = (containers: readonly Container[]) => containers.map(({ name }) => name)

function actionsOf(row: Row): Required<Row['expected']> {
  const pod = podOf(
    { containers: containersOf('a', 'b'), ...row.spec },
    row.metadata === undefined ? {} : { metadata: row.metadata },
  )
  const probes: ProbeResults = {
    liveness: (id) => row.liveness?.[id],
    startup: (id) => row.startup?.[id],
    readiness: () => undefined,
  }
  const seen = Object.entries(row.seen ?? {}).map(([name, text]) => statusOf(name, text))
  const actions = computePodActions(pod, runtimeStatusOf(seen, row.sandboxes), probes)
  return {
    sandbox: actions.createSandbox
      ? `new ${actions.attempt} for ${actions.sandboxId ?? 'none'}`
      : `${actions.attempt} ${actions.sandboxId ?? 'none'}`,
    killPod: actions.killPod,
    ephemeral: names(actions.ephemeralContainersToStart),
    init: names(actions.initContainersToStart),
    start: names(actions.containersToStart),
    kill: actions.containersToKill.map(
      ({ status, reason, message }) => `${status.id} ${reason}: ${message}`,
    ),
  }
}

function table(rows: Readonly<Record<string, Row>>): void {
  it.each(Object.entries(rows))('%s', (_, row) => {
    expect(actionsOf(row)).toEqual({
      sandbox: '0 s0',
      killPod: false,
      ephemeral: [],
      init: [],
      start: [],
      kill: [],
      ...row.expected,
    })
  })
}

const deadSandbox = [sandboxOf({ state: 'notready' })]
const always = { restartPolicy: 'Always' } as const
const onFailure = { restartPolicy: 'OnFailure' } as const
const never = { restartPolicy: 'Never' } as const

// Cases after kubelet pkg/kubelet/kuberuntime/kuberuntime_manager_test.go: TestComputePodActions*.
describe('computePodActions when a sandbox is needed', () => {
  table({
    'starts everything in a pod that was never seen': {
      sandboxes: [],
      expected: { sandbox: 'new 0 for none', killPod: true, start: ['a', 'b'] },
    },
    'starts everything again when the sandbox died, Always': {
      spec: always,
      sandboxes: deadSandbox,
      seen: { a: 'exited', b: 'running' },
      expected: { sandbox: 'new 1 for s0', killPod: true, start: ['a', 'b'] },
    },
    'leaves out what succeeded, OnFailure': {
      spec: onFailure,
      sandboxes: deadSandbox,
      seen: { a: 'exited', b: 'exited 1' },
      expected: { sandbox: 'new 1 for s0', killPod: true, start: ['b'] },
    },
    'only kills when all have succeeded, OnFailure': {
      spec: onFailure,
      sandboxes: deadSandbox,
      seen: { a: 'exited', b: 'exited' },
      expected: { sandbox: '1 s0', killPod: true },
    },
    'only kills when containers ran before, Never': {
      spec: never,
      sandboxes: deadSandbox,
      seen: { a: 'exited 1' },
      expected: { sandbox: '1 s0', killPod: true },
    },
    'tries the sandbox again when no container was ever made, Never': {
      spec: never,
      sandboxes: deadSandbox,
      expected: { sandbox: 'new 1 for s0', killPod: true, start: ['a', 'b'] },
    },
    'makes one sandbox of several ready ones': {
      sandboxes: [sandboxOf({ attempt: 1 }), sandboxOf()],
      seen: { a: 'running', b: 'running' },
      expected: { sandbox: 'new 2 for s1', killPod: true, start: ['a', 'b'] },
    },
    'begins with the first init container, whatever had run': {
      spec: { ...always, initContainers: containersOf('i1', 'i2') },
      sandboxes: deadSandbox,
      seen: { i1: 'exited', i2: 'exited', a: 'running', b: 'running' },
      expected: { sandbox: 'new 1 for s0', killPod: true, init: ['i1'] },
    },
    'begins with the first init container even when the main ones were never made, OnFailure': {
      spec: { ...onFailure, initContainers: containersOf('i1') },
      sandboxes: deadSandbox,
      seen: { i1: 'exited' },
      expected: { sandbox: 'new 1 for s0', killPod: true, init: ['i1'] },
    },
    'leaves ephemeral containers for later': {
      spec: { ephemeralContainers: containersOf('e') },
      sandboxes: [],
      expected: { sandbox: 'new 0 for none', killPod: true, start: ['a', 'b'] },
    },
  })
})

const changed = { 'a-0': 'failure', 'b-0': 'success' } as const

describe('computePodActions of regular containers', () => {
  table({
    'does nothing when all run': { seen: { a: 'running', b: 'running' }, expected: {} },
    'starts what was never made': { seen: { a: 'running' }, expected: { start: ['b'] } },
    'starts what ended, Always': {
      spec: always,
      seen: { a: 'exited', b: 'exited 1' },
      expected: { start: ['a', 'b'] },
    },
    'starts what failed, OnFailure': {
      spec: onFailure,
      seen: { a: 'exited', b: 'exited 1' },
      expected: { start: ['b'] },
    },
    'ends the pod when all have succeeded, OnFailure': {
      spec: onFailure,
      seen: { a: 'exited', b: 'exited' },
      expected: { killPod: true },
    },
    'lets one run on while the other ended, Never': {
      spec: never,
      seen: { a: 'running', b: 'exited 1' },
      expected: {},
    },
    'ends the pod when all have ended, Never': {
      spec: never,
      seen: { a: 'exited', b: 'exited 1' },
      expected: { killPod: true },
    },
    'starts what was only created, Never': {
      spec: never,
      seen: { a: 'running', b: 'created' },
      expected: { start: ['b'] },
    },
    'kills what it does not know the state of, and starts it': {
      spec: never,
      seen: { a: 'running', b: 'unknown' },
      expected: {
        start: ['b'],
        kill: ['b-0 Unknown: Container is in "unknown" state, try killing it before restart'],
      },
    },
    'starts nothing in a deleted pod': {
      metadata: { deletionTimestamp: '1970-01-01T00:00:00Z' },
      seen: { a: 'running', b: 'exited' },
      expected: {},
    },
    'ends a deleted pod in which nothing runs': {
      metadata: { deletionTimestamp: '1970-01-01T00:00:00Z' },
      seen: { a: 'exited', b: 'exited' },
      expected: { killPod: true },
    },
    'restarts after a failed liveness probe': {
      spec: always,
      seen: { a: 'running', b: 'running' },
      liveness: changed,
      expected: {
        start: ['a'],
        kill: ['a-0 LivenessProbe: Container a failed liveness probe, will be restarted'],
      },
    },
    'kills after a failed liveness probe, Never': {
      spec: never,
      seen: { a: 'running', b: 'running' },
      liveness: changed,
      expected: { kill: ['a-0 LivenessProbe: Container a failed liveness probe'] },
    },
    'ends the pod when its last container fails its liveness probe, Never': {
      spec: never,
      seen: { a: 'running', b: 'exited' },
      liveness: changed,
      expected: { killPod: true, kill: ['a-0 LivenessProbe: Container a failed liveness probe'] },
    },
    'restarts after a failed startup probe': {
      spec: onFailure,
      seen: { a: 'running', b: 'running' },
      startup: changed,
      expected: {
        start: ['a'],
        kill: ['a-0 StartupProbe: Container a failed startup probe, will be restarted'],
      },
    },
    'starts each ephemeral container once': {
      spec: { ephemeralContainers: containersOf('e1', 'e2', 'e3') },
      seen: { a: 'running', b: 'running', e1: 'running', e2: 'exited 1' },
      expected: { ephemeral: ['e3'] },
    },
  })

  it('restarts a container whose image changed, whatever the policy', () => {
    const old = { name: 'c', image: 'old' }
    const pod = podOf({ ...never, containers: [{ name: 'c', image: 'new' }] })
    const annotations = containerAnnotations(pod, old, 0)
    const seen = [containerStatusOf('c', 'running', { annotations })]
    const actions = computePodActions(pod, runtimeStatusOf(seen), {
      liveness: () => 'failure',
      startup: () => undefined,
      readiness: () => undefined,
    })
    expect(names(actions.containersToStart)).toEqual(['c'])
    expect(actions.containersToKill).toEqual([
      {
        status: seen[0],
        message: 'Container c definition changed, will be restarted',
        reason: '',
      },
    ])
  })
})

const init = { initContainers: containersOf('i1', 'i2', 'i3') }

describe('computePodActions of init containers', () => {
  table({
    'starts the first': { spec: init, expected: { init: ['i1'] } },
    'waits for one that runs': { spec: init, seen: { i1: 'running' }, expected: {} },
    'starts the next after one that succeeded': {
      spec: init,
      seen: { i1: 'exited', i2: 'exited' },
      expected: { init: ['i3'] },
    },
    'starts the main ones after the last': {
      spec: init,
      seen: { i1: 'exited', i2: 'exited', i3: 'exited' },
      expected: { start: ['a', 'b'] },
    },
    'looks only at the last that is known, the others may be gone': {
      spec: init,
      seen: { i3: 'exited' },
      expected: { start: ['a', 'b'] },
    },
    'tries a failed one again, Always': {
      spec: { ...init, ...always },
      seen: { i1: 'exited', i2: 'exited 1' },
      expected: { init: ['i2'] },
    },
    'tries a failed one again, OnFailure': {
      spec: { ...init, ...onFailure },
      seen: { i1: 'exited 1' },
      expected: { init: ['i1'] },
    },
    'ends the pod after a failed one, Never': {
      spec: { ...init, ...never },
      seen: { i1: 'exited', i2: 'exited 1' },
      expected: { killPod: true },
    },
    'starts one that was only created': {
      spec: { ...init, ...never },
      seen: { i1: 'created' },
      expected: { init: ['i1'] },
    },
    'kills one of unknown state and starts it': {
      spec: { ...init, ...onFailure },
      seen: { i1: 'unknown' },
      expected: {
        init: ['i1'],
        kill: ['i1-0 Unknown: Init container is in "unknown" state, try killing it before restart'],
      },
    },
    'ends the pod after one of unknown state, Never': {
      spec: { ...init, ...never },
      seen: { i1: 'unknown' },
      expected: { killPod: true },
    },
    'does not look back once a main one runs': {
      spec: init,
      seen: { i1: 'exited 1', a: 'running' },
      expected: { start: ['b'] },
    },
    'begins again when the main ones only exited, as after a reboot': {
      spec: init,
      seen: { a: 'exited', b: 'exited' },
      expected: { init: ['i1'] },
    },
    'lets ephemeral containers start before initialisation': {
      spec: { ...init, ephemeralContainers: containersOf('e') },
      seen: { i1: 'running' },
      expected: { ephemeral: ['e'] },
    },
  })

  it('takes one that was killed for memory as failed, even with exit code 0', () => {
    const pod = podOf({ ...onFailure, initContainers: containersOf('i') })
    const seen = [containerStatusOf('i', 'exited', { exitCode: 0, reason: 'OOMKilled' })]
    const actions = computePodActions(pod, runtimeStatusOf(seen), {
      liveness: () => undefined,
      startup: () => undefined,
      readiness: () => undefined,
    })
    expect(names(actions.initContainersToStart)).toEqual(['i'])
  })
})

const s1 = sidecar('s1')
const s2 = sidecar('s2')
const sidecars = { initContainers: [s1, s2] }
const probed = { initContainers: [sidecar('s1', { startupProbe: {} }), s2] }
const mixed = { initContainers: [...containersOf('i1'), s1, ...containersOf('i2'), s2] }
const mains = { a: 'running', b: 'running' }

describe('computePodActions of sidecars', () => {
  table({
    'starts the first alone': { spec: sidecars, expected: { init: ['s1'] } },
    'starts the next when one runs': {
      spec: sidecars,
      seen: { s1: 'running' },
      expected: { init: ['s2'] },
    },
    'starts the main ones when the last runs': {
      spec: sidecars,
      seen: { s1: 'running', s2: 'running' },
      expected: { start: ['a', 'b'] },
    },
    'waits for the startup probe of one': { spec: probed, seen: { s1: 'running' }, expected: {} },
    'goes on when the startup probe passed': {
      spec: probed,
      seen: { s1: 'running' },
      startup: { 's1-0': 'success' },
      expected: { init: ['s2'] },
    },
    'restarts one whose startup probe failed': {
      spec: probed,
      seen: { s1: 'running' },
      startup: { 's1-0': 'failure' },
      expected: {
        init: ['s1'],
        kill: ['s1-0 StartupProbe: Init container s1 failed startup probe'],
      },
    },
    'starts a regular one and the sidecar behind it one after the other': {
      spec: mixed,
      seen: { i1: 'exited' },
      expected: { init: ['s1'] },
    },
    'starts the regular one behind a sidecar that runs': {
      spec: mixed,
      seen: { i1: 'exited', s1: 'running' },
      expected: { init: ['i2'] },
    },
    'restarts a dead sidecar together with the next init container, in the order of the spec': {
      spec: mixed,
      seen: { i1: 'exited', s1: 'exited 1', i2: 'exited' },
      expected: { init: ['s1', 's2'] },
    },
    'restarts a dead one while the main ones run, even after exit 0 and with Never': {
      spec: { ...sidecars, ...never },
      seen: { s1: 'exited', s2: 'running', ...mains },
      expected: { init: ['s1'] },
    },
    'starts one whose remains were removed': {
      spec: sidecars,
      seen: { s2: 'running', ...mains },
      expected: { init: ['s1'] },
    },
    'restarts one of unknown state, even with Never': {
      spec: { ...sidecars, ...never },
      seen: { s1: 'unknown', s2: 'running', ...mains },
      expected: {
        init: ['s1'],
        kill: ['s1-0 Unknown: Init container is in "unknown" state, try killing it before restart'],
      },
    },
    'restarts one whose liveness probe failed': {
      spec: { initContainers: [sidecar('s1', { livenessProbe: {} }), s2] },
      seen: { s1: 'running', s2: 'running', ...mains },
      liveness: { 's1-0': 'failure' },
      expected: {
        init: ['s1'],
        kill: ['s1-0 LivenessProbe: Init container s1 failed liveness probe'],
      },
    },
    'ends the pod, sidecars too, when the main ones are done': {
      spec: { ...sidecars, ...never },
      seen: { s1: 'exited 1', s2: 'running', a: 'exited', b: 'exited' },
      expected: { killPod: true },
    },
    'does not restart sidecars of a pod whose regular init container failed for good': {
      spec: { ...mixed, ...never },
      seen: { i1: 'exited', s1: 'running', i2: 'exited 1' },
      expected: { killPod: true },
    },
  })
})
