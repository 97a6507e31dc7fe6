import fc from 'fast-check'
import type { PodDisruptionBudget } from '../../../src/shared/kubernetes/disruption-budget.ts'
import type { KubeObject, Node, Pod } from '../../../src/shared/kubernetes/objects.ts'

/** One scheduling cycle: what NodescopeCluster of overlay/pkg/scheduler/nodescope.go reads. */
export interface RandomCluster {
  readonly nodes: readonly Node[]
  /** On nodes. */
  readonly pods: readonly Pod[]
  /** Pending, each with a node in its status. */
  readonly nominated: readonly Pod[]
  readonly pod: Pod
  readonly budgets: readonly PodDisruptionBudget[]
  readonly namespaces: readonly KubeObject[]
  readonly services: readonly KubeObject[]
  readonly replicaSets: readonly KubeObject[]
  readonly claims: readonly KubeObject[]
  readonly storageClasses: readonly KubeObject[]
}

type Labels = Readonly<Record<string, string>>

const nodeNames = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6']
const namespaces = ['default', 'team-a', 'team-b']
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const
const images = ['registry.example/app:1', 'registry.example/app', 'db', 'example.com:5000/big:2']
function sometimes<T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 10 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary })
}

function withoutUndefined<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

const podLabels: fc.Arbitrary<Labels> = fc.dictionary(
  fc.constantFrom('app', 'tier', 'version'),
  fc.constantFrom('a', 'b'),
  { maxKeys: 3, noNullPrototype: true },
)

const selectors = fc.oneof(
  fc
    .dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('a', 'b'), {
      maxKeys: 1,
      noNullPrototype: true,
    })
    .map((matchLabels) => ({ matchLabels })),
  fc
    .record({
      key: fc.constantFrom('app', 'tier'),
      operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist'),
    })
    .map(({ key, operator }) => ({
      matchExpressions: [{ key, operator, ...(operator.endsWith('In') ? { values: ['a'] } : {}) }],
    })),
)

const amounts = {
  cpu: fc.constantFrom('0', '100m', '250m', '1', '1500m', '3'),
  memory: fc.constantFrom('0', '64Mi', '300Mi', '1Gi', '2G'),
  'ephemeral-storage': fc.constantFrom('1Gi', '5Gi'),
  'example.com/gpu': fc.constantFrom('0', '1', '2'),
  gpu: fc.constant('1'),
}

const requests = fc
  .record({
    cpu: sometimes(7, amounts.cpu),
    memory: sometimes(6, amounts.memory),
    'ephemeral-storage': sometimes(1, amounts['ephemeral-storage']),
    'example.com/gpu': sometimes(1, amounts['example.com/gpu']),
    gpu: sometimes(1, amounts.gpu),
  })
  .map(withoutUndefined)

const ports = fc.array(
  fc.record({
    containerPort: fc.constant(80),
    hostPort: fc.constantFrom(0, 80, 81),
    hostIP: fc.constantFrom('', '', '0.0.0.0', '192.0.2.1'),
    protocol: fc.constantFrom('TCP', 'UDP'),
  }),
  { maxLength: 1 },
)

function containers(prefix: string, minLength: number, maxLength: number) {
  return fc
    .array(
      fc.record({
        image: fc.constantFrom(...images),
        requests: sometimes(7, requests),
        ports: sometimes(1, ports),
      }),
      { minLength, maxLength },
    )
    .map((all) =>
      all.map(({ requests: asked, ...each }, index) => ({
        name: `${prefix}${index}`,
        ...each,
        resources: asked === undefined ? {} : { requests: asked },
      })),
    )
}

const initContainers = fc
  .tuple(containers('i', 0, 2), fc.boolean())
  .map(([all, isSidecar]) =>
    all.map((each, index) =>
      isSidecar && index === 0 ? { ...each, restartPolicy: 'Always' } : each,
    ),
  )

