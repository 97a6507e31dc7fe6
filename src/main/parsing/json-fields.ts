import { isJsonObject } from '../../shared/json.ts'
import { stringEnd } from './bounded-json.ts'

// Repeated fields are mistakes: in a long body, or with long names, only the first fields are checked.
const maxFields = 10_000
const maxPathLength = 200

/** The number of fields in a JSON text, with repeated ones. */
function fieldsIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = stringEnd(text, at)
    else if (character === ':') count++
  }
  return count
}

function fieldsOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + fieldsOf(item), 0)
  if (!isJsonObject(value)) return 0
  const values = Object.values(value)
  return values.reduce<number>((sum, item) => sum + fieldsOf(item), values.length)
}

interface Container {
  readonly path: string
  /** Of the current element; -1 in an object. */
  index: number
}

/** `spec.containers[0].image`, for each field in the order of the text. */
function fieldPaths(text: string): readonly string[] {
  const paths: string[] = []
  const containers: Container[] = []
  let path = ''
  let isName = false
  for (let at = 0; at < text.length && paths.length < maxFields; at++) {
    const container = containers.at(-1)
    switch (text[at]) {
      case '"': {
        const end = stringEnd(text, at)
        if (isName && container !== undefined) {
          const name = String(JSON.parse(text.slice(at, end + 1)))
          path = container.path === '' ? name : `${container.path}.${name}`
          if (path.length <= maxPathLength) paths.push(path)
        }
        isName = false
        at = end
        break
      }
      case '{':
        containers.push({ path, index: -1 })
        isName = true
        break
      case '[':
        containers.push({ path, index: 0 })
        path = `${path}[0]`
        break
      case '}':
      case ']':
        path = containers.pop()?.path ?? ''
        isName = false
        break
      case ',':
        isName = container?.index === -1
        if (container !== undefined && !isName) path = `${container.path}[${++container.index}]`
        break
      default:
    }
  }
  return paths
}

/**
 * The paths of all fields of a JSON text in its order, if an object in it repeats a field (`JSON.parse` keeps the last one);
 * else `undefined`. `value` is the parsed text.
 */
export function fieldsIfRepeated(text: string, value: unknown): readonly string[] | undefined {
  return fieldsIn(text) === fieldsOf(value) ? undefined : fieldPaths(text)
}
