import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRecordingFile } from './recording-file.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-'))
  path = join(folder, 'r.ndjson')
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

async function record(text: string): Promise<string> {
  const file = await openRecordingFile(path)
  if (!file.ok) return file.error
  const sink = await file.value.begin()
  await sink.append(text)
  await sink.close()
  return await readFile(path, 'utf8')
}

describe('openRecordingFile', () => {
  it('creates a file that only its owner can read', async () => {
    expect(await record('one\n')).toBe('one\n')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('overwrites an empty file and an older recording of any schema', async () => {
    await writeFile(path, '')
    expect(await record('one\n')).toBe('one\n')
    await writeFile(path, `{"schema":99,"program":"nodescope"}\n${'x'.repeat(1000)}`)
    expect(await record('two\n')).toBe('two\n')
  })

  it('restricts a file that others could read to its owner, and says so', async () => {
    await writeFile(path, '', { mode: 0o644 })
    await chmod(path, 0o644)
    const file = await openRecordingFile(path)
    if (!file.ok) throw new Error(file.error)
    expect(file.value.note).toBe(
      `The recording ${path} had the mode 0644; it is changed to 0600, so that only its owner can read it.`,
    )
    expect((await stat(path)).mode & 0o777).toBe(0o644)
    await (await file.value.begin()).close()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('leaves an older recording unchanged until the new one begins', async () => {
    const old = '{"schema":1,"program":"nodescope"}\nold\n'
    await writeFile(path, old)
    const file = await openRecordingFile(path)
    if (!file.ok) throw new Error(file.error)
    await file.value.abandon()
    expect(await readFile(path, 'utf8')).toBe(old)
  })

  it('removes a new file if nothing is recorded', async () => {
    const file = await openRecordingFile(path)
    if (!file.ok) throw new Error(file.error)
    await file.value.abandon()
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    'hello\n',
    '{"schema":1}\n',
    '{"program":"nodescope"}',
    '{"schema":1,"program":"nodescope"',
  ])('refuses a file that is something else: %j', async (text) => {
    await writeFile(path, text)
    expect(await record('x')).toBe(
      `${path} is not a Nodescope recording and is not overwritten: choose another file for --record.`,
    )
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  it('says in one sentence why it cannot write', async () => {
    path = join(folder, 'none', 'r')
    expect(await record('x')).toBe(
      `The recording ${path} cannot be written: its folder does not exist.`,
    )
    path = join(folder, 'd')
    await mkdir(path)
    expect(await record('x')).toBe(`The recording ${path} cannot be written: it is a folder.`)
    path = '/dev/null'
    expect(await record('x')).toBe('/dev/null is not a regular file: choose another for --record.')
  })

  it.skipIf(process.getuid?.() === 0)('says if it has no permission to write', async () => {
    await writeFile(path, '')
    await chmod(path, 0o400)
    expect(await record('x')).toBe(`The recording ${path} cannot be written: permission denied.`)
  })
})
