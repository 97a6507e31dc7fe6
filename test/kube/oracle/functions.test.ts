import { defined } from '../../../src/shared/json.ts'
import fc from 'fast-check'
import { sharesToWeight } from '../../../src/main/kubelet/cm/cpu-values.ts'
import { podCgroupResources } from '../../../src/main/kubelet/cm/pod-cgroup.ts'
import { hashContainer } from '../../../src/main/kubelet/kuberuntime/container-hash.ts'
import { shouldContainerBeRestarted } from '../../../src/main/kubelet/kuberuntime/container-restart.ts'
import { computePodActions } from '../../../src/main/kubelet/kuberuntime/pod-actions.ts'
import type { ContainerAmounts } from '../../../src/main/kubelet/allocation/pod-resize.ts'
import { generateApiPodStatus } from '../../../src/main/kubelet/status/api-status.ts'
import {
  containersReadyCondition,
  podInitializedCondition,
  podReadyCondition,
  podReadyToStartContainersCondition,
} from '../../../src/main/kubelet/status/conditions.ts'
import { podPhase } from '../../../src/main/kubelet/status/phase.ts'
import { isStaticPod } from '../../../src/main/kubelet/pod/identity.ts'
import { humanDuration } from '../../../src/shared/kubernetes/printers/age.ts'
import type { Container, Pod, PodPhase } from '../../../src/shared/kubernetes/objects.ts'
import {
  podColumns,
  podWideColumns,
  restartsText,
} from '../../../src/shared/kubernetes/printers/pod-columns.ts'
import { defaultPod } from '../../../src/shared/kubernetes/pod-defaults.ts'
import { podRequests } from '../../../src/shared/kubernetes/pod-requests.ts'
import { validatePod } from '../../../src/shared/kubernetes/validation/pod-validation.ts'
import { podQosClass } from '../../../src/shared/kubernetes/qos.ts'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  type Quantity,
} from '../../../src/shared/kubernetes/quantity.ts'
import { Refusal } from './oracle.ts'
import { describeOracle, functionComparisons } from './oracle-suite.ts'
import { barePods, conditions, phases, podsWithStatus, statusesFor, times } from './random-pods.ts'
import { environmentOf, startingContainers } from './random-environments.ts'
import { resourcePods } from './random-resources.ts'
import { forOracle, inRuntime, probesOf } from './random-runtime.ts'
import { actuatedOf, withResources } from './random-resizes.ts'
import { writtenPods } from './random-specs.ts'

const counts: string[] = []

/** As JSON: nothing that is absent or null. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, field: unknown) => (field === null ? undefined : field)),
  )
}

function amountsIn(amounts: ContainerAmounts): readonly number[] {
  const { cpuRequest, cpuLimit, memoryRequest, memoryLimit } = amounts
  return [cpuRequest, cpuLimit, memoryRequest, memoryLimit].map(Number)
}

function withoutZeros(amounts: readonly (readonly [string, number])[]): object {
  return Object.fromEntries(amounts.filter(([, amount]) => amount !== 0))
}

const durations = fc.oneof(
  fc.integer({ min: -5_000, max: 700_000 }),
  fc.integer({ min: 0, max: 40 * 86_400_000 }),
  fc.integer({ min: 0, max: 20 * 365 }).map((days) => days * 86_400_000 + 1),
)

const suffixes = [
  '',
  'n',
  'u',
  'm',
  'k',
  'M',
  'G',
  'T',
  'P',
  'E',
  'Ki',
  'Mi',
  'Gi',
  'Ti',
  'Pi',
  'Ei',
]
const otherSuffixes = ['e3', 'E-2', 'e+6', 'K', 'i', 'e', 'mi']
// Beyond 64 bits Go cuts some amounts off and others not.
const largest = (2n ** 63n - 1n) * 1_000_000_000n
const quantityTexts = fc
  .tuple(
    fc.constantFrom('', '', '', '-', '+'),
    fc.constantFrom('0', '1', '7', '100', '1023', '1024', '1500', '007', '', '123456789'),
    fc.constantFrom('', '', '', '.', '.5', '.25', '.001', '.0000000001', '.10'),
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...suffixes) },
      { weight: 1, arbitrary: fc.constantFrom(...otherSuffixes) },
    ),
  )
  .map((parts) => parts.join(''))
  .filter((text) => {
    // Go takes some texts without a digit for zero (`m`) and refuses others (`Ei`); ours refuses all.
    if (!/\d/.test(text.replace(/[eE][-+]?\d+$/, ''))) return false
    const nanos = parseQuantity(text)?.nanos ?? 0n
    return nanos <= largest && nanos >= -largest
  })

interface QuantityAnswer {
  readonly canonical: string
  readonly compared: number
  readonly sum: string
  readonly value: string
  readonly milliValue: string
}

function quantityAnswer([first, second]: readonly [string, string]): unknown {
  const one = parseQuantity(first)
  const other = parseQuantity(second)
  if (one === undefined || other === undefined) return 'refused'
  const answer = {
    canonical: formatQuantity(one),
    compared: compareQuantities(one, other),
    sum: formatQuantity(addQuantities(one, other)),
    value: String(quantityValue(one)),
    milliValue: String(quantityMilliValue(one)),
  }
  return inRange(answer, one)
}

const largestWhole = 2n ** 63n - 1n

/**
 * Go's whole numbers end, and negative amounts are rounded and written now one way and now another: no pod can
 * ask for either.
 */
