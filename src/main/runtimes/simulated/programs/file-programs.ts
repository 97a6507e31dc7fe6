import type { FileError } from '../files/file-error.ts'
import type { FileNode } from '../files/file-node.ts'
import { entriesOf } from '../files/file-node.ts'
import type { WorkingFolder } from '../files/working-folder.ts'
import type { Running } from '../process/running.ts'
import { known, Unreadable } from '../shell/unreadable.ts'
import { modeChange } from './mode-change.ts'
import type { Program, ProgramIo } from './program.ts'
import { complain, optionsOf, programOf } from './program.ts'

function paths(operands: readonly string[], program: string): readonly string[] {
  if (operands.length === 0) throw new Unreadable(`${program} without a file`)
  return operands.map((operand) => known(operand, program))
}

/** Does something with each path; `act` returns what to complain of. */
function forEach(
  program: string,
  names: readonly string[],
  act: (
    files: WorkingFolder,
    name: string,
    io: ProgramIo,
  ) => readonly [text: string, error?: FileError] | undefined,
): (io: ProgramIo) => Running<number> {
  return function* run(io) {
    let status = 0
    for (const name of names) {
      const complaint = act(io.files, name, io)
      if (complaint === undefined) continue
      status = 1
      yield* complain(io, `${program}: ${complaint[0]}`, complaint[1])
    }
    return status
  }
}

const touch = programOf((operands) => {
  const { flags, rest } = optionsOf('touch', operands, { flags: 'cam' })
  return forEach('touch', paths(rest, 'touch'), (files, name, io) => {
    const found = files.node(name)
    if (found.ok) {
      const written = files.tree.find(files.absolute(name))
      if (written.ok && written.value.isReadOnly) return [name, 'EROFS']
      found.value.modifiedAt = io.now()
      return undefined
    }
    if (flags.has('c') && found.error === 'ENOENT') return undefined
    const opened = files.tree.openForWriting(files.absolute(name))
    return opened.ok ? undefined : [name, opened.error]
  })
})

const rm = programOf((operands) => {
  const { flags, rest } = optionsOf('rm', operands, { flags: 'rRfv' })
  if (rest.length === 0 && flags.has('f')) return forEach('rm', [], () => undefined)
  const isRecursive = flags.has('r') || flags.has('R')
  return forEach('rm', paths(rest, 'rm'), (files, name) => {
    const found = files.node(name, true)
    const isForced = flags.has('f')
    if (!found.ok) {
      return isForced && /^ENO(ENT|TDIR)$/.test(found.error)
        ? undefined
        : [`can't remove '${name}'`, found.error]
    }
    if (found.value.kind === 'folder' && !isRecursive) return [`'${name}' is a directory`]
    const error = files.tree.remove(files.absolute(name))
    return error === undefined ? undefined : [`can't remove '${name}'`, error]
  })
})

const rmdir = programOf((operands) =>
  forEach(
    'rmdir',
    paths(optionsOf('rmdir', operands, { flags: '' }).rest, 'rmdir'),
    (files, name) => {
      const found = files.node(name, true)
      const reason: FileError | undefined = !found.ok
        ? found.error
        : found.value.kind !== 'folder'
          ? 'ENOTDIR'
          : found.value.entries.size > 0
            ? 'ENOTEMPTY'
            : files.tree.remove(files.absolute(name))
      return reason === undefined ? undefined : [`'${name}'`, reason]
    },
  ),
)

const mkdir = programOf((operands) => {
  const { flags, rest } = optionsOf('mkdir', operands, { flags: 'pv', values: 'm' })
  return forEach('mkdir', paths(rest, 'mkdir'), (files, name) => {
    const path = files.absolute(name)
    const error = flags.has('p') ? files.tree.makeFolders(path) : files.tree.makeFolder(path)
    return error === undefined ? undefined : [`can't create directory '${name}'`, error]
  })
})

/** Owners are not kept: only whether the file is there counts. */
function changesNothing(program: string): Program {
  return programOf((operands) => {
    const { rest } = optionsOf(program, operands, {
      flags: 'Rvfh',
    })
    const names = paths(rest.slice(1), program)
    return forEach(program, names, (files, name) => {
      const found = files.node(name)
      return found.ok ? undefined : [name, found.error]
    })
  })
}

