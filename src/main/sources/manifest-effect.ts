import { basename } from 'node:path'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import { canonicalJson } from '../kubelet/pod/canonical-json.ts'
import { filesByKey } from './manifest-problems.ts'
import type { ManifestSnapshot } from './manifest-problems.ts'
import { manifestKey } from './manifest-store.ts'
import type { ManifestReading } from './static-pod-manifest.ts'

// sources#file-source: a changed file takes effect at once; effects on other files wait for the next full scan.
const nextReading = 'at the next full scan of the folder, within 20 s'

function graceOf(pod: Pod): number {
  return pod.spec.terminationGracePeriodSeconds ?? 30
}

function stopped(key: string, pod: Pod): string {
  return `${key} is stopped with ${graceOf(pod)} s grace`
}

/** The other file that wins at a full scan, if several define a pod of this key. */
function successorOf(
  key: string,
  path: string,
  { readings }: ManifestSnapshot,
): string | undefined {
  const files = filesByKey(readings).get(key) ?? []
  return files.filter((file) => file !== path).at(-1)
}

/** The pods of the last SET from this file: two after its pod was renamed. */
function sentFrom(path: string, { sent }: ManifestSnapshot): readonly (readonly [string, Pod])[] {
  return [...sent].filter(([, from]) => from.path === path).map(([key, { pod }]) => [key, pod])
}

function rejectedEffect(path: string, snapshot: ManifestSnapshot): string {
  const [running] = sentFrom(path, snapshot)
  if (running === undefined) return 'Invalid manifest: the kubelet will ignore it.'
  const [key, pod] = running
  if (snapshot.isSingleFile) return `Invalid manifest: ${key} keeps running unchanged.`
  const successor = successorOf(key, path, snapshot)
  return successor === undefined
    ? `Invalid manifest: ${key} keeps running until the next full scan of the folder, within 20 s, and is then stopped with ${graceOf(pod)} s grace.`
    : `Invalid manifest: ${key} keeps running until the next full scan of the folder, within 20 s; then ${basename(successor)} defines it.`
}

function ownEffect(key: string, pod: Pod, snapshot: ManifestSnapshot): string {
  const current = snapshot.sent.get(key)?.pod
  if (current === undefined) return `Starts ${key}.`
  if (canonicalJson(current) === canonicalJson(pod))
    return `No change: ${key} has the same content hash.`
  return current.metadata.uid === pod.metadata.uid
    ? `${key} is updated in place, because the manifest sets the UID; its mirror pod keeps showing the old version.`
    : `${stopped(key, current)} and recreated with a new UID.`
}

function collisionEffect(key: string, path: string, snapshot: ManifestSnapshot): string {
  const other = successorOf(key, path, snapshot)
  if (other === undefined) return ''
  return other > path
    ? ` ${basename(other)} defines the same pod and takes precedence again ${nextReading}.`
    : ` ${basename(other)} defines the same pod and has no effect then.`
}

function renamedEffect(key: string, path: string, snapshot: ManifestSnapshot): string {
  const before = sentFrom(path, snapshot).find(([sentKey]) => sentKey !== key)
  if (before === undefined) return ''
  const [oldKey, pod] = before
  const successor = successorOf(oldKey, path, snapshot)
  return successor === undefined
    ? ` ${stopped(oldKey, pod)} ${nextReading}.`
    : ` ${basename(successor)} defines ${oldKey} ${nextReading}.`
}

/** The effect on the pods of writing a file with this content, in one or more sentences. */
export function writeEffect(
  path: string,
  reading: ManifestReading,
  snapshot: ManifestSnapshot,
): string {
  if (reading.kind === 'rejected') return rejectedEffect(path, snapshot)
  const key = manifestKey(reading.pod)
  return [
    ownEffect(key, reading.pod, snapshot),
    collisionEffect(key, path, snapshot),
    renamedEffect(key, path, snapshot),
  ].join('')
}

/** The effect on the pods of removing a file. The kubelet removes the pod that it last read from it, even if another file defines it now. */
export function removeEffect(path: string, snapshot: ManifestSnapshot): string {
  const reading = snapshot.readings.get(path)
  const key =
    reading?.kind === 'pod' ? manifestKey(reading.pod) : sentFrom(path, snapshot).at(-1)?.[0]
  const current = key === undefined ? undefined : snapshot.sent.get(key)
  if (key === undefined || current === undefined) return 'It defined no running pod.'
  const successor = successorOf(key, path, snapshot)
  const comesBack =
    successor === undefined ? '' : `, and is recreated from ${basename(successor)} ${nextReading}`
  return `${stopped(key, current.pod)}${comesBack}.`
}