function inRange(answer: QuantityAnswer, one: Quantity): unknown {
  const { value, milliValue, sum, ...rest } = answer
  if (one.nanos < 0n) return rest
  return {
    ...rest,
    sum,
    ...(quantityValue(one) <= largestWhole ? { value } : {}),
    ...(quantityMilliValue(one) <= largestWhole ? { milliValue } : {}),
  }
}

function quantityTold(answer: unknown, [text]: readonly [string, string]): unknown {
  const one = parseQuantity(text)
  if (answer instanceof Refusal) return 'refused'
  // What overlay/nodescope/oracle/functions.go answers.
  return one === undefined ? answer : inRange(answer as QuantityAnswer, one)
}

const podsInColumns = fc
  .tuple(
    podsWithStatus,
    fc.record(
      { podIP: fc.constant('10.0.0.1'), nominatedNodeName: fc.constant('other') },
      { requiredKeys: [] },
    ),
    fc.constantFrom(undefined, 'node'),
    fc.option(times, { nil: undefined }),
  )
  .map(([pod, status, nodeName, creationTimestamp]) => ({
    apiVersion: 'v1' as const,
    kind: 'Pod' as const,
    metadata: {
      ...pod.metadata,
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec: { ...pod.spec, ...(nodeName === undefined ? {} : { nodeName }) },
    status: { ...pod.status, ...status },
  }))

function cells(pod: Pod): readonly string[] {
  const now = Date.now()
  const columns = podColumns(pod, now)
  const wide = podWideColumns(pod)
  return [
    pod.metadata.name,
    `${columns.readyContainers}/${columns.totalContainers}`,
    columns.status,
    restartsText(columns, now),
    columns.age,
    wide.ip,
    wide.node,
    wide.nominatedNode,
    wide.readinessGates,
  ]
}

const phased = podsWithStatus.chain((pod) =>
  fc.record({ podIsTerminal: fc.boolean(), podHasInitialized: fc.boolean() }).map((facts) => ({
    pod,
    statuses: [
      ...(pod.status?.containerStatuses ?? []),
      ...(pod.status?.initContainerStatuses ?? []),
    ],
    ...facts,
  })),
)

const conditioned = fc
  .tuple(podsWithStatus, conditions, phases, fc.integer({ min: 0, max: 7 }))
  .map(([pod, all, phase, chance]) => ({
    pod,
    conditions: all,
    phase,
    statuses:
      chance === 0
        ? null
        : [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])],
  }))

const failure = fc.record({
  reason: fc.constantFrom('CrashLoopBackOff', 'ErrImagePull'),
  message: fc.constantFrom('', 'why'),
})

const cpuAmounts = ['100m', '1m', '2m', '3m', '1', '10m']
const memoryAmounts = ['64Mi', '1Gi', '1k']

function amounts(): fc.Arbitrary<Record<string, string> | undefined> {
  const drawn = fc.record(
    {
      cpu: fc.constantFrom(...cpuAmounts),
      memory: fc.constantFrom(...memoryAmounts),
      'example.com/gpu': fc.constant('2'),
    },
    { requiredKeys: [] },
  )
  return fc.option(drawn, { nil: undefined })
}

