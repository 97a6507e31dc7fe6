import type { CallFault, RuntimeCallName } from '../../shared/model/node/node-faults.ts'
import { podNameLabel, podNamespaceLabel } from '../kubelet/kuberuntime/container-labels.ts'
import type { ImageService, PodSandboxConfig, RuntimeService } from '../kubelet/ports.ts'

type Service = RuntimeService & ImageService

/** The methods of the ports, by their names in CRI. */
const methods: Readonly<Record<RuntimeCallName, keyof Service>> = {
  StartContainer: 'startContainer',
  CreateContainer: 'createContainer',
  StopContainer: 'stopContainer',
  RemoveContainer: 'removeContainer',
  RunPodSandbox: 'runPodSandbox',
  StopPodSandbox: 'stopPodSandbox',
  RemovePodSandbox: 'removePodSandbox',
  ContainerStatus: 'containerStatus',
  PodSandboxStatus: 'podSandboxStatus',
  ExecSync: 'execSync',
  PullImage: 'pullImage',
  ImageStatus: 'imageStatus',
  ListContainers: 'listContainers',
  ListPodSandbox: 'listPodSandboxes',
  Status: 'status',
}

const sandboxCalls: ReadonlySet<RuntimeCallName> = new Set([
  'StopPodSandbox',
  'RemovePodSandbox',
  'PodSandboxStatus',
])

/** The labels that name the pod of a call; undefined if its sandbox or container no longer exists. */
async function labelsOf(
  service: Service,
  call: RuntimeCallName,
  given: readonly unknown[],
): Promise<Readonly<Record<string, string>> | undefined> {
  // The call's own arguments, as the ports have them.
  if (call === 'RunPodSandbox') return (given[0] as PodSandboxConfig).labels
  if (call === 'CreateContainer') return (given[2] as PodSandboxConfig).labels
  const id = given[0] as string
  const status = sandboxCalls.has(call)
    ? await service.podSandboxStatus(id)
    : await service.containerStatus(id)
  return status.ok ? status.value.labels : undefined
}

/** Whether a call of the ports, with what was given to it, is the one that was made to fail. */
export async function isFaultyCall(
  service: Service,
  { call, pod }: CallFault,
  method: string,
  given: readonly unknown[],
): Promise<boolean> {
  if (methods[call] !== method) return false
  if (pod === null) return true
  const labels = await labelsOf(service, call, given)
  return labels?.[podNameLabel] === pod.name && labels[podNamespaceLabel] === pod.namespace
}
