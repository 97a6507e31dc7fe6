import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import type { DiskLayout } from '../../../src/main/kubelet/eviction/container-fs-thresholds.ts'
import { PodEvictor } from '../../../src/main/kubelet/eviction/evict-pod.ts'
import { EvictionManager } from '../../../src/main/kubelet/eviction/eviction-manager.ts'
import { defaultEvictionSettings } from '../../../src/main/kubelet/eviction/eviction-settings.ts'
import { parseThresholdConfig } from '../../../src/main/kubelet/eviction/parse-thresholds.ts'
import type {
  Statements,
  ThresholdConfig,
} from '../../../src/main/kubelet/eviction/parse-thresholds.ts'
import { PressureAdmitter } from '../../../src/main/kubelet/eviction/pressure-admission.ts'
import type { NodeReclaim } from '../../../src/main/kubelet/eviction/reclaim.ts'
import type {
  FsFigures,
  MemoryFigures,
  NodeFigures,
  PodFigures,
} from '../../../src/main/kubelet/eviction/stats.ts'
import type { Threshold } from '../../../src/main/kubelet/eviction/thresholds.ts'
import type { NotifyMemory } from '../../../src/main/kubelet/eviction/memory-threshold-notifier.ts'
import type { Pod, PodStatus } from '../../../src/shared/kubernetes/objects.ts'
import { ok } from '../../../src/shared/result.ts'
import type { Result } from '../../../src/shared/result.ts'

export const mi = 2 ** 20
export const gi = 2 ** 30

const gradually: Omit<ThresholdConfig, 'evictionHard'> = {
  evictionSoft: {},
  evictionSoftGracePeriod: {},
  evictionMinimumReclaim: {},
  enforcesPods: false,
}

/** What a configuration comes to; absent fields are empty. */
export function parsedThresholds(
  config: Partial<ThresholdConfig>,
): Result<readonly Threshold[], string> {
  return parseThresholdConfig({ ...gradually, evictionHard: {}, ...config })
}

export function thresholdsOf(config: Partial<ThresholdConfig>): readonly Threshold[] {
  const thresholds = parsedThresholds(config)
  if (!thresholds.ok) throw new Error(thresholds.error)
  return thresholds.value
}

/** One hard threshold. */
export function hardThreshold(signal: string, value: string): Threshold {
  const [threshold] = thresholdsOf({ evictionHard: { [signal]: value } })
  if (threshold === undefined) throw new Error(`${signal} ${value} is off`)
  return threshold
}

/** What a pod asks for and uses, in one container `c`. */
export interface PodSketch {
  readonly name: string
  readonly priority?: number
  readonly requests?: Statements
  readonly limits?: Statements
  readonly memory?: number
  readonly processes?: number
  readonly root?: Pick<FsFigures, 'usedBytes' | 'inodesUsed'>
  readonly logs?: Pick<FsFigures, 'usedBytes' | 'inodesUsed'>
  /** Of an emptyDir volume. */
  readonly volume?: Pick<FsFigures, 'usedBytes' | 'inodesUsed'>
  readonly sizeLimit?: string
  readonly annotations?: Readonly<Record<string, string>>
}

export function podOf(sketch: PodSketch): Pod {
  const { name, priority, requests = {}, limits = {}, sizeLimit, annotations = {} } = sketch
  const emptyDir = sizeLimit === undefined ? {} : { sizeLimit }
  return {
    metadata: { name, namespace: 'default', uid: `uid-${name}`, annotations },
    spec: {
      ...(priority === undefined ? {} : { priority }),
      containers: [{ name: 'c', image: 'i', resources: { requests, limits } }],
      ...(sketch.volume === undefined ? {} : { volumes: [{ name: 'data', emptyDir }] }),
    },
    status: {},
  }
}

export function figuresOf(sketch: PodSketch): PodFigures {
  const { name, memory, processes, root = {}, logs = {}, volume } = sketch
  const disks = [root, logs, volume ?? {}]
  return {
    uid: `uid-${name}`,
    workingSetBytes: memory,
    processes,
    containers: [{ name: 'c', workingSetBytes: memory, rootfs: root, logs }],
    volumes: volume === undefined ? [] : [{ name: 'data', ...volume }],
    ephemeralStorageBytes: disks.reduce((sum, { usedBytes = 0 }) => sum + usedBytes, 0),
  }
}

/** A node with plenty of everything, but for what is given. */
export interface Given {
  readonly memory?: number
  readonly podsMemory?: number
  readonly nodeFs?: FsFigures
  readonly imageFs?: FsFigures
  readonly containerFs?: FsFigures
  readonly pids?: number
}

function memoryWith(availableBytes: number): MemoryFigures {
  return { availableBytes, workingSetBytes: 4 * gi, usageBytes: 5 * gi }
}

