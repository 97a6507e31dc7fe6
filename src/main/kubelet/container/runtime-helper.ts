import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { Result } from '../../../shared/result.ts'
import type { ContainerConfig } from '../ports.ts'

/** What a container gets from the kubelet when it starts, beyond its spec (kubecontainer.RunContainerOptions). */
export interface RunContainerOptions {
  /** Command and arguments may name them. */
  readonly envs: ContainerConfig['envs']
}

/** What the runtime manager asks the kubelet for (kubecontainer.RuntimeHelper). */
export interface RuntimeHelper {
  /** `podIPs`: of the sandbox, or of the host for a pod on its network. The error becomes CreateContainerConfigError. */
  readonly generateRunContainerOptions: (
    pod: Pod,
    container: Container,
    podIPs: readonly string[],
  ) => Promise<Result<RunContainerOptions, string>>
}
