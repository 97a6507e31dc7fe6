import { withFields } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest, WatchEvent, WatchEventType } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import { badRequest, notAcceptable } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { groupVersion } from '../registry/resource-type.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { emptyBudgetStatus } from '../registry/disruption-budget-strategy.ts'
import { emptyNodeStatus } from '../registry/node-strategy.ts'
import { tableFor } from '../surface/tables/table.ts'
import { includeObjects } from '../surface/tables/table.ts'
import type { IncludeObject } from '../surface/tables/table.ts'

/** `resourceVersion`, and of a page the token of the next one. */
export interface ListMeta {
  /** Absent: the objects are not stored. */
  readonly resourceVersion?: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** The form in which a client gets the objects of a resource. */
export interface Representation {
  readonly object: (object: KubeObject) => unknown
  readonly list: (objects: readonly KubeObject[], meta: ListMeta) => unknown
  /** An event of a watch about an object. */
  readonly event: (
    type: WatchEventType,
    object: KubeObject,
    causes: readonly number[],
  ) => WatchEvent
  readonly bookmark: (
    resourceVersion: number,
    annotations: Readonly<Record<string, string>> | undefined,
  ) => WatchEvent
}

/** The empty fields that Go writes for an object without content. */
const emptyObjects: Readonly<Record<string, object>> = {
  Pod: { spec: { containers: null }, status: {} },
  Node: { spec: {}, status: emptyNodeStatus },
  Namespace: { spec: {}, status: {} },
  Lease: { spec: {} },
  PodDisruptionBudget: { spec: {}, status: emptyBudgetStatus },
}

/** `empty`: the object of a bookmark, without the content of its metadata. */
function representation(
  empty: object,
  { object, list }: Pick<Representation, 'object' | 'list'>,
): Representation {
  return {
    object,
    list,
    event: (type, value, causes) => Object.freeze({ type, object: object(value), causes }),
    bookmark: (resourceVersion, annotations) => {
      const version = { resourceVersion: String(resourceVersion) }
      const metadata = annotations === undefined ? version : { ...version, annotations }
      return Object.freeze({
        type: 'BOOKMARK',
        object: withFields(empty, { metadata }),
        causes: [],
      })
    },
  }
}

/** The list of objects, which do not repeat their kind and version. */
export function listOf(type: ResourceType, objects: readonly KubeObject[], metadata: ListMeta) {
  const head = { kind: type.listKind ?? `${type.kind}List`, apiVersion: groupVersion(type) }
  // The lists of custom kinds are written by another encoder.
  if (type.custom !== undefined)
    return { ...head, metadata: { continue: '', ...metadata }, items: objects }
  const items = objects.map((object) => {
    const { kind: _, apiVersion: __, ...rest } = object
    return rest
  })
  return { ...head, metadata, items }
}

function plain(type: ResourceType): Representation {
  const { kind } = type
  const content = type.custom === undefined ? emptyObjects[kind] : {}
  const empty = { kind, apiVersion: groupVersion(type), metadata: {}, ...content }
  return representation(empty, {
    object: (value) => value,
    list: (objects, metadata) => listOf(type, objects, metadata),
  })
}

function metadataOnly(): Representation {
  const empty = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }
  const object = ({ metadata }: KubeObject): object => ({ ...empty, metadata })
  return representation(empty, {
    object,
    list: (objects, metadata) => ({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      items: objects.map(object),
    }),
  })
}

function table(
  type: ResourceType,
  includeObject: IncludeObject,
  now: () => number,
): Representation {
  return representation(tableFor(type, [], { now: now(), includeObject }), {
    object: (value) => tableFor(type, [value], { now: now(), includeObject }),
    list: (objects, listMeta) => tableFor(type, objects, { now: now(), includeObject, listMeta }),
  })
}

function parametersOf(offer: string): readonly [string, ReadonlyMap<string, string>] {
  const [mediaType = '', ...parts] = offer.split(';').map((part) => part.trim())
  const parameters = parts.map((part): [string, string] => {
    const [name = '', value = ''] = part.split('=', 2)
    return [name, value]
  })
  return [mediaType, new Map(parameters)]
}

/**
 * Chooses the first supported offer of the Accept header: objects, Tables or metadata only. The error is the answer if none is
 * supported.
 */
export function representationFor(
  type: ResourceType,
  request: KubeRequest,
  now: () => number,
): ApiResult<Representation> {
  const accept = request.headers?.['accept'] ?? ''
  for (const offer of (accept === '' ? '*/*' : accept).split(',')) {
    const [mediaType, parameters] = parametersOf(offer)
    if (!['application/json', 'application/*', '*/*'].includes(mediaType)) continue
    const as = parameters.get('as')
    if (as === undefined) return ok(plain(type))
    if (parameters.get('g') !== 'meta.k8s.io' || parameters.get('v') !== 'v1') continue
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') {
      return ok(metadataOnly())
    }
    if (as !== 'Table') continue
    const includeObject = request.query?.['includeObject'] || 'Metadata'
    const included = includeObjects.find((one) => one === includeObject)
    if (included !== undefined) return ok(table(type, included, now))
    const shown = JSON.stringify(includeObject)
    const message = `Unable to convert to Table as requested: includeObject: Invalid value: ${shown}: must be 'Metadata', 'Object', 'None', or empty`
    return err(badRequest(message))
  }
  return err(notAcceptable())
}