const podAffinityTerms = fc
  .record({
    labelSelector: sometimes(9, selectors),
    topologyKey: fc.constantFrom('kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'rack'),
    namespaces: sometimes(2, fc.subarray(namespaces, { minLength: 1 })),
    namespaceSelector: sometimes(
      2,
      fc.constantFrom({}, { matchLabels: { team: 'a' } }, { matchLabels: { team: 'none' } }),
    ),
  })
  .map(withoutUndefined)

function podAffinities(weight: number) {
  return sometimes(
    weight,
    fc
      .record({
        requiredDuringSchedulingIgnoredDuringExecution: sometimes(
          6,
          fc.array(podAffinityTerms, { minLength: 1, maxLength: 2 }),
        ),
        preferredDuringSchedulingIgnoredDuringExecution: sometimes(
          5,
          fc.array(
            fc.record({
              weight: fc.integer({ min: 1, max: 100 }),
              podAffinityTerm: podAffinityTerms,
            }),
            { minLength: 1, maxLength: 2 },
          ),
        ),
      })
      .map(withoutUndefined),
  )
}

const nodeRequirements = fc
  .record({
    key: fc.constantFrom('rack', 'topology.kubernetes.io/zone', 'size'),
    operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
    value: fc.constantFrom('a', 'b', '1', '2'),
  })
  .map(({ key, operator, value }) => {
    if (operator === 'Gt' || operator === 'Lt') return { key, operator, values: ['2'] }
    return operator.endsWith('In') ? { key, operator, values: [value, 'x'] } : { key, operator }
  })

const nodeFields = fc
  .record({
    operator: fc.constantFrom('In', 'In', 'NotIn'),
    value: fc.constantFrom(...nodeNames, 'nowhere'),
  })
  .map(({ operator, value }) => ({ key: 'metadata.name', operator, values: [value] }))

const nodeTerms = fc
  .record({
    matchExpressions: sometimes(7, fc.array(nodeRequirements, { minLength: 1, maxLength: 2 })),
    matchFields: sometimes(2, fc.array(nodeFields, { minLength: 1, maxLength: 2 })),
  })
  .map(withoutUndefined)

const nodeAffinities = fc
  .record({
    requiredDuringSchedulingIgnoredDuringExecution: sometimes(
      5,
      fc.record({ nodeSelectorTerms: fc.array(nodeTerms, { minLength: 1, maxLength: 2 }) }),
    ),
    preferredDuringSchedulingIgnoredDuringExecution: sometimes(
      6,
      fc.array(fc.record({ weight: fc.integer({ min: 1, max: 100 }), preference: nodeTerms }), {
        minLength: 1,
        maxLength: 3,
      }),
    ),
  })
  .map(withoutUndefined)

const spreads = fc
  .record({
    maxSkew: fc.integer({ min: 1, max: 2 }),
    topologyKey: fc.constantFrom('kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'rack'),
    whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'),
    labelSelector: sometimes(9, selectors),
    minDomains: sometimes(2, fc.integer({ min: 1, max: 4 })),
    nodeAffinityPolicy: sometimes(3, fc.constantFrom('Honor', 'Ignore')),
    nodeTaintsPolicy: sometimes(3, fc.constantFrom('Honor', 'Ignore')),
    matchLabelKeys: sometimes(2, fc.constant(['version'])),
  })
  .map(withoutUndefined)

const tolerations = fc.array(
  fc
    .record({
      key: fc.constantFrom('dedicated', 'node.kubernetes.io/unschedulable', ''),
      operator: fc.constantFrom('Exists', 'Equal'),
      value: fc.constantFrom('', 'a'),
      effect: fc.constantFrom('', ...effects),
    })
    .map((one) => (one.key === '' ? { ...one, operator: 'Exists', value: '' } : one)),
  { maxLength: 2 },
)

/** How much of it is drawn, so that most pods fit somewhere and all features meet each other. */
interface Richness {
  readonly constraints: number
}

function podSpecs({ constraints }: Richness) {
  return fc
    .record({
      containers: containers('c', 1, 2),
      initContainers: sometimes(2, initContainers),
      overhead: sometimes(1, fc.constant({ cpu: '50m', memory: '32Mi' })),
      resources: sometimes(
        1,
        requests.map(({ cpu, memory }) => ({
          requests: withoutUndefined({ cpu, memory }),
        })),
      ),
      priority: fc.constantFrom(undefined, 0, 0, 10, 1000, -5),
      preemptionPolicy: sometimes(1, fc.constantFrom('Never', 'PreemptLowerPriority')),
      nodeSelector: sometimes(
        Math.min(2, constraints),
        fc.constantFrom({ rack: 'a' }, { size: '1' }, { rack: 'a', size: '2' }),
      ),
      tolerations: sometimes(3, tolerations),
      affinity: sometimes(
        constraints * 2,
        fc
          .record({
            nodeAffinity: sometimes(3, nodeAffinities),
            podAffinity: podAffinities(3),
            podAntiAffinity: podAffinities(4),
          })
          .map(withoutUndefined),
      ),
      topologySpreadConstraints: sometimes(
        constraints,
        fc.array(spreads, { minLength: 1, maxLength: 2 }),
      ),
    })
    .map(withoutUndefined)
}

const startTimes = fc.integer({ min: 0, max: 3 }).map((hours) => `2026-01-01T0${hours}:00:00Z`)

const preempted = [
  { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' },
] as const

function placedPods(nodes: readonly string[], count: number, richness: Richness) {
  return fc
    .array(
      fc.record({
        spec: podSpecs(richness),
        labels: podLabels,
        namespace: fc.constantFrom('default', 'default', ...namespaces),
        nodeName: fc.constantFrom(...nodes),
        startTime: startTimes,
        isDeleted: fc.constantFrom(false, false, false, false, true),
        isPreempted: fc.boolean(),
      }),
      { maxLength: count },
    )
    .map((all) =>
      all.map(({ spec, labels, namespace, nodeName, startTime, isDeleted, isPreempted }, index) => {
        const name = `p${index}`
        const deletion = isDeleted ? { deletionTimestamp: '2026-01-01T05:00:00Z' } : {}
        const conditions = isPreempted ? { conditions: preempted } : {}
        return {
          metadata: { name, namespace, uid: name, labels, ...deletion },
          spec: { ...spec, nodeName },
          status: { phase: 'Running', startTime, ...conditions },
        } as unknown as Pod
      }),
    )
}

function nominatedPods(nodes: readonly string[]) {
  return fc
    .array(
      fc.record({
        spec: podSpecs({ constraints: 1 }),
        labels: podLabels,
        namespace: fc.constantFrom(...namespaces),
        nominatedNodeName: fc.constantFrom(...nodes),
      }),
      { maxLength: 2 },
    )
    .map((all) =>
      all.map(({ spec, labels, namespace, nominatedNodeName }, index) => {
        const name = `w${index}`
        return {
          metadata: { name, namespace, uid: name, labels },
          spec,
          status: { phase: 'Pending', nominatedNodeName },
        } as unknown as Pod
      }),
    )
}

// Bound and unbound claims: see scheduler.test.ts of the real kube-scheduler; these need no watch.
const claimKinds = ['lost', 'deleted', 'missing'] as const

const owner = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'owner',
  uid: 'owner',
  controller: true,
} as const

function incomingPods(nodes: readonly string[], richness: Richness) {
  return fc
    .record({
      spec: podSpecs(richness),
      labels: podLabels,
      namespace: fc.constantFrom('default', 'default', 'team-a'),
      nominatedNodeName: sometimes(1, fc.constantFrom(...nodes, 'gone')),
      claim: sometimes(1, fc.constantFrom(...claimKinds)),
      isOwned: fc.constantFrom(false, false, true),
    })
    .map(({ spec, labels, namespace, nominatedNodeName, claim, isOwned }) => {
      const volumes =
        claim === undefined
          ? {}
          : { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: claim } }] }
      return {
        metadata: {
          name: 'asked',
          namespace,
          uid: 'asked',
          labels,
          ...(isOwned ? { ownerReferences: [owner] } : {}),
        },
        spec: { ...spec, ...volumes },
        status: {
          phase: 'Pending',
          ...(nominatedNodeName === undefined ? {} : { nominatedNodeName }),
        },
      } as unknown as Pod
    })
}

