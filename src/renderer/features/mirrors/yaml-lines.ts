/** One line of an object as YAML, with the field that it is about: `spec.containers[web].image`. */
export interface YamlLine {
  readonly path: string
  readonly text: string
}

/** Words that YAML 1.1 reads as something else than a string (kubectl still does). */
const notPlain = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i
const plain = /^[A-Za-z_/.][\w/.:@*+=,() -]*$/

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  const isPlain =
    plain.test(value) &&
    !notPlain.test(value) &&
    !/: |:$| $| #/.test(value) &&
    !/^\.?\d|^\.(?:inf|nan)$/i.test(value)
  // JSON's string is a double-quoted one of YAML.
  return isPlain || hexUid.test(value) ? value : JSON.stringify(value)
}

/** A UID: with such a letter in it no number, whatever it begins with. */
const hexUid = /^(?=.*[a-df])[\da-f-]{32,36}$/

type Entry = readonly [key: string, value: unknown]

function entriesOf(value: object): readonly Entry[] {
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
}

/** What tells an item of a list from its neighbours, so that both objects' items meet: its name where it has one. */
function itemMark(item: unknown, index: number): string {
  const name = item !== null && typeof item === 'object' && 'name' in item ? item.name : undefined
  return typeof name === 'string' ? `[${name}]` : `[${index}]`
}

function isBlock(text: string): boolean {
  return text.includes('\n') && !/^\s|[ \t]\n|\r/.test(text)
}

function blockLines(head: string, text: string, path: string, indent: string): YamlLine[] {
  const isEnded = text.endsWith('\n')
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n')
  return [
    { path, text: `${head} ${isEnded ? '|' : '|-'}` },
    ...lines.map((line, index) => ({
      path: `${path}#${index}`,
      text: line === '' ? '' : `${indent}  ${line}`,
    })),
  ]
}

function fieldLines([key, value]: Entry, path: string, indent: string): YamlLine[] {
  const head = `${indent}${scalar(key)}:`
  if (typeof value === 'string' && isBlock(value)) return blockLines(head, value, path, indent)
  if (value === null || typeof value !== 'object')
    return [{ path, text: `${head} ${scalar(value)}` }]
  const isEmpty = Array.isArray(value) ? value.length === 0 : entriesOf(value).length === 0
  if (isEmpty) return [{ path, text: `${head} ${Array.isArray(value) ? '[]' : '{}'}` }]
  return [
    { path, text: head },
    // As kubectl prints it: the items of a list stand no deeper than its key.
    ...(Array.isArray(value)
      ? listLines(value, path, indent)
      : objectLines(value, path, `${indent}  `)),
  ]
}

function listLines(items: readonly unknown[], path: string, indent: string): YamlLine[] {
  return items.flatMap((item, index): YamlLine[] => {
    const itemPath = `${path}${itemMark(item, index)}`
    if (item === null || typeof item !== 'object')
      return [{ path: itemPath, text: `${indent}- ${scalar(item)}` }]
    const [first, ...rest] = objectLines(item, itemPath, `${indent}  `)
    if (first === undefined) return [{ path: itemPath, text: `${indent}- {}` }]
    return [{ ...first, text: `${indent}- ${first.text.trimStart()}` }, ...rest]
  })
}

function objectLines(value: object, path: string, indent: string): YamlLine[] {
  return entriesOf(value).flatMap((entry) =>
    fieldLines(entry, path === '' ? entry[0] : `${path}.${entry[0]}`, indent),
  )
}

/**
 * An API object as kubectl would print it, keys in order. Written by hand since no printer of YAML says
 * which field a line is about, and the two objects are laid side by side by field, not by text. Pure.
 */
export function yamlLines(value: object): readonly YamlLine[] {
  return objectLines(value, '', '')
}
