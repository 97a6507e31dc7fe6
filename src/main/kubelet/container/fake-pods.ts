import type { Container, Pod, PodSpec } from '../../../shared/kubernetes/objects.ts'
import type { PodSandboxStatus, RuntimeContainerStatus } from '../ports.ts'
import type { PodRuntimeStatus } from './runtime.ts'

/** A pod `p` in namespace `n` with uid `u`, and whatever else a test needs. */
export function podOf(
  spec: Partial<PodSpec> = {},
  rest: { readonly metadata?: Partial<Pod['metadata']>; readonly status?: Pod['status'] } = {},
): Pod {
  return {
    metadata: { name: 'p', namespace: 'n', uid: 'u', ...rest.metadata },
    spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Always', ...spec },
    ...(rest.status === undefined ? {} : { status: rest.status }),
  }
}

export function containersOf(...names: readonly string[]): readonly Container[] {
  return names.map((name) => ({ name, image: 'i' }))
}

export function sidecar(name: string, rest: Partial<Container> = {}): Container {
  return { name, image: 'i', restartPolicy: 'Always', ...rest }
}

/** A sandbox of that pod: ready, with an IP, attempt 0. */
export function sandboxOf(
  rest: Partial<PodSandboxStatus> & { readonly attempt?: number } = {},
): PodSandboxStatus {
  const { attempt = 0, ...fields } = rest
  return {
    id: `s${attempt}`,
    metadata: { name: 'p', uid: 'u', namespace: 'n', attempt },
    state: 'ready',
    createdAt: 1000 + attempt,
    hostNetwork: false,
    ips: ['10.0.0.1'],
    labels: {},
    annotations: {},
    ...fields,
  }
}

/** A container of that pod as the runtime has it, with the kubelet's hash for image `i`. */
export function containerStatusOf(
  name: string,
  state: RuntimeContainerStatus['state'],
  rest: Partial<RuntimeContainerStatus> = {},
): RuntimeContainerStatus {
  const attempt = rest.attempt ?? 0
  return {
    id: `${name}-${attempt}`,
    podSandboxId: 's0',
    name,
    attempt,
    state,
    image: 'i',
    imageRef: 'sha256:i',
    createdAt: 2000 + attempt,
    labels: {},
    annotations: {},
    startedAt: state === 'created' ? 0 : 3000,
    finishedAt: state === 'exited' ? 4000 : 0,
    exitCode: 0,
    reason: state === 'exited' ? (rest.exitCode ? 'Error' : 'Completed') : '',
    message: '',
    ...rest,
  }
}

/** A runtime status with a ready sandbox, unless others are given. */
export function runtimeStatusOf(
  containers: readonly RuntimeContainerStatus[],
  sandboxes: readonly PodSandboxStatus[] = [sandboxOf()],
): PodRuntimeStatus {
  return {
    runtimeName: 'fake',
    uid: 'u',
    name: 'p',
    namespace: 'n',
    ips: sandboxes[0]?.state === 'ready' ? sandboxes[0].ips : [],
    sandboxes,
    containers,
  }
}
