import { describe, expect, it } from 'vitest'
import { withContainerFs } from '../../../src/main/kubelet/eviction/container-fs-thresholds.ts'
import type { DiskLayout } from '../../../src/main/kubelet/eviction/container-fs-thresholds.ts'
import { evictionMessage } from '../../../src/main/kubelet/eviction/eviction-message.ts'
import {
  byEvictionPriority,
  conditionsLastObservedAt,
  conditionsObservedSince,
  firstObservedAt,
  nodeConditions,
  thresholdsMet,
  thresholdsMetGracePeriod,
  thresholdsUpdatedStats,
} from '../../../src/main/kubelet/eviction/met-thresholds.ts'
import { makeObservations } from '../../../src/main/kubelet/eviction/observations.ts'
import type { Observation } from '../../../src/main/kubelet/eviction/observations.ts'
import { rankPods } from '../../../src/main/kubelet/eviction/rank-pods.ts'
import { thresholdStatement } from '../../../src/main/kubelet/eviction/threshold-text.ts'
import { isSameThreshold } from '../../../src/main/kubelet/eviction/thresholds.ts'
import type { Threshold } from '../../../src/main/kubelet/eviction/thresholds.ts'
import type { Container, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { Signal } from '../../../src/shared/model/pressure/signals.ts'
import {
  diskWith,
  figuresOf,
  gi,
  hardThreshold,
  mi,
  nodeOf,
  parsedThresholds,
  podOf,
  thresholdsOf,
} from './eviction-rounds.ts'
import type { PodSketch } from './eviction-rounds.ts'

// The tests of pkg/kubelet/eviction helpers_test.go by their names, on our functions.

const oneDisk: DiskLayout = { hasDedicatedImageFs: false, hasDedicatedContainerFs: false }
const soon = { 'memory.available': '30s', 'nodefs.available': '30s', 'imagefs.available': '30s' }

function observed(available: number, capacity = 3 * gi, time?: number): Observation {
  return { available, capacity, format: 'binary', time }
}

/** The names of the pods in the order of their eviction. */
function ranking(signal: Signal, sketches: readonly PodSketch[]): readonly string[] {
  const stats = new Map(sketches.map((sketch) => [`uid-${sketch.name}`, figuresOf(sketch)]))
  return rankPods(sketches.map(podOf), stats, signal, oneDisk).map(({ metadata }) => metadata.name)
}

function statements(thresholds: readonly Threshold[]): readonly string[] {
  return thresholds.map(
    (one) =>
      `${thresholdStatement(one)}${one.gracePeriodMs === 0 ? '' : ` for ${one.gracePeriodMs} ms`}`,
  )
}

describe('TestGetReclaimableThreshold', () => {
  it('acts on memory before anything else: of two signals of memory on the later one', () => {
    const memory = hardThreshold('memory.available', '150Mi')
    const ofPods: Threshold = { ...memory, signal: 'allocatableMemory.available' }
    const others = ['imagefs.available', 'nodefs.available'].map((signal) =>
      hardThreshold(signal, '150Mi'),
    )
    const [first] = byEvictionPriority([ofPods, memory, ...others])
    expect(first).toBe(memory)
  })

  it('finds none among none', () => {
    expect(byEvictionPriority([])).toEqual([])
  })
})

describe('TestParseThresholdConfig', () => {
  it.each([
    ['no values', {}, []],
    [
      'all memory eviction values',
      {
        evictionHard: { 'memory.available': '150Mi' },
        evictionSoft: { 'memory.available': '300Mi' },
        evictionSoftGracePeriod: soon,
        evictionMinimumReclaim: { 'memory.available': '0' },
        enforcesPods: true,
      },
      [
        'allocatableMemory.available<150Mi',
        'memory.available<150Mi',
        'memory.available<300Mi for 30000 ms',
      ],
    ],
    [
      'all memory eviction values in percentages',
      {
        evictionHard: { 'memory.available': '10%' },
        evictionSoft: { 'memory.available': '30%' },
        evictionSoftGracePeriod: soon,
        evictionMinimumReclaim: { 'memory.available': '5%' },
      },
      ['memory.available<10%', 'memory.available<30% for 30000 ms'],
    ],
    [
      'disk eviction values',
      {
        evictionHard: { 'imagefs.available': '150Mi', 'nodefs.available': '100Mi' },
        evictionSoft: { 'imagefs.available': '300Mi', 'nodefs.available': '200Mi' },
        evictionSoftGracePeriod: soon,
        evictionMinimumReclaim: { 'imagefs.available': '2Gi', 'nodefs.available': '1Gi' },
      },
      [
        'imagefs.available<150Mi',
        'imagefs.available<300Mi for 30000 ms',
        'nodefs.available<100Mi',
        'nodefs.available<200Mi for 30000 ms',
      ],
    ],
    [
      'disk eviction values in percentages',
      { evictionHard: { 'imagefs.available': '15%', 'nodefs.available': '10.5%' } },
      ['imagefs.available<15%', 'nodefs.available<10.5%'],
    ],
    [
      'inode eviction values',
      { evictionHard: { 'imagefs.inodesFree': '150Mi', 'nodefs.inodesFree': '100Mi' } },
      ['imagefs.inodesFree<150Mi', 'nodefs.inodesFree<100Mi'],
    ],
    ['disable via 0%', { evictionHard: { 'memory.available': '0%' } }, []],
    ['disable via 100%', { evictionHard: { 'memory.available': '100%' } }, []],
  ])('%s', (_name, config, expected) => {
    expect(statements(thresholdsOf(config)).toSorted()).toEqual(expected)
  })

  it.each([
    ['invalid-signal', { evictionHard: { 'mem.available': '150Mi' } }],
    ['hard-signal-negative', { evictionHard: { 'memory.available': '-150Mi' } }],
    ['hard-signal-negative-percentage', { evictionHard: { 'memory.available': '-15%' } }],
    ['hard-signal-percentage-greater-than-100%', { evictionHard: { 'memory.available': '150%' } }],
    [
      'soft-signal-negative',
      { evictionSoft: { 'memory.available': '-150Mi' }, evictionSoftGracePeriod: soon },
    ],
    [
      'valid-and-invalid-signal',
      { evictionHard: { 'memory.available': '150Mi', 'invalid.foo': '150Mi' } },
    ],
    ['soft-no-grace-period', { evictionSoft: { 'memory.available': '150Mi' } }],
    [
      'soft-negative-grace-period',
      {
        evictionSoft: { 'memory.available': '150Mi' },
        evictionSoftGracePeriod: { 'memory.available': '-30s' },
      },
    ],
    ['negative-reclaim', { evictionMinimumReclaim: { 'memory.available': '-300Mi' } }],
    ['min-reclaim-invalid-signal', { evictionMinimumReclaim: { 'foo.bar': '300Mi' } }],
    ['min-reclaim-empty-value', { evictionMinimumReclaim: { 'memory.available': '' } }],
    ['min-reclaim-negative-percentage', { evictionMinimumReclaim: { 'nodefs.available': '-15%' } }],
    ['min-reclaim-invalid-percentage', { evictionMinimumReclaim: { 'nodefs.available': '%' } }],
    ['hard-signal-empty-eviction-value', { evictionHard: { 'memory.available': '' } }],
    ['hard-signal-invalid-float-percentage', { evictionHard: { 'memory.available': '1.5.5%' } }],
    ['soft-grace-period-invalid-signal', { evictionSoftGracePeriod: { 'foo.bar': '30s' } }],
    ['soft-invalid-grace-period', { evictionSoftGracePeriod: { 'memory.available': '30' } }],
  ])('%s is an error', (_name, config) => {
    expect(parsedThresholds(config).ok).toBe(false)
  })
})

describe('TestAddAllocatableThresholds', () => {
  const memory = { 'memory.available': '150Mi' }

  it('copies a hard threshold of memory for the memory of all pods, and no other', () => {
    const signalsOf = (config: Parameters<typeof thresholdsOf>[0]): readonly string[] =>
      thresholdsOf({ ...config, enforcesPods: true }).map(({ signal }) => signal)
    expect(signalsOf({ evictionHard: { 'imagefs.available': '150Mi' } })).toEqual([
      'imagefs.available',
    ])
    expect(signalsOf({ evictionSoft: memory, evictionSoftGracePeriod: soon })).toEqual([
      'memory.available',
    ])
    expect(signalsOf({ evictionHard: memory }).toSorted()).toEqual([
      'allocatableMemory.available',
      'memory.available',
    ])
  })
})

describe('TestFallbackResourcesUsage', () => {
  it('counts what was not measured as 0', () => {
    const unmeasured = { uid: 'uid-a', containers: [{ name: 'c' }], volumes: [] }
    for (const signal of ['memory.available', 'nodefs.available', 'nodefs.inodesFree'] as const) {
      const pods = [{ name: 'a' }, { name: 'b', memory: 1, root: { usedBytes: 1, inodesUsed: 1 } }]
      const stats = new Map([
        ['uid-a', unmeasured],
        ['uid-b', figuresOf(pods[1] ?? { name: 'b' })],
      ])
      const ranked = rankPods(pods.map(podOf), stats, signal, oneDisk)
      expect(ranked.map(({ metadata }) => metadata.name)).toEqual(['b', 'a'])
    }
  })
})

describe('TestOrderedByExceedsRequestMemory', () => {
  it('begins with the pod above its request, whatever the priorities', () => {
    expect(
      ranking('memory.available', [
        { name: 'below', priority: -1, requests: { memory: '200Mi' }, memory: 199 * mi },
        { name: 'exceeds', priority: 1, requests: { memory: '100Mi' }, memory: 101 * mi },
      ]),
    ).toEqual(['exceeds', 'below'])
  })
})

const asking = (size: string) => ({ 'ephemeral-storage': size })
const bytes = (usedBytes: number) => ({ usedBytes: usedBytes * mi })

describe('TestOrderedByExceedsRequestDisk', () => {
  it('begins with the pod above its request, whatever the priorities', () => {
    const below = { name: 'below', priority: -1, requests: asking('200Mi') }
    const exceeds = { name: 'exceeds', priority: 1, requests: asking('100Mi') }
    expect(
      ranking('nodefs.available', [
        { ...below, root: bytes(100), logs: bytes(99) },
        { ...exceeds, root: bytes(90), logs: bytes(11) },
      ]),
    ).toEqual(['exceeds', 'below'])
  })
})

describe('TestOrderedByPriority', () => {
  it('begins with the lowest one among equals', () => {
    const pods = [
      { name: 'high', priority: 12_534, memory: mi },
      { name: 'medium', priority: 1, memory: mi },
      { name: 'low', priority: -134, memory: mi },
    ]
    expect(ranking('memory.available', pods)).toEqual(['low', 'medium', 'high'])
  })
})

/** Above their requests or not, by their parts on the disk together. */
const diskPods: readonly PodSketch[] = [
  { name: 'best-effort-high', root: bytes(50), logs: bytes(100), volume: bytes(150) },
  { name: 'best-effort-low', root: bytes(25), logs: bytes(25), volume: bytes(50) },
  {
    name: 'burstable-high',
    requests: asking('100Mi'),
    root: bytes(150),
    logs: bytes(150),
    volume: bytes(50),
  },
  {
    name: 'burstable-low',
    requests: asking('100Mi'),
    root: bytes(25),
    logs: bytes(35),
    volume: bytes(50),
  },
  {
    name: 'guaranteed-high',
    requests: asking('400Mi'),
    root: bytes(225),
    logs: bytes(100),
    volume: bytes(50),
  },
  {
    name: 'guaranteed-low',
    requests: asking('400Mi'),
    root: bytes(25),
    logs: bytes(45),
    volume: bytes(50),
  },
]

describe('TestOrderedbyDisk', () => {
  it('goes by the use above the request of all parts together', () => {
    expect(ranking('nodefs.available', diskPods.toReversed())).toEqual([
      'best-effort-high',
      'burstable-high',
      'best-effort-low',
      'burstable-low',
      'guaranteed-high',
      'guaranteed-low',
    ])
  })
})

const inodes = (inodesUsed: number) => ({ inodesUsed })

describe('TestOrderedbyInodes', () => {
  it('goes by the inodes of all parts together', () => {
    expect(
      ranking('nodefs.inodesFree', [
        { name: 'low', root: inodes(50_000), logs: inodes(100_000), volume: inodes(50_000) },
        { name: 'medium', root: inodes(100_000), logs: inodes(150_000), volume: inodes(50_000) },
        { name: 'high', root: inodes(200_000), logs: inodes(150_000), volume: inodes(50_000) },
      ]),
    ).toEqual(['high', 'medium', 'low'])
  })
})

/** The first half has a low priority, the second a high one. */
function withPriorities(pods: readonly PodSketch[]): readonly PodSketch[] {
  return [
    ...pods.map((pod) => ({ ...pod, name: `${pod.name}, low`, priority: -1 })),
    ...pods.map((pod) => ({ ...pod, name: `${pod.name}, high`, priority: 1 })),
  ]
}

describe('TestOrderedByPriorityDisk', () => {
  it('goes by exceeding, then by priority, then by the use above the request', () => {
    const [above, far, below] = [
      { name: 'above', requests: asking('100Mi'), root: bytes(150) },
      { name: 'far above', requests: asking('100Mi'), root: bytes(300) },
      { name: 'below', requests: asking('400Mi'), root: bytes(350) },
    ]
    expect(ranking('nodefs.available', withPriorities([below, above, far]).toReversed())).toEqual([
      'far above, low',
      'above, low',
      'far above, high',
      'above, high',
      'below, low',
      'below, high',
    ])
  })
})

describe('TestOrderedByPriorityInodes', () => {
  it('goes by priority, then by inodes', () => {
    const [few, many] = [
      { name: 'few', root: inodes(50_000) },
      { name: 'many', logs: inodes(400_000) },
    ]
    expect(ranking('nodefs.inodesFree', withPriorities([few, many]))).toEqual([
      'many, low',
      'few, low',
      'many, high',
      'few, high',
    ])
  })
})

const memoryPods: readonly PodSketch[] = [
  { name: 'best-effort-high', memory: 500 * mi },
  { name: 'best-effort-low', memory: 300 * mi },
  { name: 'burstable-high', requests: { memory: '100Mi' }, memory: 800 * mi },
  { name: 'burstable-low', requests: { memory: '100Mi' }, memory: 300 * mi },
  { name: 'guaranteed-high', requests: { memory: '1Gi' }, memory: 800 * mi },
  { name: 'guaranteed-low', requests: { memory: '1Gi' }, memory: 200 * mi },
]

describe('TestOrderedByMemory', () => {
  it('goes by the use above the request', () => {
    expect(ranking('memory.available', memoryPods.toReversed())).toEqual([
      'burstable-high',
      'best-effort-high',
      'best-effort-low',
      'burstable-low',
      'guaranteed-high',
      'guaranteed-low',
    ])
  })
})

describe('TestOrderedByPriorityMemory', () => {
  it('goes by exceeding, then by priority, then by the use above the request', () => {
    const some = memoryPods.filter(({ name }) => /best-effort-high|burstable-high|low$/.test(name))
    const ranked = ranking('memory.available', withPriorities(some))
    const above = [
      'burstable-high',
      'best-effort-high',
      'best-effort-low',
      'burstable-low',
    ] as const
    expect(ranked).toEqual([
      ...above.map((name) => `${name}, low`),
      ...above.map((name) => `${name}, high`),
      'guaranteed-low, low',
      'guaranteed-low, high',
    ])
  })
})

describe('TestOrderedByPriorityProcess', () => {
  it('goes by priority, then by processes', () => {
    const [few, many] = [
      { name: 'few', processes: 10 },
      { name: 'many', processes: 200 },
    ]
    expect(ranking('pid.available', withPriorities([few, many]))).toEqual([
      'many, low',
      'few, low',
      'many, high',
      'few, high',
    ])
  })
})

describe('TestSortByEvictionPriority', () => {
  const [disk, pids, memory] = (
    ['nodefs.available', 'pid.available', 'memory.available'] as const
  ).map((signal) => hardThreshold(signal, '1')) as [Threshold, Threshold, Threshold]

  it.each([
    ['empty threshold list', [], []],
    ['memory first', [disk, pids, memory], [memory, disk, pids]],
  ])('%s', (_name, thresholds, expected) => {
    expect(byEvictionPriority(thresholds)).toEqual(expected)
  })

  it('allocatable memory first', () => {
    const ofPods: Threshold = { ...memory, signal: 'allocatableMemory.available' }
    expect(byEvictionPriority([disk, pids, ofPods])).toEqual([ofPods, disk, pids])
  })
})

describe('TestMakeSignalObservations', () => {
  it('has each signal, with its capacity', () => {
    const fs = { availableBytes: 1024, capacityBytes: 2048, inodesFree: 100, inodes: 1000 }
    const images = { availableBytes: 1, capacityBytes: 2, inodesFree: 3, inodes: 4 }
    const layers = { availableBytes: 5, capacityBytes: 6, inodesFree: 7, inodes: 8 }
    const node = {
      memory: { availableBytes: gi, workingSetBytes: gi },
      podsMemory: { availableBytes: gi, workingSetBytes: 3 * gi },
      nodeFs: fs,
      imageFs: images,
      containerFs: layers,
      rlimit: { maxPid: 255_816, runningProcesses: 1000 },
    }
    const found = [...makeObservations(node)].map(([signal, { available, capacity }]) => [
      signal,
      available,
      capacity,
    ])
    expect(found).toEqual([
      ['memory.available', gi, 2 * gi],
      ['allocatableMemory.available', gi, 4 * gi],
      ['nodefs.available', 1024, 2048],
      ['nodefs.inodesFree', 100, 1000],
      ['imagefs.available', 1, 2],
      ['imagefs.inodesFree', 3, 4],
      ['containerfs.available', 5, 6],
      ['containerfs.inodesFree', 7, 8],
      ['pid.available', 254_816, 255_816],
    ])
  })

  it('has none of what was not measured', () => {
    expect(makeObservations({ memory: { availableBytes: 1 } }).size).toBe(0)
  })
})

const [oneGi] = thresholdsOf({
  evictionHard: { 'memory.available': '1Gi' },
  evictionMinimumReclaim: { 'memory.available': '500Mi' },
}) as [Threshold]

describe('TestThresholdsMet', () => {
  it.each([
    ['empty', [], undefined, false, []],
    ['threshold-met-memory', [oneGi], 500 * mi, false, [oneGi]],
    ['threshold-not-met', [oneGi], 2 * gi, false, []],
    ['threshold-met-with-min-reclaim', [oneGi], 1.25 * gi, true, [oneGi]],
    ['threshold-not-met-with-min-reclaim', [oneGi], 2 * gi, true, []],
  ])('%s', (_name, thresholds, available, enforcesMinReclaim, expected) => {
    const observations =
      available === undefined
        ? new Map()
        : new Map([['memory.available' as const, observed(available)]])
    expect(thresholdsMet(thresholds, observations, enforcesMinReclaim)).toEqual(expected)
  })
})

describe('TestThresholdsUpdatedStats', () => {
  const at = (time?: number) => new Map([['memory.available' as const, observed(gi, 2 * gi, time)]])

  it.each([
    ['empty', [], at(), at(), []],
    ['no-time', [oneGi], at(), at(), [oneGi]],
    ['no-last-observation', [oneGi], at(5), new Map(), [oneGi]],
    ['time-machine', [oneGi], at(5), at(10), []],
    ['same-observation', [oneGi], at(5), at(5), []],
    ['new-observation', [oneGi], at(10), at(5), [oneGi]],
  ])('%s', (_name, thresholds, now, before, expected) => {
    expect(thresholdsUpdatedStats(thresholds, now, before)).toEqual(expected)
  })
})

describe('TestPercentageThresholdsMet', () => {
  const [memory, disk] = thresholdsOf({
    evictionHard: { 'memory.available': '20%', 'nodefs.available': '30%' },
    evictionMinimumReclaim: { 'memory.available': '5%' },
  }) as [Threshold, Threshold]

  it.each([
    ['BothMet', 100, 290, false, [memory, disk]],
    ['NoneMet', 300, 300, false, []],
    ['DiskMet', 300, 290, false, [disk]],
    ['MemoryMet', 100, 300, false, [memory]],
    ['MemoryMetWithMinReclaim', 225, 300, true, [memory]],
    ['MemoryNotMetWithMinReclaim', 300, 300, true, []],
  ])('%s', (_name, memoryAvailable, diskAvailable, enforcesMinReclaim, expected) => {
    const observations = new Map([
      ['memory.available' as const, observed(memoryAvailable, 1000)],
      ['nodefs.available' as const, observed(diskAvailable, 1000)],
    ])
    expect(thresholdsMet([memory, disk], observations, enforcesMinReclaim)).toEqual(expected)
  })
})

describe('TestThresholdsFirstObservedAt', () => {
  it.each([
    ['empty', [], [], []],
    ['no-previous-observation', [oneGi], [], [[oneGi, 100]]],
    ['previous-observation', [oneGi], [[oneGi, 40]], [[oneGi, 40]]],
  ] as const)('%s', (_name, thresholds, before, expected) => {
    expect([...firstObservedAt(thresholds, new Map(before), 100)]).toEqual(expected)
  })
})

describe('TestThresholdsMetGracePeriod', () => {
  const soft: Threshold = { ...oneGi, gracePeriodMs: 60_000 }

  it.each([
    ['empty', [], []],
    ['hard-threshold-met', [[oneGi, 1_000_000]], [oneGi]],
    ['soft-threshold-not-met', [[soft, 1_000_000]], []],
    ['soft-threshold-met', [[soft, 880_000]], [soft]],
  ] as const)('%s', (_name, observedAt, expected) => {
    expect(thresholdsMetGracePeriod(new Map(observedAt), 1_000_000)).toEqual(expected)
  })
})

describe('TestNodeConditions', () => {
  it.each([
    ['empty-list', [], []],
    ['memory.available', [oneGi], ['MemoryPressure']],
  ])('%s', (_name, thresholds, expected) => {
    expect(nodeConditions(thresholds)).toEqual(expected)
  })
})

describe('TestNodeConditionsLastObservedAt', () => {
  const before = new Map([['MemoryPressure' as const, 40]])

  it.each([
    ['no-previous-observation', ['MemoryPressure'] as const, new Map(), 100],
    ['previous-observation', ['MemoryPressure'] as const, before, 100],
    ['old-observation', [], before, 40],
  ])('%s', (_name, conditions, seen, expected) => {
    expect([...conditionsLastObservedAt(conditions, seen, 100)]).toEqual([
      ['MemoryPressure', expected],
    ])
  })
})

describe('TestNodeConditionsObservedSince', () => {
  it.each([
    ['in-period', 120_000, ['MemoryPressure']],
    ['out-of-period', 30_000, []],
  ])('%s', (_name, periodMs, expected) => {
    const observedAt = new Map([['MemoryPressure' as const, 940_000]])
    expect(conditionsObservedSince(observedAt, periodMs, 1_000_000)).toEqual(expected)
  })
})

describe('TestParsePercentage', () => {
  it.each(['blah', 'foo%', '12%345'])('refuses %s', (value) => {
    expect(parsedThresholds({ evictionHard: { 'memory.available': value } }).ok).toBe(false)
  })

  it('reads 25.5% as a share', () => {
    expect(hardThreshold('memory.available', '25.5%').value).toEqual({
      percentage: Math.fround(0.255),
    })
  })
})

describe('TestCompareThresholdValue', () => {
  it.each([
    ['123', '123', true],
    ['123', '456', false],
    ['123', '10%', false],
    ['10%', '10%', true],
    ['20%', '10%', false],
  ])('%s and %s', (a, b, isSame) => {
    const [one, other] = [
      hardThreshold('memory.available', a),
      hardThreshold('memory.available', b),
    ]
    expect([isSameThreshold(one, other), isSameThreshold(other, one)]).toEqual([isSame, isSame])
  })
})

describe('TestAddContainerFsThresholds', () => {
  const disks = ['nodefs', 'imagefs'] as const
  const all = thresholdsOf({
    evictionHard: {
      'nodefs.available': '100Mi',
      'nodefs.inodesFree': '10Mi',
      'imagefs.available': '150Mi',
      'imagefs.inodesFree': '15Mi',
    },
    evictionSoft: {
      'nodefs.available': '200Mi',
      'nodefs.inodesFree': '20Mi',
      'imagefs.available': '300Mi',
      'imagefs.inodesFree': '30Mi',
    },
    evictionSoftGracePeriod: Object.fromEntries(
      disks.flatMap((fs) => [
        [`${fs}.available`, '1s'],
        [`${fs}.inodesFree`, '1s'],
      ]),
    ),
    evictionMinimumReclaim: { 'nodefs.available': '1Gi', 'imagefs.available': '2Gi' },
  })
  const ofContainers = (thresholds: readonly Threshold[]): readonly string[] =>
    statements(thresholds.filter(({ signal }) => signal.startsWith('containerfs.'))).toSorted()
  const asNodeFs = [
    'containerfs.available<100Mi',
    'containerfs.available<200Mi for 1000 ms',
    'containerfs.inodesFree<10Mi',
    'containerfs.inodesFree<20Mi for 1000 ms',
  ]
  const asImageFs = [
    'containerfs.available<150Mi',
    'containerfs.available<300Mi for 1000 ms',
    'containerfs.inodesFree<15Mi',
    'containerfs.inodesFree<30Mi for 1000 ms',
  ]
  const layouts = [
    ['single filesystem', oneDisk, asNodeFs],
    ['image filesystem', { hasDedicatedImageFs: true, hasDedicatedContainerFs: false }, asImageFs],
    [
      'container and image are separate',
      { hasDedicatedImageFs: true, hasDedicatedContainerFs: true },
      asNodeFs,
    ],
  ] as const

  it.each(layouts)('%s', (_name, layout, expected) => {
    const added = withContainerFs(all, layout)
    expect(ofContainers(added)).toEqual(expected)
    const reclaims = added.filter(({ signal }) => signal === 'containerfs.available')
    const source = expected === asNodeFs ? 'nodefs.available' : 'imagefs.available'
    const [from] = all.filter(({ signal }) => signal === source)
    expect(reclaims.map(({ minReclaim }) => minReclaim)).toEqual([
      from?.minReclaim,
      from?.minReclaim,
    ])
  })

  it.each(layouts)('%s; what is set for containerfs is replaced', (_name, layout, expected) => {
    const own = thresholdsOf({
      evictionHard: { 'containerfs.available': '1Mi', 'containerfs.inodesFree': '1Mi' },
    })
    expect(ofContainers(withContainerFs([...own, ...all], layout))).toEqual(expected)
  })
})

describe('TestStatsNotFoundForPod', () => {
  const pods = [podOf({ name: 'first' }), podOf({ name: 'second' })]

  it.each(['memory.available', 'nodefs.available', 'pid.available'] as const)(
    'leaves two pods without figures as they are for %s',
    (signal) => {
      expect(rankPods(pods, new Map(), signal, oneDisk)).toEqual(pods)
    },
  )
})

interface Asked {
  readonly name: string
  readonly requests?: string
  readonly uses?: number
}

function containerOf({ name, requests }: Asked): Container {
  const resources = requests === undefined ? {} : { requests: { memory: requests } }
  return { name, image: 'i', resources }
}

describe('TestEvictionMessage', () => {
  function messageOf(
    containers: readonly Asked[],
    more: {
      readonly init?: readonly (Asked & { readonly isSidecar?: boolean })[]
      readonly ephemeral?: readonly Asked[]
      readonly pod?: Pick<Pod['spec'], 'resources'>
      readonly podUses?: number
    } = {},
  ) {
    const { init = [], ephemeral = [], pod = {}, podUses } = more
    const spec = {
      ...pod,
      containers: containers.map(containerOf),
      initContainers: init.map((one) => ({
        ...containerOf(one),
        ...(one.isSidecar === true ? { restartPolicy: 'Always' as const } : {}),
      })),
      ephemeralContainers: ephemeral.map(containerOf),
    }
    const figures = {
      uid: 'u',
      workingSetBytes: podUses,
      containers: [...init, ...containers, ...ephemeral].flatMap(({ name, uses }) =>
        uses === undefined ? [] : [{ name, workingSetBytes: uses * mi }],
      ),
      volumes: [],
    }
    const met = { thresholds: [], observations: new Map() }
    return evictionMessage('memory', { metadata: { name: 'p', uid: 'u' }, spec }, figures, met)
  }
  const opening = 'The node was low on resource: memory. '
  const sentence = (name: string, use: string, request: string): string =>
    `Container ${name} was using ${use}, request is ${request}, has larger consumption of memory. `

  it('No container exceeds memory usage', () => {
    const { message, annotations } = messageOf([{ name: 'a', requests: '200Mi', uses: 100 }])
    expect(message).toBe(opening)
    expect(annotations).toMatchObject({ offending_containers: '', offending_containers_usage: '' })
  })

  it('Init container exceeds memory usage', () => {
    const init = [{ name: 'init', requests: '100Mi', uses: 150 }]
    const { message, annotations } = messageOf([{ name: 'a', requests: '200Mi' }], { init })
    expect(message).toBe(opening + sentence('init', '150Mi', '100Mi'))
    expect(annotations).toMatchObject({ offending_containers: 'init' })
  })

  it('Restartable init container exceeds memory usage', () => {
    const init = [
      { name: 'side', requests: '200Mi', uses: 250, isSidecar: true },
      { name: 'other', requests: '200Mi', uses: 150, isSidecar: true },
    ]
    const { message } = messageOf([{ name: 'a', requests: '200Mi', uses: 200 }], { init })
    expect(message).toBe(opening + sentence('side', '250Mi', '200Mi'))
  })

  it('Regular container exceeds memory usage', () => {
    const { message } = messageOf([
      { name: 'a', requests: '200Mi', uses: 250 },
      { name: 'b', requests: '300Mi', uses: 250 },
    ])
    expect(message).toBe(opening + sentence('a', '250Mi', '200Mi'))
  })

  it('Ephemeral container exceeds memory usage', () => {
    const ephemeral = [{ name: 'debug', uses: 250 }]
    const { message } = messageOf([{ name: 'a', requests: '200Mi', uses: 150 }], { ephemeral })
    expect(message).toBe(opening)
  })

  it('Both regular and restartable init containers exceed memory usage due to missing memory requests', () => {
    const init = [{ name: 'side', uses: 250, isSidecar: true }]
    const { message, annotations } = messageOf([{ name: 'a', uses: 200 }], { init })
    expect(message).toBe(opening + sentence('side', '250Mi', '0') + sentence('a', '200Mi', '0'))
    expect(annotations).toMatchObject({
      offending_containers: 'side,a',
      offending_containers_usage: '250Mi,200Mi',
    })
  })

  it('Regular pod with pod level resources exceeds memory usage', () => {
    const resources = { requests: { memory: '250Mi' }, limits: { memory: '1000Mi' } }
    const { message, annotations } = messageOf([{ name: 'a', uses: 600 }], {
      pod: { resources },
      podUses: 600 * mi,
    })
    expect(message).toBe(
      `${opening}Pod p was using 600Mi, request is 250Mi, has larger consumption of memory. ${sentence('a', '600Mi', '0')}`,
    )
    expect(annotations).toMatchObject({ offending_pod: 'p', offending_pod_usage: '600Mi' })
  })

  it('names the threshold that is met', () => {
    const observations = makeObservations(nodeOf({ nodeFs: diskWith(gi) }))
    const thresholds = [hardThreshold('nodefs.available', '25%')]
    const pod = podOf({ name: 'p' })
    const met = { thresholds, observations }
    expect(evictionMessage('ephemeral-storage', pod, undefined, met).message).toBe(
      'The node was low on resource: ephemeral-storage. Threshold quantity: 25Gi, available: 1Gi. ',
    )
  })
})