/** With a capacity of 100 Gi and 1,000,000 inodes. */
export function diskWith(availableBytes: number, inodesFree = 900_000): FsFigures {
  return { availableBytes, capacityBytes: 100 * gi, inodesFree, inodes: 1_000_000 }
}

export function nodeOf(given: Given): NodeFigures {
  const { memory = 16 * gi, podsMemory = 16 * gi, nodeFs, imageFs, containerFs, pids } = given
  const disk = diskWith(50 * gi)
  return {
    memory: memoryWith(memory),
    podsMemory: memoryWith(podsMemory),
    nodeFs: nodeFs ?? disk,
    imageFs: imageFs ?? nodeFs ?? disk,
    containerFs: containerFs ?? nodeFs ?? disk,
    rlimit: { maxPid: 30_000, runningProcesses: 30_000 - (pids ?? 20_000) },
  }
}

interface Killed {
  readonly name: string
  readonly grace: number | null | undefined
  readonly status: PodStatus
}

/** What one round did. */
interface RoundOutcome {
  /** The pods that were killed, in order. */
  readonly killed: readonly string[]
  readonly grace: number | null | undefined
  readonly reclaimed: readonly NodeReclaim[]
  /** Memory, disk, process IDs. */
  readonly pressure: string
}

/** An eviction manager on a clock of its own, in one round after another. */
export class EvictionRounds {
  readonly manager: EvictionManager
  readonly killed: Killed[] = []
  readonly log = new FakeLog()
  readonly #clock = new VirtualClock(nodeClockHost, { startAt: Date.UTC(2026, 0, 1) })
  readonly #admitter: PressureAdmitter
  #node: NodeFigures = nodeOf({})
  #afterReclaim: NodeFigures | undefined
  #reclaimed: NodeReclaim[] = []
  #sketches: readonly PodSketch[]

  constructor(options: {
    readonly thresholds: readonly Threshold[]
    readonly pods?: readonly PodSketch[]
    readonly layout?: DiskLayout
    readonly isolation?: boolean
    readonly notifyMemory?: NotifyMemory
  }) {
    const { thresholds, pods = [], isolation = false, notifyMemory } = options
    const layout = options.layout ?? { hasDedicatedImageFs: false, hasDedicatedContainerFs: false }
    this.#sketches = pods
    const specs = new Map(pods.map((sketch) => [sketch, podOf(sketch)]))
    const trace = new FakeTrace()
    const recorder = { event: () => undefined }
    this.manager = new EvictionManager({
      clock: this.#clock,
      trace,
      log: this.log,
      recorder,
      settings: {
        ...defaultEvictionSettings,
        thresholds,
        maxPodGracePeriodSeconds: 5,
        localStorageCapacityIsolation: isolation,
        kernelMemcgNotification: notifyMemory !== undefined,
      },
      stats: {
        node: () => Promise.resolve(ok(this.#node)),
        pods: () => Promise.resolve(ok(this.#sketches.map(figuresOf))),
        diskLayout: () => Promise.resolve(ok(layout)),
      },
      evictor: new PodEvictor({
        clock: this.#clock,
        trace,
        recorder,
        kill: (pod, { gracePeriodSecondsOverride: grace, podStatusFunc }) => {
          const status = podStatusFunc?.({}) ?? {}
          this.killed.push({ name: pod.metadata.name, grace, status })
          return Promise.resolve(ok(undefined))
        },
      }),
      activePods: (isWanted = () => true) => [...specs.values()].filter(isWanted),
      isPodFinished: () => true,
      reclaim: {
        'dead containers': () => this.#reclaim('dead containers'),
        'unused images': () => this.#reclaim('unused images'),
      },
      notifyMemory,
    })
    this.#admitter = new PressureAdmitter({ pressure: this.manager.pressure })
  }

  /** After so many minutes, with these figures; `afterReclaim`: what a reclaim leaves. */
  async round(minutes: number, given: Given, afterReclaim?: Given): Promise<RoundOutcome> {
    await this.#clock.advance(minutes * 60_000)
    this.#node = nodeOf(given)
    this.#afterReclaim = afterReclaim && nodeOf(afterReclaim)
    this.#reclaimed = []
    const before = this.killed.length
    await this.manager.synchronize()
    const killed = this.killed.slice(before)
    const { memory, disk, pid } = this.manager.pressure()
    const kinds = [memory && 'memory', disk && 'disk', pid && 'pid']
    return {
      killed: killed.map(({ name }) => name),
      grace: killed[0]?.grace,
      reclaimed: this.#reclaimed,
      pressure: kinds.filter((kind) => kind !== false).join(' '),
    }
  }

  /** Whether it would admit a pod now. */
  admits(sketch: PodSketch): boolean {
    return this.#admitter.admit(podOf(sketch), [], []) === undefined
  }

  #reclaim(kind: NodeReclaim): Promise<Result<undefined, string>> {
    this.#reclaimed.push(kind)
    this.#node = this.#afterReclaim ?? this.#node
    return Promise.resolve(ok(undefined))
  }
}
