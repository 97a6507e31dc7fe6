import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isJsonObject } from '../../../../shared/json.ts'
import type { Result } from '../../../../shared/result.ts'
import { nodeHostFiles } from '../../../files/node-host-files.ts'
import type { HostFileError, HostFiles } from '../../../kubelet/host/host-files.ts'
import { SimulatedHostFiles } from './simulated-host-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'host-files-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Without the size of folders and of blocks, which file systems choose. */
function shown(answer: Result<unknown, HostFileError>): unknown {
  if (!answer.ok) return `${answer.error.kind}: ${answer.error.message}`
  return isJsonObject(answer.value) ? { ...answer.value, allocatedBytes: 0 } : answer.value
}

type Step = (
  files: HostFiles,
  path: (name: string) => string,
) => Promise<Result<unknown, HostFileError>>

/** Run in turn in one folder. */
const steps: readonly (readonly [string, Step])[] = [
  ['makes a folder with those above it', (f, p) => f.makeFolder(p('a/b'), 0o700)],
  ['makes a folder that is there', (f, p) => f.makeFolder(p('a/b'))],
  ['writes a file', (f, p) => f.write(p('a/f'), 'héllo\n', 0o600)],
  ['reads it', (f, p) => f.readText(p('a/f'))],
  ['tells its size and mode', (f, p) => f.stat(p('a/f'))],
  ['writes bytes', (f, p) => f.write(p('a/bytes'), new Uint8Array([104, 105]))],
  ['reads bytes as text', (f, p) => f.readText(p('a/bytes'))],
  ['replaces it and keeps its mode', (f, p) => f.write(p('a/f'), 'two', 0o644)],
  ['tells the mode that it kept', (f, p) => f.stat(p('a/f'))],
  ['does not write below a missing folder', (f, p) => f.write(p('no/f'), '')],
  ['does not write a folder', (f, p) => f.write(p('a'), '')],
  ['does not write below a file', (f, p) => f.write(p('a/f/g'), '')],
  ['does not make a folder in the place of a file', (f, p) => f.makeFolder(p('a/f'))],
  ['does not make a folder below a file', (f, p) => f.makeFolder(p('a/f/g/h'))],
  ['does not read a missing file', (f, p) => f.readText(p('no'))],
  ['does not read below a file', (f, p) => f.readText(p('a/f/g'))],
  ['does not list a file', async (f, p) => kindOnly(await f.list(p('a/f')))],
  ['lists a folder', (f, p) => f.list(p('a'))],
  ['makes a link', (f, p) => f.symlink('a/f', p('link'))],
  ['does not make it again', (f, p) => f.symlink('a/f', p('link'))],
  ['reads through it', (f, p) => f.readText(p('link'))],
  ['reads where it leads', (f, p) => f.readLink(p('link'))],
  ['tells that it is a link', async (f, p) => kindOf(await f.lstat(p('link')))],
  ['follows it in stat', async (f, p) => kindOf(await f.stat(p('link')))],
  ['does not read a file as a link', (f, p) => f.readLink(p('a/f'))],
  ['writes through a link', (f, p) => f.write(p('link'), 'three')],
  ['finds it in the file', (f, p) => f.readText(p('a/f'))],
  ['makes a link to a folder', (f, p) => f.symlink('a', p('data'))],
  ['makes another', (f, p) => f.symlink('a/b', p('data_tmp'))],
  ['replaces a link atomically', (f, p) => f.rename(p('data_tmp'), p('data'))],
  ['reads the new target', (f, p) => f.readLink(p('data'))],
  ['does not rename what is missing', (f, p) => f.rename(p('no'), p('b'))],
  ['does not rename a folder to a file', (f, p) => f.rename(p('a/b'), p('a/f'))],
  ['does not rename a file to a folder', (f, p) => f.rename(p('a/f'), p('a/b'))],
  ['does not rename to a folder with files', (f, p) => f.rename(p('a/b'), p('a'))],
  ['does not move a folder into itself', (f, p) => f.rename(p('a'), p('a/b/c'))],
  ['makes links in a circle', (f, p) => f.symlink('loop', p('loop'))],
  ['does not follow them for ever', async (f, p) => kindOnly(await f.readText(p('loop')))],
  ['goes up with ..', (f, p) => f.readText(p('a/b/../f'))],
  ['removes a link only', (f, p) => f.remove(p('data'))],
  ['keeps where it led', (f, p) => f.list(p('a/b'))],
  ['removes a folder with its files', (f, p) => f.remove(p('a'))],
  ['removes what is gone', (f, p) => f.remove(p('a'))],
  ['lists what is left', (f, p) => f.list(p(''))],
]

function kindOf(answer: Awaited<ReturnType<HostFiles['stat']>>): Result<unknown, HostFileError> {
  return answer.ok ? { ok: true, value: answer.value.kind } : answer
}

function kindOnly(answer: Result<unknown, HostFileError>): Result<unknown, HostFileError> {
  return answer.ok ? answer : { ok: true, value: answer.error.kind }
}

describe('SimulatedHostFiles', () => {
  it('answers as the files of this machine do', async () => {
    const simulated = new SimulatedHostFiles({ now: () => 0 })
    await simulated.makeFolder(folder)
    const answers = async (files: HostFiles): Promise<unknown> => {
      const all: unknown[] = []
      for (const [title, step] of steps)
        all.push([title, shown(await step(files, (name) => join(folder, name)))])
      return all
    }
    const real = await answers(nodeHostFiles)
    expect(await answers(simulated)).toEqual(real)
  })
})
