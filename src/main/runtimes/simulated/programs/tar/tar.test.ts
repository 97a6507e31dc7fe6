import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytesOf } from '../../files/file-node.ts'
import type { FileTree } from '../../files/file-tree.ts'
import { fakeShell } from '../../process/fake-container.ts'
import type { FakeContainer } from '../../process/fake-container.ts'

const everyByte = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7 + (at >> 8)) & 0xff)
const longName = `${'long-'.repeat(30)}name`

function bytesAt(files: FileTree, path: string): Buffer | undefined {
  const found = files.node(path)
  return found.ok && found.value.kind === 'file' ? Buffer.from(bytesOf(found.value)) : undefined
}

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nodescope-tar-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function fill(files: FileTree): void {
  files.makeFolders('/data/inner/empty')
  files.write('/data/binary', everyByte, 0o600)
  files.write('/data/inner/Grüße', 'text\n', 0o755)
  files.write(`/data/${longName}`, 'long\n')
  files.symlink('binary', '/data/link')
}

/** The script waits a second, in which the test fills its files. */
function container(script: string): FakeContainer {
  const started = fakeShell(`sleep 1; ${script}`, 'sh', { hasOutput: true })
  fill(started.files)
  return started
}

const hasTar = spawnSync('tar', ['--version']).status === 0

/** The same files on this machine. */
function fillFolder(): void {
  mkdirSync(join(folder, 'data', 'inner', 'empty'), { recursive: true })
  writeFileSync(join(folder, 'data', 'binary'), everyByte, { mode: 0o600 })
  writeFileSync(join(folder, 'data', 'inner', 'Grüße'), 'text\n', { mode: 0o755 })
  writeFileSync(join(folder, 'data', longName), 'long\n')
  symlinkSync('binary', join(folder, 'data', 'link'))
}

function expectCopy(files: FileTree, at: string): void {
  expect(bytesAt(files, `${at}/binary`)?.equals(everyByte)).toBe(true)
  expect(bytesAt(files, `${at}/inner/Grüße`)?.toString()).toBe('text\n')
  expect(bytesAt(files, `${at}/${longName}`)?.toString()).toBe('long\n')
  expect(files.node(`${at}/inner/empty`)).toMatchObject({ ok: true, value: { kind: 'folder' } })
  expect(files.node(`${at}/binary`)).toMatchObject({ value: { mode: 0o600 } })
  expect(files.node(`${at}/link`, true)).toMatchObject({ value: { target: 'binary' } })
}

describe('tar', () => {
  it('copies files, folders and links byte for byte', async () => {
    const started = container('mkdir /copy; tar cf - /data | tar xf - -C /copy')
    await started.seconds(2)
    expect(started.exit?.exitCode).toBe(0)
    expect(started.output.stderr).toBe("tar: removing leading '/' from member names\n")
    expectCopy(started.files, '/copy/data')
  })

  it.runIf(hasTar).each(['gnu', 'pax', 'ustar'])(
    'reads what GNU tar writes as %s',
    async (format) => {
      fillFolder()
      // ustar has no place for a name of this length.
      if (format === 'ustar') rmSync(join(folder, 'data', longName))
      const { stdout, status } = spawnSync('tar', [`--format=${format}`, '-cf', '-', 'data'], {
        cwd: folder,
      })
      expect(status).toBe(0)
      const started = fakeShell('sleep 1; mkdir /copy; cd /copy; tar -xmf - < /tmp/archive', 'sh', {
        hasOutput: true,
      })
      started.files.write('/tmp/archive', stdout)
      if (format === 'ustar') started.files.write('/tmp/long', 'long\n')
      await started.seconds(2)
      expect(started.output).toEqual({ stdout: '', stderr: '' })
      if (format === 'ustar') started.files.write(`/copy/data/${longName}`, 'long\n')
      expectCopy(started.files, '/copy/data')
    },
  )

  it.runIf(hasTar)('writes what GNU tar reads', async () => {
    const started = container('tar cf /tmp/archive -C / data')
    await started.seconds(2)
    const archive = bytesAt(started.files, '/tmp/archive') ?? Buffer.alloc(0)
    expect(spawnSync('tar', ['-xf', '-'], { cwd: folder, input: archive }).status).toBe(0)
    expect(readFileSync(join(folder, 'data', 'binary')).equals(everyByte)).toBe(true)
    expect(readFileSync(join(folder, 'data', 'inner', 'Grüße'), 'utf8')).toBe('text\n')
    expect(readFileSync(join(folder, 'data', longName), 'utf8')).toBe('long\n')
    expect(readFileSync(join(folder, 'data', 'link')).equals(everyByte)).toBe(true)
  })

  // What busybox 1.35 prints.
  it.each([
    [
      'tar cf - /nope > /tmp/a',
      'tar: /nope: No such file or directory\ntar: error exit delayed from previous errors\n',
      1,
    ],
    ['tar cf - > /tmp/a', 'tar: empty archive\n', 1],
    ['tar xf - < /dev/null', 'tar: short read\n', 1],
    ['head -c 600 /data/binary | tar xf -', 'tar: invalid tar magic\n', 1],
    ['tar cf /tmp/a -C /data binary; head -c 1000 /tmp/a | tar xf -', 'tar: short read\n', 1],
    [
      'tar cf /tmp/a -C /data binary; tar xf /tmp/a -C /nope',
      "tar: can't change directory to '/nope': No such file or directory\n",
      1,
    ],
    ['tar cf /tmp/a -C /data binary; tar xf /tmp/a nope', 'tar: nope: not found in archive\n', 1],
    [
      'tar cf /tmp/a -C /data binary; mkdir binary; tar xf /tmp/a',
      "tar: can't remove old file binary: Is a directory\n",
      1,
    ],
    [
      'cd /data; tar cvf - inner/empty ../data/link > /tmp/a',
      "inner/empty/\ntar: removing leading '../' from member names\ndata/link\n",
      0,
    ],
  ])('says of %j what busybox says', async (script, stderr, exitCode) => {
    const started = container(script)
    await started.seconds(2)
    expect(started.output.stderr).toBe(stderr)
    expect(started.exit?.exitCode).toBe(exitCode)
  })

  it('lists, and follows links with h', async () => {
    const started = container(
      'cd /data; tar chf - link | tar tf -; tar chf - link | tar xOf - | wc -c',
    )
    await started.seconds(2)
    expect(started.output).toEqual({ stdout: 'link\n70000\n', stderr: '' })
  })
})
