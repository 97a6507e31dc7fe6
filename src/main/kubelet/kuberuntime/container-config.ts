import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { podNamespace } from '../pod/identity.ts'
import type { ContainerConfig, PodSandboxConfig } from '../ports.ts'
import { containerAnnotations, containerLabels, sandboxLabels } from './container-labels.ts'
import { ExpansionTooLong, tooLongMessage, VariableExpander } from '../container/expansion.ts'
import type { RunContainerOptions } from '../container/runtime-helper.ts'

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
 * What a container is to run: command and arguments with its variables. The error is one sentence: the values grow beyond what a
 * process can be started with. Source: kubecontainer.ExpandContainerCommandAndArgs.
 */
export function commandOf(
  container: Container,
  envs: ContainerConfig['envs'],
): Result<Pick<ContainerConfig, 'command' | 'args'>, string> {
  const { expand } = new VariableExpander(new Map(envs.map(({ key, value }) => [key, value])))
  try {
    return ok({
      command: (container.command ?? []).map(expand),
      args: (container.args ?? []).map(expand),
    })
  } catch (error) {
    if (error instanceof ExpansionTooLong) return err(tooLongMessage)
    throw error
  }
}

/** The runtime's view of one start of a container. `restartCount` is its attempt. The error is that of `commandOf`. */
export function containerConfig(
  pod: Pod,
  container: Container,
  imageRef: string,
  restartCount: number,
  { envs }: RunContainerOptions,
): Result<ContainerConfig, string> {
  const command = commandOf(container, envs)
  if (!command.ok) return command
  return ok({
    name: container.name,
    attempt: restartCount,
    image: imageRef,
    ...command.value,
    envs,
    labels: containerLabels(pod, container),
    annotations: containerAnnotations(pod, container, restartCount),
  })
}
