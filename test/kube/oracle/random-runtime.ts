import fc from 'fast-check'
import { hashContainer } from '../../../src/main/kubelet/kuberuntime/container-hash.ts'
import { allContainers } from '../../../src/shared/kubernetes/pod-containers.ts'
import { fakeProbes } from '../../../src/main/kubelet/container/fake-probes.ts'
import type { ContainerProbes } from '../../../src/main/kubelet/container/probe-results.ts'
import type { PodRuntimeStatus } from '../../../src/main/kubelet/container/runtime.ts'
import type { PodSandboxStatus, RuntimeContainerStatus } from '../../../src/main/kubelet/ports.ts'
import type { Container, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { defined } from '../../../src/shared/json.ts'
import type { ProbeResult, ProbeType } from '../../../src/shared/model/trace-event.ts'

/** What a runtime has of a pod, and what the probes said of its containers. */
export interface PodInRuntime {
  readonly pod: Pod
  readonly status: PodRuntimeStatus
  readonly probes: Readonly<Record<ProbeType, Readonly<Record<string, ProbeResult>>>>
}

const addresses = fc.constantFrom(
  [],
  ['10.0.0.1'],
  ['10.0.0.1', 'fd00::1'],
  ['fd00::1', '10.0.0.1'],
)

function sandboxesOf(pod: Pod): fc.Arbitrary<readonly PodSandboxStatus[]> {
  const one = fc.record({
    state: fc.constantFrom<PodSandboxStatus['state']>('ready', 'ready', 'ready', 'notready'),
    // Most sandboxes are as the pod wants them.
    isOtherNetwork: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    ips: fc.oneof(
      { weight: 4, arbitrary: fc.constant(['10.0.0.1']) },
      { weight: 1, arbitrary: addresses },
    ),
  })
  return fc.array(one, { maxLength: 2 }).map((drawn) =>
    drawn.map(({ state, isOtherNetwork, ips }, index) => {
      const attempt = drawn.length - 1 - index
      const hostNetwork = (pod.spec.hostNetwork === true) !== isOtherNetwork
      return {
        id: `s${attempt}`,
        metadata: { name: 'p', namespace: 'n', uid: 'u', attempt },
        state,
        createdAt: attempt * 1000,
        hostNetwork,
        ips: hostNetwork ? [] : ips,
        labels: {},
        annotations: {},
      }
    }),
  )
}

/** As a runtime reports it: nothing, parts, and less than what the kernel can express. */
const enforced = fc.record(
  {
    cpuPeriod: fc.constantFrom(100_000, 0),
    cpuQuota: fc.constantFrom(50_000, 1000, 100, 0, -1),
    cpuShares: fc.constantFrom(512, 2, 3, 1, 102),
    memoryLimitInBytes: fc.constantFrom(0, 64 * 1024 ** 2, 1000),
  },
  { requiredKeys: [] },
)

function runsOf(
  container: Container,
  sandboxId: string,
): fc.Arbitrary<readonly RuntimeContainerStatus[]> {
  const one = fc.record({
    state: fc.constantFrom<RuntimeContainerStatus['state']>(
      'created',
      'running',
      'running',
      'exited',
      'exited',
      'unknown',
    ),
    exitCode: fc.constantFrom(0, 0, 1, 137),
    reason: fc.constantFrom('', 'Completed', 'Error', 'OOMKilled'),
    message: fc.constantFrom('', 'bye'),
    // Some were made from an image of before.
    image: fc.constantFrom(container.image, container.image, container.image, 'old'),
    resources: fc.option(enforced, { nil: undefined }),
    user: fc.constantFrom(
      undefined,
      { uid: 0, gid: 0 },
      { uid: 5, gid: 6, supplementalGroups: [6, 7] },
    ),
    isOfSandbox: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  })
  return fc.array(one, { maxLength: 3 }).map((drawn) =>
    drawn.map((run, index) => {
      const attempt = drawn.length - 1 - index
      const image = run.image ?? ''
      const hasEnded = run.state === 'exited'
      return {
        id: `${container.name}-${attempt}`,
        podSandboxId: run.isOfSandbox ? sandboxId : 'gone',
        name: container.name,
        attempt,
        state: run.state,
        image,
        imageRef: `sha256:${image}`,
        createdAt: 100_000 + attempt * 1000,
        labels: {},
        annotations: {
          'io.kubernetes.container.hash': hashContainer({ name: container.name, image }),
          'io.kubernetes.container.restartCount': String(attempt),
        },
        startedAt: run.state === 'created' ? 0 : 101_000 + attempt * 1000,
        finishedAt: hasEnded ? 102_000 + attempt * 1000 : 0,
        exitCode: hasEnded ? run.exitCode : 0,
        reason: hasEnded ? run.reason : '',
        message: hasEnded ? run.message : '',
        ...defined({ resources: run.resources, user: run.user }),
      }
    }),
  )
}

/** Newest first, as a kubelet sorts them: attempts of all containers mixed. */
function sorted(
  runs: readonly (readonly RuntimeContainerStatus[])[],
): readonly RuntimeContainerStatus[] {
  return runs.flat().toSorted((a, b) => b.createdAt - a.createdAt)
}

const results = fc.constantFrom<ProbeResult | undefined>(
  'success',
  'success',
  'failure',
  'unknown',
  undefined,
)

function resultsOf(ids: readonly string[]): fc.Arbitrary<Readonly<Record<string, ProbeResult>>> {
  return fc.tuple(...ids.map(() => results)).map((drawn) =>
    Object.fromEntries(
      ids.flatMap((id, index) => {
        const result = drawn[index]
        return result === undefined ? [] : [[id, result]]
      }),
    ),
  )
}

/** Any state of the pod's containers that a runtime could list. */
export function inRuntime(pods: fc.Arbitrary<Pod>): fc.Arbitrary<PodInRuntime> {
  return pods.chain((pod) =>
    sandboxesOf(pod).chain((sandboxes) =>
      fc
        .tuple(
          ...allContainers(pod).map((container) => runsOf(container, sandboxes[0]?.id ?? 's0')),
        )
        .chain((runs) => {
          const containers = sorted(runs)
          const ids = containers.map(({ id }) => id)
          const [newest] = sandboxes
          const status: PodRuntimeStatus = {
            runtimeName: 'fake',
            uid: 'u',
            name: 'p',
            namespace: 'n',
            ips: newest?.state === 'ready' ? newest.ips : [],
            sandboxes,
            containers,
          }
          return fc
            .record({
              liveness: resultsOf(ids),
              readiness: resultsOf(ids),
              startup: resultsOf(ids),
            })
            .map((probes) => ({ pod, status, probes }))
        }),
    ),
  )
}

/** The probes and their results as our core asks for them. */
export function probesOf({ pod, probes }: PodInRuntime): ContainerProbes {
  return fakeProbes(pod, probes)
}

/** As overlay/nodescope/oracle/functions_containers.go reads it. */
export function forOracle({ pod, status, probes }: PodInRuntime): object {
  return {
    pod,
    probes,
    runtime: {
      ips: status.ips,
      sandboxes: status.sandboxes.map(({ id, metadata, state, hostNetwork, ips }) => ({
        id,
        attempt: metadata.attempt,
        ready: state === 'ready',
        hostNetwork,
        ips,
      })),
      containers: status.containers.map(({ podSandboxId, annotations, attempt, ...rest }) => ({
        ...rest,
        // The names of Go's fields.
        resources: rest.resources && {
          cpu_period: rest.resources.cpuPeriod,
          cpu_quota: rest.resources.cpuQuota,
          cpu_shares: rest.resources.cpuShares,
          memory_limit_in_bytes: rest.resources.memoryLimitInBytes,
        },
        user: rest.user && {
          uid: rest.user.uid,
          gid: rest.user.gid,
          supplemental_groups: rest.user.supplementalGroups,
        },
        sandbox: podSandboxId,
        hash: annotations['io.kubernetes.container.hash'],
        restartCount: attempt,
      })),
    },
  }
}
