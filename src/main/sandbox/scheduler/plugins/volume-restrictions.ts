import { listAt, objectAt } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import type { FilterPlugin, PreparedFilter } from '../framework.ts'
import { unresolvable, unschedulable } from '../status.ts'
import { ownClaims } from './volume-binding.ts'

/**
 * A claim with access mode ReadWriteOncePod is for one pod. Disks that only one node may use are not checked: no storage is
 * attached. Source: pkg/scheduler/framework/plugins/volumerestrictions (v1.34).
 */

function isForOnePod(claim: KubeObject): boolean {
  return listAt(objectAt(claim, 'spec'), 'accessModes').includes('ReadWriteOncePod')
}

/** `conflicts`: how many of the claims pods on nodes use. */
function restriction(claims: ReadonlySet<string>, conflicts: number): PreparedFilter {
  let count = conflicts
  return {
    filter: () =>
      count > 0
        ? unschedulable(
            'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode',
          )
        : undefined,
    changed: (other, _node, sign) => {
      count += sign * ownClaims(other).filter((name) => claims.has(name)).length
    },
    clone: () => restriction(claims, count),
  }
}

export const volumeRestrictions: FilterPlugin = {
  name: 'VolumeRestrictions',
  prepare: (pod, { snapshot, listers }) => {
    const forOnePod = new Set<string>()
    for (const name of ownClaims(pod)) {
      const claim = listers.claim(pod.namespace, name)
      if (claim === undefined)
        return unresolvable(`persistentvolumeclaim ${JSON.stringify(name)} not found`)
      if (isForOnePod(claim)) forOnePod.add(name)
    }
    if (forOnePod.size === 0) return undefined
    const isUsed = (name: string): boolean =>
      snapshot.nodes.some(({ pods }) =>
        pods.some((one) => one.namespace === pod.namespace && ownClaims(one).includes(name)),
      )
    const conflicts = [...forOnePod].filter(isUsed).length
    return conflicts === 0 ? undefined : restriction(forOnePod, conflicts)
  },
}
