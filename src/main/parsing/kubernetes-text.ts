import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { parseJson } from './bounded-json.ts'
import { parseYaml } from './bounded-yaml.ts'
import type { Place, TextPosition } from './bounded-yaml.ts'
import { maxTextLength, tooLong } from './parse-limits.ts'

export type { TextPosition } from './bounded-yaml.ts'

/** A problem in a text, in one sentence. */
export interface TextProblem extends TextPosition {
  readonly message: string
  /** Parsing was aborted, for example by the deadline: a later try may succeed. */
  readonly isGivenUp?: true
}

/** A parsed text: plain data, so that a thread can post it. */
export interface ParsedText {
  readonly value: unknown
  /** Problems that a kubelet ignores silently. */
  readonly warnings: readonly TextProblem[]
  /** The positions of the value and everything in it, if known. */
  readonly place: Place
}

/** Parses an untrusted text; in the program on a separate thread with a deadline. Never rejects. */
export type ParseText = (text: string) => Promise<Result<ParsedText, TextProblem>>

/** One thread for each kind of text, so that slow request bodies do not delay manifests, or slow manifests the editor. */
export interface Parsers {
  /** Manifests of a kubelet's sources. */
  readonly manifests: ParseText
  /** Texts of the manifest editor. */
  readonly editor: ParseText
  /** Bodies of requests to the sandbox's API server. */
  readonly bodies: ParseText
}

/** The warning about a key of YAML that stands twice. */
export const repeatedField = 'This field stands there twice; the later one counts.'

const nowhere: TextPosition = { line: null, column: null }

/**
 * The first document of a text; parse-limits.ts bounds time and memory. A text that begins with `{` must be strict JSON, like
 * in apimachinery's ToJSON; any other text is YAML.
 */
export function parseText(text: string): Result<ParsedText, TextProblem> {
  if (text.length > maxTextLength) return err({ ...nowhere, message: notRead(tooLong) })
  return /^\s*\{/.test(text) ? jsonText(text) : yamlText(text)
}

/** Parses on the calling thread. */
export const parseInPlace: ParseText = (text) => Promise.resolve(parseText(text))

export const parsersInPlace: Parsers = {
  manifests: parseInPlace,
  editor: parseInPlace,
  bodies: parseInPlace,
}

function notRead(reason: string): string {
  return `This text is not read: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`
}

function yamlText(text: string): Result<ParsedText, TextProblem> {
  const reading = parseYaml(text)
  if (!reading.ok) {
    const { kind, message, line, column } = reading.error
    switch (kind) {
      case 'empty':
        return err({ line, column, message: 'The file is empty.' })
      case 'too-large':
        return err({ line, column, message: notRead(message) })
      case 'malformed':
        return err({ line, column, message: `This is not valid YAML: ${sentence(message)}` })
      case 'unreadable':
        return err({ line, column, message: `This YAML cannot be read: ${sentence(message)}` })
    }
  }
  const { value, place, repeatedKeys, secondDocument } = reading.value
  const warnings = repeatedKeys.map((position): TextProblem => {
    return { ...position, message: repeatedField }
  })
  if (secondDocument !== undefined) {
    const message = 'Only the first document of a file is read; from here on it has no effect.'
    warnings.push({ ...secondDocument, message })
  }
  return ok({ value, warnings, place })
}

function jsonText(text: string): Result<ParsedText, TextProblem> {
  const parsed = parseJson(text)
  if (parsed.ok) {
    // JSON is YAML: this parse finds the positions.
    const reading = parseYaml(text)
    const place = reading.ok ? reading.value.place : nowhere
    return ok({ value: parsed.value, warnings: [], place })
  }
  const { kind, message } = parsed.error
  if (kind === 'too-large') return err({ ...nowhere, message: notRead(message) })
  const reason = message.replace(/(, "|, \.\.\.| in JSON| at position).*$/s, '')
  const position = positionAt(text, jsonErrorOffset(text))
  return err({ ...position, message: `This is not valid JSON: ${sentence(reason)}` })
}

/** Whether a text is the start of valid JSON. */
function isUnfinishedJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const position = /at position (\d+)/.exec(reason)?.[1]
    return /end of JSON input|Unterminated string/.test(reason) || Number(position) === text.length
  }
}

/** The offset of the first error of a JSON text, by bisection: not every version of V8 reports it. */
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

function positionAt(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

function sentence(text: string): string {
  const trimmed = text.trim()
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

/** The steps of `spec.containers[0].env[A.B]`; a bracket is one step, a number an index. */
function stepsOf(field: string): readonly string[] {
  return [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(
    ([, bracket, name]) => bracket ?? name ?? '',
  )
}

/** The position of a field as validation names it (`spec.containers[0].image`), or of its nearest known parent. */
export function locate(whole: Place, field: string): TextPosition {
  let place = whole
  let found = nowhere
  for (const step of stepsOf(field)) {
    const inner = place.fields?.get(step) ?? place.items?.[/^\d+$/.test(step) ? Number(step) : -1]
    if (inner === undefined) break
    place = inner
    if (place.line !== null) found = { line: place.line, column: place.column }
  }
  return found
}
