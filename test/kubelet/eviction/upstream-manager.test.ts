import { describe, expect, it } from 'vitest'
import type { DiskLayout } from '../../../src/main/kubelet/eviction/container-fs-thresholds.ts'
import { diskWith, EvictionRounds, gi, hardThreshold, mi, thresholdsOf } from './eviction-rounds.ts'
import type { Given, PodSketch } from './eviction-rounds.ts'

// The tests of pkg/kubelet/eviction eviction_manager_test.go by their names, on our manager.

const [low, high] = [-1, 1]
const oneDisk: DiskLayout = { hasDedicatedImageFs: false, hasDedicatedContainerFs: false }
const imageDisk: DiskLayout = { hasDedicatedImageFs: true, hasDedicatedContainerFs: false }
const splitDisk: DiskLayout = { hasDedicatedImageFs: true, hasDedicatedContainerFs: true }
const bestEffort: PodSketch = { name: 'best-effort' }
const burstable: PodSketch = { name: 'burstable', requests: { memory: '100Mi' } }

/** `least` has the lowest priority of those that use more than they request. */
const memoryPods: readonly PodSketch[] = [
  { name: 'guaranteed', priority: low, requests: { memory: '1Gi' }, memory: 900 * mi },
  { name: 'below', requests: { memory: '100Mi' }, memory: 50 * mi },
  { name: 'above', requests: { memory: '100Mi' }, memory: 400 * mi },
  { name: 'important', priority: high, memory: 400 * mi },
  { name: 'least', priority: low, memory: 100 * mi },
]

const hardAndSoft = thresholdsOf({
  evictionHard: { 'memory.available': '1Gi' },
  evictionSoft: { 'memory.available': '2Gi' },
  evictionSoftGracePeriod: { 'memory.available': '2m' },
})

function disruption(message: string): unknown {
  return {
    phase: 'Failed',
    reason: 'Evicted',
    message,
    conditions: [
      { type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message },
    ],
  }
}

/** Hard at 1 Gi and soft at 2 Gi after 2 min: what a manager does as one of its signals falls and rises. */
async function expectHardAndSoft(
  rounds: EvictionRounds,
  given: (available: number) => Given,
  victim: string,
  pressure: string,
): Promise<void> {
  const nothing = { killed: [], grace: undefined, reclaimed: [] }
  expect(await rounds.round(0, given(3 * gi))).toEqual({ ...nothing, pressure: '' })
  // The soft threshold: at once the condition, after its grace period the pod.
  expect(await rounds.round(1, given(1500 * mi))).toMatchObject({ killed: [], pressure })
  expect(await rounds.round(3, given(1500 * mi))).toMatchObject({
    killed: [victim],
    grace: 5,
    pressure,
  })
  expect(await rounds.round(20, given(3 * gi))).toEqual({ ...nothing, pressure: '' })
  // The hard one.
  expect(await rounds.round(1, given(500 * mi))).toMatchObject({
    killed: [victim],
    grace: 1,
    pressure,
  })
  // The condition stays for 5 min.
  expect(await rounds.round(1, given(3 * gi))).toEqual({ ...nothing, pressure })
  expect(rounds.admits(bestEffort)).toBe(false)
  expect(await rounds.round(5, given(3 * gi))).toEqual({ ...nothing, pressure: '' })
  expect([rounds.admits(bestEffort), rounds.admits(burstable)]).toEqual([true, true])
}

describe('TestMemoryPressure_VerifyPodStatus', () => {
  it('ends the pod that uses more than it requests, with reason, message and condition', async () => {
    const rounds = new EvictionRounds({
      thresholds: [hardThreshold('memory.available', '2Gi')],
      pods: [
        { name: 'below', requests: { memory: '1Gi' }, memory: 900 * mi },
        { name: 'above', requests: { memory: '100Mi' }, memory: 700 * mi },
      ],
    })
    expect(await rounds.round(0, { memory: 1500 * mi })).toMatchObject({
      killed: ['above'],
      pressure: 'memory',
    })
    expect(rounds.killed[0]?.status).toMatchObject(
      disruption(
        'The node was low on resource: memory. Threshold quantity: 2Gi, available: 1500Mi. Container c was using 700Mi, request is 100Mi, has larger consumption of memory. ',
      ) as object,
    )
  })
})

