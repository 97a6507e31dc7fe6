/** What the machine of a simulated runtime has, and what of it is used. */
import type { NodeFigures } from '../../kubelet/eviction/stats.ts'
import type { CancelTimer, Clock } from '../../kubelet/ports.ts'

const inodes = 3_276_800
const maxPid = 32_768

export interface MachineSize {
  readonly memoryBytes: number
  readonly diskBytes: number
}

/** Of what runs on the machine in no pod: the kubelet, the container runtime, the operating system. */
export interface OtherUse {
  readonly memoryBytes: number
  readonly diskBytes: number
  readonly inodes: number
  readonly processes: number
}

export const leastOtherUse: OtherUse = {
  memoryBytes: 640 * 2 ** 20,
  diskBytes: 0,
  inodes: 98_304,
  processes: 142,
}

interface MachineUse {
  /** ms on the clock. */
  readonly time: number
  readonly pods: { readonly memoryBytes: number; readonly processes: number }
  readonly disk: { readonly usedBytes: number; readonly inodesUsed: number }
  readonly other: OtherUse
  readonly size: MachineSize
}

/** Pure. Nothing of the memory in use can be taken back from files. */
export function machineFigures({ time, pods, disk, other, size }: MachineUse): NodeFigures {
  const { memoryBytes, diskBytes } = size
  const memoryOf = (usedBytes: number) => ({
    time,
    availableBytes: Math.max(0, memoryBytes - usedBytes),
    workingSetBytes: usedBytes,
    usageBytes: usedBytes,
  })
  const fs = {
    time,
    availableBytes: Math.max(0, diskBytes - disk.usedBytes),
    capacityBytes: diskBytes,
    usedBytes: disk.usedBytes,
    inodesFree: Math.max(0, inodes - disk.inodesUsed),
    inodes,
    inodesUsed: disk.inodesUsed,
  }
  return {
    memory: memoryOf(Math.min(memoryBytes, pods.memoryBytes + other.memoryBytes)),
    podsMemory: memoryOf(Math.min(memoryBytes, pods.memoryBytes)),
    nodeFs: fs,
    imageFs: fs,
    containerFs: fs,
    rlimit: { time, maxPid, runningProcesses: pods.processes + other.processes },
  }
}

const lookMs = 1000

/** Calls when `isAbove` has changed, until the returned function is called. */
export function onCrossing(
  clock: Clock,
  isAbove: () => Promise<boolean>,
  onCrossed: () => void,
): () => void {
  let before: boolean | undefined
  let isStopped = false
  let cancel: CancelTimer = () => undefined
  const look = async (): Promise<void> => {
    const now = await isAbove()
    if (isStopped) return
    const isCrossed = before !== undefined && now !== before
    before = now
    cancel = clock.after(lookMs, () => void look())
    if (isCrossed) onCrossed()
  }
  void look()
  return () => {
    isStopped = true
    cancel()
  }
}
