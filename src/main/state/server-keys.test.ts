import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { openServerKeys } from './server-keys.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-keys-'))
  path = join(folder, 'keys.pem')
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function open() {
  const kept = await openServerKeys(folder, new FakeLog())
  if (!kept.ok) throw new Error(kept.error)
  return kept.value
}

describe('the keys of the API server', () => {
  it('are made once, in a file for this user only', async () => {
    const first = await open()
    expect(await open()).toEqual(first)
    expect(first.note).toBe('')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  const damages: readonly (readonly [string, (text: string, other: string) => string, string])[] = [
    ['nothing', () => '', 'it needs a certificate and two keys in PEM'],
    ['half of it', (text) => text.slice(0, text.length / 2), 'two keys in PEM'],
    [
      'the key of another CA',
      (text, other) =>
        text.slice(0, text.indexOf('-----BEGIN PRIVATE')) +
        other.slice(other.indexOf('-----BEGIN PRIVATE')),
      'its first key is not the one of its CA',
    ],
    [
      'other bytes',
      (text) => text.replace(/(BEGIN CERTIFICATE-----\n)..../, '$1AAAA'),
      'cannot be read',
    ],
  ]

  it.each(damages)('with %s are set aside, and new ones are used', async (_, damage, reason) => {
    const first = await open()
    const text = await readFile(path, 'utf8')
    await rm(path)
    await open()
    const damaged = damage(text, await readFile(path, 'utf8'))
    await writeFile(path, damaged)
    const second = await open()
    expect(second.note).toContain(reason)
    expect(second.note).toContain(`They were moved to ${path}-damaged-1`)
    expect(second.keys).not.toEqual(first.keys)
    expect(await readFile(`${path}-damaged-1`, 'utf8')).toBe(damaged)
    expect(await open()).toEqual({ keys: second.keys, note: '' })
  })

  it('that cannot be read stay as they are', async () => {
    await mkdir(path)
    expect(await openServerKeys(folder, new FakeLog())).toMatchObject({
      ok: false,
      error: expect.stringMatching(/keys\.pem cannot be read, .*--ephemeral\.$/),
    })
  })
})
