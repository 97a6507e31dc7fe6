import type { FileNode } from '../files/file-node.ts'
import { sizeOf } from '../files/file-node.ts'
import type { Running } from '../process/running.ts'
import { known } from '../shell/unreadable.ts'
import type { ProgramIo } from './program.ts'
import { complain, optionsOf, programOf } from './program.ts'

type Entry = readonly [name: string, node: FileNode]

interface Listing {
  readonly isLong: boolean
  readonly isAll: boolean
  /** Sizes with a unit. */
  readonly isHuman: boolean
  /** Newest first. */
  readonly isByTime: boolean
  readonly isReverse: boolean
}

/** `ls`, one name per line, as to a pipe. */
export const ls = programOf((operands) => {
  const { flags, rest } = optionsOf('ls', operands, { flags: '1laAdhLtr' })
  const names = (rest.length === 0 ? ['.'] : rest).map((name) => known(name, 'ls'))
  const listing: Listing = {
    isLong: flags.has('l'),
    isAll: flags.has('a') || flags.has('A'),
    isHuman: flags.has('h'),
    isByTime: flags.has('t'),
    isReverse: flags.has('r'),
  }
  return function* run(io) {
    let status = 0
    const folders: string[] = []
    for (const name of names) {
      const found = io.files.node(name, listing.isLong)
      if (!found.ok) {
        status = 1
        yield* complain(io, `ls: ${name}`, found.error)
      } else if (found.value.kind === 'folder' && !flags.has('d')) folders.push(name)
      else yield* io.write(entryLine(name, found.value, listing, io.now()))
    }
    for (const [index, folder] of folders.entries()) {
      if (names.length > 1)
        yield* io.write(`${index > 0 || folders.length < names.length ? '\n' : ''}${folder}:\n`)
      yield* listFolder(io, folder, listing, flags.has('a'))
    }
    return status
  }
})

function* listFolder(
  io: ProgramIo,
  folder: string,
  listing: Listing,
  hasDots: boolean,
): Running<void> {
  const found = io.files.node(folder)
  if (!found.ok || found.value.kind !== 'folder') return
  const names = [...found.value.entries.keys()].filter(
    (name) => listing.isAll || !name.startsWith('.'),
  )
  if (listing.isLong) yield* io.write('total 0\n')
  const dots: readonly Entry[] = hasDots
    ? [
        ['.', found.value],
        ['..', found.value],
      ]
    : []
  // By path: something may be mounted there.
  const entries = names.toSorted().flatMap((name): readonly Entry[] => {
    const entry = io.files.node(`${folder}/${name}`, true)
    return entry.ok ? [[name, entry.value]] : []
  })
  const all = [...dots, ...entries]
  if (listing.isByTime) all.sort(([, a], [, b]) => b.modifiedAt - a.modifiedAt)
  for (const [name, node] of listing.isReverse ? all.toReversed() : all)
    yield* io.write(entryLine(name, node, listing, io.now()))
}

function entryLine(name: string, node: FileNode, listing: Listing, now: number): string {
  if (!listing.isLong) return `${name}\n`
  const size = sizeText(sizeOf(node), listing).padStart(9)
  const time = timeText(node.modifiedAt, now)
  const target = node.kind === 'symlink' ? ` -> ${node.target}` : ''
  return `${modeText(node)}    1 root     root     ${size} ${time} ${name}${target}\n`
}

/** As busybox writes it (libbb/human_readable.c). */
function sizeText(bytes: number, { isHuman }: Listing): string {
  if (!isHuman || bytes < 1024) return String(bytes)
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), 4)
  return `${(bytes / 1024 ** power).toFixed(1)}${' KMGT'.charAt(power)}`
}

/** Instead of the time of day the year, if it is not of the last half year (busybox coreutils/ls.c). */
function timeText(at: number, now: number): string {
  const date = new Date(at)
  const month = date.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
  const day = String(date.getUTCDate()).padStart(2)
  const isNew = now - at < halfYearMs && now - at > -15 * 60_000
  return `${month} ${day} ${isNew ? date.toISOString().slice(11, 16) : ` ${date.getUTCFullYear()}`}`
}

const halfYearMs = (365 / 2) * 24 * 3_600_000

function modeText({ kind, mode }: FileNode): string {
  const letters = [6, 3, 0].map((shift) => {
    const bits = mode >> shift
    return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${bits & 1 ? 'x' : '-'}`
  })
  const first = { file: '-', folder: 'd', symlink: 'l', device: 'c' }[kind]
  return `${first}${letters.join('')}`
}