function baseName(path: string): string {
  return path.replace(/\/+$/, '').replace(/^.*\//, '')
}

/** The destination of one source: inside a folder, or the path itself. */
function destinationOf(files: WorkingFolder, source: string, to: string): string {
  return files.isFolder(to) ? `${to}/${baseName(source)}` : to
}

function sourcesAndTarget(
  operands: readonly string[],
  program: string,
): { readonly sources: readonly string[]; readonly to: string } {
  const names = paths(operands, program)
  const to = names.at(-1)
  if (to === undefined || names.length < 2) throw new Unreadable(`${program} of one file`)
  return { sources: names.slice(0, -1), to }
}

function copy(
  files: WorkingFolder,
  node: FileNode,
  to: string,
): readonly [string, FileError] | undefined {
  const path = files.absolute(to)
  if (node.kind !== 'folder') {
    const data = node.kind === 'file' ? node.data : ''
    const error = files.tree.write(path, data, node.mode)
    return error === undefined ? undefined : [`can't create '${to}'`, error]
  }
  const error = files.isFolder(to) ? undefined : files.tree.makeFolder(path)
  if (error !== undefined) return [`can't create directory '${to}'`, error]
  for (const [name, entry] of entriesOf(node)) {
    const inner = entry.kind === 'symlink' ? files.node(`${to}/${name}`) : undefined
    const failure = copy(files, inner?.ok === true ? inner.value : entry, `${to}/${name}`)
    if (failure !== undefined) return failure
  }
  return undefined
}

function changeMode(node: FileNode, change: (mode: number) => number, isRecursive: boolean): void {
  node.mode = change(node.mode)
  if (node.kind !== 'folder' || !isRecursive) return
  for (const [, entry] of entriesOf(node)) changeMode(entry, change, true)
}

/** Changes files in memory; the modes of files on a disk stay. */
const chmod = programOf((operands) => {
  // `chmod -x FILE` is a mode, not an option.
  const given = /^-[rwx]+$/.test(operands[0] ?? '') ? ['--', ...operands] : operands
  const { flags, rest } = optionsOf('chmod', given, { flags: 'Rvcf' })
  const [mode = '', ...names] = paths(rest, 'chmod')
  const change = modeChange(mode)
  return forEach('chmod', paths(names, 'chmod'), (files, name) => {
    const found = files.tree.find(files.absolute(name))
    const node = found.ok ? found.value.node : undefined
    if (node === undefined) return [name, found.ok ? 'ENOENT' : found.error]
    if (found.ok && found.value.isReadOnly) return [name, 'EROFS']
    changeMode(node, change, flags.has('R'))
    return undefined
  })
})

const cp = programOf((operands) => {
  const { flags, rest } = optionsOf('cp', operands, { flags: 'rRafpvL' })
  const { sources, to } = sourcesAndTarget(rest, 'cp')
  const isRecursive = ['r', 'R', 'a'].some((flag) => flags.has(flag))
  return forEach('cp', sources, (files, source) => {
    const found = files.node(source)
    if (!found.ok) return [`can't stat '${source}'`, found.error]
    if (found.value.kind === 'folder' && !isRecursive) return [`omitting directory '${source}'`]
    return copy(files, found.value, destinationOf(files, source, to))
  })
})

const mv = programOf((operands) => {
  const { rest } = optionsOf('mv', operands, { flags: 'fvn' })
  const { sources, to } = sourcesAndTarget(rest, 'mv')
  return forEach('mv', sources, (files, source) => {
    const target = destinationOf(files, source, to)
    const error = files.tree.rename(files.absolute(source), files.absolute(target))
    const found = files.node(source, true)
    if (error === 'EXDEV' && found.ok) {
      const failure = copy(files, found.value, target)
      if (failure !== undefined) return failure
      files.tree.remove(files.absolute(source))
      return undefined
    }
    return error === undefined ? undefined : [`can't rename '${source}'`, error]
  })
})

const ln = programOf((operands) => {
  const { flags, rest } = optionsOf('ln', operands, { flags: 'sfnv' })
  if (!flags.has('s')) throw new Unreadable('ln without -s')
  const { sources, to } = sourcesAndTarget(rest, 'ln')
  return forEach('ln', sources, (files, source) => {
    const isLink = files.node(to, true)
    const keepsLink = flags.has('n') && isLink.ok && isLink.value.kind === 'symlink'
    const name = keepsLink ? to : destinationOf(files, source, to)
    const path = files.absolute(name)
    if (flags.has('f')) files.tree.remove(path)
    const error = files.tree.symlink(source, path)
    return error === undefined ? undefined : [name, error]
  })
})

export const filePrograms: readonly (readonly [string, Program])[] = [
  ['touch', touch],
  ['rm', rm],
  ['rmdir', rmdir],
  ['mkdir', mkdir],
  ['chmod', chmod],
  ['chown', changesNothing('chown')],
  ['chgrp', changesNothing('chgrp')],
  ['cp', cp],
  ['mv', mv],
  ['ln', ln],
]
