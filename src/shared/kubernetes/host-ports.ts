import type { Pod } from './objects.ts'

/** The node's ports that a pod takes, sidecars' too, as `TCP/80`; addresses are not told apart. */
export function hostPorts(pod: Pod): readonly string[] {
  const { containers, initContainers = [] } = pod.spec
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')
  return [...containers, ...sidecars].flatMap((container) =>
    (container.ports ?? []).flatMap(({ hostPort = 0, protocol = 'TCP' }) =>
      hostPort === 0 ? [] : [`${protocol}/${hostPort}`],
    ),
  )
}
