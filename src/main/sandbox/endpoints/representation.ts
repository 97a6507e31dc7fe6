import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest, WatchEvent, WatchEventType } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { badRequest, notAcceptable } from '../api-status.ts'
import { groupVersion } from '../registry/resource-type.ts'
import { emptyBudgetStatus } from '../registry/disruption-budget-strategy.ts'
import { emptyNodeStatus } from '../registry/node-strategy.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { tableFor } from '../surface/table.ts'

/** `resourceVersion` and, of a page, how to go on. */
export interface ListMeta {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** How a client wants to see what a resource's requests answer. */
export interface Representation {
  readonly object: (object: KubeObject) => unknown
  readonly list: (objects: readonly KubeObject[], meta: ListMeta) => unknown
  /** An event of a watch; bookmarks and errors bring their own object. */
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

type IncludeObject = 'None' | 'Metadata' | 'Object'

function isIncludeObject(value: string): value is IncludeObject {
  return value === 'None' || value === 'Metadata' || value === 'Object'
}

function event(type: WatchEventType, object: unknown, causes: readonly number[]): WatchEvent {
  return Object.freeze({ type, object, causes })
}

/** What Go writes of an object that nobody filled in. */
const emptyObjects: Readonly<Record<string, object>> = {
  Pod: { spec: { containers: null }, status: {} },
  Node: { spec: {}, status: emptyNodeStatus },
  Namespace: { spec: {}, status: {} },
  Lease: { spec: {} },
  PodDisruptionBudget: { spec: {}, status: emptyBudgetStatus },
}

function bookmarkMeta(
  resourceVersion: number,
  annotations: Readonly<Record<string, string>> | undefined,
): object {
  return {
    resourceVersion: String(resourceVersion),
    ...(annotations === undefined ? {} : { annotations }),
  }
}

/** Lists do not repeat kind and version in their items. */
export function asListItem(object: KubeObject): object {
  const { kind: _, apiVersion: __, ...rest } = object
  return rest
}

function plain(type: ResourceType): Representation {
  const version = groupVersion(type)
  return {
    object: (value) => value,
    list: (objects, metadata) => ({
      kind: `${type.kind}List`,
      apiVersion: version,
      metadata,
      items: objects.map(asListItem),
    }),
    event: (change, value, causes) => event(change, value, causes),
    bookmark: (resourceVersion, annotations) => {
      const metadata = bookmarkMeta(resourceVersion, annotations)
      const rest = emptyObjects[type.kind]
      return event('BOOKMARK', { kind: type.kind, apiVersion: version, metadata, ...rest }, [])
    },
  }
}

function metadataOnly(): Representation {
  const partial = (value: KubeObject): object => ({
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: value.metadata,
  })
  return {
    object: partial,
    list: (objects, metadata) => ({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      items: objects.map(partial),
    }),
    event: (change, value, causes) => event(change, partial(value), causes),
    bookmark: (resourceVersion, annotations) => {
      const metadata = bookmarkMeta(resourceVersion, annotations)
      const object = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
      return event('BOOKMARK', object, [])
    },
  }
}

function table(
  type: ResourceType,
  includeObject: IncludeObject,
  now: () => number,
): Representation {
  const options = () => ({ now: now(), includeObject })
  return {
    object: (value) => tableFor(type, [value], options()),
    list: (objects, listMeta) => tableFor(type, objects, { ...options(), listMeta }),
    event: (change, value, causes) => event(change, tableFor(type, [value], options()), causes),
    bookmark: (resourceVersion, annotations) => {
      const empty = tableFor(type, [], {
        ...options(),
        listMeta: { resourceVersion: String(resourceVersion) },
      })
      const metadata = bookmarkMeta(resourceVersion, annotations)
      return event('BOOKMARK', { ...empty, metadata }, [])
    },
  }
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
 * Chooses by the Accept header: objects, Tables or metadata only, the first offer that fits. The
 * error is the answer when none does.
 */
export function representationFor(
  type: ResourceType,
  request: KubeRequest,
  now: () => number,
): Result<Representation, KubeStatus> {
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
    if (isIncludeObject(includeObject)) return ok(table(type, includeObject, now))
    const shown = JSON.stringify(includeObject)
    const message = `Unable to convert to Table as requested: includeObject: Invalid value: ${shown}: must be 'Metadata', 'Object', 'None', or empty`
    return err(badRequest(message))
  }
  return err(notAcceptable())
}
