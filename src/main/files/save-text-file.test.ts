import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { saveTextFile } from './save-text-file.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'save-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

it('replaces a file, which only this user can read', async () => {
  const path = join(folder, 'a.yaml')
  for (const text of ['one', 'two'])
    expect(await saveTextFile(path, text)).toEqual({ ok: true, value: path })
  expect(await readFile(path, 'utf8')).toBe('two')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

it('says why a file cannot be written, and leaves nothing behind', async () => {
  const missing = join(folder, 'none/a.yaml')
  expect(await saveTextFile(missing, 'text')).toEqual({
    ok: false,
    error: `${missing} cannot be written, it does not exist.`,
  })
  const taken = join(folder, 'taken')
  await mkdir(join(taken, 'full'), { recursive: true })
  expect((await saveTextFile(taken, 'text')).ok).toBe(false)
  expect(await readdir(folder)).toEqual(['taken'])
})
