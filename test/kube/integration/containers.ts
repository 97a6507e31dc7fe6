import type { Container, PodSpec } from '../../../src/shared/kubernetes/objects.ts'

const image = 'busybox:1.36'

/** Runs a script. */
export function shell(name: string, script: string): Container {
  return { name, image, command: ['sh', '-c', script] }
}

/** Runs until SIGTERM, and then exits at once. */
export function handlesSigterm(name = 'c', exitCode = 0): Container {
  return shell(name, `trap 'exit ${exitCode}' TERM; sleep infinity & wait`)
}

/** Ends only by SIGKILL. */
export function ignoresSigterm(name = 'c'): Container {
  return { name, image, command: ['sleep', 'infinity'] }
}

/**
 * Exits after more time than a kubelet on a busy machine needs to report that it runs: that of a static pod whose mirror
 * is late is reported by the status manager's next look at all pods, ten seconds later (status_manager.go Start).
 */
export function exitsAfter(
  exitCode: number,
  options: { readonly name?: string; readonly seconds?: number } = {},
): Container {
  const { name = 'c', seconds = 20 } = options
  return shell(name, `sleep ${seconds}; exit ${exitCode}`)
}

/** A pod of one container. */
export function specOf(container: Container, more: Partial<PodSpec> = {}): PodSpec {
  return { containers: [container], ...more }
}
