import type { FileNode } from '../files/file-node.ts'
import { sizeOf } from '../files/file-node.ts'
import type { Running } from '../process/running.ts'
import { known } from '../shell/unreadable.ts'
import type { ProgramIo } from './program.ts'
import { complain, optionsOf, programOf } from './program.ts'

interface Listing {
  readonly isLong: boolean
  readonly isAll: boolean
}

/** `ls`, one name per line, as to a pipe. */
export const ls = programOf((operands) => {
  const { flags, rest } = optionsOf('ls', operands, { flags: '1laAdhLtr' })
  const names = (rest.length === 0 ? ['.'] : rest).map((name) => known(name, 'ls'))
  const listing = { isLong: flags.has('l'), isAll: flags.has('a') || flags.has('A') }
  return function* run(io) {
    let status = 0
    const folders: string[] = []
    for (const name of names) {
      const found = io.files.node(name, listing.isLong)
      if (!found.ok) {
        status = 1
        yield* complain(io, `ls: ${name}`, found.error)
      } else if (found.value.kind === 'folder' && !flags.has('d')) folders.push(name)
      else yield* io.write(entryLine(name, found.value, listing))
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
  const { entries } = found.value
  const names = [...entries.keys()].filter((name) => listing.isAll || !name.startsWith('.'))
  if (listing.isLong) yield* io.write('total 0\n')
  const dots: readonly (readonly [string, FileNode])[] = hasDots
    ? [
        ['.', found.value],
        ['..', found.value],
      ]
    : []
  const all = [...dots, ...names.toSorted().map((name) => [name, entries.get(name)] as const)]
  for (const [name, node] of all)
    if (node !== undefined) yield* io.write(entryLine(name, node, listing))
}

function entryLine(name: string, node: FileNode, { isLong }: Listing): string {
  if (!isLong) return `${name}\n`
  const date = new Date(node.modifiedAt)
  const month = date.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
  const day = String(date.getUTCDate()).padStart(2)
  const time = date.toISOString().slice(11, 16)
  const size = String(sizeOf(node)).padStart(9)
  const target = node.kind === 'symlink' ? ` -> ${node.target}` : ''
  return `${modeText(node)}    1 root     root     ${size} ${month} ${day} ${time} ${name}${target}\n`
}

function modeText({ kind, mode }: FileNode): string {
  const letters = [6, 3, 0].map((shift) => {
    const bits = mode >> shift
    return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${bits & 1 ? 'x' : '-'}`
  })
  const first = { file: '-', folder: 'd', symlink: 'l', device: 'c' }[kind]
  return `${first}${letters.join('')}`
}
