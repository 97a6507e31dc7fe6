import type { Pod } from './objects.ts'
import { isSidecar } from './pod-containers.ts'

/** A port of the node that a pod takes. */
export interface HostPort {
  readonly ip: string
  readonly protocol: string
  readonly port: number
}

/** Stands for all addresses of the node. */
const anyIP = '0.0.0.0'

/** The node's ports that a pod takes, sidecars' too (pkg/scheduler/util GetHostPorts). */
export function hostPorts(pod: Pod): readonly HostPort[] {
  const { containers, initContainers = [] } = pod.spec
  return [...initContainers.filter(isSidecar), ...containers].flatMap((container) =>
    (container.ports ?? []).flatMap(({ hostPort = 0, protocol, hostIP }) =>
      hostPort > 0 ? [{ ip: hostIP || anyIP, protocol: protocol || 'TCP', port: hostPort }] : [],
    ),
  )
}

function isSamePort(a: HostPort, b: HostPort): boolean {
  const isSameAddress = a.ip === b.ip || a.ip === anyIP || b.ip === anyIP
  return isSameAddress && a.port === b.port && a.protocol === b.protocol
}

/** Whether one of the wanted ports is taken: on its own address, or on all (kube-scheduler HostPortInfo). */
export function areHostPortsTaken(
  wanted: readonly HostPort[],
  taken: readonly HostPort[],
): boolean {
  return wanted.some((port) => taken.some((other) => isSamePort(port, other)))
}
