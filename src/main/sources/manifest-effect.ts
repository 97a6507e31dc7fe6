import { basename } from 'node:path'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import { canonicalJson } from '../kubelet/pod/canonical-json.ts'
import type { ManifestSituation } from './manifest-problems.ts'
import { manifestKey } from './manifest-store.ts'
import type { ManifestReading } from './static-pod-manifest.ts'

// sources#file-source: what the touched file alone does happens at once, the rest when the folder is next read.
const nextReading = 'at the next full scan of the folder, within 20 s'

function graceOf(pod: Pod): number {
  return pod.spec.terminationGracePeriodSeconds ?? 30
}

function stopped(key: string, pod: Pod): string {
  return `${key} is stopped with ${graceOf(pod)} s grace`
}

/** Other files that define a pod of this key, sorted: the last wins when the folder is read. */
function othersOf(key: string, path: string, { readings }: ManifestSituation): readonly string[] {
  return [...readings]
    .filter(
      ([other, reading]) =>
        other !== path && reading.kind === 'pod' && manifestKey(reading.pod) === key,
    )
    .map(([other]) => other)
    .toSorted()
}

/** The pods of the last SET that came from this file: two after its pod was given another name. */
function sentFrom(path: string, { sent }: ManifestSituation): readonly (readonly [string, Pod])[] {
  return [...sent].filter(([, from]) => from.path === path).map(([key, { pod }]) => [key, pod])
}

function rejectedEffect(path: string, situation: ManifestSituation): string {
  const [running] = sentFrom(path, situation)
  if (running === undefined) return 'Invalid manifest: the kubelet will ignore it.'
  const [key, pod] = running
  if (situation.isSingleFile) return `Invalid manifest: ${key} keeps running unchanged.`
  const heir = othersOf(key, path, situation).at(-1)
  return heir === undefined
    ? `Invalid manifest: ${key} keeps running until the next full scan of the folder, within 20 s, and is then stopped with ${graceOf(pod)} s grace.`
    : `Invalid manifest: ${key} keeps running until the next full scan of the folder, within 20 s; then ${basename(heir)} defines it.`
}

function ownEffect(key: string, pod: Pod, situation: ManifestSituation): string {
  const current = situation.sent.get(key)?.pod
  if (current === undefined) return `Starts ${key}.`
  if (canonicalJson(current) === canonicalJson(pod))
    return `No change: ${key} has the same content hash.`
  return current.metadata.uid === pod.metadata.uid
    ? `${key} is updated in place, because the manifest sets the UID; its mirror pod keeps showing the old version.`
    : `${stopped(key, current)} and recreated with a new UID.`
}

function collisionEffect(key: string, path: string, situation: ManifestSituation): string {
  const other = othersOf(key, path, situation).at(-1)
  if (other === undefined) return ''
  return other > path
    ? ` ${basename(other)} defines the same pod and takes precedence again ${nextReading}.`
    : ` ${basename(other)} defines the same pod and has no effect then.`
}

function renamedEffect(key: string, path: string, situation: ManifestSituation): string {
  const before = sentFrom(path, situation).find(([sentKey]) => sentKey !== key)
  if (before === undefined) return ''
  const [oldKey, pod] = before
  const heir = othersOf(oldKey, path, situation).at(-1)
  return heir === undefined
    ? ` ${stopped(oldKey, pod)} ${nextReading}.`
    : ` ${basename(heir)} defines ${oldKey} ${nextReading}.`
}

/** What writing a file with this content does to the pods: one or a few sentences. */
export function writeEffect(
  path: string,
  reading: ManifestReading,
  situation: ManifestSituation,
): string {
  if (reading.kind === 'rejected') return rejectedEffect(path, situation)
  const key = manifestKey(reading.pod)
  return [
    ownEffect(key, reading.pod, situation),
    collisionEffect(key, path, situation),
    renamedEffect(key, path, situation),
  ].join('')
}

/** What removing a file does to the pods. The kubelet removes the pod that it last took from it, whoever defines it now. */
export function removeEffect(path: string, situation: ManifestSituation): string {
  const reading = situation.readings.get(path)
  const key =
    reading?.kind === 'pod' ? manifestKey(reading.pod) : sentFrom(path, situation).at(-1)?.[0]
  const current = key === undefined ? undefined : situation.sent.get(key)
  if (key === undefined || current === undefined) return 'It defined no running pod.'
  const heir = othersOf(key, path, situation).at(-1)
  const comesBack =
    heir === undefined ? '' : `, and is recreated from ${basename(heir)} ${nextReading}`
  return `${stopped(key, current.pod)}${comesBack}.`
}
