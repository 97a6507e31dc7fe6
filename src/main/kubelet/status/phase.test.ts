import { describe, expect, it } from 'vitest'
import type {
  Container,
  ContainerState,
  ContainerStatus,
  PodPhase,
  RestartPolicy,
} from '../../../shared/kubernetes/objects.ts'
import { containersOf, podOf, sidecar } from '../container/fake-pods.ts'
import { podPhase } from './phase.ts'

interface Shape {
  readonly state: ContainerState
  readonly lastState?: ContainerState
  readonly started?: boolean
}

const running: Shape = { state: { running: {} } }
const started: Shape = { ...running, started: true }
const waiting: Shape = { state: { waiting: { reason: 'ContainerCreating' } } }
const ended = (exitCode: number): Shape => ({ state: { terminated: { exitCode } } })
const crashed = (exitCode: number): Shape => ({
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { exitCode } },
})
const stateless: Shape = { state: {} }

function statusesOf(shapes: Readonly<Record<string, Shape>>): ContainerStatus[] {
  return Object.entries(shapes).map(([name, shape]) => ({
    name,
    ready: false,
    restartCount: 0,
    image: 'i',
    imageID: '',
    ...shape,
  }))
}

interface Row {
  readonly policy?: RestartPolicy
  readonly init?: readonly Container[]
  readonly statuses: Readonly<Record<string, Shape>>
  readonly terminal?: boolean
  readonly initialized?: boolean
  readonly isStatic?: boolean
  readonly phase: PodPhase
}

function phaseOf(row: Row): PodPhase {
  const pod = podOf({
    containers: containersOf('a', 'b'),
    restartPolicy: row.policy ?? 'Always',
    ...(row.init === undefined ? {} : { initContainers: row.init }),
  })
  return podPhase(pod, statusesOf(row.statuses), {
    podIsTerminal: row.terminal ?? false,
    podHasInitialized: row.initialized ?? false,
    isStatic: row.isStatic ?? false,
  })
}

function table(rows: Readonly<Record<string, Row>>): void {
  it.each(Object.entries(rows))('%s', (_, row) => {
    expect(phaseOf(row)).toBe(row.phase)
  })
}

// Cases after kubelet pkg/kubelet/kubelet_pods_test.go: TestPodPhaseWith*.
describe('podPhase of a pod without init containers', () => {
  table({
    'is Pending while nothing is known': { statuses: {}, phase: 'Pending' },
    'is Pending while one container is unknown': { statuses: { a: running }, phase: 'Pending' },
    'is Pending while one container has no state': {
      statuses: { a: running, b: stateless },
      phase: 'Pending',
    },
    'is Pending while one waits for its first start': {
      statuses: { a: running, b: waiting },
      phase: 'Pending',
    },
    'is Running when all run': { statuses: { a: running, b: running }, phase: 'Running' },
    'is Running when one runs and one has ended, Always': {
      statuses: { a: running, b: ended(0) },
      phase: 'Running',
    },
    'is Running when one runs and one has failed, Never': {
      policy: 'Never',
      statuses: { a: running, b: ended(1) },
      phase: 'Running',
    },
    'is Running when one runs and one crashed before': {
      statuses: { a: running, b: crashed(1) },
      phase: 'Running',
    },
    'is Running when all have ended, Always': {
      statuses: { a: ended(0), b: ended(0) },
      phase: 'Running',
    },
    'is Running when all wait after a crash, Always': {
      statuses: { a: crashed(1), b: crashed(1) },
      phase: 'Running',
    },
    'is Succeeded when all ended with 0, OnFailure': {
      policy: 'OnFailure',
      statuses: { a: ended(0), b: ended(0) },
      phase: 'Succeeded',
    },
    'is Running when one failed, OnFailure': {
      policy: 'OnFailure',
      statuses: { a: ended(0), b: ended(1) },
      phase: 'Running',
    },
    'is Running when one waits after a crash, OnFailure': {
      policy: 'OnFailure',
      statuses: { a: ended(0), b: crashed(1) },
      phase: 'Running',
    },
    'is Succeeded when all ended with 0, Never': {
      policy: 'Never',
      statuses: { a: ended(0), b: ended(0) },
      phase: 'Succeeded',
    },
    'is Failed when one failed, Never': {
      policy: 'Never',
      statuses: { a: ended(0), b: ended(1) },
      phase: 'Failed',
    },
    'is Failed when all failed, Never': {
      policy: 'Never',
      statuses: { a: ended(1), b: ended(137) },
      phase: 'Failed',
    },
  })
})

describe('podPhase of a pod that is terminal', () => {
  table({
    'is Succeeded when all ended with 0, even with Always': {
      terminal: true,
      statuses: { a: ended(0), b: ended(0) },
      phase: 'Succeeded',
    },
    'is Failed when one failed, even with Always': {
      terminal: true,
      statuses: { a: ended(0), b: ended(143) },
      phase: 'Failed',
    },
    'is Failed when one only shows its last end': {
      terminal: true,
      statuses: { a: ended(0), b: crashed(0) },
      phase: 'Failed',
    },
    'is Running while something runs': {
      terminal: true,
      statuses: { a: running, b: ended(0) },
      phase: 'Running',
    },
    'is Pending when nothing was ever started': {
      terminal: true,
      statuses: { a: waiting, b: waiting },
      phase: 'Pending',
    },
    'stays Running for a static pod with Always': {
      terminal: true,
      isStatic: true,
      statuses: { a: ended(0), b: ended(137) },
      phase: 'Running',
    },
    'is Failed for a static pod with Never': {
      terminal: true,
      isStatic: true,
      policy: 'Never',
      statuses: { a: ended(0), b: ended(137) },
      phase: 'Failed',
    },
  })
})

