import type { PodRow } from '../../../shared/model/pod-row.ts'
import { attentionReason } from '../../words/attention.ts'
import { text } from '../../text/text.ts'

/** The choices of the segmented control. */
export type RowSegment = 'all' | 'static' | 'attention'

type Field = 'ns' | 'name' | 'node' | 'status' | 'worker' | 'source' | 'kind' | 'mirror' | 'uid'

interface Term {
  readonly field: Field | undefined
  /** Any of these matches. */
  readonly texts: readonly string[]
  readonly isInverted: boolean
}

export type RowFilter = readonly Term[]

const fieldTexts: Readonly<Record<Field, (row: PodRow) => string>> = {
  ns: (row) => row.namespace,
  name: (row) => row.name,
  node: (row) => row.node,
  status: (row) => row.status,
  worker: (row) => text.common.workerStates[row.worker],
  source: (row) => row.source,
  kind: (row) => row.kind,
  mirror: (row) => row.mirror ?? '',
  uid: (row) => `${row.uid} ${row.mirrorUid ?? ''}`,
}

function isField(word: string): word is Field {
  return Object.hasOwn(fieldTexts, word)
}

/** Ignores empty alternatives: `a||b`, and `a|` while the user types. */
function alternatives(typed: string): readonly string[] {
  const texts = typed.split('|').filter((part) => part !== '')
  return texts.length === 0 ? [''] : texts
}

function parseTerm(word: string): Term {
  const isInverted = word.startsWith('!')
  const bare = (isInverted ? word.slice(1) : word).toLowerCase()
  const colon = bare.indexOf(':')
  const field = colon === -1 ? '' : bare.slice(0, colon)
  return isField(field)
    ? { field, texts: alternatives(bare.slice(colon + 1)), isInverted }
    : { field: undefined, texts: alternatives(bare), isInverted }
}

/** Terms are separated by blanks and must all match; `!` inverts one; `ns:`, `uid:` and so on search one field; `a|b` matches either. */
export function parseFilter(typed: string): RowFilter {
  return typed
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '!')
    .map(parseTerm)
}

function wholeText(row: PodRow): string {
  const fields = ['status', 'worker', 'source', 'kind', 'mirror', 'uid'] as const
  const texts = fields.map((field) => fieldTexts[field](row))
  return [`${row.namespace}/${row.name}`, ...texts].join(' ').toLowerCase()
}

/** Whether a row matches every term. Either UID of a static pod and its mirror matches the pair. */
export function matchesFilter(row: PodRow, filter: RowFilter): boolean {
  if (filter.length === 0) return true
  let whole: string | undefined
  return filter.every((term) => {
    whole ??= wholeText(row)
    const searched = term.field === undefined ? whole : fieldTexts[term.field](row).toLowerCase()
    return term.texts.some((part) => searched.includes(part)) !== term.isInverted
  })
}

export function isInSegment(row: PodRow, segment: RowSegment): boolean {
  if (segment === 'all') return true
  return segment === 'attention' ? attentionReason(row) !== '' : row.kind !== 'regular'
}
