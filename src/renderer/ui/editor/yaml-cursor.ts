/** A key of a map, or an element of a list. */
export type YamlStep = { readonly key: string } | 'element'

/** What a cursor can complete in a text of YAML. */
export interface YamlCursor {
  readonly isValue: boolean
  /** To the map of the key, or to the value. */
  readonly path: readonly YamlStep[]
  /** Where the word under the cursor begins, in UTF-16 units from the beginning of the text. */
  readonly from: number
  /** Of the key, from 0. */
  readonly column: number
  /** Keys that the map has already. */
  readonly siblings: ReadonlySet<string>
  /** apiVersion and kind of the document; empty: not yet. */
  readonly apiVersion: string
  readonly kind: string
}

interface Line {
  /** Columns of its dashes. */
  readonly dashes: readonly number[]
  /** Column of what follows them. */
  readonly column: number
  readonly key: string | undefined
  readonly value: string
}

interface Level {
  readonly column: number
  readonly step: YamlStep
}

function lineOf(text: string): Line | undefined {
  if (/^\s*(#|$)/.test(text)) return undefined
  const [, indent = '', dashed = ''] = /^( *)((?:- +|-$)*)/.exec(text) ?? []
  const dashes = [...dashed.matchAll(/-/g)].map(({ index }) => indent.length + index)
  const column = indent.length + dashed.length
  const [, key, value = ''] = /^([\w./-]+):(?:\s+(.*))?$/.exec(text.slice(column)) ?? []
  return { dashes, column, key, value }
}

function entered(
  levels: readonly Level[],
  line: Pick<Line, 'dashes' | 'column'>,
): readonly Level[] {
  let open = [...levels]
  for (const column of line.dashes) {
    // A list may begin in the column of its key.
    open = open.filter(
      (level) => level.column < column || (level.column === column && level.step !== 'element'),
    )
    open.push({ column, step: 'element' })
  }
  return open.filter((level) => level.column < line.column)
}

/** The levels that are open after the lines. Texts of several lines are passed over. */
function levelsOf(lines: readonly string[]): readonly Level[] {
  let levels: readonly Level[] = []
  let textColumn: number | undefined
  for (const text of lines) {
    const line = lineOf(text)
    if (line === undefined) continue
    const first = line.dashes[0] ?? line.column
    if (textColumn !== undefined && first > textColumn) continue
    textColumn = undefined
    levels = entered(levels, line)
    if (line.key === undefined) continue
    levels = [...levels, { column: line.column, step: { key: line.key } }]
    if (/^[|>]/.test(line.value)) textColumn = line.column
  }
  return levels
}

/** The keys of the map around a line, without its own. */
function siblingsOf(lines: readonly string[], at: number, column: number): ReadonlySet<string> {
  const keys = new Set<string>()
  const isOutside = (line: Line): boolean => (line.dashes[0] ?? line.column) < column
  const take = (text: string): { readonly isEnd: boolean } => {
    const line = lineOf(text)
    if (line === undefined) return { isEnd: false }
    if (line.key !== undefined && line.column === column) keys.add(line.key)
    return { isEnd: isOutside(line) }
  }
  const startsElement = (lineOf(lines[at] ?? '')?.dashes.length ?? 0) > 0
  if (!startsElement)
    for (let index = at - 1; index >= 0; index--) if (take(lines[index] ?? '').isEnd) break
  for (let index = at + 1; index < lines.length; index++) {
    const line = lineOf(lines[index] ?? '')
    if (line !== undefined && isOutside(line)) break
    take(lines[index] ?? '')
  }
  return keys
}

function topValue(lines: readonly string[], key: string): string {
  const found = lines.find((line) => line.startsWith(`${key}:`))
  return found === undefined
    ? ''
    : found
        .slice(key.length + 1)
        .trim()
        .replaceAll(/^["']|["']$/g, '')
}

/** The document around an offset: its lines and the offset of the first one. */
function documentAt(
  text: string,
  offset: number,
): { readonly lines: readonly string[]; readonly start: number } {
  const before = text.slice(0, offset).lastIndexOf('\n---')
  const start = before === -1 ? 0 : text.indexOf('\n', before + 1) + 1
  const end = text.indexOf('\n---', offset)
  return { lines: text.slice(start, end === -1 ? undefined : end).split('\n'), start }
}

/** What can be completed at an offset; `undefined`: nothing, as in flow style, comments and texts. */
export function yamlCursor(text: string, offset: number): YamlCursor | undefined {
  const { lines, start } = documentAt(text, offset)
  const before = text.slice(start, offset).split('\n')
  const prefix = before.at(-1) ?? ''
  const [, indent, word] = /^(\s*(?:- +)*)([\w./-]*)$/.exec(prefix) ?? []
  const [, outer = '', key, typed = ''] =
    /^(\s*(?:- +)*)([\w./-]+): +([\w./-]*)$/.exec(prefix) ?? []
  const at = before.length - 1
  const common = { apiVersion: topValue(lines, 'apiVersion'), kind: topValue(lines, 'kind') }
  const column = (indent ?? outer).length
  const dashes = [...(indent ?? outer).matchAll(/-/g)].map(({ index }) => index)
  const levels = levelsOf(before.slice(0, -1))
  const path = entered(levels, { dashes, column }).map(({ step }) => step)
  if (indent !== undefined && word !== undefined) {
    const siblings = siblingsOf(lines, at, column)
    return { ...common, isValue: false, path, from: offset - word.length, column, siblings }
  }
  if (key === undefined) return undefined
  const from = offset - typed.length
  return { ...common, isValue: true, path: [...path, { key }], from, column, siblings: new Set() }
}
