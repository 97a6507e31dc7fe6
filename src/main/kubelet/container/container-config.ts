import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { podNamespace } from '../pod/identity.ts'
import type { ContainerConfig, PodSandboxConfig } from '../ports.ts'
import { containerAnnotations, containerLabels, sandboxLabels } from './container-labels.ts'
import { expandVariables } from './expansion.ts'

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
function environmentOf(container: Container): ReadonlyMap<string, string> {
  const environment = new Map<string, string>()
  for (const { name, value, valueFrom } of container.env ?? []) {
    if (valueFrom !== undefined && (value === undefined || value === '')) continue
    environment.set(name, expandVariables(value ?? '', environment))
  }
  return environment
}

/** Names of the variables that `environmentOf` leaves out, for the log: never values. */
export function unresolvedVariables(container: Container): readonly string[] {
  const names = (container.env ?? [])
    .filter(({ value, valueFrom }) => valueFrom !== undefined && !value)
    .map(({ name }) => name)
  return (container.envFrom ?? []).length === 0 ? names : [...names, 'envFrom']
}

/** What a container is to run, and with which variables. */
export function commandOf(container: Container): Pick<ContainerConfig, 'command' | 'args' | 'env'> {
  const environment = environmentOf(container)
  const expand = (text: string): string => expandVariables(text, environment)
  return {
    command: (container.command ?? []).map(expand),
    args: (container.args ?? []).map(expand),
    env: [...environment].map(([key, value]) => ({ key, value })),
  }
}

/** The runtime's view of one start of a container. `restartCount` is its attempt. */
export function containerConfig(
  pod: Pod,
  container: Container,
  imageRef: string,
  restartCount: number,
): ContainerConfig {
  return {
    name: container.name,
    attempt: restartCount,
    image: imageRef,
    ...commandOf(container),
    labels: containerLabels(pod, container),
    annotations: containerAnnotations(pod, container, restartCount),
  }
}
