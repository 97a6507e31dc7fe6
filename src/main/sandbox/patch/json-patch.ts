import { equalJson, isJsonObject, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { PatchError } from './patch-error.ts'

type Path = readonly string[]

function pathOf(pointer: string): Path {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new PatchError(`the path ${pointer} does not start with /`)
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function missing(path: Path): PatchError {
  return new PatchError(`nothing is at /${path.join('/')}`)
}

function indexIn(list: readonly unknown[], part: string, path: Path, end: number): number {
  const index = /^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1
  if (index < 0 || index > end || list.length < index) throw missing(path)
  return index
}

function valueAt(document: unknown, path: Path): unknown {
  let value = document
  for (const part of path) {
    if (Array.isArray(value)) value = value[indexIn(value, part, path, value.length - 1)]
    else if (isJsonObject(value) && Object.hasOwn(value, part)) value = value[part]
    else throw missing(path)
  }
  return value
}

type Edit = (container: unknown, part: string) => unknown

/** The document with the container of `path` replaced by what `edit` makes of it; everything else is shared. */
function edited(document: unknown, path: Path, edit: Edit): unknown {
  const [part, ...rest] = path
  if (part === undefined) throw new PatchError('the whole document cannot be replaced')
  if (rest.length === 0) return edit(document, part)
  const child = edited(valueAt(document, [part]), rest, edit)
  if (Array.isArray(document)) return document.with(Number(part), child)
  return isJsonObject(document) ? { ...document, [part]: child } : document
}

function added(document: unknown, path: Path, value: unknown): unknown {
  return edited(document, path, (container, part) => {
    if (Array.isArray(container)) {
      const end = container.length
      const index = part === '-' ? end : indexIn(container, part, path, end)
      return container.toSpliced(index, 0, value)
    }
    if (!isJsonObject(container)) throw missing(path)
    return { ...container, [part]: value }
  })
}

function removed(document: unknown, path: Path): unknown {
  valueAt(document, path)
  return edited(document, path, (container, part) => {
    if (Array.isArray(container)) return container.toSpliced(Number(part), 1)
    const { [part]: _, ...rest } = isJsonObject(container) ? container : {}
    return rest
  })
}

function replaced(document: unknown, path: Path, value: unknown): unknown {
  valueAt(document, path)
  return edited(document, path, (container, part) =>
    Array.isArray(container)
      ? container.with(Number(part), value)
      : { ...(isJsonObject(container) ? container : {}), [part]: value },
  )
}

function applied(document: unknown, operation: JsonObject): unknown {
  const path = pathOf(textAt(operation, 'path'))
  const value = operation['value'] ?? null
  switch (operation['op']) {
    case 'add':
      return added(document, path, value)
    case 'remove':
      return removed(document, path)
    case 'replace':
      return replaced(document, path, value)
    case 'test':
      if (equalJson(valueAt(document, path), value)) return document
      throw new PatchError(`the test of /${path.join('/')} failed`)
    case 'copy':
      return added(document, path, valueAt(document, pathOf(textAt(operation, 'from'))))
    case 'move': {
      const from = pathOf(textAt(operation, 'from'))
      return added(removed(document, from), path, valueAt(document, from))
    }
    default:
      throw new PatchError(`unknown operation ${JSON.stringify(operation['op'])}`)
  }
}

/** A JSON patch (RFC 6902) applied; the original stays as it is. The error says which operation failed. */
export function jsonPatch(
  original: JsonObject,
  operations: readonly JsonObject[],
): Result<JsonObject, string> {
  try {
    const document = operations.reduce(applied, original)
    return isJsonObject(document) ? ok(document) : err('the patch leaves no object')
  } catch (error) {
    if (error instanceof PatchError) return err(error.message)
    throw error
  }
}
