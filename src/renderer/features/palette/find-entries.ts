import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { PaletteEntry } from './entries.ts'
import { actEntry, actQuery, podEntry, sectionEntries } from './entries.ts'
import { Best, insideScore, matchScore } from './match.ts'

/** A pod with the texts that are searched, made once when the palette opens: joining 10,000 names at each letter is too slow. */
export interface PodName {
  readonly row: PodRow
  readonly name: string
  readonly full: string
}

export function podNames(rows: Iterable<PodRow>): readonly PodName[] {
  return Array.from(rows, (row) => ({
    row,
    name: row.name.toLowerCase(),
    full: `${row.namespace}/${row.name}`.toLowerCase(),
  }))
}

const shownEntries = 12
const shownPods = 8
const uidPattern = /^[0-9a-f][0-9a-f-]{5,}$/
/** A command that matches with few gaps comes before every section of the handbook. */
const sectionHandicap = 20
/** A match by UID comes first. */
const uidScore = 2000

function podScore(
  { row, name, full }: PodName,
  query: string,
  { isUid, floor }: { readonly isUid: boolean; readonly floor: number },
): number {
  if (isUid && (row.uid.startsWith(query) || row.mirrorUid?.startsWith(query) === true))
    return uidScore
  return matchScore(query.includes('/') ? full : name, query, floor)
}

function bestPods(pods: readonly PodName[], query: string): readonly PodRow[] {
  const best = new Best<PodRow>(shownPods)
  const isUid = uidPattern.test(query)
  for (const pod of pods) best.add(pod.row, podScore(pod, query, { isUid, floor: best.floor }))
  return best.values
}

export interface PaletteSource {
  readonly commands: readonly PaletteEntry[]
  readonly pods: readonly PodName[]
  /** Ids, newest first. */
  readonly choices: readonly string[]
  /** The selected pod: acts without a name apply to it. */
  readonly current: PodRow | undefined
}

/** A bonus for recent choices, too small to beat a better kind of match. */
function recencyBonus(choices: readonly string[], id: string): number {
  const at = choices.indexOf(id)
  return at === -1 ? 0 : 90 - at * 5
}

function actEntries(source: PaletteSource, query: string): readonly PaletteEntry[] {
  const { verbs, rest } = actQuery(query)
  if (verbs.length === 0) return []
  const { current } = source
  const pods = rest === '' && current !== undefined ? [current] : bestPods(source.pods, rest)
  return pods.flatMap((row) =>
    verbs.filter(({ fits }) => fits(row)).map((verb) => actEntry(verb, row)),
  )
}

/** The entries that match a line, best first, a dozen at most. Pure; work grows with the number of pods only. */
export function findEntries(source: PaletteSource, line: string): readonly PaletteEntry[] {
  const query = line.trim().toLowerCase()
  const best = new Best<PaletteEntry>(shownEntries)
  const add = (found: PaletteEntry, score: number): void =>
    best.add(found, score === 0 ? 0 : score + recencyBonus(source.choices, found.id))
  for (const command of source.commands)
    add(command, matchScore(command.title.toLowerCase(), query))
  if (query === '') return best.values
  for (const found of actEntries(source, query)) add(found, 1500)
  for (const section of sectionEntries)
    add(section, matchScore(section.title.toLowerCase(), query, insideScore) / sectionHandicap)
  const isUid = uidPattern.test(query)
  for (const row of bestPods(source.pods, query)) {
    const names = { row, name: row.name, full: `${row.namespace}/${row.name}` }
    add(podEntry(row, query), podScore(names, query, { isUid, floor: 0 }))
  }
  return best.values
}
