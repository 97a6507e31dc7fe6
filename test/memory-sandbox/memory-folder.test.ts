import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../src/main/clock/node-clock-host.ts'
import { nodeHash } from '../../src/main/clock/node-hash.ts'
import { VirtualClock } from '../../src/main/clock/virtual-clock.ts'
import { FakeLog } from '../../src/main/kubelet/container/fake-log.ts'
import { ClusterTrace } from '../../src/main/kubelet/trace.ts'
import { ManifestFolderSource } from '../../src/main/sources/manifest-folder.ts'
import { MemoryFolder } from './memory-folder.ts'

function manifest(name: string, image = 'nginx:1'): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image }] },
  })
}

/** A source over a folder in memory, and each SET that it sent: names with images, joined. */
function stage() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 1_000_000 })
  const folder = new MemoryFolder({ path: '/manifests', clock })
  const sets: string[] = []
  const log = new FakeLog()
  const trace = new ClusterTrace({
    cluster: 'c',
    clock,
    onError: (error) => {
      throw error
    },
  })
  const source = new ManifestFolderSource({
    path: folder.path,
    nodeName: 'n1',
    hash: nodeHash,
    clock,
    trace: trace.forNode('n1'),
    log,
    watchFolder: folder.watchFolder,
    files: folder,
    onPods: (pods) => {
      const shown = pods.map(({ pod }) => `${pod.metadata.name} ${pod.spec.containers[0]?.image}`)
      sets.push(shown.join(', '))
    },
    onProblems: () => undefined,
  })
  return { clock, folder, sets, log, source }
}

describe('MemoryFolder', () => {
  it('is read by the manifest source at the start, at every change, and every 20 s', async () => {
    const { clock, folder, sets, log, source } = stage()
    folder.write('b.yaml', manifest('b'))
    source.start()
    await clock.advance(1)
    folder.write('a.yaml', manifest('a'))
    await clock.advance(100)
    folder.write('a.yaml', manifest('a', 'nginx:2'))
    await clock.advance(100)
    folder.rename('b.yaml', 'c.yaml')
    await clock.advance(100)
    folder.remove('a.yaml')
    await clock.advance(100)
    expect(sets).toEqual([
      'b-n1 nginx:1',
      'b-n1 nginx:1, a-n1 nginx:1',
      'b-n1 nginx:1, a-n1 nginx:2',
      'a-n1 nginx:2',
      'a-n1 nginx:2, b-n1 nginx:1',
      'b-n1 nginx:1',
    ])
    await clock.advance(20_000)
    expect(sets.slice(6)).toEqual(['b-n1 nginx:1'])
    expect(log.problems).toEqual([])
    source.stop()
  })

  it('does not report a change to a watch that was closed before', async () => {
    const { clock, folder, sets, source } = stage()
    source.start()
    await clock.advance(1)
    folder.write('a.yaml', manifest('a'))
    source.stop()
    await clock.advance(30_000)
    expect(sets).toEqual([''])
  })

  it('lists its files, and answers like a file system for missing ones', async () => {
    const { folder } = stage()
    folder.write('a.yaml', 'x')
    folder.rename('missing', 'b')
    folder.remove('missing')
    expect([folder.names, folder.textOf('a.yaml'), folder.textOf('b')]).toEqual([
      ['a.yaml'],
      'x',
      undefined,
    ])
    await expect(folder.readText('/manifests/b')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(folder.stat('/elsewhere/a.yaml')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
