/** Pods whose containers ask (amounts as an API server writes them) for CPU and memory, and what those containers were started with. */
import fc from 'fast-check'
import type {
  Container,
  Pod,
  ResourceRequirements,
} from '../../../src/shared/kubernetes/objects.ts'

const amounts = {
  cpu: fc.constantFrom('0', '1m', '100m', '500m', '1', '1500m', '2'),
  memory: fc.constantFrom('0', '64Mi', '128Mi', '1Gi', '1500', '3G'),
}
const amountsOfOne = fc.record(amounts, { requiredKeys: [] })

export const resizableResources: fc.Arbitrary<ResourceRequirements> = fc.record(
  { requests: amountsOfOne, limits: amountsOfOne },
  { requiredKeys: [] },
)

const policies = fc.array(
  fc.record({
    resourceName: fc.constantFrom('cpu', 'memory'),
    restartPolicy: fc.constantFrom('NotRequired', 'NotRequired', 'RestartContainer'),
  }),
  { maxLength: 2 },
)

const parts = fc.record(
  { resources: resizableResources, resizePolicy: policies },
  { requiredKeys: ['resources'] },
)

function withParts(containers: readonly Container[]): fc.Arbitrary<readonly Container[]> {
  return fc
    .tuple(...containers.map(() => parts))
    .map((drawn) => containers.map((container, index) => ({ ...container, ...drawn[index] })))
}

/** The same pods with resources of their containers. */
export function withResources(pods: fc.Arbitrary<Pod>): fc.Arbitrary<Pod> {
  return pods.chain((pod) =>
    fc
      .tuple(withParts(pod.spec.containers), withParts(pod.spec.initContainers ?? []))
      .map(([containers, initContainers]) => ({
        ...pod,
        spec: {
          ...pod.spec,
          containers,
          ...(initContainers.length === 0 ? {} : { initContainers }),
        },
      })),
  )
}

/** Of some containers nothing is known; most were started with what the spec asks for. */
export function actuatedOf(pod: Pod): fc.Arbitrary<Readonly<Record<string, ResourceRequirements>>> {
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]
  return fc
    .tuple(
      ...containers.map(({ resources = {} }) =>
        fc.oneof(
          { weight: 3, arbitrary: fc.constant(resources) },
          { weight: 4, arbitrary: resizableResources },
          { weight: 1, arbitrary: fc.constant(undefined) },
        ),
      ),
    )
    .map((drawn) =>
      Object.fromEntries(
        containers.flatMap(({ name }, index) => {
          const resources = drawn[index]
          return resources === undefined ? [] : [[name, resources]]
        }),
      ),
    )
}