function nodesNamed(names: readonly string[]): fc.Arbitrary<readonly Node[]> {
  return fc.tuple(
    ...names.map((name) =>
      fc
        .record({
          zone: sometimes(8, fc.constantFrom('z1', 'z2')),
          rack: sometimes(7, fc.constantFrom('a', 'b')),
          size: sometimes(6, fc.constantFrom('1', '2', '3')),
          cpu: fc.constantFrom('2', '4', '0'),
          memory: fc.constantFrom('2Gi', '4Gi'),
          pods: fc.constantFrom('2', '4', '110'),
          gpu: sometimes(2, fc.constant('2')),
          isUnschedulable: fc.constantFrom(false, false, false, false, false, true),
          taints: sometimes(
            2,
            fc.array(
              fc.record({
                key: fc.constant('dedicated'),
                value: fc.constantFrom('', 'a'),
                effect: fc.constantFrom(...effects),
              }),
              { minLength: 1, maxLength: 2 },
            ),
          ),
          images: fc.array(
            fc.record({
              names: fc.subarray([...images, 'db:latest', 'registry.example/app:latest'], {
                minLength: 1,
              }),
              sizeBytes: fc.constantFrom(10_000_000, 50_000_000, 400_000_000, 1_500_000_000),
            }),
            { maxLength: 2 },
          ),
        })
        .map(({ zone, rack, size, cpu, memory, pods, gpu, isUnschedulable, taints, images: has }) =>
          withoutUndefined({
            metadata: {
              name,
              uid: name,
              labels: withoutUndefined({
                'kubernetes.io/hostname': name,
                'topology.kubernetes.io/zone': zone,
                rack,
                size,
              }),
            },
            spec: { taints, ...(isUnschedulable ? { unschedulable: true } : {}) },
            status: {
              allocatable: {
                cpu,
                memory,
                pods,
                'ephemeral-storage': '8Gi',
                'example.com/gpu': gpu,
              },
              images: has,
            },
          }),
        ),
    ),
  ) as unknown as fc.Arbitrary<readonly Node[]>
}

