import fc from 'fast-check'
import type { NodeCondition, Pod } from '../../../src/shared/kubernetes/objects.ts'

type Texts = Readonly<Record<string, string>>

const resources = fc.constantFrom(
  'cpu',
  'memory',
  'pods',
  'example.com/gpu',
  'example.com/dongle',
  'hugepages-2Mi',
  'hugepages-1Gi',
  'kubernetes.io/batch-cpu',
  'requests.example.com/gpu',
  'attachable-volumes-csi',
)
const amounts = fc.constantFrom('0', '1', '4', '512Mi', '1Gi', '1024Mi', '2Gi')
const resourceLists = fc.dictionary(resources, amounts, { maxKeys: 5, noNullPrototype: true })
/** As API servers write them. */
const writtenLists = fc.dictionary(resources, fc.constantFrom('0', '1', '512Mi', '2Gi'), {
  maxKeys: 5,
  noNullPrototype: true,
})

const labels = fc.dictionary(
  fc.constantFrom(
    'kubernetes.io/hostname',
    'kubernetes.io/os',
    'kubernetes.io/arch',
    'beta.kubernetes.io/os',
    'topology.kubernetes.io/zone',
    'failure-domain.beta.kubernetes.io/region',
    'node.kubernetes.io/instance-type',
    'node.kubernetes.io/windows-build',
    'example.com/rack',
    'mine',
  ),
  fc.constantFrom('', 'a', 'b'),
  { maxKeys: 5, noNullPrototype: true },
)

const annotations = fc.dictionary(
  fc.constantFrom('volumes.kubernetes.io/controller-managed-attach-detach', 'theirs'),
  fc.constantFrom('true', 'false'),
  { maxKeys: 2, noNullPrototype: true },
)

/** A Node as far as a registration looks at it; empty lists are left out, as API servers do. */
function registered(hasResources: boolean) {
  return fc
    .record({ labels, annotations, capacity: resourceLists, allocatable: resourceLists })
    .map(({ capacity, allocatable, ...metadata }) => ({
      metadata: { name: 'n', uid: '', ...metadata },
      status: {
        ...listed('capacity', hasResources ? { cpu: '2', ...capacity } : capacity),
        ...listed('allocatable', hasResources ? { cpu: '2', ...allocatable } : allocatable),
      },
    }))
}

function listed(name: string, texts: Texts): Readonly<Record<string, Texts>> {
  return Object.keys(texts).length === 0 ? {} : { [name]: texts }
}

/** The Node that a kubelet would register, and an existing one. */
export const registrations = fc.record({ initial: registered(true), existing: registered(false) })

/** What was known of a machine before. */
export const knownResources = fc
  .record({ capacity: resourceLists, allocatable: resourceLists })
  .map(({ capacity, allocatable }) => ({
    ...listed('capacity', capacity),
    ...listed('allocatable', allocatable),
  }))

const times = fc.constantFrom('1999-01-01T00:00:00Z', '1999-06-01T12:00:00Z')

const condition: fc.Arbitrary<NodeCondition> = fc.record({
  type: fc.constantFrom('MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready', 'Foreign'),
  status: fc.constantFrom('True', 'False', 'Unknown'),
  lastHeartbeatTime: times,
  lastTransitionTime: times,
  reason: fc.constantFrom('KubeletReady', 'KubeletHasNoDiskPressure', 'Theirs'),
  message: fc.constantFrom('kubelet is posting ready status', 'their words'),
})

const conditions = fc.uniqueArray(condition, { selector: ({ type }) => type, maxLength: 5 })
const reasons = fc.array(fc.constantFrom('PLEG is not healthy', 'down', 'no network'), {
  maxLength: 2,
})

/** Earlier conditions, and the current state of the node. */
export const situations = fc.record({
  conditions,
  runtime: reasons,
  network: reasons,
  storage: reasons,
  missing: fc.subarray(['cpu', 'memory', 'pods', 'ephemeral-storage']),
  shutdown: fc.constantFrom('', '', 'node is shutting down'),
  memory: fc.boolean(),
  disk: fc.boolean(),
  pid: fc.boolean(),
})

const addresses = fc.uniqueArray(
  fc.record({
    type: fc.constantFrom('InternalIP', 'Hostname', 'ExternalIP'),
    address: fc.constantFrom('10.0.0.1', 'fd00::1', 'n'),
  }),
  { selector: ({ type, address }) => `${type} ${address}`, maxLength: 3 },
)

const nodeInfo = fc.record({
  bootID: fc.constantFrom('', 'a', 'b'),
  kernelVersion: fc.constantFrom('6.1', '6.2'),
})

const written = fc
  .record({ labels, annotations, conditions, addresses, nodeInfo, resources: writtenLists })
  .map(({ labels: own, annotations: notes, resources: capacity, ...status }) => ({
    metadata: { name: 'n', uid: 'u', labels: own, annotations: notes },
    status: { ...status, capacity },
  }))

/** A Node before and after; often the same in parts. */
export const changes = fc.tuple(written, written, fc.boolean(), fc.boolean()).map(
  ([before, after, isSameMetadata, isSameStatus]) =>
    [
      before,
      {
        metadata: isSameMetadata ? before.metadata : after.metadata,
        status: isSameStatus ? before.status : after.status,
      },
    ] as const,
)

const periods = fc.constantFrom(-1000, 0, 0, 1, 500, 999, 1000, 1500, 10_000, 30_000, 90_000)
const priorities = fc.constantFrom(-10, -1, 0, 1, 999, 1000, 1001, 2_000_000_000, 2_000_001_000)

const podsOfPriorities = fc
  .array(fc.option(priorities, { nil: undefined }), { maxLength: 12 })
  .map((all) =>
    all.map((priority, index): Pod => ({
      metadata: { name: `p${index}`, uid: `u${index}` },
      spec: { containers: [], ...(priority === undefined ? {} : { priority }) },
    })),
  )

/** A configuration of graceful shutdown with the pods of a node. */
export const shutdowns = fc.record({
  total: periods,
  critical: periods,
  groups: fc.oneof(
    fc.constant([]),
    fc.array(
      fc.record({ priority: priorities, shutdownGracePeriodSeconds: fc.constantFrom(0, 1, 20) }),
      { maxLength: 7 },
    ),
  ),
  pods: podsOfPriorities,
})

/** An API server's responses to lease renewals, and its lease. */
export const leaseScripts = fc.record({
  answers: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('ok') },
      {
        weight: 3,
        arbitrary: fc.constantFrom('not-found', 'conflict', 'unavailable', 'forbidden'),
      },
    ),
    { minLength: 1, maxLength: 40, size: 'max' },
  ),
  holder: fc.constantFrom('n', 'else'),
  isOwned: fc.boolean(),
})
