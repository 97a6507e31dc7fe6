import { isJsonObject } from '../../../shared/json.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { ProbeResult } from '../../../shared/model/trace-event.ts'
import type { ContainerProbes } from './probe-results.ts'

type Results = Readonly<Record<string, ProbeResult>>

/** Probes of a pod that all run, with these results by container id. `triggered`: whose readiness was asked for. */
export function fakeProbes(
  pod: Pod,
  results: {
    readonly liveness?: Results
    readonly readiness?: Results
    readonly startup?: Results
  },
): ContainerProbes & { readonly triggered: readonly string[] } {
  const { containers, initContainers = [] } = pod.spec
  const triggered: string[] = []
  return {
    triggered,
    liveness: (id) => results.liveness?.[id],
    readiness: (id) => results.readiness?.[id],
    startup: (id) => results.startup?.[id],
    hasWorker: (_, name, type) =>
      [...containers, ...initContainers.filter(isSidecar)].some(
        (container) => container.name === name && isJsonObject(container[`${type}Probe`]),
      ),
    trigger: (_, name) => triggered.push(name),
  }
}
