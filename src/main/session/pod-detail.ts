import type { ContainerStatus } from '../../shared/kubernetes/objects.ts'
import type { ContainerView, PodDetail } from '../../shared/model/pod-detail.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'
import { actFacts } from './act-facts.ts'
import { podRow, shownPod } from './pod-row.ts'
import type { PodKnowledge } from './pod-row.ts'

function containerView(
  container: { readonly name: string; readonly image?: string | undefined },
  status: ContainerStatus | undefined,
): ContainerView {
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
    kind: 'container',
    containerId: status?.containerID ?? '',
    finishedAt: state?.terminated?.finishedAt ?? null,
    message: state?.waiting?.message ?? state?.terminated?.message ?? '',
    backOffUntil: null,
    lastTermination: null,
  }
}

/** What the panel of one chosen pod shows. Pure; `trace` newest first. */
export function podDetail(
  known: PodKnowledge,
  options: {
    readonly now: number
    readonly trace: readonly TraceEvent[]
    readonly apiServerReachable: boolean
    readonly readOnly: boolean
  },
): PodDetail {
  const status = known.localStatus ?? shownPod(known).status
  const init = known.pod.spec.initContainers ?? []
  return {
    row: podRow(known, options.now),
    worker: known.worker ?? null,
    containers: [
      ...init.map((container) =>
        containerView(
          container,
          status?.initContainerStatuses?.find((one) => one.name === container.name),
        ),
      ),
      ...known.pod.spec.containers.map((container) =>
        containerView(
          container,
          status?.containerStatuses?.find((one) => one.name === container.name),
        ),
      ),
    ],
    facts: actFacts(known, options),
    why: null,
    podIP: status?.podIP ?? '',
    message: status?.message ?? '',
    trace: options.trace,
  }
}
