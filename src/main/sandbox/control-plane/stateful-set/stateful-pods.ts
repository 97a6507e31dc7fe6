import { isJsonObject, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { goJson } from '../../../../shared/go/json.ts'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type { PodTemplate, StatefulSet } from '../../../../shared/kubernetes/workloads.ts'
import { podOfTemplate } from '../workloads/pod-control.ts'
import { templatePatch } from '../workloads/revision-history.ts'
import { fnv32, safeEncode } from '../workloads/template-hash.ts'

/** Source: pkg/controller/statefulset/stateful_set_utils.go, pkg/controller/history (v1.34). */

export const revisionLabel = 'controller-revision-hash'

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]))
}

/** HashControllerRevision. */
export function revisionHash(set: StatefulSet, collisionCount: number): string {
  return safeEncode(String(fnv32(`${goJson(sorted(templatePatch(set)))}${collisionCount}`)))
}

/** The template that a revision keeps. */
export function templateOf(revision: { readonly data?: unknown }): PodTemplate {
  const data = isJsonObject(revision.data) ? revision.data : {}
  const { $patch: _, ...template } = objectAt(objectAt(data, 'spec'), 'template')
  // A ControllerRevision of a StatefulSet is written by its controller only.
  return template as unknown as PodTemplate
}

export function startOrdinal({ spec }: StatefulSet): number {
  return spec.ordinals?.start ?? 0
}

/** The number at the end of a pod's name; -1 if the pod is not one of the set. */
export function ordinalOf({ metadata }: Pod, set: StatefulSet): number {
  const [, parent, ordinal] = /^(.*)-(\d+)$/.exec(metadata.name) ?? []
  return parent === set.metadata.name ? Number(ordinal) : -1
}

/** A claim of a pod, by the name of its template. */
export function claimsOf(set: StatefulSet, ordinal: number): ReadonlyMap<string, JsonObject> {
  const { name: setName, namespace } = set.metadata
  const claims = (set.spec.volumeClaimTemplates ?? []).map((template): [string, JsonObject] => {
    const { labels, annotations } = template.metadata
    const { name } = template.metadata
    const metadata = {
      name: `${name}-${setName}-${ordinal}`,
      namespace,
      labels: { ...labels, ...set.spec.selector?.matchLabels },
      ...(annotations === undefined ? {} : { annotations }),
    }
    return [name, { metadata, spec: template['spec'] }]
  })
  return new Map(claims)
}

/** The volumes of the set's claims, then the others of a pod or a template. */
function volumesOf(set: StatefulSet, spec: object, ordinal: number): readonly JsonObject[] {
  const claims = claimsOf(set, ordinal)
  const own = [...claims].map(([name, claim]) => ({
    name,
    persistentVolumeClaim: { claimName: textAt(objectAt(claim, 'metadata'), 'name') },
  }))
  const others = objectsAt({ ...spec }, 'volumes').filter(
    (volume) => !claims.has(textAt(volume, 'name')),
  )
  return [...own, ...others]
}

const podNameLabel = 'statefulset.kubernetes.io/pod-name'

function identityLabels(name: string, ordinal: number) {
  return { [podNameLabel]: name, 'apps.kubernetes.io/pod-index': String(ordinal) }
}

/** Whether the pod mounts the claims of the set. Source: storageMatches. */
function mountsClaims(pod: Pod, set: StatefulSet, ordinal: number): boolean {
  const volumes = new Map((pod.spec.volumes ?? []).map((volume) => [volume.name, volume]))
  return [...claimsOf(set, ordinal)].every(([name, claim]) => {
    const source = objectAt(volumes.get(name) ?? {}, 'persistentVolumeClaim')
    return source['claimName'] === textAt(objectAt(claim, 'metadata'), 'name')
  })
}

/** The pod with the labels and volumes of its place in the set. Source: identityMatches, storageMatches. */
export function withIdentity(pod: Pod, set: StatefulSet) {
  const { metadata, spec } = pod
  const ordinal = ordinalOf(pod, set)
  const isNamed = metadata.labels?.[podNameLabel] === metadata.name
  const labels = { ...metadata.labels, ...identityLabels(metadata.name, ordinal) }
  const hasOtherVolumes = !mountsClaims(pod, set, ordinal)
  return {
    hasOtherVolumes,
    pod: {
      ...pod,
      metadata: isNamed ? metadata : { ...metadata, labels },
      spec: hasOtherVolumes ? { ...spec, volumes: volumesOf(set, spec, ordinal) } : spec,
    },
  }
}

/** The new pod with an ordinal. */
export function statefulPod(
  set: StatefulSet,
  template: PodTemplate,
  revision: string,
  ordinal: number,
): JsonObject {
  const name = `${set.metadata.name}-${ordinal}`
  const labels = {
    ...template.metadata?.labels,
    ...identityLabels(name, ordinal),
    [revisionLabel]: revision,
  }
  const volumes = volumesOf(set, template.spec ?? {}, ordinal)
  const { serviceName = '' } = set.spec
  const spec = {
    ...template.spec,
    hostname: name,
    ...(serviceName === '' ? {} : { subdomain: serviceName }),
  }
  const pod = podOfTemplate(
    { ...template, metadata: { ...template.metadata, labels }, spec },
    { resource: 'apps/v1/statefulsets', object: set },
  )
  return {
    metadata: { ...objectAt(pod, 'metadata'), name },
    spec: { ...spec, ...(volumes.length === 0 ? {} : { volumes }) },
  }
}
