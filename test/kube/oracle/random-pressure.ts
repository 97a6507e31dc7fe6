import fc from 'fast-check'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { Statements } from '../../../src/main/kubelet/eviction/parse-thresholds.ts'
import type {
  FsFigures,
  MemoryFigures,
  NodeFigures,
  PodFigures,
} from '../../../src/main/kubelet/eviction/stats.ts'
import { signals } from '../../../src/shared/model/pressure/signals.ts'
import { computeNames, podsAsking } from './random-resources.ts'

const quantities = ['100', '1Ki', '1k', '500', '0.5Ki', '1e3', '100m', '64Mi']
const percentages = ['10%', '5%', '0%', '100%', '12.5%', '33.3%', '99.9%', '10%%', '+5%']
const wrongValues = ['-1', '', 'x', '1Q', '%', '-5%', '101%', 'x%', 'nan%', '1e50%', 'Inf%', '1 %']
const periods = ['0s', '30s', '1m30s', '90s', '500ms', '1h']
const wrongPeriods = ['-1s', '5', 'x', '', '1y']

function rarely<T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: rare })
}

function statements(
  usual: readonly string[],
  wrong: readonly string[],
  maxKeys: number,
): fc.Arbitrary<Statements> {
  const names = rarely<string>(fc.constantFrom(...signals), fc.constantFrom('cpu.available', ''))
  const values = rarely(fc.constantFrom(...usual), fc.constantFrom(...wrong))
  return fc.dictionary(names, values, { maxKeys })
}

/** What is in a KubeletConfiguration, in the oracle's names. */
export interface Asked {
  readonly hard: Statements
  readonly soft: Statements
  readonly grace: Statements
  readonly reclaim: Statements
  readonly pods: boolean
}

export const askedStatements: fc.Arbitrary<Asked> = fc
  .record({
    hard: statements([...quantities, ...percentages], wrongValues, 4),
    soft: statements([...quantities, ...percentages], wrongValues, 3),
    grace: statements(periods, wrongPeriods, 3),
    reclaim: statements([...quantities, ...percentages, '0'], wrongValues, 3),
    pods: fc.boolean(),
    isGraced: fc.integer({ min: 0, max: 5 }).map((one) => one > 0),
  })
  .map(({ isGraced, ...asked }) => {
    const periodsOf = Object.keys(asked.soft).map((signal) => [signal, '30s'] as const)
    const grace = isGraced ? { ...Object.fromEntries(periodsOf), ...asked.grace } : asked.grace
    return { ...asked, grace }
  })

/** Absent now and then. */
function maybe<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined, freq: 12 })
}

const times = maybe(fc.integer({ min: -20_000, max: 0 }))

function file(largest: number): fc.Arbitrary<FsFigures> {
  const amount = maybe(fc.integer({ min: 0, max: largest }))
  return fc.record({
    time: times,
    availableBytes: amount,
    capacityBytes: maybe(fc.constantFrom(2000, 3001, 200_000_000)),
    usedBytes: amount,
    inodesFree: amount,
    inodes: maybe(fc.constantFrom(1000, 3000)),
    inodesUsed: amount,
  })
}

const memory: fc.Arbitrary<MemoryFigures> = fc.record({
  time: times,
  availableBytes: maybe(fc.integer({ min: 0, max: 3000 })),
  workingSetBytes: maybe(fc.integer({ min: 0, max: 3000 })),
  usageBytes: maybe(fc.integer({ min: 3000, max: 5000 })),
})

/** Times are offsets from now. */
export const nodeFigures: fc.Arbitrary<NodeFigures> = fc.record({
  memory: maybe(memory),
  podsMemory: maybe(memory),
  nodeFs: maybe(file(2000)),
  imageFs: maybe(file(2000)),
  containerFs: maybe(file(2000)),
  rlimit: maybe(
    fc.record({
      time: times,
      maxPid: maybe(fc.constant(1000)),
      runningProcesses: maybe(fc.integer({ min: 0, max: 1200 })),
    }),
  ),
})

const used = fc.record({
  usedBytes: maybe(fc.constantFrom(0, 100, 500, 1500, 67_108_865)),
  inodesUsed: maybe(fc.integer({ min: 0, max: 3 })),
})

const sizes = fc.constantFrom(undefined, '0', '-1', '100', '1Ki', '1e3', '64Mi')
const sources: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.oneof(
  fc
    .record({ sizeLimit: sizes, medium: fc.constantFrom('', '', '', 'Memory') })
    .map((emptyDir) => ({ emptyDir })),
  fc.constantFrom<Readonly<Record<string, unknown>>>(
    { hostPath: { path: '/' } },
    { configMap: { name: 'c' } },
    { secret: { secretName: 's' } },
    { projected: {} },
    { persistentVolumeClaim: { claimName: 'c' } },
  ),
)

