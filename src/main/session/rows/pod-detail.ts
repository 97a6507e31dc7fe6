import type {
  Container,
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
  PodStatus,
} from '../../../shared/kubernetes/objects.ts'
import type { ContainerView, PodDetail } from '../../../shared/model/pod-detail.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { behaviorPrefix } from '../../../shared/simulated-behavior.ts'
import { actFacts } from './act-facts.ts'
import type { ActOptions } from './act-facts.ts'
import { containersByKind } from './container-facts.ts'
import { podRow, shownPod } from './pod-row.ts'
import type { PodKnowledge } from './pod-knowledge.ts'
import { whyOf } from '../explanations/why-answer.ts'
import type { NameHolder } from '../explanations/why-facts.ts'

function termination(
  ended: ContainerStateTerminated | undefined,
): ContainerView['lastTermination'] {
  if (ended === undefined) return null
  return {
    exitCode: ended.exitCode,
    reason: ended.reason ?? '',
    message: ended.message ?? '',
    startedAt: ended.startedAt ?? null,
    finishedAt: ended.finishedAt ?? null,
  }
}

/** When the CrashLoopBackOff of this container ends; null if it has none. `trace` newest first. */
function backOffUntil(name: string, facts: ContainerFacts): number | null {
  if (facts.status?.state?.waiting?.reason !== 'CrashLoopBackOff') return null
  for (const event of facts.trace)
    if (event.kind === 'container.backOff' && event.data.container === name) return event.data.until
  return null
}

interface ContainerFacts {
  readonly kind: ContainerView['kind']
  readonly status: ContainerStatus | undefined
  readonly trace: readonly TraceEvent[]
}

function containerView(container: Container, facts: ContainerFacts): ContainerView {
  const { kind, status } = facts
  const state = status?.state
  const word =
    state?.running !== undefined
      ? 'running'
      : state?.terminated !== undefined
        ? 'terminated'
        : 'waiting'
  return {
    name: container.name,
    image: container.image ?? '',
    state: word,
    reason: state?.waiting?.reason ?? state?.terminated?.reason ?? '',
    ready: status?.ready ?? false,
    restarts: status?.restartCount ?? 0,
    startedAt: state?.running?.startedAt ?? state?.terminated?.startedAt ?? null,
    exitCode: state?.terminated?.exitCode ?? null,
    lastExitCode: status?.lastState?.terminated?.exitCode ?? null,
    kind,
    containerId: status?.containerID ?? '',
    finishedAt: state?.terminated?.finishedAt ?? null,
    message: state?.waiting?.message ?? state?.terminated?.message ?? '',
    backOffUntil: backOffUntil(container.name, facts),
    lastTermination: termination(status?.lastState?.terminated),
  }
}

function containerViews(
  pod: Pod,
  status: PodStatus | undefined,
  trace: readonly TraceEvent[],
): readonly ContainerView[] {
  const statusOf = (statuses: readonly ContainerStatus[] | undefined, { name }: Container) =>
    statuses?.find((one) => one.name === name)
  const ofKind = {
    init: 'initContainerStatuses',
    sidecar: 'initContainerStatuses',
    container: 'containerStatuses',
    ephemeral: 'ephemeralContainerStatuses',
  } as const
  return containersByKind(pod).map(([container, kind]) =>
    containerView(container, { kind, status: statusOf(status?.[ofKind[kind]], container), trace }),
  )
}

function behaviorOf({ metadata: { annotations = {} } }: Pod): Readonly<Record<string, string>> {
  const own = Object.entries(annotations).filter(([key]) => key.startsWith(behaviorPrefix))
  return Object.fromEntries(own)
}

/** The content of the drawer for one pod. Pure; `trace` newest first. */
export function podDetail(
  known: PodKnowledge,
  options: ActOptions & {
    readonly trace: readonly TraceEvent[]
    readonly holder: NameHolder | undefined
    readonly areSourcesReady: boolean
    readonly isSimulated: boolean
  },
): PodDetail {
  const status = known.localStatus ?? shownPod(known).status
  const containers = containerViews(known.pod, status, options.trace)
  return {
    row: podRow(known, options.now),
    worker: known.worker ?? null,
    containers,
    facts: actFacts(known, options),
    why:
      known.inferred?.why ??
      whyOf({
        ...options,
        known,
        // Nothing waits for an ephemeral container.
        containers: containers.filter(({ kind }) => kind !== 'ephemeral'),
      }),
    notSimulated: known.notSimulated,
    behavior: options.isSimulated ? behaviorOf(known.pod) : null,
    podIP: status?.podIP ?? '',
    message: status?.message ?? '',
    trace: options.trace,
  }
}
