import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { criLogFiles } from './cri-log-file.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
const time = '2026-01-02T03:04:05.006000000Z'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cri-log-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

function opened(path: string) {
  const log = criLogFiles.open(path)
  if (!log.ok) throw new Error(log.error)
  return log.value
}

describe('a log file', () => {
  it('has one line for each line of the container, in the format of CRI', () => {
    const path = join(folder, '0.log')
    const log = opened(path)
    log.write('stdout', 'a\nb', at)
    log.write('stderr', 'bad\n', at)
    log.write('stdout', 'c\n\nrest', at)
    expect(readFileSync(path, 'utf8').split('\n')).toEqual([
      `${time} stdout F a`,
      `${time} stderr F bad`,
      `${time} stdout F bc`,
      `${time} stdout F `,
      '',
    ])
    log.close(at)
    expect(readFileSync(path, 'utf8')).toContain(`${time} stdout P rest\n`)
    log.write('stdout', 'late\n', at)
    expect(readFileSync(path, 'utf8')).not.toContain('late')
  })

  it('cuts lines of more than 16 KiB', () => {
    const path = join(folder, '0.log')
    const log = opened(path)
    log.write('stdout', 'x'.repeat(40_000), at)
    log.write('stdout', 'end\n', at)
    const lengths = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => [line.split(' ')[2], line.length - `${time} stdout F `.length])
    expect(lengths).toEqual([
      ['P', 16_384],
      ['P', 16_384],
      ['F', 7235],
    ])
    log.close(at)
  })

  it('goes on in a new file when it is reopened', () => {
    const path = join(folder, '0.log')
    const log = opened(path)
    log.write('stdout', 'old\n', at)
    renameSync(path, join(folder, '0.log.1'))
    expect(log.reopen()).toBeUndefined()
    log.write('stdout', 'new\n', at)
    log.close(at)
    expect(readFileSync(path, 'utf8')).toBe(`${time} stdout F new\n`)
    expect(readFileSync(join(folder, '0.log.1'), 'utf8')).toBe(`${time} stdout F old\n`)
  })

  it('says in one sentence that it cannot be written', () => {
    const path = join(folder, 'away', '0.log')
    expect(criLogFiles.open(path)).toEqual({
      ok: false,
      error: `failed to open the log ${path}: ENOENT`,
    })
  })
})
