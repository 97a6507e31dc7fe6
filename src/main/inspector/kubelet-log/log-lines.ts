import type { LogHits, LogLine, LogLines } from '../../../shared/model/kubelet-log.ts'
import { blockLines } from './line-index.ts'
import { lineOf } from './log-line.ts'
import type { LogPartFile } from './log-part.ts'
import { readRange } from './log-part.ts'
import type { LogReader } from './log-reader.ts'

interface LogText {
  readonly reader: LogReader
  readonly parts: readonly LogPartFile[]
}

/** A pod's full name and UID, as far as they are known. */
export interface PodNames {
  readonly fullName: string
  readonly uid: string | null
}

interface RawLine {
  readonly line: number
  readonly bytes: Buffer
}

function bytesOf(parts: readonly LogPartFile[]): number {
  return parts.reduce((most, { start, length }) => Math.max(most, start + length), 0)
}

async function readBlocks(
  text: LogText,
  first: number,
  count: number,
): Promise<readonly RawLine[]> {
  const { reader, parts } = text
  const { index } = reader
  const after = first + count
  const end = after < index.blockCount ? index.offsetOf(after) : bytesOf(parts)
  const buffer = await readRange(parts, index.offsetOf(first), end)
  const lines: RawLine[] = []
  let line = first * blockLines + 1
  for (let start = 0; start < buffer.length && line <= reader.lines; line++) {
    const newline = buffer.indexOf(10, start)
    const stop = newline === -1 ? buffer.length : newline
    lines.push({ line, bytes: buffer.subarray(start, stop) })
    start = stop + 1
  }
  return lines
}

/** How names stand in lines: `"ns/name"`, in JSON two fields; a UID as it is. */
function isAbout({ fullName, uid }: PodNames): (line: RawLine) => boolean {
  const slash = fullName.indexOf('/')
  const name = fullName.slice(slash + 1)
  const needles = [
    ...(uid === null ? [] : [uid]),
    ...(fullName === ''
      ? []
      : [
          `"${fullName}"`,
          `"name":"${name}","namespace":"${fullName.slice(0, Math.max(0, slash))}"`,
          // In the MESSAGE of journalctl -o json.
          `\\"${fullName}\\"`,
        ]),
  ]
  return ({ bytes }) => needles.some((needle) => bytes.includes(needle))
}

function blockOf(line: number): number {
  return Math.floor((line - 1) / blockLines)
}

/** The blocks to look into, from that of a line on. */
function blocksFrom(
  { reader }: LogText,
  line: number,
  of: PodNames | null,
  isBack: boolean,
): number[] {
  const { index } = reader
  const keys = of === null ? [] : [of.fullName, ...(of.uid === null ? [] : [of.uid])]
  const known = of === null ? undefined : index.blocksOf(keys)
  const all = known ?? Array.from({ length: index.blockCount }, (_, block) => block)
  const block = blockOf(line)
  return isBack
    ? all.filter((each) => each <= block).toReversed()
    : all.filter((each) => each >= block)
}

/**
 * `count` lines from a line on, `isBack`: before it; of a pod, only those that name it. Reads no more blocks than they need.
 */
export async function linesFrom(
  text: LogText,
  query: {
    readonly from: number
    readonly count: number
    readonly of: PodNames | null
    readonly isBack: boolean
  },
): Promise<LogLines> {
  const { from, count, of, isBack } = query
  const isWanted = of === null ? () => true : isAbout(of)
  const found: LogLine[] = []
  const near = text.reader.to
  for (const block of blocksFrom(text, from, of, isBack)) {
    const lines = (await readBlocks(text, block, 1)).filter(
      (each) => (isBack ? each.line < from : each.line >= from) && isWanted(each),
    )
    for (const each of isBack ? lines.toReversed() : lines) {
      found.push(lineOf(each.line, each.bytes, near))
      if (found.length > count) break
    }
    if (found.length > count) break
  }
  const hasMore = found.length > count
  const shown = found.slice(0, count)
  const lines = isBack ? shown.toReversed() : shown
  const first = lines.at(0)?.line ?? from
  const last = lines.at(-1)?.line ?? from
  if (isBack) return { lines, next: from, previous: hasMore ? first : null }
  return { lines, next: hasMore ? last + 1 : null, previous: first > 1 ? first : null }
}

const blocksAtOnce = 32
const maxHits = 200
/** So that a search without a hit gives the page a sign of life. */
const searchBudgetMs = 400

/** Finds text, whatever its case, from a line on. `now`: a clock in ms. */
export async function searchLines(
  text: LogText,
  query: { readonly text: string; readonly from: number },
  now: () => number,
): Promise<LogHits> {
  // Byte by byte, so that both sides change the same.
  const needle = Buffer.from(query.text).toString('latin1').toLowerCase()
  const limit = now() + searchBudgetMs
  const hits: LogLine[] = []
  const { blockCount } = text.reader.index
  for (let block = blockOf(query.from); block < blockCount; block += blocksAtOnce) {
    const lines = await readBlocks(text, block, Math.min(blocksAtOnce, blockCount - block))
    const whole = lines.length === 0 ? '' : latin1Of(lines)
    if (whole.includes(needle))
      for (const { line, bytes } of lines) {
        if (line < query.from || !bytes.toString('latin1').toLowerCase().includes(needle)) continue
        if (hits.length === maxHits) return { hits, next: line }
        hits.push(lineOf(line, bytes, text.reader.to))
      }
    const after = (block + blocksAtOnce) * blockLines + 1
    if (now() > limit && block + blocksAtOnce < blockCount) return { hits, next: after }
  }
  return { hits, next: null }
}

/** All lines are of one buffer. */
function latin1Of(lines: readonly RawLine[]): string {
  const [first] = lines
  const last = lines.at(-1)
  if (first === undefined || last === undefined) return ''
  const start = first.bytes.byteOffset
  const end = last.bytes.byteOffset + last.bytes.length
  return Buffer.from(first.bytes.buffer, start, end - start)
    .toString('latin1')
    .toLowerCase()
}
