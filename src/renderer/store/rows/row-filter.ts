import type { PodRow } from '../../../shared/model/pod-row.ts'
import { attentionReason } from '../../words/attention.ts'
import { workerWord } from '../../words/worker-word.ts'

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
  worker: (row) => workerWord(row.worker),
  source: (row) => row.source,
  kind: (row) => row.kind,
  mirror: (row) => row.mirror ?? '',
  uid: (row) => `${row.uid} ${row.mirrorUid ?? ''}`,
}

function isField(text: string): text is Field {
  return Object.hasOwn(fieldTexts, text)
}

/** Ignores empty alternatives: `a||b`, and `a|` while the user types. */
function alternatives(text: string): readonly string[] {
  const texts = text.split('|').filter((part) => part !== '')
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
export function parseFilter(text: string): RowFilter {
  return text
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '!')
    .map(parseTerm)
}

function wholeText(row: PodRow): string {
  return [
    `${row.namespace}/${row.name}`,
    row.status,
    workerWord(row.worker),
    row.source,
    row.kind,
    row.mirror ?? '',
    row.uid,
    row.mirrorUid ?? '',
  ]
    .join(' ')
    .toLowerCase()
}

/** Whether a row matches every term. Either UID of a static pod and its mirror matches the pair. */
export function matchesFilter(row: PodRow, filter: RowFilter): boolean {
  if (filter.length === 0) return true
  let whole: string | undefined
  return filter.every((term) => {
    whole ??= wholeText(row)
    const text = term.field === undefined ? whole : fieldTexts[term.field](row).toLowerCase()
    return term.texts.some((part) => text.includes(part)) !== term.isInverted
  })
}

export function isInSegment(row: PodRow, segment: RowSegment): boolean {
  if (segment === 'all') return true
  return segment === 'attention' ? attentionReason(row) !== '' : row.kind !== 'regular'
}
