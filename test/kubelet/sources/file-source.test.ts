import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { nodeHash } from '../../../src/main/clock/node-hash.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { ClusterTrace } from '../../../src/main/kubelet/trace.ts'
import type { SourceProblem } from '../../../src/shared/model/cluster-view.ts'
import { FakeFolderWatch } from '../../../src/main/sources/fake-folder-watch.ts'
import { ManifestFolderSource } from '../../../src/main/sources/manifest-folder.ts'

const fixtures: Fixture[] = []

afterEach(async () => {
  for (const fixture of fixtures.splice(0)) await fixture.end()
})

function manifest(name: string, image = 'nginx:1.27'): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n  containers: [{name: c, image: "${image}"}]\n`
}

const broken = 'a: b: c\n'
const brokenText = 'This is not valid YAML: Nested mappings are not allowed in compact mappings.'

/** Root may read everything, so as root this runs as the user nobody. */
async function withoutRights(
  fixture: Fixture,
  { folderMode }: { readonly folderMode: number },
  act: () => Promise<void>,
): Promise<void> {
  await chmod(fixture.root, folderMode)
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(65534)
  try {
    await act()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

class Fixture {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  readonly trace = new ClusterTrace({
    cluster: 'c',
    clock: this.clock,
    onError: (error) => {
      throw error
    },
  })
  readonly log = new FakeLog()
  readonly watch = new FakeFolderWatch()
  /** Each SET: names without the node's suffix, `<` own causes, `[` causes of all. Emptied by `play`. */
  #sets: string[] = []
  readonly uids = new Map<string, string>()
  problems: readonly SourceProblem[] = []
  problemReports = 0
  readonly source: ManifestFolderSource
  readonly root: string
  readonly path: string

  private constructor(root: string, path: string) {
    this.root = root
    this.path = path
    this.source = new ManifestFolderSource({
      path,
      nodeName: 'n1',
      hash: nodeHash,
      clock: this.clock,
      trace: this.trace.forNode('n1'),
      log: this.log,
      watchFolder: this.watch.watchFolder,
      onPods: (pods, causes) => {
        this.uids.clear()
        const shown = pods.map(({ pod: { metadata, spec }, causes: own }) => {
          this.uids.set(metadata.name, metadata.uid)
          const name = metadata.name.replace(/-n1$/, '')
          const tag = spec.containers[0]?.image?.split(':')[1] ?? ''
          return `${name}:${tag}${own === undefined ? '' : `<${own.join('+')}`}`
        })
        this.#sets.push(`${shown.join(' ')} [${causes.join(',')}]`)
      },
      onProblems: (problems) => {
        this.problems = problems
        this.problemReports++
      },
    })
  }

  static async make(place: 'folder' | 'file' | 'missing' = 'folder'): Promise<Fixture> {
    const root = await mkdtemp(join(tmpdir(), 'manifests-'))
    const fixture = new Fixture(root, place === 'folder' ? root : join(root, 'place'))
    fixtures.push(fixture)
    return fixture
  }

  async end(): Promise<void> {
    this.source.stop()
    await this.clock.advance(0)
    await chmod(this.root, 0o755)
    await rm(this.root, { recursive: true })
  }

  at(name: string): string {
    return join(this.root, name)
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(this.at(name), text)
  }

  /** The SETs while this much time went by. */
  async play(ms = 0): Promise<readonly string[]> {
    await this.clock.advance(ms)
    return this.#sets.splice(0)
  }

  async start(): Promise<readonly string[]> {
    this.source.start()
    return await this.play()
  }

  async touch(...names: readonly string[]): Promise<readonly string[]> {
    this.watch.touch(...names)
    return await this.play()
  }

  get shownProblems(): readonly string[] {
    return this.problems.map(
      ({ where, message, line }) =>
        `${where.replace(`${this.root}/`, '')}${line === null ? '' : `:${line}`} ${message}`,
    )
  }

  /** Trace events since the last look: kind, file, causes. */
  #seen = 0
  get traced(): readonly string[] {
    const all = this.trace.newest(4000).toReversed()
    const fresh = all.filter(({ seq }) => seq > this.#seen)
    this.#seen = this.trace.lastSeq
    return fresh.map(({ seq, kind, data, causes }) => {
      const file = 'path' in data ? ` ${data.path.replace(`${this.root}/`, '')}` : ''
      const change = 'change' in data ? ` ${data.change}` : ''
      return `${seq} ${kind}${file}${change}${causes.length > 0 ? ` <${causes.join('+')}` : ''}`
    })
  }
}

describe('sources#file-source: a folder', () => {
  it('reads every file but dotfiles and sub-folders, whatever its extension, sorted by name', async () => {
    const fixture = await Fixture.make()
    await fixture.write('b.yaml', manifest('b'))
    await fixture.write(
      'a.json',
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"x:2"}]}}',
    )
    await fixture.write('c.yaml.bak', manifest('c'))
    await fixture.write('.hidden.yaml', manifest('hidden'))
    await mkdir(fixture.at('sub'))
    await fixture.write('sub/d.yaml', manifest('d'))
    expect(await fixture.start()).toEqual(['a:2<1 b:1.27<2 c:1.27<3 [1,2,3]'])
    expect(fixture.traced).toEqual([
      '1 manifest.changed a.json added',
      '2 manifest.changed b.yaml added',
      '3 manifest.changed c.yaml.bak added',
      '4 manifest.skipped sub',
    ])
    expect(fixture.shownProblems).toEqual([])
    expect(fixture.watch.watched).toEqual([fixture.root])
  })

  it('sends the whole set again every 20 s, without trace events', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a'))
    await mkdir(fixture.at('sub'))
    await fixture.start()
    void fixture.traced
    expect(await fixture.play(19_999)).toEqual([])
    expect(await fixture.play(1)).toEqual(['a:1.27 []'])
    expect(await fixture.play(40_000)).toEqual(['a:1.27 []', 'a:1.27 []'])
    expect(fixture.traced).toEqual([])
    expect(fixture.problemReports).toBe(0)
  })

  it('follows symbolic links, as a mounted config map is made of', async () => {
    const fixture = await Fixture.make()
    await mkdir(fixture.at('..data'))
    await fixture.write('..data/a.yaml', manifest('a'))
    await symlink('..data/a.yaml', fixture.at('a.yaml'))
    expect(await fixture.start()).toEqual(['a:1.27<1 [1]'])
  })

  it('finds at the next relist what no event reported, with its cause', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a'))
    await fixture.start()
    await fixture.write('b.yaml', manifest('b'))
    await fixture.write('a.yaml', manifest('a', 'nginx:1.28'))
    expect(await fixture.play(20_000)).toEqual(['a:1.28<2 b:1.27<3 [2,3]'])
    await rm(fixture.at('a.yaml'))
    expect(await fixture.play(20_000)).toEqual(['b:1.27 [4]'])
    expect(fixture.traced).toEqual([
      '1 manifest.changed a.yaml added',
      '2 manifest.changed a.yaml modified',
      '3 manifest.changed b.yaml added',
      '4 manifest.changed a.yaml removed',
    ])
  })

  it('notices a rewrite of the same size within the same tick of the file clock', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a', 'x:1'))
    await fixture.start()
    for (let tag = 2; tag < 8; tag++) {
      await fixture.write('a.yaml', manifest('a', `x:${tag}`))
      expect(await fixture.play(20_000)).toEqual([`a:${tag}<${tag} [${tag}]`])
    }
  })

  it('sends an empty SET for an empty folder', async () => {
    const fixture = await Fixture.make()
    expect(await fixture.start()).toEqual([' []'])
  })

  it('gives other uids to the same manifest under another name', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a'))
    await fixture.start()
    const before = fixture.uids.get('a-n1')
    await rename(fixture.at('a.yaml'), fixture.at('b.yaml'))
    await fixture.touch('a.yaml', 'b.yaml')
    expect(fixture.uids.get('a-n1')).toMatch(/^[0-9a-f]{32}$/)
    expect(fixture.uids.get('a-n1')).not.toBe(before)
  })
})

describe('sources#file-source: events of the watch', () => {
  it('adds, changes and removes one file at a time, at once', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a'))
    await fixture.start()
    await fixture.write('b.yaml', manifest('b'))
    expect(await fixture.touch('b.yaml')).toEqual(['a:1.27 b:1.27<2 [2]'])
    await fixture.write('b.yaml', manifest('b', 'nginx:1.28'))
    expect(await fixture.touch('b.yaml')).toEqual(['a:1.27 b:1.28<3 [3]'])
    await rm(fixture.at('a.yaml'))
    expect(await fixture.touch('a.yaml')).toEqual(['b:1.28 [4]'])
    expect(await fixture.play(20_000)).toEqual(['b:1.28 []'])
  })

  it('ignores dotfiles, folders and files that came and went', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a'))
    await fixture.start()
    await fixture.write('.b.yaml.swp', manifest('b'))
    await mkdir(fixture.at('sub'))
    expect(await fixture.touch('.b.yaml.swp', 'sub', '4913')).toEqual([])
    expect(fixture.traced).toEqual(['1 manifest.changed a.yaml added', '2 manifest.skipped sub'])
  })

  it('reads the whole folder when the event does not name what changed', async () => {
    const fixture = await Fixture.make()
    await fixture.start()
    await fixture.write('a.yaml', manifest('a'))
    fixture.watch.touchAnything()
    expect(await fixture.play()).toEqual(['a:1.27<1 [1]'])
  })

  it('keeps a pod while an editor saves by rename, in one event', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a'))
    await fixture.start()
    // vim: the old file becomes a backup, a new one is written, the backup goes.
    await rename(fixture.at('a.yaml'), fixture.at('a.yaml~'))
    await fixture.write('a.yaml', manifest('a', 'nginx:1.28'))
    await rm(fixture.at('a.yaml~'))
    expect(await fixture.touch('a.yaml', 'a.yaml~')).toEqual(['a:1.28<2 [2]'])
  })

  it('works through many rewrites in order and ends with the last', async () => {
    const fixture = await Fixture.make()
    await fixture.start()
    for (let tag = 1; tag <= 50; tag++) {
      await fixture.write('a.yaml', manifest('a', `x:${tag}`))
      fixture.watch.touch('a.yaml')
    }
    const sets = await fixture.play()
    expect(sets.at(-1)).toMatch(/^a:50/)
    expect(await fixture.play(20_000)).toEqual(['a:50 []'])
  })

  it('stamps a change with the time of its arrival and holds the clock while it reads', async () => {
    const fixture = await Fixture.make()
    await fixture.start()
    await fixture.write('a.yaml', manifest('a'))
    await fixture.clock.advance(5000)
    let isRead = false
    fixture.clock.after(1, () => {
      fixture.watch.touch('a.yaml')
    })
    fixture.clock.after(2, () => {
      isRead = fixture.uids.has('a-n1')
    })
    await fixture.clock.advance(2)
    expect(isRead).toBe(true)
    expect(fixture.trace.newest(1)[0]?.at).toBe(5001)
  })
})

describe('sources#file-source: malicious manifests', () => {
  it.runIf(process.platform === 'linux')(
    'says of a file whose name is not UTF-8 that it cannot be read, at a relist and at a touch',
    async () => {
      const fixture = await Fixture.make()
      const name = (last: number): Buffer =>
        Buffer.concat([Buffer.from(`${fixture.root}/b`), Buffer.from([last]), Buffer.from('.yaml')])
      await fixture.write('a.yaml', manifest('a'))
      await writeFile(name(0xff), manifest('b'))
      expect(await fixture.start()).toEqual(['a:1.27<3 [3]'])
      const sentence =
        'The name of this file is not UTF-8, so it cannot be read here: rename it. A kubelet reads it.'
      expect(fixture.shownProblems).toEqual([`b\\xff.yaml ${sentence}`])
      expect(fixture.source.files().map((file) => [file.name, file.state])).toEqual([
        ['a.yaml', 'running'],
        ['b\\xff.yaml', 'rejected'],
      ])
      await writeFile(name(0xfe), manifest('b'))
      await fixture.touch('b\ufffd.yaml')
      expect(fixture.shownProblems).toEqual([`b\\xfe.yaml ${sentence}`, `b\\xff.yaml ${sentence}`])
      await rm(name(0xfe))
      await rm(name(0xff))
      await fixture.play(20_000)
      expect(fixture.shownProblems).toEqual([])
    },
  )

  it('lists two hundred problems, and counts the others', async () => {
    const fixture = await Fixture.make()
    for (let file = 1000; file < 1250; file++) await fixture.write(`${file}.yaml`, broken)
    fixture.source.start()
    await expect
      .poll(async () => {
        await fixture.play()
        return fixture.shownProblems.at(-1)
      })
      .toBe(`${fixture.root} 50 more problems are not listed here.`)
    expect(fixture.problems).toHaveLength(201)
    expect(fixture.shownProblems[199]).toContain('1199.yaml')
  })

  it('sends one SET for files that are touched together, and each state of one pod', async () => {
    const fixture = await Fixture.make()
    await fixture.start()
    const names = Array.from({ length: 90 }, (_, index) => `${index}.yaml`)
    for (const name of names) await fixture.write(name, manifest(`p${name.replace('.yaml', '')}`))
    const sets = await fixture.touch(...names)
    expect(sets).toHaveLength(1)
    expect(fixture.uids.size).toBe(90)
    // Renamed: the pod of the old name goes before that of the new one comes.
    await rename(fixture.at('0.yaml'), fixture.at('zero.yaml'))
    const renamed = await fixture.touch('0.yaml', 'zero.yaml')
    expect(renamed.map((set) => set.split('p0:').length - 1)).toEqual([0, 1])
  })

  it('yields to the clock while it reads thousands of files, and sends all of them', async () => {
    const fixture = await Fixture.make()
    await fixture.start()
    const names = Array.from({ length: 450 }, (_, index) => `${index}.yaml`)
    for (const name of names) await fixture.write(name, manifest(`p${name.replace('.yaml', '')}`))
    let reads = 0
    fixture.clock.after(5, () => {
      fixture.watch.touch(...names)
    })
    fixture.clock.after(6, () => {
      reads = fixture.uids.size
    })
    await fixture.clock.advance(10)
    expect(reads).toBe(100)
    await expect
      .poll(async () => {
        await fixture.clock.advance(0)
        return fixture.uids.size
      })
      .toBe(450)
  })

  it('keeps 2,000 characters of a manifest’s text, in problems, log and trace', async () => {
    const fixture = await Fixture.make()
    for (let file = 0; file < 12; file++)
      await fixture.write(`${file}.yaml`, `apiVersion: v1\nkind: ${'K'.repeat(5_000_000)}\n`)
    await fixture.start()
    expect(fixture.problems).toHaveLength(12)
    expect(JSON.stringify(fixture.problems).length).toBeLessThan(12 * 2_200)
    expect(JSON.stringify(fixture.log.lines).length).toBeLessThan(12 * 2_200)
    expect(JSON.stringify(fixture.trace.newest(4000)).length).toBeLessThan(12 * 2_700)
    expect(fixture.problems[0]?.message).toMatch(/^This is a K{1990}… \(\d+ more characters\)$/)
  })
})

describe('sources#file-source: two files of one pod', () => {
  it('uses the last in order, reports it, and flips on an event until the next relist', async () => {
    const fixture = await Fixture.make()
    await fixture.write('etcd.yaml', manifest('etcd', 'x:new'))
    await fixture.write('etcd.yaml.backup', manifest('etcd', 'x:old'))
    expect(await fixture.start()).toEqual(['etcd:old<2 [1,2]'])
    expect(fixture.shownProblems).toEqual([
      'etcd.yaml Pod default/etcd-n1 is also defined by etcd.yaml.backup, which takes precedence.',
    ])
    expect(await fixture.touch('etcd.yaml')).toEqual(['etcd:new []'])
    expect(fixture.shownProblems).toEqual([
      'etcd.yaml.backup Pod default/etcd-n1 is also defined by etcd.yaml, which takes precedence until the next full scan of the folder; then etcd.yaml.backup does.',
    ])
    expect(await fixture.play(20_000)).toEqual(['etcd:old []'])
  })

  it('loses the pod when one of the files goes, until the next relist', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('web', 'x:a'))
    await fixture.write('b.yaml', manifest('web', 'x:b'))
    await fixture.start()
    await rm(fixture.at('b.yaml'))
    expect(await fixture.touch('b.yaml')).toEqual([' [3]'])
    expect(fixture.shownProblems).toEqual([
      'a.yaml Pod default/web-n1 is stopped, because another file that defined it was removed; it is recreated at the next full scan of the folder, within 20 s.',
    ])
    expect(await fixture.play(20_000)).toEqual(['web:a []'])
    expect(fixture.shownProblems).toEqual([])
  })
})

describe('sources#file-source: broken manifests', () => {
  it('skips what it cannot use, reads the rest, and lists each problem by file and line', async () => {
    const fixture = await Fixture.make()
    await fixture.write('bad.yaml', broken)
    await fixture.write(
      'deployment.yaml',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\n',
    )
    await fixture.write('empty.yaml', '')
    await fixture.write('good.yaml', `${manifest('good')}---\n${manifest('second')}`)
    await fixture.write('huge.yaml', `# ${'x'.repeat(10 * 1024 * 1024)}`)
    await fixture.write('nameless.yaml', manifest('""'))
    expect(await fixture.start()).toEqual(['good:1.27<7 [7]'])
    expect(fixture.shownProblems).toEqual([
      `bad.yaml:1 ${brokenText}`,
      'deployment.yaml:2 This is a Deployment; only a Pod can be a static pod, one per file.',
      'empty.yaml The file is empty.',
      'good.yaml:6 Only the first document of a file is read; from here on it has no effect.',
      'huge.yaml This file cannot be read: it is larger than 10 MiB.',
      'nameless.yaml:3 The pod has no name; metadata.name is required.',
    ])
    expect(fixture.traced.slice(0, 2)).toEqual([
      '1 manifest.changed bad.yaml added',
      '2 manifest.rejected bad.yaml <1',
    ])
  })

  it('keeps a pod whose manifest broke until the next relist, then drops it because of that', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a'))
    await fixture.write('b.yaml', manifest('b'))
    await fixture.start()
    await fixture.clock.advance(5000)
    await fixture.write('a.yaml', broken)
    expect(await fixture.touch('a.yaml')).toEqual([])
    expect(fixture.shownProblems).toEqual([
      `a.yaml:1 ${brokenText} Its pod default/a-n1 keeps running until the next full scan of the folder, within 20 s, and is then stopped.`,
    ])
    // Another file's event does not take the blame, nor the broken one's pod.
    await fixture.write('b.yaml', manifest('b', 'x:2'))
    expect(await fixture.touch('b.yaml')).toEqual(['a:1.27 b:2<5 [5]'])
    expect(await fixture.play(15_000)).toEqual(['b:2 [4]'])
    expect(fixture.shownProblems).toEqual([`a.yaml:1 ${brokenText}`])
    expect(fixture.traced).toContain('4 manifest.rejected a.yaml <3')
  })

  it('forgets a problem when the file is corrected or removed', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', broken)
    await fixture.write('b.yaml', broken)
    await fixture.start()
    expect(fixture.problems).toHaveLength(2)
    await fixture.write('a.yaml', manifest('a'))
    await fixture.touch('a.yaml')
    expect(fixture.shownProblems).toEqual([`b.yaml:1 ${brokenText}`])
    await rm(fixture.at('b.yaml'))
    await fixture.touch('b.yaml')
    expect(fixture.shownProblems).toEqual([])
    expect(fixture.problemReports).toBe(3)
  })

  it('sends an empty SET past the store when no manifest is valid, and the store comes back with an event', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a'))
    await fixture.start()
    await fixture.write('a.yaml', broken)
    expect(await fixture.play(20_000)).toEqual([' [3]'])
    expect(fixture.shownProblems).toEqual([`a.yaml:1 ${brokenText}`])
    await fixture.write('b.yaml', manifest('b'))
    // A quirk of the kubelet that is kept: only a relist with a pod in it replaces the store.
    expect(await fixture.touch('b.yaml')).toEqual(['a:1.27 b:1.27<4 [4]'])
    expect(await fixture.play(20_000)).toEqual(['b:1.27 [3]'])
  })

  it('names a file that may not be read', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a'))
    await fixture.write('b.yaml', manifest('b'))
    await chmod(fixture.at('a.yaml'), 0)
    await withoutRights(fixture, { folderMode: 0o755 }, async () => {
      expect(await fixture.start()).toEqual(['b:1.27<3 [3]'])
      expect(fixture.shownProblems).toEqual(['a.yaml This file cannot be read: permission denied.'])
    })
    await chmod(fixture.at('a.yaml'), 0o644)
    expect(await fixture.touch('a.yaml')).toEqual(['b:1.27 a:1.27<4 [4]'])
    expect(fixture.shownProblems).toEqual([])
  })

  it('treats a folder that may not be listed as empty', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a'))
    await fixture.start()
    await withoutRights(fixture, { folderMode: 0o311 }, async () => {
      expect(await fixture.play(20_000)).toEqual([' [3]'])
      expect(fixture.problems).toEqual([
        {
          where: fixture.root,
          message: `${fixture.root} cannot be listed: permission denied; its pods are stopped.`,
          line: null,
          column: null,
        },
      ])
    })
  })

  it('names a symbolic link that leads nowhere or in a circle', async () => {
    const fixture = await Fixture.make()
    await symlink('loop', fixture.at('loop'))
    await symlink('nowhere', fixture.at('dangling'))
    expect(await fixture.start()).toEqual([' []'])
    expect(fixture.shownProblems).toEqual([
      'loop This file cannot be read: its symbolic links go in a circle.',
    ])
  })
})

