import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nodeHash } from '../clock/node-hash.ts'
import { nodeClockHost } from '../clock/node-clock-host.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { watchFolder } from './folder-watch.ts'
import type { FolderWatch } from './folder-watch.ts'
import { ManifestFolderSource } from './manifest-folder.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watched-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function eventually(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: 30_000, interval: 5 })
}

describe('watchFolder', () => {
  const calls: (readonly string[] | undefined)[] = []
  let watch: FolderWatch | undefined

  beforeEach(() => {
    calls.length = 0
    watch = watchFolder(folder, {
      onChanged: (names) => calls.push(names),
      onFailed: (error) => {
        throw error
      },
    })
  })

  afterEach(() => {
    watch?.close()
  })

  it('reports created, written, renamed and removed names', async () => {
    await writeFile(join(folder, 'a.yaml'), '1')
    await eventually(() => {
      expect(calls.flat()).toContain('a.yaml')
    })
    await rename(join(folder, 'a.yaml'), join(folder, 'b.yaml'))
    await eventually(() => {
      expect(calls.flat()).toContain('b.yaml')
    })
    calls.length = 0
    await rm(join(folder, 'b.yaml'))
    await eventually(() => {
      expect(calls.flat()).toContain('b.yaml')
    })
  })

  it('reports a burst once, in order, each name once', async () => {
    // In one go, so that a busy machine makes no pauses in it.
    for (const [name, text] of [
      ['a.yaml', '1'],
      ['a.yaml', '2'],
      ['b.yaml', '1'],
      ['a.yaml', '3'],
    ] as const)
      writeFileSync(join(folder, name), text)
    await eventually(() => {
      expect(calls.flat()).toEqual(['a.yaml', 'b.yaml'])
    })
  })

  it('reports nothing after close, not even pending names', async () => {
    await writeFile(join(folder, 'a.yaml'), '1')
    watch?.close()
    watch?.close()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(calls).toEqual([])
  })

  it('throws for a missing folder', () => {
    const listener = { onChanged: () => undefined, onFailed: () => undefined }
    expect(() => watchFolder(join(folder, 'missing'), listener)).toThrow('ENOENT')
  })
})

describe('ManifestFolderSource with the real watch', () => {
  const images: (string | undefined)[][] = []
  let source: ManifestFolderSource

  beforeEach(() => {
    images.length = 0
    source = new ManifestFolderSource({
      path: folder,
      nodeName: 'n1',
      hash: nodeHash,
      // The clock does not advance, so that changes come from the watch, not from a relist.
      clock: new VirtualClock(nodeClockHost, { startAt: 0 }),
      trace: { emit: () => 1 },
      log: new FakeLog(),
      watchFolder,
      onPods: (pods) => images.push(pods.map(({ pod }) => pod.spec.containers[0]?.image)),
      onProblems: () => undefined,
    })
    source.start()
  })

  afterEach(() => {
    source.stop()
  })

  function manifest(image: string, name = 'web'): string {
    return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"${name}"},"spec":{"containers":[{"name":"c","image":"${image}"}]}}`
  }

  async function shows(...expected: readonly string[]): Promise<void> {
    await eventually(() => {
      expect(images.at(-1)).toEqual(expected)
    })
  }

  it('follows writes, atomic saves, rapid rewrites, moves and removals', async () => {
    await shows()
    const web = join(folder, 'web.json')
    await writeFile(web, manifest('x:1'))
    await shows('x:1')

    await writeFile(join(folder, '.web.json.tmp'), manifest('x:2'))
    await rename(join(folder, '.web.json.tmp'), web)
    await shows('x:2')

    for (let tag = 3; tag <= 40; tag++) await writeFile(web, manifest(`x:${tag}`))
    await shows('x:40')

    const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'))
    await writeFile(join(elsewhere, 'second.json'), manifest('y:1', 'second'))
    await rename(join(elsewhere, 'second.json'), join(folder, 'second.json'))
    await rm(elsewhere, { recursive: true })
    await shows('x:40', 'y:1')

    await mkdir(join(folder, 'sub'))
    await rm(web)
    await shows('y:1')
  })
})
