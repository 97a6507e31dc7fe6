/** What is available of each signal (eviction makeSignalObservations; eviction#signals). */
import type { QuantityFormat } from '../../../shared/kubernetes/quantity.ts'
import type { Signal } from '../../../shared/model/pressure/signals.ts'
import type { FsFigures, MemoryFigures, NodeFigures } from './stats.ts'

/** Whole bytes, inodes or processes. */
export interface Observation {
  readonly available: number
  readonly capacity: number
  readonly format: QuantityFormat
  readonly time?: number | undefined
}

export type Observations = ReadonlyMap<Signal, Observation>

export function makeObservations(node: NodeFigures): Observations {
  const { nodeFs, imageFs, containerFs, rlimit } = node
  const found: (readonly [Signal, Observation | undefined])[] = [
    ['memory.available', memoryObservation(node.memory)],
    ['allocatableMemory.available', memoryObservation(node.podsMemory)],
    ['nodefs.available', bytesObservation(nodeFs)],
    ['nodefs.inodesFree', inodesObservation(nodeFs)],
    ['imagefs.available', bytesObservation(imageFs)],
    ['imagefs.inodesFree', inodesObservation(imageFs)],
    ['containerfs.available', bytesObservation(containerFs)],
    ['containerfs.inodesFree', inodesObservation(containerFs)],
    ['pid.available', pidObservation(rlimit)],
  ]
  const observations = new Map<Signal, Observation>()
  for (const [signal, observation] of found)
    if (observation !== undefined) observations.set(signal, observation)
  return observations
}

function memoryObservation(memory: MemoryFigures | undefined): Observation | undefined {
  const { availableBytes, workingSetBytes, time } = memory ?? {}
  if (availableBytes === undefined || workingSetBytes === undefined) return undefined
  return {
    available: availableBytes,
    capacity: availableBytes + workingSetBytes,
    format: 'binary',
    time,
  }
}

function bytesObservation(fs: FsFigures | undefined): Observation | undefined {
  const { availableBytes, capacityBytes, time } = fs ?? {}
  if (availableBytes === undefined || capacityBytes === undefined) return undefined
  return { available: availableBytes, capacity: capacityBytes, format: 'binary', time }
}

function inodesObservation(fs: FsFigures | undefined): Observation | undefined {
  const { inodesFree, inodes, time } = fs ?? {}
  if (inodesFree === undefined || inodes === undefined) return undefined
  return { available: inodesFree, capacity: inodes, format: 'decimal', time }
}

function pidObservation(rlimit: NodeFigures['rlimit']): Observation | undefined {
  const { maxPid, runningProcesses, time } = rlimit ?? {}
  if (maxPid === undefined || runningProcesses === undefined) return undefined
  return { available: maxPid - runningProcesses, capacity: maxPid, format: 'decimal', time }
}
