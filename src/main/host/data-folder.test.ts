import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDataFolder, requestFocus } from './data-folder.ts'

let parent: string

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'data-folder-'))
})
afterEach(() => {
  rmSync(parent, { recursive: true, force: true })
})

function open(path: string, isEphemeral = false) {
  return openDataFolder({ path, isEphemeral, host: 'web' })
}

function mustOpen(path: string, isEphemeral = false) {
  const folder = open(path, isEphemeral)
  if (!folder.ok) throw new Error(folder.error.message)
  return folder.value
}

describe('openDataFolder', () => {
  it('creates the folder for this user only', () => {
    const path = join(parent, 'a', 'b')
    mustOpen(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  it('names --data-dir if another process has locked the folder, and can be locked again after release', () => {
    const first = mustOpen(parent)
    const second = open(parent)
    expect(second).toMatchObject({
      ok: false,
      error: {
        kind: 'held',
        message: `Another Nodescope (process ${process.pid}) uses the data folder ${parent}: stop it, or choose another folder with --data-dir.`,
      },
    })
    first.release()
    mustOpen(parent)
  })

  it('reports in one sentence why a folder cannot be used', () => {
    const file = join(parent, 'file')
    writeFileSync(file, '')
    expect(open(join(file, 'sub'))).toEqual({
      ok: false,
      error: {
        kind: 'unusable',
        message: `The data folder ${join(file, 'sub')} cannot be used, a part of the path is a file: choose another with --data-dir.`,
      },
    })
    expect(open(file)).toMatchObject({ ok: false, error: { kind: 'unusable' } })
  })

  it.runIf(process.platform === 'linux')(
    'fails for a folder that cannot be created, such as in /proc',
    () => {
      expect(open('/proc/nodescope/data')).toEqual({
        ok: false,
        error: {
          kind: 'unusable',
          message:
            'The data folder /proc/nodescope/data cannot be used, a folder cannot be created there: choose another with --data-dir.',
        },
      })
    },
  )

  it('removes an ephemeral folder with its contents, and keeps other folders', () => {
    const [ephemeral, kept] = [join(parent, 'ephemeral'), join(parent, 'kept')]
    for (const path of [ephemeral, kept]) {
      const folder = mustOpen(path, path === ephemeral)
      writeFileSync(join(path, 'x'), '')
      folder.release()
    }
    expect(existsSync(ephemeral)).toBe(false)
    expect(readdirSync(kept)).toEqual(['x'])
  })

  it('calls back for each request of a second start for the window', async () => {
    const folder = mustOpen(parent)
    const asked: number[] = []
    let onAsked = (): void => undefined
    folder.onFocusRequest(() => {
      asked.push(asked.length + 1)
      onAsked()
    })
    for (const expected of [[1], [1, 2]]) {
      const called = new Promise<void>((resolve) => {
        onAsked = resolve
      })
      requestFocus(parent)
      await called
      expect(asked).toEqual(expected)
    }
    folder.release()
    expect(readdirSync(parent)).toEqual([])
  })
})
