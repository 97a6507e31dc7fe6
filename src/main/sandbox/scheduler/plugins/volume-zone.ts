import { equalJson } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  classOf,
  isDelayed,
  volumeNameOf,
} from '../../control-plane/volume-claims/volume-matching.ts'
import type { FilterPlugin, Listers } from '../framework.ts'
import type { NodeInfo } from '../node-info.ts'
import type { PodInfo } from '../pod-info.ts'
import { unresolvable } from '../status.ts'
import type { Status } from '../status.ts'
import { ownClaims } from './volume-binding.ts'

/**
 * The labels of a bound volume that name a zone or region must match the node's. A node without any such label passes.
 * Source: pkg/scheduler/framework/plugins/volumezone (v1.34).
 */

/** Each with the label that took its place, which is looked at where a node lacks the first. */
const topologyLabels: readonly (readonly [label: string, stable: string])[] = [
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['topology.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['topology.kubernetes.io/region', 'topology.kubernetes.io/region'],
]

interface Topology {
  readonly label: string
  readonly stable: string
  readonly values: readonly string[]
}

/** A label may name several zones; one with an empty name among them is ignored. Source: getPVTopologies, LabelZonesToSet. */
function topologiesOf({ metadata }: KubeObject): readonly Topology[] {
  return topologyLabels.flatMap(([label, stable]) => {
    const value = metadata.labels?.[label]
    if (value === undefined) return []
    const values = value.split('__')
    return values.includes('') ? [] : [{ label, stable, values }]
  })
}

/** Source: getPVbyPod. Claims that wait for a node have no volume yet. */
function topologiesFor(
  pod: PodInfo,
  { claim: claimOf, volume: volumeOf, storageClass }: Listers,
): readonly Topology[] | Status {
  const topologies: Topology[] = []
  for (const name of ownClaims(pod)) {
    const claim = claimOf(pod.namespace, name)
    if (claim === undefined) return notFound('persistentvolumeclaim', name)
    const volumeName = volumeNameOf(claim)
    if (volumeName === '') {
      if (isDelayed(storageClass(classOf(claim)))) continue
      return unresolvable('PersistentVolume had no name')
    }
    const volume = volumeOf(volumeName)
    if (volume === undefined) return notFound('persistentvolume', volumeName)
    topologies.push(...topologiesOf(volume))
  }
  return topologies
}

function notFound(resource: string, name: string): Status {
  return unresolvable(`${resource} ${JSON.stringify(name)} not found`)
}

function isInZone({ node }: NodeInfo, topologies: readonly Topology[]): boolean {
  const labels = node.metadata.labels ?? {}
  if (!topologyLabels.some(([label]) => labels[label] !== undefined)) return true
  return topologies.every(({ label, stable, values }) => {
    const zone = labels[label] ?? labels[stable]
    return zone !== undefined && values.includes(zone)
  })
}

export const volumeZone: FilterPlugin = {
  name: 'VolumeZone',
  prepare: (pod, { listers }) => {
    const topologies = topologiesFor(pod, listers)
    if ('code' in topologies) return topologies
    if (topologies.length === 0) return undefined
    return {
      filter: (node) =>
        isInZone(node, topologies)
          ? undefined
          : unresolvable('node(s) had no available volume zone'),
    }
  },
}

/** Whether a volume was in other zones. */
export function hasOtherZones(before: KubeObject | undefined, after: KubeObject): boolean {
  return before === undefined || !equalJson(topologiesOf(before), topologiesOf(after))
}