describe('TestPIDPressure_VerifyPodStatus', () => {
  it('ends the pod with the most processes', async () => {
    const rounds = new EvictionRounds({
      thresholds: [hardThreshold('pid.available', '1200')],
      pods: [
        { name: 'few', processes: 500 },
        { name: 'many', processes: 800 },
      ],
    })
    expect(await rounds.round(0, { pids: 500 })).toMatchObject({
      killed: ['many'],
      pressure: 'pid',
    })
    expect(rounds.killed[0]?.status).toMatchObject(
      disruption(
        'The node was low on resource: pids. Threshold quantity: 1200, available: 500. ',
      ) as object,
    )
  })
})

describe('TestDiskPressureNodeFs_VerifyPodStatus', () => {
  it.each([
    ['nodefs.available', oneDisk, { nodeFs: diskWith(1500 * mi) }],
    ['imagefs.available', imageDisk, { imageFs: diskWith(1500 * mi) }],
    ['nodefs.available', splitDisk, { nodeFs: diskWith(1500 * mi) }],
    ['imagefs.available', splitDisk, { imageFs: diskWith(1500 * mi) }],
  ] as const)(
    'ends the pod that uses more than it requests, for %s',
    async (signal, layout, given) => {
      const rounds = new EvictionRounds({
        thresholds: [hardThreshold(signal, '2Gi')],
        layout,
        pods: [
          {
            name: 'below',
            requests: { 'ephemeral-storage': '1Gi' },
            root: { usedBytes: 900 * mi },
          },
          {
            name: 'above',
            requests: { 'ephemeral-storage': '100Mi' },
            root: { usedBytes: 700 * mi },
            logs: { usedBytes: 0 },
          },
        ],
      })
      const { killed, pressure } = await rounds.round(0, given)
      expect([killed, pressure]).toEqual([['above'], 'disk'])
      expect(rounds.killed[0]?.status).toMatchObject({ phase: 'Failed', reason: 'Evicted' })
      expect(rounds.killed[0]?.status.message).toBe(
        'The node was low on resource: ephemeral-storage. Threshold quantity: 2Gi, available: 1500Mi. Container c was using 700Mi, request is 100Mi, has larger consumption of ephemeral-storage. ',
      )
    },
  )
})

describe('TestMemoryPressure', () => {
  it('waits for the grace period of a soft threshold, not for that of a hard one', async () => {
    const rounds = new EvictionRounds({ thresholds: hardAndSoft, pods: memoryPods })
    await expectHardAndSoft(rounds, (memory) => ({ memory }), 'least', 'memory')
  })

  it('admits no BestEffort pod under pressure, but others', async () => {
    const rounds = new EvictionRounds({ thresholds: hardAndSoft, pods: memoryPods })
    await rounds.round(0, { memory: 500 * mi })
    expect([rounds.admits(bestEffort), rounds.admits(burstable)]).toEqual([false, true])
  })
})

