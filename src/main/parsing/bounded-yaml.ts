import { Composer, isMap, isNode, isScalar, isSeq, Lexer, LineCounter, Parser } from 'yaml'
import type {
  Document,
  DocumentOptions,
  ParsedNode,
  ParseOptions,
  ScalarTag,
  SchemaOptions,
  Tags,
  YAMLMap,
} from 'yaml'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import {
  maxDepth,
  maxTokens,
  maxValues,
  tooDeep,
  tooManyTokens,
  tooManyValues,
} from './parse-limits.ts'
import { yamlProblem } from './yaml-problem.ts'

/** A position in a text, both from 1; null if unknown. */
export interface TextPosition {
  readonly line: number | null
  readonly column: number | null
}

/** The position of a value, and of its fields and items. */
export interface Place extends TextPosition {
  readonly fields?: ReadonlyMap<string, Place>
  readonly items?: readonly Place[]
}

/** The first document of a YAML text, as JSON. */
export interface YamlReading {
  readonly value: unknown
  readonly place: Place
  /** Repeated keys of a map, in the order of the text. */
  readonly repeatedKeys: readonly TextPosition[]
  /** The start of the second document that is not empty. */
  readonly secondDocument: TextPosition | undefined
}

/** `empty`: no document. `too-large`: over a limit. `malformed`: not YAML. `unreadable`: YAML without a JSON form. */
export interface YamlError extends TextPosition {
  readonly kind: 'empty' | 'too-large' | 'malformed' | 'unreadable'
  readonly message: string
}

type YamlDocument = Document.Parsed<ParsedNode, true>

const nowhere: TextPosition = { line: null, column: null }

// go-yaml reads these as text, unlike YAML 1.1: 80:80 is not a number in base 60.
const textInGo: ReadonlySet<string> = new Set([
  'tag:yaml.org,2002:timestamp',
  'tag:yaml.org,2002:binary',
  'tag:yaml.org,2002:omap',
  'tag:yaml.org,2002:pairs',
  'tag:yaml.org,2002:set',
])

// Go's ParseInt accepts 0o644 as well as 0644.
const goOctal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?0o[0-7]+$/,
  resolve: (text) => Number(text.replace(/^[-+]/, '')) * (text.startsWith('-') ? -1 : 1),
}

// A number begins with a digit, or a dot and a digit. The tags of the yaml package turn `e1234567` (a commit) and `.` (a
// folder) into NaN.
const goFloat: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*|(?:\.[0-9_]*)?[eE][-+]?[0-9]+)|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?)$/,
  resolve: (text) => Number(text.replaceAll('_', '')),
}

/** The yaml package's tag for fractions, which also matches a lone dot. */
const isFraction = (tag: Exclude<Tags[number], string>): boolean =>
  'test' in tag && tag.test?.test('.') === true

function goTags(tags: Tags): Tags {
  const kept = tags.filter(
    (tag) =>
      typeof tag === 'string' ||
      !(
        textInGo.has(tag.tag) ||
        isFraction(tag) ||
        ('format' in tag && (tag.format === 'TIME' || tag.format === 'EXP'))
      ),
  )
  return [...kept, goOctal, goFloat]
}

/** YAML as Kubernetes reads it (sigs.k8s.io/yaml): 1.1, so `yes`, `on` and `y` are booleans and 0644 is octal. */
const kubernetesYaml: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.1',
  customTags: goTags,
  prettyErrors: false,
  // `repeatedKeysOf` finds them; the yaml package compares every key with all before it.
  uniqueKeys: false,
  logLevel: 'silent',
}

function positionOf(offset: number, lineCounter: LineCounter): TextPosition {
  const { line, col } = lineCounter.linePos(offset)
  return line === 0 ? { line: 1, column: 1 } : { line, column: col }
}

function isEmpty({ contents, errors }: YamlDocument): boolean {
  return (
    errors.length === 0 && (contents === null || (isScalar(contents) && contents.value === null))
  )
}

interface Documents {
  readonly first: YamlDocument | undefined
  readonly second: YamlDocument | undefined
}

