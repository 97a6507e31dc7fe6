import { isJsonObject, objectAt } from '../../../shared/json.ts'
import type { LabelSelector } from '../../../shared/kubernetes/disruption-budget.ts'
import type { KubeObject, OwnerReference } from '../../../shared/kubernetes/objects.ts'
import type { ControllerContext } from '../control-plane/controller.ts'
import type { Listers } from './framework.ts'
import type { PodInfo } from './pod-info.ts'
import type { VolumeBinder } from './volume-binder.ts'

/** The kinds of owners whose pods are spread by default. */
type SpreadOwner = 'v1/replicationcontrollers' | 'apps/v1/replicasets' | 'apps/v1/statefulsets'

const ownerResources: Readonly<Record<string, SpreadOwner>> = {
  'v1 ReplicationController': 'v1/replicationcontrollers',
  'apps/v1 ReplicaSet': 'apps/v1/replicasets',
  'apps/v1 StatefulSet': 'apps/v1/statefulsets',
}

/** Finds an owner by its resource; undefined if the server does not serve the resource or has no such object. */
export type OwnerLister = (
  resource: SpreadOwner,
  namespace: string,
  name: string,
) => KubeObject | undefined

function selectorOf(owner: KubeObject, { kind }: OwnerReference): LabelSelector | undefined {
  const { selector } = objectAt(owner, 'spec')
  if (!isJsonObject(selector)) return undefined
  // A ReplicationController's is a set of labels. What LabelSelector models is checked where it is matched.
  if (kind === 'ReplicationController')
    return { matchLabels: selector as Readonly<Record<string, string>> }
  return selector as LabelSelector
}

function ownerSelector(pod: PodInfo, ownerOf: OwnerLister): LabelSelector | undefined {
  const reference = (pod.pod.metadata.ownerReferences ?? []).find((one) => one.controller === true)
  if (reference === undefined) return undefined
  const resource = ownerResources[`${reference.apiVersion} ${reference.kind}`]
  if (resource === undefined) return undefined
  const owner = ownerOf(resource, pod.namespace, reference.name)
  return owner === undefined ? undefined : selectorOf(owner, reference)
}

/** What the plugins read, from the informers. */
export function schedulerListers(
  context: Pick<ControllerContext, 'namespaces' | 'services' | 'storageClasses'>,
  volumes: Pick<VolumeBinder, 'claim' | 'volume' | 'volumesOfClass'>,
  ownerOf: OwnerLister,
): Listers {
  const { namespaces, services, storageClasses } = context
  return {
    namespaces: () => namespaces.list(),
    namespaceLabels: (name) => namespaces.get('', name)?.metadata.labels,
    services: (namespace) =>
      services.byIndex('namespace', namespace).map(({ spec }) => {
        const selector = spec?.['selector']
        // Validation lets only texts through.
        return {
          selector: isJsonObject(selector)
            ? (selector as Readonly<Record<string, string>>)
            : undefined,
        }
      }),
    ownerSelector: (pod) => ownerSelector(pod, ownerOf),
    claim: volumes.claim,
    volume: volumes.volume,
    volumesOfClass: volumes.volumesOfClass,
    storageClass: (name) => storageClasses.get('', name),
  }
}
