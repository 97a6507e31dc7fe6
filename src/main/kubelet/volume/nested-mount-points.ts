import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import { objectsAt, textAt } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { cleanPath } from './path.ts'

/**
 * Where other volumes are mounted inside a volume: the folders below it that must exist. Those inside another one of
 * them are left out. Source: pkg/volume/util/nested_volumes.go.
 */
export function nestedMountPoints(volume: string, pod: Pod): readonly string[] {
  return allContainers(pod).flatMap((container) => {
    const given = objectsAt(container, 'volumeMounts')
    // Nothing is inside the only one.
    if (given.length < 2) return []
    const mounts = given.map((mount) => ({
      name: textAt(mount, 'name'),
      path: cleanPath(textAt(mount, 'mountPath')),
    }))
    const paths = mounts.map(({ path }) => path).toSorted()
    return mounts.filter(({ name }) => name === volume).flatMap((own) => nestedIn(own.path, paths))
  })
}

function nestedIn(path: string, paths: readonly string[]): readonly string[] {
  const found: string[] = []
  for (const other of paths) {
    const isBelow = other.startsWith(`${path}/`)
    if (isBelow && !found.some((nested) => other.startsWith(`${nested}/`))) found.push(other)
  }
  return found.map((nested) => nested.slice(path.length + 1))
}