/** The first document and the next one that is not empty, token by token, so that deep nesting is refused early. */
function documentsOf(text: string, lineCounter: LineCounter): Result<Documents, string> {
  const lexer = new Lexer()
  const parser = new Parser(lineCounter.addNewLine)
  const composer = new Composer(kubernetesYaml)
  let first: YamlDocument | undefined
  let second: YamlDocument | undefined
  const take = (documents: Iterable<YamlDocument>): void => {
    for (const document of documents) {
      if (first === undefined) first = document
      else if (second === undefined && !isEmpty(document)) second = document
    }
  }
  let tokens = 0
  lineCounter.addNewLine(0)
  for (const lexeme of lexer.lex(text)) {
    if (++tokens > maxTokens) return err(tooManyTokens)
    for (const token of parser.next(lexeme)) take(composer.next(token))
    // The stack has the document and one entry for each enclosing map or list.
    if (parser.stack.length > maxDepth + 1) return err(tooDeep)
    if (second !== undefined) return ok({ first, second })
  }
  for (const token of parser.end()) take(composer.next(token))
  take(composer.end())
  return ok({ first, second })
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : ''
}

function placeOf(node: unknown, lineCounter: LineCounter): Place {
  const position = isNode(node) && node.range ? positionOf(node.range[0], lineCounter) : nowhere
  if (isSeq(node))
    return { ...position, items: node.items.map((item) => placeOf(item, lineCounter)) }
  if (!isMap(node)) return position
  const fields = node.items.map(({ key, value }): [string, Place] => [
    keyText(key),
    placeOf(value, lineCounter),
  ])
  return { ...position, fields: new Map(fields) }
}

function repeatedKeysOf(document: YamlDocument, lineCounter: LineCounter): readonly TextPosition[] {
  const repeated: TextPosition[] = []
  const ofMap = (map: YAMLMap): void => {
    const seen = new Set<unknown>()
    for (const { key, value } of map.items) {
      const name: unknown = isScalar(key) ? key.value : key
      if (seen.has(name) && isNode(key) && key.range)
        repeated.push(positionOf(key.range[0], lineCounter))
      seen.add(name)
      visit(key)
      visit(value)
    }
  }
  const visit = (node: unknown): void => {
    if (isMap(node)) ofMap(node)
    else if (isSeq(node)) for (const item of node.items) visit(item)
  }
  visit(document.contents)
  return repeated
}

type LimitProblem = Pick<YamlError, 'kind' | 'message'>

/** Why a value cannot be written as JSON: expanded aliases may exceed the limits. */
function limitProblem(value: unknown): LimitProblem | undefined {
  let values = 0
  const around = new Set<unknown>()
  const visit = (part: unknown): LimitProblem | undefined => {
    if (++values > maxValues) return { kind: 'too-large', message: tooManyValues }
    if (typeof part !== 'object' || part === null) return undefined
    if (around.has(part)) return { kind: 'unreadable', message: 'an anchor contains itself' }
    if (around.size >= maxDepth) return { kind: 'too-large', message: tooDeep }
    around.add(part)
    for (const inner of Object.values(part)) {
      const reason = visit(inner)
      if (reason !== undefined) return reason
    }
    around.delete(part)
    return undefined
  }
  return visit(value)
}

/** The document as plain JSON. */
function plainValue(document: YamlDocument): Result<unknown, YamlError> {
  try {
    const value: unknown = document.toJS() ?? null
    const reason = limitProblem(value)
    if (reason !== undefined) return err({ ...nowhere, ...reason })
    return ok(JSON.parse(JSON.stringify(value)))
  } catch (error) {
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
    return err({ ...nowhere, kind: 'unreadable', message: yamlProblem(message) })
  }
}

/** Reads the first document of a text; the limits bound time and memory. */
export function parseYaml(text: string): Result<YamlReading, YamlError> {
  const lineCounter = new LineCounter()
  const documents = documentsOf(text, lineCounter)
  if (!documents.ok) return err({ ...nowhere, kind: 'too-large', message: documents.error })
  const { first, second } = documents.value
  if (first === undefined)
    return err({ ...nowhere, kind: 'empty', message: 'There is nothing in it.' })
  const [broken] = first.errors
  if (broken !== undefined) {
    const position = positionOf(broken.pos[0], lineCounter)
    return err({ ...position, kind: 'malformed', message: yamlProblem(broken.message) })
  }
  const value = plainValue(first)
  if (!value.ok) return value
  return ok({
    value: value.value,
    place: placeOf(first.contents, lineCounter),
    repeatedKeys: repeatedKeysOf(first, lineCounter),
    secondDocument: second === undefined ? undefined : positionOf(second.range[0], lineCounter),
  })
}