describe('TestPIDPressure', () => {
  const thresholds = thresholdsOf({
    evictionHard: { 'pid.available': '1200' },
    evictionSoft: { 'pid.available': '1500' },
    evictionSoftGracePeriod: { 'pid.available': '2m' },
  })
  const pods: readonly PodSketch[] = [
    { name: 'few', priority: low, processes: 50 },
    { name: 'many', priority: low, processes: 800 },
    { name: 'important', priority: high, processes: 2000 },
    { name: 'default', processes: 900 },
  ]

  it('evicts by priority, then by processes, and admits no pod meanwhile', async () => {
    const rounds = new EvictionRounds({ thresholds, pods })
    expect(await rounds.round(0, { pids: 2000 })).toMatchObject({ killed: [], pressure: '' })
    expect(await rounds.round(1, { pids: 1300 })).toMatchObject({ killed: [], pressure: 'pid' })
    expect(await rounds.round(3, { pids: 1300 })).toMatchObject({ killed: ['many'], grace: 5 })
    expect(await rounds.round(20, { pids: 2000 })).toMatchObject({ killed: [], pressure: '' })
    expect(await rounds.round(1, { pids: 1000 })).toMatchObject({ killed: ['many'], grace: 1 })
    expect([rounds.admits(bestEffort), rounds.admits(burstable)]).toEqual([false, false])
    expect(await rounds.round(1, { pids: 2000 })).toMatchObject({ killed: [], pressure: 'pid' })
    expect(await rounds.round(5, { pids: 2000 })).toMatchObject({ killed: [], pressure: '' })
    expect(rounds.admits(bestEffort)).toBe(true)
  })
})

describe('TestAdmitUnderNodeConditions', () => {
  const critical: PodSketch = { name: 'critical', priority: 2_000_000_000 }
  const asked = [bestEffort, burstable, critical]

  it.each([
    ['nothing', 'memory.available', {}, [true, true, true]],
    ['memory', 'memory.available', { memory: 0 }, [false, true, true]],
    ['disk', 'nodefs.available', { nodeFs: diskWith(0) }, [false, false, true]],
    ['process IDs', 'pid.available', { pids: 0 }, [false, false, true]],
  ] as const)('admits by QoS class and priority while there is pressure on %s', async (...one) => {
    const [, signal, given, admitted] = one
    const rounds = new EvictionRounds({ thresholds: [hardThreshold(signal, '1')] })
    await rounds.round(0, given)
    expect(asked.map((sketch) => rounds.admits(sketch))).toEqual(admitted)
  })
})

const diskPods: readonly PodSketch[] = [
  {
    name: 'large',
    priority: low,
    requests: { memory: '1Gi' },
    root: { usedBytes: 900 * mi, inodesUsed: 900_000 },
    logs: { usedBytes: 900 * mi, inodesUsed: 900_000 },
  },
  {
    name: 'small',
    priority: low,
    root: { usedBytes: 100 * mi, inodesUsed: 100_000 },
    logs: { usedBytes: 100 * mi, inodesUsed: 100_000 },
  },
  {
    name: 'important',
    priority: high,
    root: { usedBytes: 950 * mi, inodesUsed: 950_000 },
    logs: { usedBytes: 950 * mi, inodesUsed: 950_000 },
  },
]

function softAndHard(signal: string, hard: string, soft: string) {
  return thresholdsOf({
    evictionHard: { [signal]: hard },
    evictionSoft: { [signal]: soft },
    evictionSoftGracePeriod: { [signal]: '2m' },
  })
}

describe('TestDiskPressureNodeFs', () => {
  it.each([
    ['nodefs.available', oneDisk, (bytes: number) => ({ nodeFs: diskWith(bytes) })],
    ['imagefs.available', imageDisk, (bytes: number) => ({ imageFs: diskWith(bytes) })],
    ['nodefs.available', splitDisk, (bytes: number) => ({ nodeFs: diskWith(bytes) })],
  ] as const)('evicts the largest of the lowest priority for %s', async (signal, layout, given) => {
    const thresholds = softAndHard(signal, '1Gi', '2Gi')
    const rounds = new EvictionRounds({ thresholds, pods: diskPods, layout })
    await expectHardAndSoft(rounds, given, 'large', 'disk')
  })
})

describe('TestMinReclaim', () => {
  it('goes on until the minimum is reclaimed too', async () => {
    const thresholds = thresholdsOf({
      evictionHard: { 'memory.available': '1Gi' },
      evictionMinimumReclaim: { 'memory.available': '500Mi' },
    })
    const rounds = new EvictionRounds({ thresholds, pods: memoryPods })
    expect(await rounds.round(0, { memory: 2 * gi })).toMatchObject({ killed: [], pressure: '' })
    expect(await rounds.round(1, { memory: 500 * mi })).toMatchObject({ killed: ['least'] })
    expect(await rounds.round(1, { memory: 1228 * mi })).toMatchObject({
      killed: ['least'],
      grace: 1,
      pressure: 'memory',
    })
    expect(await rounds.round(1, { memory: 2 * gi })).toMatchObject({
      killed: [],
      pressure: 'memory',
    })
    expect(await rounds.round(5, { memory: 2 * gi })).toMatchObject({ killed: [], pressure: '' })
  })
})

