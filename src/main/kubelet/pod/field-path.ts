import { goQuote } from '../../../shared/go/text.ts'
import { ownField } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { qualifiedNameProblems } from '../../../shared/kubernetes/validation/name-rules.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { podNamespace } from './identity.ts'

/** `metadata.labels['key']`: the path and the key. Source: pkg/fieldpath SplitMaybeSubscriptedPath. */
export const subscriptedPath = /^(.+?)\['(.*)'\]$/s

/** A line `key="value"` for each, sorted by key. */
function mapLines(map: Readonly<Record<string, string>>): string {
  const lines = Object.entries(map).map(
    ([key, value]) => [key, `${key}=${goQuote(value)}`] as const,
  )
  return lines
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => line)
    .join('\n')
}

/** What a `fieldRef` to metadata says of a pod. Source: pkg/fieldpath ExtractFieldPathAsString. */
export function fieldPathValue(pod: Pod, fieldPath: string): Result<string, string> {
  const { metadata } = pod
  const { labels = {}, annotations = {} } = metadata
  const [, path, subscript = ''] = subscriptedPath.exec(fieldPath) ?? []
  if (path !== undefined) {
    const isAnnotation = path === 'metadata.annotations'
    if (!isAnnotation && path !== 'metadata.labels')
      return err(`fieldPath ${goQuote(fieldPath)} does not support subscript`)
    const problems = qualifiedNameProblems(isAnnotation ? subscript.toLowerCase() : subscript)
    if (problems.length > 0)
      return err(`invalid key subscript in ${fieldPath}: ${problems.join(';')}`)
    return ok(ownField(isAnnotation ? annotations : labels, subscript) ?? '')
  }
  switch (fieldPath) {
    case 'metadata.annotations':
      return ok(mapLines(annotations))
    case 'metadata.labels':
      return ok(mapLines(labels))
    case 'metadata.name':
      return ok(metadata.name)
    case 'metadata.namespace':
      return ok(podNamespace(pod))
    case 'metadata.uid':
      return ok(metadata.uid)
    default:
      return err(`unsupported fieldPath: ${fieldPath}`)
  }
}