const init = containersOf('i1', 'i2')

describe('podPhase of a pod with init containers', () => {
  table({
    'is Pending before they are known': { init, statuses: {}, phase: 'Pending' },
    'is Pending while the first runs': {
      init,
      statuses: { i1: running, i2: waiting, a: waiting, b: waiting },
      phase: 'Pending',
    },
    'is Pending while one is stateless': {
      init,
      statuses: { i1: ended(0), i2: stateless, a: running, b: running },
      phase: 'Pending',
    },
    'is Pending between two of them': {
      init,
      statuses: { i1: ended(0), i2: waiting, a: waiting, b: waiting },
      phase: 'Pending',
    },
    'is Pending after a failed one that may be tried again': {
      init,
      statuses: { i1: ended(1), i2: waiting, a: waiting, b: waiting },
      phase: 'Pending',
    },
    'is Failed after a failed one with Never': {
      init,
      policy: 'Never',
      statuses: { i1: ended(1), i2: waiting, a: waiting, b: waiting },
      phase: 'Failed',
    },
    'is Failed when the last end of a waiting one was a failure, Never': {
      init,
      policy: 'Never',
      statuses: { i1: crashed(1), i2: waiting, a: waiting, b: waiting },
      phase: 'Failed',
    },
    'is Pending when a failed one waits in back-off, OnFailure': {
      init,
      policy: 'OnFailure',
      statuses: { i1: crashed(1), i2: waiting, a: waiting, b: waiting },
      phase: 'Pending',
    },
    'is Pending when all are done and the main ones wait': {
      init,
      statuses: { i1: ended(0), i2: ended(0), a: waiting, b: waiting },
      phase: 'Pending',
    },
    'is Running when all are done and the main ones run': {
      init,
      statuses: { i1: ended(0), i2: ended(0), a: running, b: running },
      phase: 'Running',
    },
    'is Running when a done one waits to be seen again': {
      init,
      statuses: { i1: crashed(0), i2: ended(0), a: running, b: running },
      phase: 'Running',
    },
    'is Succeeded when everything ended with 0, Never': {
      init,
      policy: 'Never',
      statuses: { i1: ended(0), i2: ended(0), a: ended(0), b: ended(0) },
      phase: 'Succeeded',
    },
  })
})

const sidecars = [sidecar('s1'), sidecar('s2')]

describe('podPhase of a pod with sidecars', () => {
  table({
    'is Pending before they are known': {
      init: sidecars,
      statuses: { a: running, b: running },
      phase: 'Pending',
    },
    'is Pending while one has not started, before the pod has initialised': {
      init: sidecars,
      statuses: { s1: started, s2: running, a: running, b: running },
      phase: 'Pending',
    },
    'is Running while one starts again after the pod has initialised': {
      init: sidecars,
      initialized: true,
      statuses: { s1: started, s2: running, a: running, b: running },
      phase: 'Running',
    },
    'is Pending while one waits for its first start, even after initialisation': {
      init: sidecars,
      initialized: true,
      statuses: { s1: started, s2: waiting, a: running, b: running },
      phase: 'Pending',
    },
    'is Running while one waits in back-off after initialisation': {
      init: sidecars,
      initialized: true,
      statuses: { s1: started, s2: crashed(1), a: running, b: running },
      phase: 'Running',
    },
    'is Pending while a sidecar is stateless': {
      init: sidecars,
      initialized: true,
      statuses: { s1: started, s2: stateless, a: running, b: running },
      phase: 'Pending',
    },
    'is Running when all run': {
      init: sidecars,
      statuses: { s1: started, s2: started, a: running, b: running },
      phase: 'Running',
    },
    'is Running when only sidecars still run': {
      init: sidecars,
      initialized: true,
      policy: 'Never',
      statuses: { s1: started, s2: started, a: ended(0), b: ended(0) },
      phase: 'Running',
    },
    'is Succeeded when the main ones ended with 0, whatever the sidecars did, Never': {
      init: sidecars,
      policy: 'Never',
      statuses: { s1: ended(137), s2: ended(1), a: ended(0), b: ended(0) },
      phase: 'Succeeded',
    },
    'is Failed when a main one failed, Never': {
      init: sidecars,
      policy: 'Never',
      statuses: { s1: ended(0), s2: ended(0), a: ended(0), b: ended(1) },
      phase: 'Failed',
    },
    'is Succeeded when terminal, with Always': {
      init: sidecars,
      terminal: true,
      statuses: { s1: ended(143), s2: ended(143), a: ended(0), b: ended(0) },
      phase: 'Succeeded',
    },
  })
})
