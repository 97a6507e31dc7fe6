import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { podNamespace } from '../pod/identity.ts'
import type { ContainerConfig, PodSandboxConfig } from '../ports.ts'
import { containerAnnotations, containerLabels, sandboxLabels } from './container-labels.ts'
import { ExpansionTooLong, maxExpandedLength, VariableExpander } from '../container/expansion.ts'

/** The runtime's view of a pod's sandbox. */
export function podSandboxConfig(pod: Pod, attempt: number): PodSandboxConfig {
  const { name, uid, annotations = {} } = pod.metadata
  return {
    metadata: { name, uid, namespace: podNamespace(pod), attempt },
    hostNetwork: pod.spec.hostNetwork === true,
    labels: sandboxLabels(pod),
    annotations,
  }
}

/**
 * The environment in the order of the spec, values expanded by the variables before them. Variables that
 * come from elsewhere (valueFrom, envFrom, services) are not resolved and are left out.
 */
function setEnvironment(
  environment: Map<string, string>,
  container: Container,
  expand: (text: string) => string,
): void {
  for (const { name, value, valueFrom } of container.env ?? []) {
    if (valueFrom !== undefined && (value === undefined || value === '')) continue
    environment.set(name, expand(value ?? ''))
  }
}

/** Names of the variables that `setEnvironment` leaves out, for the log: never values. */
export function unresolvedVariables(container: Container): readonly string[] {
  const names = (container.env ?? [])
    .filter(({ value, valueFrom }) => valueFrom !== undefined && !value)
    .map(({ name }) => name)
  return (container.envFrom ?? []).length === 0 ? names : [...names, 'envFrom']
}

/**
 * What a container is to run, and with which variables. The error is one sentence: the values grow beyond what
 * a process can be started with.
 */
export function commandOf(
  container: Container,
): Result<Pick<ContainerConfig, 'command' | 'args' | 'envs'>, string> {
  const environment = new Map<string, string>()
  const { expand } = new VariableExpander(environment)
  try {
    setEnvironment(environment, container, expand)
    return ok({
      command: (container.command ?? []).map(expand),
      args: (container.args ?? []).map(expand),
      envs: [...environment].map(([key, value]) => ({ key, value })),
    })
  } catch (error) {
    if (!(error instanceof ExpansionTooLong)) throw error
    return err(
      `environment, command and arguments are longer than ${maxExpandedLength} characters once variables are expanded`,
    )
  }
}

/** The runtime's view of one start of a container. `restartCount` is its attempt. The error is that of `commandOf`. */
export function containerConfig(
  pod: Pod,
  container: Container,
  imageRef: string,
  restartCount: number,
): Result<ContainerConfig, string> {
  const command = commandOf(container)
  if (!command.ok) return command
  return ok({
    name: container.name,
    attempt: restartCount,
    image: imageRef,
    ...command.value,
    labels: containerLabels(pod, container),
    annotations: containerAnnotations(pod, container, restartCount),
  })
}
