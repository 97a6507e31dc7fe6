/** The thresholds of containerfs, which follow those of the file system that has the writable layers (eviction#thresholds). */
import type { Signal } from '../../../shared/model/pressure/signals.ts'
import { isHardThreshold } from './thresholds.ts'
import type { Threshold } from './thresholds.ts'

/** Which file systems are disks of their own (eviction.DiskInfoProvider). */
export interface DiskLayout {
  readonly hasDedicatedImageFs: boolean
  /** The writable layers are not where the images are. */
  readonly hasDedicatedContainerFs: boolean
}

/** Whether the writable layers are on nodefs; else on imagefs. */
function isOnNodeFs({ hasDedicatedImageFs, hasDedicatedContainerFs }: DiskLayout): boolean {
  return hasDedicatedImageFs === hasDedicatedContainerFs
}

/**
 * eviction UpdateContainerFsThresholds. What is set for containerfs is replaced in its place; of a threshold that the other file
 * system does not have nothing is left. A layout that has layers apart but not images leaves all as it is.
 */
export function withContainerFs(
  thresholds: readonly Threshold[],
  layout: DiskLayout,
): readonly Threshold[] {
  const { hasDedicatedImageFs, hasDedicatedContainerFs } = layout
  if (!hasDedicatedImageFs && hasDedicatedContainerFs) return thresholds
  const source = isOnNodeFs(layout) ? 'nodefs' : 'imagefs'
  const replaced: (Threshold | undefined)[] = [...thresholds]
  for (const kind of ['available', 'inodesFree'] as const)
    for (const isHard of [true, false]) {
      const lastOf = (signal: Signal): number =>
        thresholds.findLastIndex((one) => one.signal === signal && isHardThreshold(one) === isHard)
      const from = thresholds[lastOf(`${source}.${kind}`)]
      const copy = from && { ...from, signal: `containerfs.${kind}` as const }
      const place = lastOf(`containerfs.${kind}`)
      if (place === -1) replaced.push(copy)
      else replaced[place] = copy
    }
  return replaced.filter((threshold) => threshold !== undefined)
}