const budgets = fc
  .array(
    fc.record({
      namespace: fc.constantFrom('default', 'default', 'team-a'),
      selector: sometimes(9, selectors),
      disruptionsAllowed: fc.integer({ min: 0, max: 2 }),
      disruptedPods: sometimes(2, fc.constant({ p0: '2026-01-01T00:00:00Z' })),
    }),
    { maxLength: 2 },
  )
  .map((all) =>
    all.map(({ namespace, selector, ...status }, index) =>
      withoutUndefined({
        metadata: { name: `b${index}`, namespace, uid: `b${index}` },
        spec: { selector },
        status: { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, ...status },
      }),
    ),
  ) as unknown as fc.Arbitrary<readonly PodDisruptionBudget[]>

const allNamespaces = [
  { metadata: { name: 'default', uid: 'd' } },
  { metadata: { name: 'team-a', uid: 'a', labels: { team: 'a' } } },
  { metadata: { name: 'team-b', uid: 'b', labels: { team: 'b' } } },
]

function claimsOf({ metadata }: Pod): readonly KubeObject[] {
  const namespace = metadata.namespace ?? ''
  return [
    {
      metadata: {
        name: 'deleted',
        namespace,
        uid: 'c1',
        deletionTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { storageClassName: 'now' },
      status: { phase: 'Pending' },
    },
    {
      metadata: { name: 'lost', namespace, uid: 'c2' },
      spec: { volumeName: 'v9', storageClassName: 'now' },
      status: { phase: 'Lost' },
    },
  ]
}

const storageClasses = [
  {
    metadata: { name: 'now', uid: 's1' },
    provisioner: 'x.example',
    volumeBindingMode: 'Immediate',
  },
]

/** Clusters of up to `nodeCount` nodes with up to `podCount` pods. */
function clusters(
  nodeCount: number,
  podCount: number,
  richness: Richness,
): fc.Arbitrary<RandomCluster> {
  return fc.integer({ min: 1, max: nodeCount }).chain((count) => {
    const names = nodeNames.slice(0, count)
    return fc
      .record({
        nodes: nodesNamed(names),
        pods: placedPods(names, podCount, richness),
        nominated: sometimes(2, nominatedPods(names)).map((all) => all ?? []),
        pod: incomingPods(names, richness),
        budgets,
        services: sometimes(
          3,
          fc.constant([
            {
              metadata: { name: 's', namespace: 'default', uid: 's' },
              spec: { selector: { app: 'a' } },
            },
            { metadata: { name: 'x', namespace: 'default', uid: 'x' }, spec: {} },
          ]),
        ).map((all) => all ?? []),
      })
      .map((drawn): RandomCluster => ({
        ...drawn,
        namespaces: allNamespaces,
        replicaSets: [
          {
            metadata: { name: 'owner', namespace: 'default', uid: 'owner' },
            spec: { selector: { matchLabels: { tier: 'a' } } },
          },
        ],
        claims: claimsOf(drawn.pod),
        storageClasses,
      }))
  })
}

/** Many constraints meet each other. */
export const constrainedClusters = clusters(6, 12, { constraints: 3 })

/** Few constraints, so that scores decide. */
export const roomyClusters = clusters(7, 8, { constraints: 2 })

/** An important pod on full nodes. */
export const fullClusters: fc.Arbitrary<RandomCluster> = fc
  .tuple(
    clusters(5, 14, { constraints: 1 }),
    fc.constantFrom('1', '1500m', '2'),
    fc.constantFrom(500, 2000),
  )
  .map(([cluster, cpu, priority]) => {
    const { pod } = cluster
    const [first] = pod.spec.containers
    const asking = { ...first, name: 'c0', resources: { requests: { cpu } } }
    const spec = { ...pod.spec, priority, containers: [asking] }
    return { ...cluster, pod: { ...pod, spec } }
  })

/** A change of one pod or one node, and a pod that waits for it: NodescopeHint of the overlay. */
export interface RandomChange {
  readonly pod: Pod
  readonly plugins: readonly string[]
  readonly nodeOnly: boolean
  readonly old: Pod | null
  readonly new: Pod | null
  readonly oldNode: Node | null
  readonly newNode: Node | null
}

const shapes = ['added', 'changed', 'changed', 'deleted'] as const

/** `plugins`: the names to draw from. */
export function randomChanges(plugins: readonly string[]): fc.Arbitrary<RandomChange> {
  const richness = { constraints: 4 }
  return fc
    .record({
      pod: incomingPods(['n0'], richness),
      others: fc.array(incomingPods(['n0'], richness), { minLength: 2, maxLength: 2 }),
      isPlaced: fc.constantFrom(true, true, true, false),
      isSelf: fc.constantFrom(false, false, false, true),
      isSameSpec: fc.boolean(),
      nodes: nodesNamed(['n0', 'n1']),
      nodeOnly: fc.boolean(),
      shape: fc.constantFrom(...shapes),
      plugins: fc.subarray([...plugins], { minLength: 1 }),
    })
    .map(
      ({ pod, others, isPlaced, isSelf, isSameSpec, nodes, nodeOnly, shape, plugins: drawn }) => {
        const placed = isPlaced && !isSelf ? { nodeName: 'n0' } : {}
        const uid = isSelf ? pod.metadata.uid : 'other'
        const [old, next] = others.map(({ metadata, spec, status }) => ({
          metadata: { ...metadata, uid },
          spec: { ...(isSameSpec ? (others[0]?.spec ?? spec) : spec), ...placed },
          ...(status === undefined ? {} : { status }),
        }))
        const [oldNode, newNode] = nodes.map((node) => ({
          ...node,
          metadata: { ...node.metadata, name: 'n0' },
        }))
        const has = { old: shape !== 'added', next: shape !== 'deleted' }
        return {
          pod,
          plugins: drawn,
          nodeOnly,
          old: !nodeOnly && has.old ? (old ?? null) : null,
          new: !nodeOnly && has.next ? (next ?? null) : null,
          oldNode: nodeOnly && has.old ? (oldNode ?? null) : null,
          newNode: nodeOnly && has.next ? (newNode ?? null) : null,
        }
      },
    )
}
