import type { Pod } from './objects.ts'

/** The node's ports that a pod takes, as `TCP/80`; addresses are not told apart. */
export function hostPorts(pod: Pod): readonly string[] {
  return pod.spec.containers.flatMap((container) =>
    (container.ports ?? []).flatMap(({ hostPort = 0, protocol = 'TCP' }) =>
      hostPort === 0 ? [] : [`${protocol}/${hostPort}`],
    ),
  )
}