describe('sources#file-source: no folder, no watch', () => {
  it('sends an empty SET, reports what is missing, and finds the folder when it is created', async () => {
    const fixture = await Fixture.make('missing')
    expect(await fixture.start()).toEqual([' []'])
    expect(fixture.shownProblems).toEqual([
      `place ${fixture.path} cannot be read: it does not exist.`,
    ])
    await mkdir(fixture.path)
    await fixture.write('place/a.yaml', manifest('a'))
    expect(await fixture.play(1000)).toEqual(['a:1.27<3 [3]'])
    expect(fixture.shownProblems).toEqual([])
    expect(fixture.traced).toEqual([
      '1 source.failed',
      '2 source.recovered',
      '3 manifest.changed place/a.yaml added',
    ])
    expect(fixture.watch.isWatching).toBe(true)
  })

  it('stops the pods of a folder that is removed, and watches the one that comes after it', async () => {
    const fixture = await Fixture.make('missing')
    await mkdir(fixture.path)
    await fixture.write('place/a.yaml', manifest('a'))
    await fixture.start()
    await rm(fixture.path, { recursive: true })
    expect(await fixture.play(20_000)).toEqual([' [3]'])
    expect(fixture.problems).toHaveLength(1)
    await mkdir(fixture.path)
    await fixture.play(20_000)
    expect(fixture.watch.watched).toEqual([fixture.path, fixture.path])
    await fixture.write('place/b.yaml', manifest('b'))
    expect(await fixture.touch('b.yaml')).toEqual(['a:1.27 b:1.27<5 [5]'])
  })

  it('reads on without a watch, trying to get one after 1, 2, 4 … 20 s', async () => {
    const fixture = await Fixture.make()
    fixture.watch.failures = Array.from({ length: 8 }, () => new Error('ENOSPC'))
    await fixture.write('a.yaml', manifest('a'))
    expect(await fixture.start()).toEqual(['a:1.27<1 [1]'])
    const tries: number[] = []
    for (let second = 1; second <= 90; second++) {
      const before = fixture.watch.watched.length
      await fixture.play(1000)
      if (fixture.watch.watched.length > before) tries.push(second)
    }
    // The relists of every 20 s try as well.
    expect(tries).toEqual([1, 3, 7, 15, 20, 31, 40, 51])
    expect(fixture.watch.isWatching).toBe(true)
  })

  it('gets a new watch when the old one breaks, and reads what it missed', async () => {
    const fixture = await Fixture.make()
    await fixture.start()
    fixture.watch.fail(new Error('EIO'))
    await fixture.write('a.yaml', manifest('a'))
    expect(await fixture.play(999)).toEqual([])
    expect(await fixture.play(1)).toEqual(['a:1.27<1 [1]'])
    expect(fixture.watch.isWatching).toBe(true)
  })
})