const asked = fc.record({
  resources: fc.option(
    fc
      .record({ requests: amounts(), limits: amounts() })
      .map(({ requests, limits }) => defined({ requests, limits })),
    { nil: undefined },
  ),
  volumeMounts: fc.constantFrom(
    undefined,
    [{ name: 'v', mountPath: '/v' }],
    [
      { name: 'v', mountPath: '/v', readOnly: true },
      { name: 'w', mountPath: '/w', subPath: 's', readOnly: false },
    ],
  ),
})

/** Containers that ask for resources and mounts. */
function withAsked(pod: Pod): fc.Arbitrary<Pod> {
  const of = <T extends Container>(containers: readonly T[] = []): fc.Arbitrary<readonly T[]> =>
    fc.tuple(
      ...containers.map((container) => asked.map((each) => ({ ...container, ...defined(each) }))),
    )
  const { containers, initContainers, ephemeralContainers } = pod.spec
  return fc
    .tuple(of(containers), of(initContainers), of(ephemeralContainers))
    .map(([regular, init, ephemeral]) => ({
      ...pod,
      spec: {
        ...pod.spec,
        containers: regular,
        ...(initContainers === undefined ? {} : { initContainers: init }),
        ...(ephemeralContainers === undefined ? {} : { ephemeralContainers: ephemeral }),
      },
    }))
}

const statusInputs = inRuntime(podsWithStatus.chain(withAsked)).chain((given) =>
  fc
    .record({
      old: fc.option(statusesFor(given.pod)),
      podIsTerminal: fc.boolean(),
      failures: fc.dictionary(fc.constantFrom('a', 'b', 'i', 'j', 'd'), failure, { maxKeys: 3 }),
      hostIPs: fc.constantFrom(
        [],
        ['10.1.0.1'],
        ['fd01::1'],
        ['10.1.0.1', 'fd01::1'],
        ['fd01::1', '10.1.0.1'],
      ),
      eviction: fc.option(failure, { freq: 5 }),
    })
    .map((rest) => ({ given, ...rest })),
)

type StatusInput = typeof statusInputs extends fc.Arbitrary<infer T> ? T : never

function apiStatusOf({
  given,
  old,
  podIsTerminal,
  failures,
  hostIPs,
  eviction,
}: StatusInput): unknown {
  return plain(
    generateApiPodStatus({
      pod: given.pod,
      runtimeStatus: given.status,
      podIsTerminal,
      oldStatus: old ?? undefined,
      reasonCache: { get: (_, name) => failures[name] },
      hostIPs,
      probes: probesOf(given),
      ...(eviction === null ? {} : { evictionChecks: [{ shouldEvict: () => eviction }] }),
    }),
  )
}

/** Go's type of a pod has no kind of itself. */
function withoutKind({ metadata, spec, status }: Pod): object {
  return { metadata, spec, status }
}

/** Go writes a list that it did not make as null. */
function withEmptyLists(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (_, field: unknown) => field ?? []))
}

