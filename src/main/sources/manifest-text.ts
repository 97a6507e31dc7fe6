import { LineCounter, isNode, parseAllDocuments, parseDocument } from 'yaml'
import type { Document, ParseOptions, DocumentOptions, SchemaOptions, ScalarTag, Tags } from 'yaml'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'

/** Where in a text, both from 1; null where it is not known. */
export interface TextPosition {
  readonly line: number | null
  readonly column: number | null
}

/** Something wrong in a manifest, in one sentence. */
export interface ManifestProblem extends TextPosition {
  readonly message: string
}

export interface DecodedManifest {
  readonly value: unknown
  /** What a kubelet passes over in silence. */
  readonly warnings: readonly ManifestProblem[]
  /** Position of a field as validation names it (`spec.containers[0].image`), or of the nearest one around it. */
  readonly locate: (field: string) => TextPosition
}

const nowhere: TextPosition = { line: null, column: null }

// go-yaml reads these as text, other than YAML 1.1 says: 80:80 is no number in base 60.
const textInGo: ReadonlySet<string> = new Set([
  'tag:yaml.org,2002:timestamp',
  'tag:yaml.org,2002:binary',
  'tag:yaml.org,2002:omap',
  'tag:yaml.org,2002:pairs',
  'tag:yaml.org,2002:set',
])

// Go's ParseInt takes 0o644 beside 0644.
const goOctal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?0o[0-7]+$/,
  resolve: (text) => Number(text.replace(/^[-+]/, '')) * (text.startsWith('-') ? -1 : 1),
}

// A number begins with a digit, or a dot and a digit: `e1234567` is a commit's name and `.` a folder, of which yaml's own
// tags make NaN.
const goFraction: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)$/,
  resolve: (text) => Number(text.replaceAll('_', '')),
}

const goExponent: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)[eE][-+]?[0-9]+$/,
  resolve: (text) => Number(text.replaceAll('_', '')),
}

/** The tag of plain fractions, which takes a lone dot for one. */
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
  return [...kept, goOctal, goFraction, goExponent]
}

/** YAML as Kubernetes reads it (sigs.k8s.io/yaml): 1.1, so `yes`, `on` and `y` are booleans and 0644 is octal. */
const kubernetesYaml: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.1',
  customTags: goTags,
  prettyErrors: false,
  logLevel: 'silent',
}

/**
 * The first document of a manifest as JSON. What begins with `{` is JSON and must be strict, as in
 * apimachinery's ToJSON; all else is YAML, of which only the first document counts.
 */
export function decodeManifest(text: string): Result<DecodedManifest, ManifestProblem> {
  return /^\s*\{/.test(text) ? decodeJson(text) : decodeYaml(text)
}

function decodeYaml(text: string): Result<DecodedManifest, ManifestProblem> {
  const lineCounter = new LineCounter()
  const [document, ...others] = parseAllDocuments(text, { ...kubernetesYaml, lineCounter })
  if (document === undefined) return err({ ...nowhere, message: 'The file is empty.' })
  const repeated = document.errors.filter(({ code }) => code === 'DUPLICATE_KEY')
  const broken = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY')
  if (broken !== undefined) {
    const message = `This is not valid YAML: ${sentence(broken.message)}`
    return err({ ...positionOf(broken.pos[0], lineCounter), message })
  }
  const value = plainValue(document)
  if (!value.ok) return value
  const warnings: ManifestProblem[] = repeated.map(({ pos }) => ({
    ...positionOf(pos[0], lineCounter),
    message: 'This field stands there twice; the later one counts.',
  }))
  const second = others.find(({ contents, errors }) => contents !== null || errors.length > 0)
  if (second !== undefined && !isEmpty(second)) {
    const message = 'Only the first document of a file is read; from here on it has no effect.'
    warnings.push({ ...positionOf(second.range[0], lineCounter), message })
  }
  return ok({
    value: value.value,
    warnings,
    locate: (field) => locate(document, lineCounter, field),
  })
}

function isEmpty(document: Document): boolean {
  return document.errors.length === 0 && document.toJS() === null
}

/** As JSON and nothing else: what JSON cannot say (cycles, bombs of aliases) is refused here. */
function plainValue(document: Document): Result<unknown, ManifestProblem> {
  try {
    return ok(JSON.parse(JSON.stringify(document.toJS() ?? null)))
  } catch (error) {
    const [reason = ''] = reasonOf(error).split('\n', 1)
    const words = reason.includes('circular') ? 'an anchor contains itself' : reason
    return err({ ...nowhere, message: `This YAML cannot be read: ${sentence(words)}` })
  }
}

function decodeJson(text: string): Result<DecodedManifest, ManifestProblem> {
  const lineCounter = new LineCounter()
  // Only to find places in it; JSON is YAML.
  const document = parseDocument(text, { ...kubernetesYaml, lineCounter })
  try {
    const value: unknown = JSON.parse(text)
    return ok({ value, warnings: [], locate: (field) => locate(document, lineCounter, field) })
  } catch (error) {
    const reason = reasonOf(error).replace(/(, "|, \.\.\.| in JSON| at position).*$/s, '')
    const position = positionOf(jsonErrorOffset(text), lineCounter)
    return err({ ...position, message: `This is not valid JSON: ${sentence(reason)}` })
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** True for the beginning of some valid JSON. */
function isUnfinishedJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const reason = reasonOf(error)
    const position = /at position (\d+)/.exec(reason)?.[1]
    return /end of JSON input|Unterminated string/.test(reason) || Number(position) === text.length
  }
}

/** Where strict JSON ends to be JSON. Not every version of V8 says it, but each knows a good beginning from a bad one. */
function jsonErrorOffset(text: string): number {
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (isUnfinishedJson(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function positionOf(offset: number, lineCounter: LineCounter): TextPosition {
  const { line, col } = lineCounter.linePos(offset)
  return line === 0 ? { line: 1, column: 1 } : { line, column: col }
}

function sentence(text: string): string {
  const trimmed = text.trim()
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

/** `spec.containers[0].env[A.B]` as steps; what stands in brackets is one step, a number is an index. */
function stepsOf(field: string): readonly (string | number)[] {
  return [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, bracket, name]) => {
    const step = bracket ?? name ?? ''
    return bracket !== undefined && /^\d+$/.test(step) ? Number(step) : step
  })
}

function locate(document: Document, lineCounter: LineCounter, field: string): TextPosition {
  const steps = [...stepsOf(field)]
  for (; steps.length > 0; steps.pop()) {
    const node: unknown = document.getIn(steps, true)
    if (isNode(node) && node.range) return positionOf(node.range[0], lineCounter)
  }
  return nowhere
}
