import type { JsonObject } from '../../shared/json.ts'
import { isJsonObject, numberAt, textAt } from '../../shared/json.ts'
import type { KubeObject } from '../../shared/kubernetes/objects.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { knowSize } from '../sandbox/endpoints/object-size.ts'
import { keyOf } from '../sandbox/object-store.ts'
import type { KeptObject } from '../sandbox/object-store.ts'
import { groupResource } from '../sandbox/registry/resource-type.ts'
import { resourceTypes, typeOfKind } from '../sandbox/registry/resource-types.ts'
import { decodeEntry } from './state-entry.ts'

/** Of the entries in the database; a later version of Nodescope that changes them counts up. */
export const stateFormat = 1

export const metaKey = 'meta'
const objectPrefix = 'objects/'

/** About the whole state. */
export interface StateMeta {
  readonly format: number
  /** The version of Nodescope that wrote it. */
  readonly program: string
  readonly seed: number
  /** How often a sandbox was started with this state. */
  readonly starts: number
  /** ms since 1970 on the sandbox's clock. */
  readonly now: number
  readonly resourceVersion: number
  /** By name, in the order of the options. */
  readonly nodes: readonly string[]
}

/** A state that was read, and what shows that it is complete. */
export interface KeptState {
  readonly meta: StateMeta
  readonly objects: readonly KeptObject[]
}

/** A state as a database has it. */
export interface StoredState extends KeptState {
  /** Of every object, by its key. */
  readonly checksums: ReadonlyMap<string, number>
}

/** The meta entry also proves that every object is there: their number, and their checksums combined with XOR. */
export interface StoredMeta extends StateMeta {
  readonly objects: number
  readonly digest: number
}

/** `damaged`: not what was written. `newer`: complete, but from a later version. `message`: a part of a sentence. */
export interface StateProblem {
  readonly kind: 'damaged' | 'newer'
  readonly message: string
}

export function objectKey(resource: string, { metadata }: KubeObject): string {
  const { namespace = '', name } = metadata
  return `${objectPrefix}${resource}/${keyOf({ namespace, name })}`
}

function damaged(message: string): Result<never, StateProblem> {
  return err({ kind: 'damaged', message })
}

function newer(message: string): Result<never, StateProblem> {
  return err({ kind: 'newer', message })
}

function metaOf(value: JsonObject): StoredMeta | undefined {
  const { nodes } = value
  const numbers = ['format', 'seed', 'starts', 'now', 'resourceVersion', 'objects', 'digest']
  if (numbers.some((field) => numberAt(value, field) === undefined)) return undefined
  if (!Array.isArray(nodes) || !nodes.every((name) => typeof name === 'string')) return undefined
  return value as unknown as StoredMeta
}

const builtIn = resourceTypes.map(groupResource)
const definitionResource = groupResource(typeOfKind('CustomResourceDefinition'))

function isObject(value: JsonObject): boolean {
  const { metadata } = value
  return isJsonObject(metadata) && textAt(metadata, 'name') !== '' && textAt(metadata, 'uid') !== ''
}

/** Checks all entries of a database. Undefined: there are none. */
export function readState(
  entries: readonly (readonly [key: string, text: string])[],
): Result<StoredState | undefined, StateProblem> {
  if (entries.length === 0) return ok(undefined)
  const objects: KeptObject[] = []
  const checksums = new Map<string, number>()
  let stored: StoredMeta | undefined
  let digest = 0
  for (const [key, text] of entries) {
    const entry = decodeEntry(key, text)
    if (entry === undefined) return damaged(`the entry ${key} has another checksum`)
    if (key === metaKey) {
      if ((numberAt(entry.value, 'format') ?? 0) > stateFormat)
        return newer(
          `it was written by Nodescope ${textAt(entry.value, 'program')} (format ${numberAt(entry.value, 'format')}); this version reads format ${stateFormat}`,
        )
      stored = metaOf(entry.value)
      continue
    }
    const resource = key.slice(objectPrefix.length).split('/')[0] ?? ''
    if (!isObject(entry.value)) return damaged(`the entry ${key} is no object`)
    // An object with name and UID: the server wrote it.
    const object = entry.value as unknown as KubeObject
    knowSize(object, entry.size)
    objects.push({ resource, object })
    checksums.set(key, entry.checksum)
    digest = (digest ^ entry.checksum) >>> 0
  }
  // Definitions are named like the resources that they define.
  const defined = objects.filter(({ resource }) => resource === definitionResource)
  const known = new Set([...builtIn, ...defined.map(({ object }) => object.metadata.name)])
  const unknown = objects.find(({ resource }) => !known.has(resource))
  if (unknown !== undefined)
    return newer(`it has objects of ${unknown.resource}, which this version does not have`)
  if (stored === undefined) return damaged('the entry about the whole state is missing')
  const { objects: count, digest: expected, ...meta } = stored
  if (objects.length !== count)
    return damaged(`it has ${objects.length} objects instead of ${count}`)
  if (digest !== expected) return damaged('some of its objects are older than the others')
  return ok({ meta, objects, checksums })
}