describe('sources#file-source: a single file', () => {
  it('reads it, follows it, and ignores its neighbours', async () => {
    const fixture = await Fixture.make('file')
    await fixture.write('place', manifest('a'))
    await fixture.write('other.yaml', manifest('other'))
    expect(await fixture.start()).toEqual(['a:1.27<1 [1]'])
    expect(fixture.watch.watched).toEqual([fixture.root])
    await fixture.write('place', manifest('b'))
    // The store keeps the old name until the next relist replaces it.
    expect(await fixture.touch('other.yaml', 'place')).toEqual(['a:1.27 b:1.27<2 [2]'])
    expect(await fixture.play(20_000)).toEqual(['b:1.27 [2]'])
    await rm(fixture.path)
    expect(await fixture.touch('place')).toEqual([' [3]'])
  })

  it('emits nothing while it is broken, so the old pod stays', async () => {
    const fixture = await Fixture.make('file')
    await fixture.write('place', manifest('a'))
    await fixture.start()
    await fixture.write('place', broken)
    expect(await fixture.touch('place')).toEqual([])
    expect(await fixture.play(40_000)).toEqual([])
    expect(fixture.shownProblems).toEqual([
      `place:1 ${brokenText} Its pod default/a-n1 keeps running unchanged.`,
    ])
  })
})

describe('sources#file-source: the end', () => {
  it('says nothing afterwards, closes its watch and leaves no timer', async () => {
    const fixture = await Fixture.make()
    await fixture.write('a.yaml', manifest('a'))
    fixture.source.start()
    fixture.source.start()
    fixture.source.stop()
    expect(await fixture.play(60_000)).toEqual([])
    expect(fixture.traced).toEqual([])
    expect(fixture.clock.pendingTimers).toBe(0)

    const running = await Fixture.make()
    await running.start()
    running.source.stop()
    running.source.start()
    await running.write('a.yaml', manifest('a'))
    expect(await running.play(60_000)).toEqual([])
    expect(running.watch.isWatching).toBe(false)
    expect(running.clock.pendingTimers).toBe(0)
  })
})
