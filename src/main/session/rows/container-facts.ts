import { defaultPullPolicy } from '../../../shared/kubernetes/image-reference.ts'
import type {
  Container,
  ContainerStatus,
  Pod,
  PodPhase,
  PodStatus,
} from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import type { ContainerActFacts } from '../../../shared/model/act.ts'
import { noProbes } from '../../kubelet/container/probe-results.ts'
import type { ProbeResults } from '../../kubelet/container/probe-results.ts'
import type { PodRuntimeStatus } from '../../kubelet/container/runtime.ts'
import { lifecycleHookOf } from '../../kubelet/kuberuntime/lifecycle-hooks.ts'
import { computePodActions } from '../../kubelet/kuberuntime/pod-actions.ts'
import { findContainerStatus } from '../../kubelet/kuberuntime/container-restart.ts'
import { isStaticPod } from '../../kubelet/pod/identity.ts'
import { podPhase } from '../../kubelet/status/phase.ts'
import { terminatedStatus } from '../../kubelet/status/terminated-status.ts'
import type { PodKnowledge } from './pod-knowledge.ts'

type Kind = ContainerActFacts['kind']
type After = ContainerActFacts['after']['failed']

/** Probes that have nothing against any container. */
const allWell: ProbeResults = {
  ...noProbes,
  liveness: () => 'success',
  startup: () => 'success',
}

/** The containers of the spec with their kinds, init containers first. Pure. */
export function containersByKind({ spec }: Pod): readonly (readonly [Container, Kind])[] {
  return [
    ...(spec.initContainers ?? []).map(
      (container) => [container, isSidecar(container) ? 'sidecar' : 'init'] as const,
    ),
    ...spec.containers.map((container) => [container, 'container'] as const),
    ...(spec.ephemeralContainers ?? []).map((container) => [container, 'ephemeral'] as const),
  ]
}

function allStatuses(status: PodStatus | undefined): readonly ContainerStatus[] {
  return [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ]
}

/** `waiting: CrashLoopBackOff, last exit 1`. */
function stateWords(status: ContainerStatus | undefined): string {
  const { running, waiting, terminated } = status?.state ?? {}
  if (running !== undefined) return 'running'
  if (terminated !== undefined)
    return `terminated: ${terminated.reason ?? 'ended'}, exit ${terminated.exitCode}`
  const last = status?.lastState?.terminated
  const words = waiting?.reason === undefined ? 'waiting' : `waiting: ${waiting.reason}`
  return last === undefined ? words : `${words}, last exit ${last.exitCode}`
}

/** The statuses after the container has ended with that code; `next`: what comes then. */
function statusesAfter(
  statuses: readonly ContainerStatus[],
  name: string,
  exitCode: number,
  next: 'restarts' | 'stays' | 'podEnds',
): readonly ContainerStatus[] {
  return statuses.map((status): ContainerStatus => {
    const isIt = status.name === name
    if (status.state?.running === undefined || !(isIt || next === 'podEnds')) return status
    // What is left when a pod ends are sidecars, whose codes count for nothing (status#phase).
    const terminated = { exitCode: isIt ? exitCode : 0 }
    return next === 'restarts'
      ? { ...status, state: { waiting: {} }, lastState: { terminated } }
      : { ...status, state: { terminated } }
  })
}

/** What the kubelet's own decision makes of a pod in which that container has ended. */
function afterExit(
  known: PodKnowledge & { readonly runtimeStatus: PodRuntimeStatus },
  container: Container,
  exitCode: number,
): After {
  const { pod, runtimeStatus, localStatus } = known
  const status = localStatus ?? pod.status
  const ended = findContainerStatus(runtimeStatus, container.name)
  const actions = computePodActions(
    pod,
    {
      ...runtimeStatus,
      containers: runtimeStatus.containers.map((one) =>
        one.id === ended?.id
          ? { ...one, state: 'exited', exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' }
          : one,
      ),
    },
    allWell,
  )
  const starts = [...actions.initContainersToStart, ...actions.containersToStart]
  const isRestarted = starts.some(({ name }) => name === container.name)
  const phaseAfter = (next: 'restarts' | 'stays' | 'podEnds'): PodPhase =>
    podPhase(pod, statusesAfter(allStatuses(status), container.name, exitCode, next), {
      podIsTerminal: next === 'podEnds',
      podHasInitialized: pod.spec.containers.some(
        ({ name }) => findContainerStatus(runtimeStatus, name) !== undefined,
      ),
      isStatic: isStaticPod(pod),
    })
  if (actions.killPod) {
    const phase = phaseAfter('podEnds')
    return { next: 'podEnds', phase: terminatedStatus(pod, { ...status, phase }).phase ?? phase }
  }
  if (isRestarted) return { next: 'restarts', phase: phaseAfter('restarts') }
  const isInit = (pod.spec.initContainers ?? []).includes(container)
  return isInit && !isSidecar(container)
    ? { next: 'startsNext', phase: null }
    : { next: 'stays', phase: phaseAfter('stays') }
}

function afterExits(
  known: PodKnowledge,
  container: Container,
  isEphemeral: boolean,
): ContainerActFacts['after'] {
  const { runtimeStatus, localStatus } = known
  if (runtimeStatus === undefined || isEphemeral) {
    const stays: After = { next: 'stays', phase: localStatus?.phase ?? null }
    return { exitZero: stays, failed: stays }
  }
  const after = (exitCode: number): After =>
    afterExit({ ...known, runtimeStatus }, container, exitCode)
  return { exitZero: after(0), failed: after(137) }
}

/** What a forecast needs of each container of a pod. `now`: ms on the cluster's clock. Pure. */
export function containerFacts(known: PodKnowledge, now: number): readonly ContainerActFacts[] {
  const { pod, localStatus, runtimeStatus } = known
  const statuses = allStatuses(localStatus ?? pod.status)
  return containersByKind(pod).map(([container, kind]): ContainerActFacts => {
    const status = statuses.find(({ name }) => name === container.name)
    const inRuntime = runtimeStatus && findContainerStatus(runtimeStatus, container.name)
    const backOff = known.backOff?.(container)
    return {
      name: container.name,
      kind,
      id: inRuntime?.id ?? '',
      isRunning: inRuntime?.state === 'running',
      state: stateWords(status),
      restarts: status?.restartCount ?? 0,
      restartPolicy: kind === 'sidecar' ? 'Always' : (pod.spec.restartPolicy ?? 'Always'),
      after: afterExits(known, container, kind === 'ephemeral'),
      backOff: {
        seconds: (backOff?.waitMs ?? 0) / 1000,
        expiresInSeconds: Math.max(0, ((backOff?.expiresAt ?? now) - now) / 1000),
      },
      probes: [
        ...(container.startupProbe === undefined ? [] : (['startup'] as const)),
        ...(container.readinessProbe === undefined ? [] : (['readiness'] as const)),
        ...(container.livenessProbe === undefined ? [] : (['liveness'] as const)),
      ],
      hasPreStop: lifecycleHookOf(container, 'preStop') !== undefined,
      isPulledAgain:
        (container.imagePullPolicy ?? defaultPullPolicy(container.image ?? '')) === 'Always',
    }
  })
}
