import { equalJson, setField, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { maxDepth } from '../../parsing/parse-limits.ts'
import { PatchError } from './patch-error.ts'

/** Operations of one patch. Source: apiserver endpoints/handlers/patch.go maxJSONPatchOperations. */
export const maxOperations = 10_000

/** Characters of JSON that the copies of one patch may add. Source: apiserver server/config.go JSONPatchMaxCopyBytes. */
const maxCopied = 3 * 1024 * 1024

/** List elements that one patch may move; kube-apiserver gives the request up after 34 s. */
const maxMoved = 100_000_000

/** The error of a patch that would take too long. */
export const tooManyMoves = `the patch moves more than ${maxMoved} elements of lists`

type Path = readonly string[]
type Container = Record<string, unknown> | unknown[]

function pathOf(pointer: string): Path {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new PatchError(`the path ${pointer} does not start with /`)
  const parts = pointer.slice(1).split('/')
  // No value is that deep.
  if (parts.length > maxDepth) throw new PatchError(`the path has more than ${maxDepth} parts`)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function missing(path: Path): PatchError {
  return new PatchError(`there is no value at /${path.join('/')}`)
}

/** Parsed like strconv.Atoi; a negative index counts from the end. */
function indexIn(part: string, path: Path, length: number): number {
  const given = /^[-+]?\d+$/.test(part) ? Number(part) : Number.NaN
  const index = given < 0 ? given + length : given
  if (index >= 0 && index < length) return index
  throw missing(path)
}

/** True if recursive code could not process the value. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level
      .flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []))
      .filter((part) => typeof part === 'object' && part !== null)
  }
  return false
}

/**
 * The object that a patch changes. A map or list that belongs to the original or to the patch is copied before its first
 * change, and then changed in place.
 */
class Draft {
  readonly #root: Record<string, unknown>
  readonly #own = new WeakSet<object>()
  #copied = 0
  #moved = 0

  constructor(original: JsonObject) {
    this.#root = this.#owned({ ...original })
  }

  get value(): JsonObject {
    return this.#root
  }

  apply(operation: JsonObject): void {
    const path = pathOf(textAt(operation, 'path'))
    const value = operation['value'] ?? null
    switch (operation['op']) {
      case 'add':
        return this.#add(path, value)
      case 'remove':
        return void this.#remove(path)
      case 'replace':
        return this.#replace(path, value)
      case 'test':
        if (equalJson(path.length === 0 ? this.#root : this.#get(path), value)) return
        throw new PatchError(`the test of /${path.join('/')} failed`)
      case 'copy':
        return this.#add(path, this.#copyOf(this.#get(pathOf(textAt(operation, 'from')))))
      case 'move':
        return this.#add(path, this.#remove(pathOf(textAt(operation, 'from'))))
      default:
        throw new PatchError(`unknown operation ${JSON.stringify(operation['op'])}`)
    }
  }

  #owned<T extends Container>(container: T): T {
    this.#own.add(container)
    return container
  }

  /** The container of the last part of a path, with that part. `isWrite`: the caller changes the container. */
  #parent(path: Path, isWrite: boolean): readonly [Container, string] {
    const last = path.at(-1)
    if (last === undefined) throw new PatchError('the whole document cannot be replaced')
    let container: Container = this.#root
    for (const part of path.slice(0, -1)) {
      const child = this.#child(container, part, path)
      if (typeof child !== 'object' || child === null) throw missing(path)
      const next: Container = isWrite ? this.#writable(child as Container) : (child as Container)
      if (next !== child) this.#put(container, part, path, next)
      container = next
    }
    return [container, last]
  }

  #writable(container: Container): Container {
    if (this.#own.has(container)) return container
    return this.#owned(Array.isArray(container) ? [...container] : { ...container })
  }

  /** Null if an object has no such field, as in Go. */
  #child(container: Container, part: string, path: Path): unknown {
    if (Array.isArray(container)) return container[indexIn(part, path, container.length)]
    return Object.hasOwn(container, part) ? container[part] : null
  }

  #put(container: Container, part: string, path: Path, value: unknown): void {
    if (Array.isArray(container)) container[indexIn(part, path, container.length)] = value
    else setField(container, part, value)
  }

  #get(path: Path): unknown {
    const [container, part] = this.#parent(path, false)
    return this.#child(container, part, path)
  }

  #add(path: Path, value: unknown): void {
    const [container, part] = this.#parent(path, true)
    if (!Array.isArray(container)) setField(container, part, value)
    else if (part === '-') container.push(value)
    else this.#splice(container, indexIn(part, path, container.length + 1), 0, value)
  }

  /** Moves the elements after the index. */
  #splice(list: unknown[], index: number, removed: number, ...added: readonly unknown[]): void {
    this.#moved += list.length - index
    if (this.#moved > maxMoved) throw new PatchError(tooManyMoves)
    list.splice(index, removed, ...added)
  }

  #remove(path: Path): unknown {
    const [container, part] = this.#parent(path, true)
    const removed = this.#child(container, part, path)
    if (Array.isArray(container)) this.#splice(container, indexIn(part, path, container.length), 1)
    else if (Object.hasOwn(container, part)) delete container[part]
    else throw missing(path)
    return removed
  }

  #replace(path: Path, value: unknown): void {
    const [container, part] = this.#parent(path, true)
    this.#put(container, part, path, value)
  }

  #copyOf(value: unknown): unknown {
    const text = JSON.stringify(value)
    this.#copied += text.length
    if (this.#copied > maxCopied)
      throw new PatchError(`the copies of the patch are larger than ${maxCopied} characters`)
    return JSON.parse(text)
  }
}

/**
 * Applies a JSON patch (RFC 6902) like evanphx/json-patch in kube-apiserver: a negative index counts from the end, and an absent
 * field can be copied and replaced. The original and the patch do not change. The error says which operation failed.
 */
export function jsonPatch(
  original: JsonObject,
  operations: readonly JsonObject[],
): Result<JsonObject, string> {
  try {
    const draft = new Draft(original)
    for (const operation of operations) draft.apply(operation)
    if (!isTooDeep(draft.value)) return ok(draft.value)
    return err(`the patch nests maps and lists more than ${maxDepth} levels deep`)
  } catch (error) {
    if (error instanceof PatchError) return err(error.message)
    // Between two operations, the value can be too deep for JSON.stringify.
    if (error instanceof RangeError) return err(`the patch nests maps and lists too deeply`)
    throw error
  }
}
