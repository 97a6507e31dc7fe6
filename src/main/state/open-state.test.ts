import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { openState } from './open-state.ts'
import type { OpenState } from './open-state.ts'
import { openDatabase } from './state-database.ts'
import { encodeEntry } from './state-entry.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-state-'))
  path = join(folder, 'state')
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const run = { seed: 7, nodes: ['n1', 'n2'], now: 1000 }

async function open(): Promise<OpenState> {
  const state = await openState({ path, version: '1.0.0', log: new FakeLog() })
  if (!state.ok) throw new Error(state.error)
  return state.value
}

/** Writes so many objects and closes. */
async function fill(count: number): Promise<void> {
  const writer = (await open()).writer(run)
  for (let index = 1; index <= count; index++) {
    const metadata = { name: `c${index}`, namespace: 'default', uid: `uid-${index}` }
    const object = { metadata, data: { text: 'x'.repeat(500) } }
    writer.record({ resource: 'configmaps', object, change: 'ADDED', resourceVersion: index })
  }
  await writer.close()
}

/** Changes the database behind the state. */
async function change(changes: Parameters<Awaited<ReturnType<typeof openDatabase>>['write']>[0]) {
  const database = await openDatabase(path)
  await database.write(changes)
  await database.close()
}

async function fileNamed(pattern: RegExp): Promise<string> {
  const name = (await readdir(path)).find((one) => pattern.test(one))
  if (name === undefined) throw new Error(`no file ${pattern.source}`)
  return join(path, name)
}

describe('openState', () => {
  it('keeps objects, time, seed, nodes and resource version', async () => {
    const first = await open()
    expect(first.kept).toBeUndefined()
    await first.close()
    await fill(3)
    const { kept, note, close } = await open()
    await close()
    expect(note).toBe('')
    expect(kept?.meta).toEqual({
      ...run,
      format: 1,
      program: '1.0.0',
      starts: 1,
      resourceVersion: 3,
    })
    expect(kept?.objects.map(({ resource, object }) => [resource, object.metadata.name])).toEqual([
      ['configmaps', 'c1'],
      ['configmaps', 'c2'],
      ['configmaps', 'c3'],
    ])
  })

  it('counts the starts', async () => {
    await fill(1)
    await fill(0)
    const { kept, close } = await open()
    await close()
    expect(kept?.meta.starts).toBe(2)
    expect(kept?.objects).toHaveLength(1)
  })

  const damages: readonly (readonly [string, RegExp, () => Promise<void>])[] = [
    [
      'a changed entry',
      /the entry objects\/configmaps\/default\/c2 has another checksum/,
      () => change([['objects/configmaps/default/c2', '00000000{}']]),
    ],
    [
      'a lost entry',
      /it has 2 objects instead of 3/,
      () => change([['objects/configmaps/default/c2', undefined]]),
    ],
    [
      'an entry of another time',
      /some of its objects are older than the others/,
      () => {
        const key = 'objects/configmaps/default/c2'
        const object = { metadata: { name: 'c2', namespace: 'default', uid: 'uid-2' } }
        return change([[key, encodeEntry(key, object).text]])
      },
    ],
    ['a lost meta entry', /is missing/, () => change([['meta', undefined]])],
    [
      'garbage in LevelDB’s list',
      /Corruption|CURRENT/,
      async () => writeFile(join(path, 'CURRENT'), 'garbage'),
    ],
    ['a lost list', /CURRENT is missing/, async () => rm(join(path, 'CURRENT'))],
    [
      'a cut table',
      /damaged/,
      async () => {
        // Reopened once, so that the objects are in a table and no longer in the log.
        await (await open()).close()
        await truncate(await fileNamed(/\.ldb$/), 300)
      },
    ],
  ]

  it.each(damages)('sets %s aside, says where, and starts anew', async (_name, reason, damage) => {
    await fill(3)
    await damage()
    const before = await readdir(path)
    const { kept, note, close } = await open()
    await close()
    const aside = `${path}-damaged-1`
    expect(kept).toBeUndefined()
    expect(note).toMatch(reason)
    expect(note).toContain(`It was moved to ${aside}, and a new sandbox starts.`)
    expect(await readdir(aside)).toEqual(
      expect.arrayContaining(before.filter((n) => /ldb/.test(n))),
    )
  })

  it('gives the second damaged state another name', async () => {
    for (const number of [1, 2]) {
      await fill(2)
      await change([['meta', undefined]])
      const { note, close } = await open()
      await close()
      expect(note).toContain(`${path}-damaged-${number}`)
    }
  })

  const newer: readonly (readonly [string, string, Record<string, unknown>, string])[] = [
    [
      'a later format',
      'meta',
      { format: 2, program: '9.0.0' },
      'it was written by Nodescope 9.0.0 (format 2); this version reads format 1',
    ],
    [
      'a kind that this version does not have',
      'objects/widgets.example.com/default/w',
      { metadata: { name: 'w', uid: 'u' } },
      'it has objects of widgets.example.com, which this version does not have',
    ],
  ]

  it.each(newer)('refuses %s and leaves it as it is', async (_name, key, value, reason) => {
    await fill(2)
    await change([[key, encodeEntry(key, value).text]])
    const state = await openState({ path, version: '1.0.0', log: new FakeLog() })
    expect(state).toEqual({
      ok: false,
      error: `The sandbox's state in ${path} cannot be read: ${reason}. It is unchanged; start the newer Nodescope, or use --data-dir or --ephemeral.`,
    })
    expect(existsSync(`${path}-damaged-1`)).toBe(false)
    const database = await openDatabase(path)
    expect(await database.entries()).toHaveLength(key === 'meta' ? 3 : 4)
    await database.close()
  })

  it('says that the folder cannot be opened, and leaves it as it is', async () => {
    await writeFile(path, 'a file')
    const state = await openState({ path, version: '1.0.0', log: new FakeLog() })
    expect(state).toMatchObject({ ok: false, error: expect.stringContaining('cannot be opened') })
    expect(await readFile(path, 'utf8')).toBe('a file')
  })
})
