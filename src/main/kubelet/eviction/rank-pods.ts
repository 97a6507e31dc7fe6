/** What pods are ranked by under a pressure (eviction buildSignalToRankFunc; eviction#ranking). */
import { isJsonObject, textAt } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { requestedNanos } from '../../../shared/kubernetes/pod-requests.ts'
import { ranked } from '../../../shared/model/pressure/ranking.ts'
import type { RankKeys } from '../../../shared/model/pressure/ranking.ts'
import { resourceOf } from '../../../shared/model/pressure/signals.ts'
import type { Signal, StarvedResource } from '../../../shared/model/pressure/signals.ts'
import type { DiskLayout } from './container-fs-thresholds.ts'
import type { PodFigures, PodStats } from './stats.ts'

/** Parts of what a pod has on disks. The layers of images count for no pod. */
type FsPart = 'root' | 'logs' | 'volumes'

const allParts: readonly FsPart[] = ['root', 'logs', 'volumes']

/** What of a pod is on the file system that a signal is about. */
function partsOn(signal: Signal, layout: DiskLayout): readonly FsPart[] {
  const { hasDedicatedImageFs, hasDedicatedContainerFs } = layout
  if (!hasDedicatedImageFs) return allParts
  const isOfImages = signal.startsWith('imagefs.')
  if (hasDedicatedContainerFs) return isOfImages ? [] : allParts
  return isOfImages || signal.startsWith('containerfs.') ? ['root'] : ['logs', 'volumes']
}

type Measure = 'usedBytes' | 'inodesUsed'

type Volume = NonNullable<Pod['spec']['volumes']>[number]

/** volume util IsLocalEphemeralVolume: Secrets and projected volumes are in memory. */
export function isLocalEphemeralVolume(volume: Volume): boolean {
  const { emptyDir } = volume
  if (isJsonObject(emptyDir)) return textAt(emptyDir, 'medium') === ''
  return isJsonObject(volume['gitRepo']) || isJsonObject(volume['configMap'])
}

function isLocalVolume(volume: Volume): boolean {
  return isLocalEphemeralVolume(volume) || isJsonObject(volume['hostPath'])
}

function diskUse(
  figures: PodFigures,
  pod: Pod,
  parts: readonly FsPart[],
  measure: Measure,
): number {
  let used = 0
  for (const { rootfs, logs } of figures.containers) {
    if (parts.includes('root')) used += rootfs?.[measure] ?? 0
    if (parts.includes('logs')) used += logs?.[measure] ?? 0
  }
  if (!parts.includes('volumes')) return used
  const local = (pod.spec.volumes ?? []).filter(isLocalVolume)
  for (const { name } of local)
    used += figures.volumes.find((volume) => volume.name === name)?.[measure] ?? 0
  return used
}

function useOf(
  pod: Pod,
  figures: PodFigures | undefined,
  signal: Signal,
  layout: DiskLayout,
): number | null {
  if (figures === undefined) return null
  const resource = resourceOf(signal)
  if (resource === 'memory') return figures.workingSetBytes ?? 0
  if (resource === 'pids') return figures.processes ?? 0
  const measure = resource === 'inodes' ? 'inodesUsed' : 'usedBytes'
  return diskUse(figures, pod, partsOn(signal, layout), measure)
}

/** Bytes, without losing parts of one. */
function requestOf(pod: Pod, resource: StarvedResource): number {
  return Number(requestedNanos(pod, resource)) / 1e9
}

export function rankKeysOf(
  pod: Pod,
  figures: PodFigures | undefined,
  signal: Signal,
  layout: DiskLayout,
): RankKeys {
  const resource = resourceOf(signal)
  return {
    use: useOf(pod, figures, signal, layout),
    request: requestOf(pod, resource),
    priority: pod.spec.priority ?? 0,
    subtracted: requestOf(pod, resource === 'inodes' ? 'ephemeral-storage' : resource),
  }
}

/** The pod to be evicted first is the first. */
export function rankPods(
  pods: readonly Pod[],
  stats: PodStats,
  signal: Signal,
  layout: DiskLayout,
): readonly Pod[] {
  const withKeys = pods.map((pod) => ({
    pod,
    keys: rankKeysOf(pod, stats.get(pod.metadata.uid), signal, layout),
  }))
  return ranked(resourceOf(signal), withKeys).map(({ pod }) => pod)
}
