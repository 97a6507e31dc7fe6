import type { JsonObject } from '../../shared/json.ts'
import { isJsonObject } from '../../shared/json.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Place } from '../parsing/bounded-yaml.ts'
import { parseText } from '../parsing/kubernetes-text.ts'
import type { TextProblem } from '../parsing/kubernetes-text.ts'

/** One document of a YAML stream. */
export interface YamlDocument {
  readonly value: JsonObject
  readonly place: Place
  /** The lines of the stream before it. */
  readonly linesBefore: number
}

/** `FILE:3:7: sentence`, as compilers write it. */
export function problemAt(
  file: string,
  { line, column, message }: TextProblem,
  linesBefore = 0,
): string {
  if (line === null) return `${file}: ${message}`
  return `${file}:${linesBefore + line}${column === null ? '' : `:${column}`}: ${message}`
}

interface Part {
  readonly text: string
  readonly linesBefore: number
}

/** The documents of a stream: a line of three dashes stands between two. */
function partsOf(text: string): readonly Part[] {
  const parts: Part[] = []
  let linesBefore = 0
  for (const part of text.split(/^---[ \t]*$/m)) {
    // Only comments and empty lines are no document.
    if (/^[ \t]*[^#\s]/m.test(part)) parts.push({ text: part, linesBefore })
    linesBefore += part.split('\n').length - 1
  }
  return parts
}

/** Reads a YAML stream whose documents are maps. Error: a sentence with file, line and column. */
export function readDocuments(file: string, text: string): Result<readonly YamlDocument[], string> {
  const documents: YamlDocument[] = []
  for (const { text: part, linesBefore } of partsOf(text)) {
    const parsed = parseText(part)
    if (!parsed.ok) return err(problemAt(file, parsed.error, linesBefore))
    const { value, place, warnings } = parsed.value
    const [repeated] = warnings
    if (repeated !== undefined) return err(problemAt(file, repeated, linesBefore))
    if (!isJsonObject(value)) {
      const message = 'This is not a map of fields.'
      return err(problemAt(file, { ...place, message }, linesBefore))
    }
    documents.push({ value, place, linesBefore })
  }
  return ok(documents)
}