await describeOracle(
  {
    name: 'functions',
    subject: 'functions',
    title: 'functions, compared with the kubelet’s',
    summary: () => counts.join(', '),
  },
  (oracle) => {
    const compares = functionComparisons(oracle, counts)

    compares('QoS class', {
      ask: 'qosClass',
      values: resourcePods,
      ours: (pod) => podQosClass(defaultPod(pod)),
      asked: defaultPod,
      count: 2000,
    })

    compares('requests', {
      ask: 'podRequests',
      values: resourcePods,
      // A request of nothing is as good as none.
      ours: (pod) => withoutZeros([...podRequests(pod)].map(([name, of]) => [name, Number(of)])),
      theirs: (answer) => withoutZeros(Object.entries(answer as Record<string, number>)),
      count: 2000,
    })

    compares('cgroups of pods', {
      ask: 'podCgroup',
      values: resourcePods,
      ours: (pod) => {
        const { hugepageLimits = [], ...resources } = podCgroupResources(defaultPod(pod))
        const pages = hugepageLimits.map(({ pageSize, limit }) => [pageSize, limit] as const)
        return { ...resources, pages: withoutZeros(pages) }
      },
      asked: defaultPod,
      // Pages of other sizes are limited to none too.
      theirs: (answer) => {
        const { pages, ...resources } = plain(answer) as { readonly pages: Record<string, number> }
        return { ...resources, pages: withoutZeros(Object.entries(pages)) }
      },
      count: 5000,
    })

    compares('CPU weights', {
      ask: 'cpuWeight',
      values: fc.integer({ min: 2, max: 262_144 }),
      ours: sharesToWeight,
      count: 2000,
    })

    compares('quantities', {
      ask: 'quantity',
      values: fc.tuple(quantityTexts, quantityTexts),
      ours: quantityAnswer,
      theirs: quantityTold,
      count: 5000,
    })

    compares('durations', {
      ask: 'humanDuration',
      values: durations,
      ours: humanDuration,
      count: 4000,
    })

    compares('container hash', {
      ask: 'hashContainer',
      values: fc.record({ name: fc.string(), image: fc.string({ unit: 'grapheme' }) }),
      ours: hashContainer,
      count: 1000,
    })

    compares('columns', { ask: 'columns', values: podsInColumns, ours: cells, count: 3000 })

    compares('phase', {
      ask: 'phase',
      values: phased,
      ours: ({ pod, statuses, ...facts }) =>
        podPhase(pod, statuses, { ...facts, isStatic: isStaticPod(pod) }),
      count: 5000,
    })

    compares('conditions', {
      ask: 'conditions',
      values: conditioned,
      ours: ({ pod, conditions: all, statuses, phase }) => {
        const given = [pod, statuses ?? undefined, phase as PodPhase] as const
        return plain([
          podInitializedCondition(...given),
          podReadyCondition(pod, all, statuses ?? undefined, phase as PodPhase),
          containersReadyCondition(...given),
        ])
      },
      theirs: plain,
      count: 4000,
    })

    compares('sandbox condition', {
      ask: 'readyToStart',
      values: inRuntime(barePods),
      asked: forOracle,
      ours: ({ pod, status }) => plain(podReadyToStartContainersCondition(pod, status)),
      theirs: plain,
      count: 1000,
    })

    compares('restarts', {
      ask: 'restarts',
      values: inRuntime(barePods),
      asked: forOracle,
      ours: ({ pod, status }) =>
        pod.spec.containers
          .filter((container) => shouldContainerBeRestarted(container, pod, status))
          .map(({ name }) => name),
      count: 2000,
    })

    compares('pod actions', {
      ask: 'podActions',
      values: inRuntime(fc.oneof(barePods, withResources(barePods))).chain((given) =>
        actuatedOf(given.pod).map((actuated) => ({ given, actuated })),
      ),
      asked: ({ given, actuated }) => ({ ...forOracle(given), actuated }),
      ours: ({ given, actuated }) => {
        const { resizes, ...actions } = computePodActions(
          given.pod,
          given.status,
          probesOf(given),
          (_uid, name) => actuated[name],
        )
        const updatesOf = (resource: 'cpu' | 'memory') =>
          resizes.updates[resource].map(({ container, containerId, desired, current }) => ({
            name: container.name,
            id: containerId,
            desired: amountsIn(desired),
            current: amountsIn(current),
          }))
        const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name)
        return {
          ...actions,
          sandboxId: actions.sandboxId ?? '',
          updates: { cpu: updatesOf('cpu'), memory: updatesOf('memory') },
          hasRestarts: resizes.hasRestarts,
          ephemeralContainersToStart: namesOf(actions.ephemeralContainersToStart),
          initContainersToStart: namesOf(actions.initContainersToStart),
          containersToStart: namesOf(actions.containersToStart),
          containersToKill: Object.fromEntries(
            actions.containersToKill.map(({ status, message, reason }) => [
              status.id,
              { name: status.name, message, reason },
            ]),
          ),
        }
      },
      count: 5000,
    })

    compares('API status', {
      ask: 'apiStatus',
      values: statusInputs,
      asked: ({ given, ...rest }) => ({ ...forOracle(given), ...rest }),
      ours: apiStatusOf,
      theirs: plain,
      count: 3500,
    })

    compares('environment', {
      ask: 'environment',
      values: startingContainers,
      ours: environmentOf,
      theirs: withEmptyLists,
      count: 6000,
    })

    compares('validation', {
      ask: 'validatePod',
      values: writtenPods,
      // As an API server and a kubelet do: first the defaults.
      ours: (pod) => validatePod(defaultPod(pod as unknown as Pod)),
      count: 4000,
    })

    compares('defaults', {
      ask: 'defaultPod',
      values: writtenPods,
      // Both through Go's encoder, so that absent and empty values are written alike. Its type was
      // drawn as a pod's.
      ours: (pod) => oracle.ask('asWritten', withoutKind(defaultPod(pod as unknown as Pod))),
      count: 3000,
    })
  },
)
