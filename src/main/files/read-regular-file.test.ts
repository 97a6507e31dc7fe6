import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readRegularFile } from './read-regular-file.ts'
import { withinDeadline } from './within-deadline.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'regular-'))
  path = join(folder, 'a')
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

const limits = { maxBytes: 1024 }
const isRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0

describe('readRegularFile', () => {
  it('reads a whole file with its facts', async () => {
    writeFileSync(path, 'x'.repeat(1024), { mode: 0o640 })
    const { bytes, stats } = await readRegularFile(path, limits)
    expect(bytes.toString()).toBe('x'.repeat(1024))
    expect(stats.mode & 0o777).toBe(0o640)
  })

  it.runIf(process.platform !== 'win32').each([true, false])(
    'refuses a pipe without a writer instead of waiting (links followed: %s)',
    async (followsLinks) => {
      execFileSync('mkfifo', [path])
      await expect(readRegularFile(path, { ...limits, followsLinks })).rejects.toMatchObject({
        code: 'NOT_REGULAR',
        message: 'it is not a regular file',
      })
    },
  )

  it.runIf(process.platform !== 'win32')(
    'reads a pipe where one is taken, to its end, as slowly as it is written and up to the limit',
    async () => {
      execFileSync('mkfifo', [path])
      const taken = { ...limits, takesPipes: true }
      const reading = readRegularFile(path, taken)
      await promisify(execFile)('sh', ['-c', `(printf ab; sleep 0.1; printf cd) > '${path}'`])
      expect((await reading).bytes.toString()).toBe('abcd')
      const long = readRegularFile(path, taken)
      const refused = expect(long).rejects.toThrow('it is larger than 1 KiB')
      await promisify(execFile)('sh', ['-c', `head -c 1025 /dev/zero > '${path}'`])
      await refused
    },
  )

  it.runIf(process.platform !== 'win32')('gives up a pipe without a writer', async () => {
    execFileSync('mkfifo', [path])
    const taken = { ...limits, takesPipes: true }
    await expect(readRegularFile(path, { ...taken, deadlineMs: 50 })).rejects.toMatchObject({
      code: 'NO_ANSWER',
    })
    // It has ended too, and does not block other readers of the path.
    await vi.waitFor(() => withinDeadline(path, () => Promise.resolve()), { timeout: 4000 })
  })

  it('refuses a folder, a device, a file that is too large, and a link where none is wanted', async () => {
    await expect(readRegularFile(folder, limits)).rejects.toThrow('it is a folder')
    await expect(readRegularFile('/dev/null', limits)).rejects.toThrow('it is not a regular file')
    writeFileSync(path, 'x'.repeat(1025))
    await expect(readRegularFile(path, limits)).rejects.toThrow('it is larger than 1 KiB')
    writeFileSync(path, '')
    symlinkSync(path, join(folder, 'link'))
    expect((await readRegularFile(join(folder, 'link'), limits)).bytes.length).toBe(0)
    await expect(
      readRegularFile(join(folder, 'link'), { ...limits, followsLinks: false }),
    ).rejects.toMatchObject({ code: 'ELOOP' })
  })

  it.runIf(isRootOnLinux)(
    'takes nothing from /proc/kmsg, whose reading would wait or empty it',
    async () => {
      symlinkSync('/proc/kmsg', path)
      expect((await readRegularFile(path, limits)).bytes.length).toBe(0)
    },
  )
})

describe('withinDeadline', () => {
  const given = new Set<() => void>()
  const hanging = (): Promise<string> =>
    new Promise((resolve) => {
      given.add(() => {
        resolve('late')
      })
    })

  it('gives up a call that is not answered, and makes no other for the path until it is', async () => {
    await expect(withinDeadline('/a', hanging, 5)).rejects.toThrow(
      'the file system did not respond within 0.005 s',
    )
    await expect(withinDeadline('/a', () => Promise.resolve('x'))).rejects.toMatchObject({
      code: 'NO_ANSWER',
      message: 'the file system has not answered yet',
    })
    expect(await withinDeadline('/b', () => Promise.resolve('x'))).toBe('x')
    // The third and fourth thread stay free for everything else.
    await expect(withinDeadline('/b', hanging, 5)).rejects.toThrow('did not respond')
    await expect(withinDeadline('/c', () => Promise.resolve('x'))).rejects.toThrow(
      'the file system has not answered for other files yet',
    )
    for (const answer of given) answer()
    await Promise.resolve()
    expect(await withinDeadline('/a', () => Promise.resolve('x'))).toBe('x')
    expect(await withinDeadline('/c', () => Promise.resolve('x'))).toBe('x')
  })
})
