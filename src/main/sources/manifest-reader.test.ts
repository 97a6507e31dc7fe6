import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { err } from '../../shared/result.ts'
import { nodeHash } from '../clock/node-hash.ts'
import { parseInPlace } from '../parsing/kubernetes-text.ts'
import { diskFiles } from './folder-files.ts'
import { ManifestReader } from './manifest-reader.ts'
import type { ManifestFile } from './manifest-reader.ts'

let folder: string
let path: string
let hashed: number
let reader: ManifestReader

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reader-'))
  path = join(folder, 'a.json')
  hashed = 0
  reader = new ManifestReader({
    nodeName: 'n1',
    files: diskFiles,
    parse: parseInPlace,
    hash: {
      md5Hex: (text) => {
        hashed++
        return nodeHash.md5Hex(text)
      },
    },
  })
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

function write(image: string): void {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', uid: 'u' },
    spec: { containers: [{ name: 'c', image }] },
  }
  writeFileSync(path, JSON.stringify(pod))
}

function imageOf(file: ManifestFile): string | undefined {
  return file.kind === 'file' && file.reading.kind === 'pod'
    ? file.reading.pod.spec.containers[0]?.image
    : undefined
}

describe('ManifestReader', () => {
  it('never misses a rewrite of the same size, even right after a read', async () => {
    for (let round = 100; round < 300; round++) {
      write(`x:${round}`)
      expect(imageOf(await reader.read(path, { isFresh: false }))).toBe(`x:${round}`)
    }
  })

  it('returns the same frozen pod for the same content', async () => {
    write('x:1')
    const first = await reader.read(path, { isFresh: false })
    write('x:1')
    const second = await reader.read(path, { isFresh: true })
    expect(second).toBe(first)
    expect(first.kind === 'file' && Object.isFrozen(first.reading)).toBe(true)
  })

  it('does not read an unchanged file again, unless it is reported as changed', async () => {
    // Any file of this repository is older than two seconds; a folder cannot be made old.
    const old = join(import.meta.dirname, '../../../package.json')
    await reader.read(old, { isFresh: false })
    await reader.read(old, { isFresh: false })
    expect(hashed).toBe(1)
    await reader.read(old, { isFresh: true })
    expect(hashed).toBe(2)
    reader.keepOnly(new Set())
    await reader.read(old, { isFresh: false })
    expect(hashed).toBe(3)
  })

  it.runIf(process.platform !== 'win32')(
    'does not wait for a pipe that replaced a file after stat',
    async () => {
      write('x:1')
      const pipe = join(folder, 'pipe')
      execFileSync('mkfifo', [pipe])
      const racing = new ManifestReader({
        nodeName: 'n1',
        hash: nodeHash,
        parse: parseInPlace,
        files: {
          ...diskFiles,
          stat: async (asked) => {
            const facts = await diskFiles.stat(asked)
            renameSync(pipe, path)
            return facts
          },
        },
      })
      expect(await racing.read(path, { isFresh: true })).toEqual({ kind: 'special' })
    },
  )

  it('parses a file again at the next scan after its parsing was aborted', async () => {
    write('x:1')
    let isBusy = true
    const busy = new ManifestReader({
      nodeName: 'n1',
      hash: nodeHash,
      files: diskFiles,
      parse: (text) =>
        isBusy
          ? Promise.resolve(
              err({ line: null, column: null, message: 'It takes too long.', isGivenUp: true }),
            )
          : parseInPlace(text),
    })
    const kinds = async (): Promise<string> => {
      const file = await busy.read(path, { isFresh: false })
      return file.kind === 'file' ? file.reading.kind : file.kind
    }
    expect(await kinds()).toBe('rejected')
    isBusy = false
    expect(await kinds()).toBe('pod')
  })

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'does not wait for a link to /proc/kmsg, and reads nothing from it',
    async () => {
      symlinkSync('/proc/kmsg', path)
      expect(await reader.read(path, { isFresh: true })).toMatchObject({
        kind: 'file',
        text: '',
        reading: { kind: 'rejected' },
      })
    },
  )

  it('recognizes entries that are not manifests', async () => {
    expect(await reader.read(join(folder, 'none'), { isFresh: false })).toEqual({ kind: 'missing' })
    expect(await reader.read(folder, { isFresh: false })).toEqual({ kind: 'folder' })
    expect(await reader.read('/dev/null', { isFresh: false })).toEqual({ kind: 'special' })
  })
})
