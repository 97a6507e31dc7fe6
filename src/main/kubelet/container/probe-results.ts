import type { ProbeResult } from '../../../shared/model/trace-event.ts'

/**
 * The newest result of each probe, by container id (the runtime's own, without its name before it).
 * `undefined` while there is none (pkg/kubelet/prober/results Manager.Get).
 */
export interface ProbeResults {
  readonly liveness: (containerId: string) => ProbeResult | undefined
  readonly readiness: (containerId: string) => ProbeResult | undefined
  readonly startup: (containerId: string) => ProbeResult | undefined
}

/** What the status of containers is made of: the results, and which probes there are (prober Manager.UpdatePodStatus). */
export interface ContainerProbes extends ProbeResults {
  /** Whether the probe of that container is run, though it may have no result yet. */
  readonly hasWorker: (podUid: string, container: string, type: 'readiness' | 'startup') => boolean
  /** Has the container's readiness probed now. */
  readonly trigger: (podUid: string, container: string) => void
}

/** No probes at all. */
export const noProbes: ContainerProbes = {
  liveness: () => undefined,
  readiness: () => undefined,
  startup: () => undefined,
  hasWorker: () => false,
  trigger: () => undefined,
}
