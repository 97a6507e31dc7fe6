/** What an eviction threshold compares (pkg/kubelet/eviction/api; eviction#signals). */
export const signals = [
  'memory.available',
  'allocatableMemory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'containerfs.available',
  'containerfs.inodesFree',
  'pid.available',
] as const

export type Signal = (typeof signals)[number]

/** As messages name it. */
export type StarvedResource = 'memory' | 'ephemeral-storage' | 'inodes' | 'pids'

export type PressureCondition = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure'

export function isSignal(name: string): name is Signal {
  return (signals as readonly string[]).includes(name)
}

export function isMemorySignal(signal: Signal): boolean {
  return signal === 'memory.available' || signal === 'allocatableMemory.available'
}

export function resourceOf(signal: Signal): StarvedResource {
  if (isMemorySignal(signal)) return 'memory'
  if (signal === 'pid.available') return 'pids'
  return signal.endsWith('.inodesFree') ? 'inodes' : 'ephemeral-storage'
}

export function conditionOf(signal: Signal): PressureCondition {
  if (isMemorySignal(signal)) return 'MemoryPressure'
  return signal === 'pid.available' ? 'PIDPressure' : 'DiskPressure'
}
