import { isMap, parseDocument } from 'yaml'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'

/**
 * The text of a manifest with one annotation set, or with `value` null removed; comments and order stay. Error: why it
 * cannot be changed, as a sentence.
 */
export function annotatedManifest(
  text: string,
  key: string,
  value: string | null,
): Result<string, string> {
  const document = parseDocument(text)
  const [problem] = document.errors
  if (problem !== undefined) return err('The manifest cannot be read as one YAML document.')
  if (!isMap(document.contents) || document.get('kind') !== 'Pod')
    return err('The manifest is not a Pod, so the annotation cannot be set here.')
  const path = ['metadata', 'annotations']
  if (value !== null) document.setIn([...path, key], value)
  else {
    document.deleteIn([...path, key])
    const rest = document.getIn(path)
    if (isMap(rest) && rest.items.length === 0) document.deleteIn(path)
  }
  // YAML allows what JSON does not, such as a comma at the end.
  return text.trimStart().startsWith('{')
    ? ok(`${JSON.stringify(document.toJS(), null, 2)}\n`)
    : ok(document.toString({ lineWidth: 0 }))
}