describe('TestNodeReclaimFuncs', () => {
  it.each([
    ['nodefs', oneDisk, ['dead containers', 'unused images']],
    ['imagefs', imageDisk, ['dead containers', 'unused images']],
    ['nodefs', splitDisk, ['dead containers']],
    ['imagefs', splitDisk, ['unused images']],
  ] as const)('reclaims before it evicts: %s, %o', async (fs, layout, reclaimed) => {
    const signal = `${fs}.available`
    const thresholds = thresholdsOf({
      evictionHard: { [signal]: '1Gi' },
      evictionMinimumReclaim: { [signal]: '500Mi' },
    })
    const rounds = new EvictionRounds({ thresholds, pods: diskPods, layout })
    const given = (bytes: number): Given =>
      fs === 'nodefs' ? { nodeFs: diskWith(bytes) } : { imageFs: diskWith(bytes) }
    const [plenty, scarce] = [given(16 * gi), given(750 * mi)]
    expect(await rounds.round(0, plenty)).toMatchObject({ reclaimed: [], pressure: '' })
    // Enough is free after it.
    const first = await rounds.round(1, scarce, plenty)
    expect([first.killed, first.pressure]).toEqual([[], 'disk'])
    expect(first.reclaimed).toEqual(reclaimed)
    expect(await rounds.round(20, plenty)).toMatchObject({ reclaimed: [], pressure: '' })
    // Above the threshold, but not by the minimum reclaim.
    const second = await rounds.round(1, scarce, given(1126 * mi))
    expect(second).toMatchObject({ reclaimed, pressure: 'disk' })
    expect(second.killed).toHaveLength(1)
    await rounds.round(20, plenty)
    const third = await rounds.round(1, scarce)
    expect(third).toMatchObject({ reclaimed, killed: ['large'], grace: 1 })
    expect(await rounds.round(1, plenty)).toMatchObject({ reclaimed: [], killed: [] })
    expect(await rounds.round(5, plenty)).toMatchObject({ reclaimed: [], pressure: '' })
  })
})

describe('TestInodePressureFsInodes', () => {
  it.each([
    ['nodefs.inodesFree', oneDisk, (free: number) => ({ nodeFs: diskWith(50 * gi, free) })],
    ['imagefs.inodesFree', imageDisk, (free: number) => ({ imageFs: diskWith(50 * gi, free) })],
    ['nodefs.inodesFree', splitDisk, (free: number) => ({ nodeFs: diskWith(50 * gi, free) })],
  ] as const)('evicts the pod with the most inodes for %s', async (signal, layout, given) => {
    const thresholds = softAndHard(signal, '1024', '2048')
    const rounds = new EvictionRounds({ thresholds, pods: diskPods, layout })
    // One inode for each MiB.
    await expectHardAndSoft(rounds, (bytes) => given(bytes / mi), 'large', 'disk')
  })
})

describe('TestStaticCriticalPodsAreNotEvicted', () => {
  const source = { 'kubernetes.io/config.source': 'file' }

  it.each([
    ['with the priority of critical pods', 2_000_000_000],
    ['without a priority', undefined],
  ])('leaves a static pod alone %s, and the pressure stays', async (_title, priority) => {
    const critical: PodSketch = {
      name: 'critical',
      requests: { memory: '100Mi' },
      memory: 800 * mi,
      annotations: source,
      ...(priority === undefined ? {} : { priority }),
    }
    const rounds = new EvictionRounds({ thresholds: hardAndSoft, pods: [critical] })
    expect(await rounds.round(1, { memory: 1500 * mi })).toMatchObject({ pressure: 'memory' })
    expect(await rounds.round(3, { memory: 1500 * mi })).toMatchObject({
      killed: [],
      pressure: 'memory',
    })
    await rounds.round(20, { memory: 3 * gi })
    expect(await rounds.round(1, { memory: 500 * mi })).toMatchObject({
      killed: [],
      pressure: 'memory',
    })
  })
})

