import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { RowScope } from '../../store/shown-node.ts'
import { isInScope } from '../../store/shown-node.ts'

/** What a pasted UID is. */
export type Translation =
  | { readonly kind: 'empty' }
  /** Too short to search for. */
  | { readonly kind: 'short' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ambiguous'; readonly count: number }
  | {
      readonly kind: 'static' | 'mirror' | 'orphan' | 'regular'
      readonly row: PodRow
      readonly uid: string
    }

/** As short as kubectl's own short ids get; less finds by chance. */
const shortestPrefix = 8

interface Found {
  readonly uid: string
  readonly row: PodRow
  readonly kind: 'static' | 'mirror' | 'orphan' | 'regular'
}

function matchesOf(row: PodRow, isMatch: (uid: string) => boolean): readonly Found[] {
  if (row.kind !== 'static') {
    const kind = row.kind === 'mirror' ? 'orphan' : 'regular'
    return isMatch(row.uid) ? [{ uid: row.uid, row, kind }] : []
  }
  const found: Found[] = isMatch(row.uid) ? [{ uid: row.uid, row, kind: 'static' }] : []
  const { mirrorUid } = row
  if (mirrorUid !== null && isMatch(mirrorUid)) found.push({ uid: mirrorUid, row, kind: 'mirror' })
  return found
}

/** The kubelet links a mirror to the static pod that came last under its name (pod-manager#asymmetries). */
function isLinked({ row }: Found): boolean {
  return row.worker !== 'TerminatingPod' && row.worker !== 'TerminatedPod'
}

/** Looks a UID up on both sides among the rows of a scope, whole or by a prefix that only one has. Pure. */
export function translateUid(
  typed: string,
  rows: Iterable<PodRow>,
  scope: RowScope | null,
): Translation {
  const text = typed.trim().toLowerCase()
  if (text === '') return { kind: 'empty' }
  const isPrefix = text.length >= shortestPrefix
  const byUid = new Map<string, Found>()
  const isMatch = (uid: string): boolean => uid === text || (isPrefix && uid.startsWith(text))
  for (const row of rows)
    for (const found of isInScope(row, scope) ? matchesOf(row, isMatch) : []) {
      const id = `${row.cluster}/${row.node}/${found.uid}`
      if (!byUid.has(id) || isLinked(found)) byUid.set(id, found)
    }
  const whole = [...byUid.values()].filter(({ uid }) => uid === text)
  const found = whole.length > 0 ? whole : [...byUid.values()]
  const [first] = found
  if (first === undefined) return { kind: isPrefix ? 'unknown' : 'short' }
  return found.length > 1 ? { kind: 'ambiguous', count: found.length } : first
}

/** Where the kubelet keeps the logs: under the pod's own UID, which for a static pod is not the API's. Pure. */
export function logFolder({ namespace, name, uid }: PodRow): string {
  return `/var/log/pods/${namespace}_${name}_${uid}/`
}
