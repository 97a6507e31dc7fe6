/** What the kubelet removes before it evicts (eviction buildSignalToNodeReclaimFuncs; eviction#node-level-reclaim). Pure. */
import { resourceOf } from '../../../shared/model/pressure/signals.ts'
import type { Signal } from '../../../shared/model/pressure/signals.ts'
import type { DiskLayout } from './container-fs-thresholds.ts'

export type NodeReclaim = 'dead containers' | 'unused images'

/** In the order in which they are removed. */
export function nodeReclaims(signal: Signal, layout: DiskLayout): readonly NodeReclaim[] {
  const resource = resourceOf(signal)
  if (resource === 'memory' || resource === 'pids') return []
  const { hasDedicatedImageFs, hasDedicatedContainerFs } = layout
  if (!hasDedicatedImageFs) return ['dead containers', 'unused images']
  if (hasDedicatedContainerFs)
    return signal.startsWith('imagefs.') ? ['unused images'] : ['dead containers']
  return signal.startsWith('nodefs.') ? [] : ['dead containers', 'unused images']
}