describe('TestStorageLimitEvictions', () => {
  const limits = { 'ephemeral-storage': '1Gi' }
  const used = { usedBytes: 2 * gi }

  it.each([
    ['rootfs', { name: 'p', limits, root: used }],
    ['logsfs', { name: 'p', limits, logs: used }],
    ['a local volume', { name: 'p', volume: used, sizeLimit: '1Gi' }],
  ] as const)('evicts a pod whose %s is above its limit', async (_title, sketch) => {
    const thresholds = [hardThreshold('nodefs.available', '1Gi')]
    const rounds = new EvictionRounds({ thresholds, pods: [sketch], isolation: true })
    const { killed, grace } = await rounds.round(0, { nodeFs: diskWith(200 * mi) })
    expect([killed, grace]).toEqual([['p'], 1])
    // Not for the pressure, which is there too.
    expect(rounds.killed[0]?.status.conditions).toBeUndefined()
  })
})

describe('TestAllocatableMemoryPressure', () => {
  it('evicts for the memory of all pods together as for that of the node', async () => {
    const thresholds = thresholdsOf({
      evictionHard: { 'memory.available': '1Gi' },
      enforcesPods: true,
    }).filter(({ signal }) => signal === 'allocatableMemory.available')
    const rounds = new EvictionRounds({ thresholds, pods: memoryPods })
    expect(await rounds.round(0, { podsMemory: 4 * gi })).toMatchObject({ pressure: '' })
    expect(await rounds.round(1, { podsMemory: 500 * mi })).toMatchObject({
      killed: ['least'],
      grace: 1,
      pressure: 'memory',
    })
    expect([rounds.admits(bestEffort), rounds.admits(burstable)]).toEqual([false, true])
    expect(await rounds.round(1, { podsMemory: 2 * gi })).toMatchObject({
      killed: [],
      pressure: 'memory',
    })
    expect(await rounds.round(5, { podsMemory: 2 * gi })).toMatchObject({ pressure: '' })
    expect(rounds.admits(bestEffort)).toBe(true)
  })
})

describe('TestUpdateMemcgThreshold', () => {
  it('updates the notifiers in a round that is more than 10 s after the last update', async () => {
    const watched: number[] = []
    const rounds = new EvictionRounds({
      thresholds: [hardThreshold('memory.available', '1Gi')],
      notifyMemory: (_scope, usage) => {
        watched.push(usage)
        return () => undefined
      },
    })
    rounds.manager.start()
    rounds.manager.stop()
    await rounds.round(1, { memory: 2 * gi })
    const before = watched.length
    await rounds.round(0, { memory: 2 * gi })
    expect(watched).toHaveLength(before)
    await rounds.round(20 / 60, { memory: 2 * gi })
    expect(watched).toHaveLength(before + 1)
  })
})

describe('TestManagerWithLocalStorageCapacityIsolationOpen', () => {
  it('evicts in one round every pod that is above a limit of its own', async () => {
    const used = { usedBytes: gi }
    const limits = { 'ephemeral-storage': '800Mi' }
    const pods: readonly PodSketch[] = [
      { name: 'empty-dir', volume: used, sizeLimit: '900Mi' },
      { name: 'container', limits, root: used },
      { name: 'pod', limits, logs: { usedBytes: 500 * mi }, volume: { usedBytes: 500 * mi } },
    ]
    const rounds = new EvictionRounds({ thresholds: [], pods, isolation: true })
    const { killed } = await rounds.round(0, {})
    expect(killed).toEqual(['empty-dir', 'container', 'pod'])
  })
})
