import fc from 'fast-check'
import type { Container, Node, Pod, Taint } from '../../../src/shared/kubernetes/objects.ts'

const amounts = fc.constantFrom('0', '100m', '0.1', '1', '1500m', '2', '64Mi', '1Gi', '1500', '1e3')
const computeNames = ['cpu', 'memory', 'ephemeral-storage']
const scalarNames = ['example.com/gpu', 'hugepages-2Mi']

function lists(names: readonly string[]): fc.Arbitrary<Readonly<Record<string, string>>> {
  return fc.dictionary(fc.constantFrom(...names), amounts, { maxKeys: 3 })
}

function resourcesOf(names: readonly string[]) {
  return fc.record({ requests: lists(names), limits: lists(names) }, { requiredKeys: [] })
}

const hostPorts = fc.record({
  containerPort: fc.constant(80),
  hostPort: fc.constantFrom(0, 80, 81),
  protocol: fc.constantFrom('TCP', 'UDP'),
})

function containersOf(
  prefix: string,
  names: readonly string[],
  minLength: number,
): fc.Arbitrary<readonly Container[]> {
  const one = fc.record(
    { resources: resourcesOf(names), ports: fc.array(hostPorts, { maxLength: 2 }) },
    { requiredKeys: ['resources'] },
  )
  return fc
    .array(one, { minLength, maxLength: 3 })
    .map((all) => all.map((each, index) => ({ name: `${prefix}${index}`, image: 'i', ...each })))
}

function initContainersOf(names: readonly string[]): fc.Arbitrary<readonly Container[]> {
  return fc
    .tuple(containersOf('i', names, 0), fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }))
    .map(([all, sidecars]) =>
      all.map((each, index): Container =>
        sidecars[index] === true ? { ...each, restartPolicy: 'Always' } : each,
      ),
    )
}

function podsAsking(names: readonly string[]): fc.Arbitrary<Pod> {
  return fc
    .record({
      containers: containersOf('c', names, 1),
      initContainers: initContainersOf(names),
      overhead: fc.option(lists(['cpu', 'memory']), { nil: undefined, freq: 4 }),
    })
    .map(({ overhead, ...spec }) => ({
      metadata: { name: 'p', namespace: 'n', uid: 'u' },
      spec: { ...spec, ...(overhead === undefined ? {} : { overhead }) },
    }))
}

/** Pods that ask for something. */
export const resourcePods: fc.Arbitrary<Pod> = podsAsking([...computeNames, ...scalarNames])

const effects = fc.constantFrom<Taint['effect']>('NoExecute', 'NoExecute', 'NoSchedule')
const taints = fc.array(
  fc.record({ key: fc.constantFrom('k', 'l'), value: fc.constantFrom('', 'v'), effect: effects }),
  { maxLength: 2 },
)
const tolerations = fc.array(
  fc.record(
    {
      key: fc.constantFrom('k', 'l', ''),
      operator: fc.constantFrom('Exists' as const, 'Equal' as const),
      value: fc.constantFrom('', 'v'),
      effect: effects,
    },
    { requiredKeys: [] },
  ),
  { maxLength: 2 },
)

const requirements = fc.oneof(
  fc.record({
    key: fc.constantFrom('disk', 'cores', 'none'),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.subarray(['ssd', 'hdd', '8'], { minLength: 1 }),
  }),
  fc.record({
    key: fc.constantFrom('disk', 'none'),
    operator: fc.constantFrom('Exists', 'DoesNotExist'),
  }),
  fc.record({
    key: fc.constantFrom('cores', 'disk', 'none'),
    operator: fc.constantFrom('Gt', 'Lt'),
    values: fc.constantFrom(['4'], ['8'], ['16']),
  }),
)
const fields = fc.record({
  key: fc.constant('metadata.name'),
  operator: fc.constantFrom('In', 'NotIn'),
  values: fc.constantFrom(['node'], ['other']),
})
const terms = fc.record(
  {
    matchExpressions: fc.array(requirements, { maxLength: 2 }),
    matchFields: fc.array(fields, { maxLength: 1 }),
  },
  { requiredKeys: [] },
)
const affinity = fc.array(terms, { minLength: 1, maxLength: 2 }).map((nodeSelectorTerms) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
}))

const placements = fc.record(
  {
    nodeSelector: fc.constantFrom({ disk: 'ssd' }, { disk: 'hdd' }, { none: '' }, {}),
    affinity,
    nodeName: fc.constantFrom('node', 'node', 'node', 'other', ''),
    tolerations,
  },
  { requiredKeys: [] },
)

function placed(pods: fc.Arbitrary<Pod>): fc.Arbitrary<Pod> {
  return fc
    .tuple(pods, placements, fc.constantFrom('api', 'api', 'file'))
    .map(([pod, placement, source]) => ({
      metadata: { ...pod.metadata, annotations: { 'kubernetes.io/config.source': source } },
      spec: { ...pod.spec, ...placement },
    }))
}

const capacities = fc.record(
  {
    cpu: fc.constantFrom('2', '4', '500m', '10k'),
    memory: fc.constantFrom('1Gi', '4Gi', '10Gi'),
    pods: fc.constantFrom('1', '3', '110'),
    'ephemeral-storage': fc.constantFrom('10Gi', '1'),
    'example.com/gpu': fc.constantFrom('1', '2'),
    'hugepages-2Mi': fc.constantFrom('0', '64Mi'),
  },
  { requiredKeys: ['cpu', 'memory', 'pods'] },
)

const nodes: fc.Arbitrary<Node> = fc
  .record({ allocatable: capacities, taints })
  .map(({ allocatable, taints: all }) => ({
    metadata: { name: 'node', uid: 'node', labels: { disk: 'ssd', cores: '8' } },
    ...(all.length === 0 ? {} : { spec: { taints: all } }),
    status: { allocatable },
  }))

interface Admission {
  readonly node: Node
  readonly pod: Pod
  readonly others: readonly Pod[]
}

/**
 * A pod that comes to a node with others on it. All ask for one kind of scalar resource at most: which of
 * two that are short is told is left to the order of a Go map.
 */
export const admissions: fc.Arbitrary<Admission> = fc
  .constantFrom(...scalarNames)
  .chain((scalar) => {
    const pods = podsAsking([...computeNames, scalar])
    return fc.record({
      node: nodes,
      pod: placed(pods),
      others: fc.array(pods, { maxLength: 3 }).map((all) =>
        all.map((pod, index) => ({
          ...pod,
          metadata: { ...pod.metadata, uid: `o${index}`, name: `o${index}` },
          spec: { ...pod.spec, nodeName: 'node' },
        })),
      ),
    })
  })
