import type { Result } from '../../../../shared/result.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { FileError } from '../files/file-error.ts'
import { fileErrorText } from '../files/file-error.ts'
import type { WorkingFolder } from '../files/working-folder.ts'
import type { Input, Output } from '../process/byte-streams.ts'
import { fileInput, fileOutput, textInput } from '../process/byte-streams.ts'
import type { OutputStreams } from '../process/running.ts'
import type { Dialect, Redirection } from './syntax/syntax.ts'
import { shownText } from './unreadable.ts'

/** The standard streams of a command; an output is undefined if it is closed or not needed. */
export interface ShellStreams {
  readonly stdin: Input
  readonly stdout: Output | undefined
  readonly stderr: Output | undefined
  /** See OutputStreams. */
  readonly isWatched?: (() => boolean) | undefined
  readonly isTerminal?: boolean
}

/** Streams that lead out of the container. */
export function outerStreams({
  stdin = textInput(''),
  stdout,
  stderr,
  isWatched,
  isTerminal = false,
}: OutputStreams): ShellStreams {
  return {
    stdin,
    isTerminal,
    stdout: stdout === undefined ? undefined : outerOutput(stdout),
    stderr: stderr === undefined ? undefined : outerOutput(stderr),
    isWatched,
  }
}

function outerOutput(receive: (text: string, at: number) => void): Output {
  return {
    write: (text, at) => {
      receive(shownText(text), at)
      return undefined
    },
  }
}

/** Opens one redirection, whose target is expanded. The error is what the shell prints. */
export function redirected(
  before: ShellStreams,
  { descriptor, kind }: Pick<Redirection, 'descriptor' | 'kind'>,
  target: string,
  { files, dialect }: { readonly files: WorkingFolder; readonly dialect: Dialect },
): Result<ShellStreams, string> {
  if (kind === 'text') return ok({ ...before, stdin: textInput(target) })
  if (kind === 'duplicate') return ok(duplicated(before, descriptor, target))
  const standard = /^\/dev\/std(in|out|err)$/.exec(target)?.[1]
  if (standard !== undefined) {
    const number = standard === 'in' ? '0' : standard === 'out' ? '1' : '2'
    return ok(duplicated(before, descriptor, number))
  }
  const fail = (error: FileError): Result<never, string> =>
    err(failure(target, error, kind === 'read', dialect))
  if (kind === 'read') {
    const found = files.node(target)
    if (!found.ok) return fail(found.error)
    if (found.value.kind === 'folder') return fail('EISDIR')
    const stdin = found.value.kind === 'file' ? fileInput(found.value) : textInput('')
    return ok(descriptor === 0 ? { ...before, stdin } : before)
  }
  const opened =
    target === '' ? err<FileError>('ENOENT') : files.tree.openForWriting(files.absolute(target))
  if (!opened.ok) return fail(opened.error)
  if (opened.value.kind !== 'file') return ok(withOutput(before, descriptor, undefined))
  if (kind === 'write') files.tree.setData(opened.value, '')
  return ok(withOutput(before, descriptor, fileOutput(opened.value, files.tree)))
}

function duplicated(before: ShellStreams, descriptor: number, target: string): ShellStreams {
  if (descriptor === 0) return target === '-' ? { ...before, stdin: textInput('') } : before
  const output = target === '1' ? before.stdout : target === '2' ? before.stderr : undefined
  return withOutput(before, descriptor, output)
}

function withOutput(
  before: ShellStreams,
  descriptor: number,
  output: Output | undefined,
): ShellStreams {
  return descriptor === 2 ? { ...before, stderr: output } : { ...before, stdout: output }
}

function failure(path: string, error: FileError, isRead: boolean, dialect: Dialect): string {
  if (dialect === 'bash') return `bash: line 1: ${path}: ${fileErrorText(error)}\n`
  // busybox shell/ash.c errmsg.
  const text =
    error === 'ENOENT' || error === 'ENOTDIR'
      ? isRead
        ? 'no such file'
        : 'nonexistent directory'
      : fileErrorText(error)
  return `sh: can't ${isRead ? 'open' : 'create'} ${path}: ${text}\n`
}
