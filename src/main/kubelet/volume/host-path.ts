import type { JsonObject } from '../../../shared/json.ts'
import { textAt } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { HostFiles, HostFileStat } from '../host/host-files.ts'

const kinds: Readonly<Record<string, readonly [kind: HostFileStat['kind'], words: string]>> = {
  DirectoryOrCreate: ['folder', 'a directory'],
  Directory: ['folder', 'a directory'],
  FileOrCreate: ['file', 'a file'],
  File: ['file', 'a file'],
  Socket: ['socket', 'a socket file'],
  CharDevice: ['character-device', 'a character device'],
  BlockDevice: ['block-device', 'a block device'],
}

/** Whether a path has an element `..`. Source: pkg/volume/validation ValidatePathNoBacksteps. */
export function backstepProblem(path: string): string | undefined {
  return path.split('/').includes('..') ? "must not contain '..'" : undefined
}

/**
 * Looks whether there is on the node what a hostPath volume asks for, and makes it for the types that say so. Nothing is
 * checked without a type: the runtime makes a folder. Source: pkg/volume/hostpath SetUp, checkTypeInternal.
 */
export async function checkHostPath(
  source: JsonObject,
  files: HostFiles,
): Promise<Result<undefined, string>> {
  const path = textAt(source, 'path')
  const type = textAt(source, 'type')
  const backstep = backstepProblem(path)
  if (backstep !== undefined) return err(`invalid HostPath \`${path}\`: ${backstep}`)
  if (type === '') return ok(undefined)
  const expected = kinds[type]
  if (expected === undefined) return err(`${type} is an invalid volume type`)
  const stat = await files.stat(path)
  if (type.endsWith('OrCreate') && !stat.ok && stat.error.kind === 'not-found') {
    const made = await (type === 'FileOrCreate' ? files.write(path, '') : files.makeFolder(path))
    return made.ok ? made : err(made.error.message)
  }
  const [kind, words] = expected
  if (stat.ok && stat.value.kind === kind) return ok(undefined)
  return err(`hostPath type check failed: ${path} is not ${words}`)
}
