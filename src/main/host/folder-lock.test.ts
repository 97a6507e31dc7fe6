import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FolderLock } from './folder-lock.ts'
import { lockFolder } from './folder-lock.ts'
import { identityOf } from './process-identity.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-lock-'))
  path = join(folder, 'nodescope.lock')
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

function take(): FolderLock {
  const lock = lockFolder(folder, 'web', 1_000)
  if (!lock.ok) throw new Error(`held by ${lock.error.process.pid}`)
  return lock.value
}

describe('lockFolder', () => {
  it('reports the holder of the lock, and leaves no other files behind', () => {
    take()
    expect(lockFolder(folder, 'electron', Date.now())).toEqual({
      ok: false,
      error: { process: identityOf(process.pid), host: 'web', since: 1_000 },
    })
    expect(readdirSync(folder)).toEqual(['nodescope.lock'])
  })

  it('can be locked again after release; release is idempotent', () => {
    const lock = take()
    lock.release()
    lock.release()
    expect(readdirSync(folder)).toEqual([])
    take()
    expect(readdirSync(folder)).toEqual(['nodescope.lock'])
  })

  const stale: readonly (readonly [string, string])[] = [
    [
      'a process that is gone',
      JSON.stringify({ process: { pid: 2 ** 22 + 1, birth: null }, host: 'web', since: 1 }),
    ],
    [
      'a process id that came round again',
      JSON.stringify({ process: { pid: process.pid, birth: 'old:1' }, host: 'web', since: 1 }),
    ],
    ['nothing', ''],
    ['no JSON', '1234\n'],
    ['other JSON', '{"process":{"pid":"1"}}'],
    ['null', 'null'],
  ]
  it.each(stale)('breaks a lock of %s', (_name, content) => {
    writeFileSync(path, content)
    take()
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      process: identityOf(process.pid),
      host: 'web',
      since: 1_000,
    })
    expect(readdirSync(folder)).toEqual(['nodescope.lock'])
  })

  it.runIf(process.platform === 'linux')('replaces the lock of a zombie process', async () => {
    // The shell becomes a sleep, which never asks about the child that the shell had.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'])
    try {
      const [text] = (await once(parent.stdout, 'data')) as [Buffer]
      const holder = identityOf(Number(text.toString()))
      writeFileSync(path, JSON.stringify({ process: holder, host: 'web', since: 1 }))
      await expect.poll(() => lockFolder(folder, 'web', 1_000).ok).toBe(true)
    } finally {
      parent.kill('SIGKILL')
    }
  })

  it('does not remove the lock of another process', () => {
    const lock = take()
    writeFileSync(
      path,
      JSON.stringify({ process: { pid: 1, birth: null }, host: 'web', since: 2_000 }),
    )
    lock.release()
    expect(existsSync(path)).toBe(true)
  })
})