export interface KnownPod {
  readonly spec: Pod
  readonly figures: PodFigures | undefined
}

const priorities = fc.constantFrom(undefined, 0, 0, 0, -1, 100, 2_000_000_000)

const podOf: fc.Arbitrary<KnownPod> = fc
  .record({
    pod: podsAsking([...computeNames, 'inodes']),
    priority: priorities,
    grace: fc.constantFrom(undefined, 0, 1, 30, 600),
    isStatic: fc.integer({ min: 0, max: 12 }).map((one) => one === 0),
    volumes: fc.array(sources, { maxLength: 3 }),
    workingSetBytes: maybe(fc.constantFrom(0, 1, 100, 1500, 67_108_865, 200_000_000)),
    processes: maybe(fc.integer({ min: 0, max: 4 })),
    uses: fc.array(
      fc.record({
        rootfs: maybe(used),
        logs: maybe(used),
        workingSetBytes: maybe(fc.constantFrom(0, 100, 1500, 67_108_865)),
      }),
      { minLength: 7, maxLength: 7 },
    ),
    volumeUses: fc.array(used, { minLength: 3, maxLength: 3 }),
    ephemeralStorageBytes: maybe(fc.constantFrom(0, 100, 1500, 67_108_865)),
    isKnown: fc.integer({ min: 0, max: 8 }).map((one) => one > 0),
  })
  .map(({ pod, priority, grace, isStatic, volumes, uses, volumeUses, isKnown, ...figures }) => {
    const { containers, initContainers = [] } = pod.spec
    const spec: Pod = {
      metadata: {
        ...pod.metadata,
        ...(isStatic ? { annotations: { 'kubernetes.io/config.source': 'file' } } : {}),
      },
      spec: {
        ...pod.spec,
        ...(priority === undefined ? {} : { priority }),
        ...(grace === undefined ? {} : { terminationGracePeriodSeconds: grace }),
        volumes: volumes.map((source, index) => ({ name: `v${index}`, ...source })),
      },
      status: {},
    }
    const names = [...initContainers, ...containers].map(({ name }) => name)
    const known: PodFigures = {
      uid: '',
      ...figures,
      containers: [...names, 'debugger']
        .slice(0, uses.length)
        .map((name, index) => ({ name, ...uses[index] })),
      // A kubelet's volumes are measured as a whole.
      volumes: volumes.map((_, index) => ({
        name: `v${index}`,
        usedBytes: volumeUses[index]?.usedBytes ?? 0,
        inodesUsed: volumeUses[index]?.inodesUsed,
      })),
    }
    return { spec, figures: isKnown ? known : undefined }
  })

/** At most 12: a kubelet's order of more equal ones is not stable. */
export const knownPods: fc.Arbitrary<readonly KnownPod[]> = fc
  .array(podOf, { maxLength: 8, size: 'max' })
  .map((pods) =>
    pods.map(({ spec, figures }, index) => {
      const uid = `u${index}`
      const metadata = { ...spec.metadata, uid, name: `p${index}` }
      return { spec: { ...spec, metadata }, figures: figures && { ...figures, uid } }
    }),
  )

/** Which disks there are. */
export const layouts = fc.constantFrom(
  { imageFs: false, containerFs: false },
  { imageFs: true, containerFs: false },
  { imageFs: true, containerFs: true },
)

const failures = rarely(fc.constant(''), fc.constant('it failed'))

/** A node as one round finds it. */
export const rounds = fc.record({
  afterMs: fc.constantFrom(1, 1000, 10_000, 10_000, 30_000, 90_000, 300_000),
  node: nodeFigures,
  reclaimed: fc.option(nodeFigures, { nil: null, freq: 2 }),
  pods: knownPods,
  statsError: failures,
  deadError: failures,
  imageError: failures,
})

export type Round = typeof rounds extends fc.Arbitrary<infer T> ? T : never

export const managers = fc.record({
  statements: askedStatements,
  transitionMs: fc.constantFrom(300_000, 0, 30_000),
  maxPodGrace: fc.constantFrom(0, 5, 60),
  isolation: fc.integer({ min: 0, max: 4 }).map((one) => one > 0),
  layout: layouts,
})

export type ManagerAsked = typeof managers extends fc.Arbitrary<infer T> ? T : never
