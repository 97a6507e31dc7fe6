import fc from 'fast-check'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { nodeHash } from '../../../src/main/clock/node-hash.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { FakeFolderWatch } from '../../../src/main/sources/fake-folder-watch.ts'
import { ManifestFolderSource } from '../../../src/main/sources/manifest-folder.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { oracleParameters } from './driving.ts'
import { describeOracle } from './oracle-suite.ts'

const relistMs = 20_000
let acts = 0

const files = ['a.yaml', 'b.yaml', 'c.yaml~']
/** Few names, so that files define the same pod; and texts that define none. */
const texts = [
  ...['web', 'db'].flatMap((name) =>
    ['1', '2'].map(
      (version) =>
        `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {v: "${version}"}}\nspec: {containers: [{name: c, image: i}]}\n`,
    ),
  ),
  'a: b: c\n',
  'apiVersion: v1\nkind: Pod\nmetadata: {name: Bad}\n',
  '',
]

type Act =
  | { readonly kind: 'write'; readonly file: string; readonly text: string }
  | { readonly kind: 'remove' | 'makeFolder'; readonly file: string }
  | { readonly kind: 'rename'; readonly file: string; readonly to: string }
  | { readonly kind: 'relist' }

const file = fc.constantFrom(...files)
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts.slice(0, 4)) },
  { weight: 1, arbitrary: fc.constantFrom(...texts.slice(4)) },
)
const sequences: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('write'),
        file: fc.oneof({ weight: 9, arbitrary: file }, fc.constant('.hidden.yaml')),
        text,
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove'), file }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('makeFolder'), file }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename'), file, to: file }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('relist') }) },
  ),
  { minLength: 1, maxLength: 14, size: 'max' },
)

/**
 * A file whose pod went with another file is not forgotten when it goes itself; when it comes again as no pod and
 * goes once more, it takes the pod of that name with it.
 */
const forgottenFile: readonly Act[] = [
  { kind: 'write', file: 'a.yaml', text: texts[0] ?? '' },
  { kind: 'write', file: 'b.yaml', text: texts[1] ?? '' },
  { kind: 'remove', file: 'b.yaml' },
  { kind: 'remove', file: 'a.yaml' },
  { kind: 'write', file: 'a.yaml', text: '' },
  { kind: 'write', file: 'b.yaml', text: texts[1] ?? '' },
  { kind: 'remove', file: 'a.yaml' },
]

/** The events of the operating system's watch for a change. */
interface Event {
  readonly event: 'add' | 'modify' | 'delete'
  readonly name: string
}

/** A folder on the disk with its files. */
class Disk {
  readonly path: string
  readonly #entries = new Map<string, 'file' | 'folder'>()

  constructor(path: string) {
    this.path = path
  }

  /** Makes the change and returns its watch events; none if it is impossible. */
  async change(act: Exclude<Act, { readonly kind: 'relist' }>): Promise<readonly Event[]> {
    const at = join(this.path, act.file)
    const before = this.#entries.get(act.file)
    switch (act.kind) {
      case 'write':
        if (before === 'folder') return []
        await writeFile(at, act.text)
        this.#entries.set(act.file, 'file')
        return [{ event: before === undefined ? 'add' : 'modify', name: act.file }]
      case 'remove':
        if (before === undefined) return []
        await rm(at, { recursive: true })
        this.#entries.delete(act.file)
        return [{ event: 'delete', name: act.file }]
      case 'makeFolder':
        if (before !== undefined) return []
        await mkdir(at)
        this.#entries.set(act.file, 'folder')
        return [{ event: 'add', name: act.file }]
      case 'rename':
        if (before !== 'file' || this.#entries.get(act.to) === 'folder' || act.to === act.file)
          return []
        await rename(at, join(this.path, act.to))
        this.#entries.delete(act.file)
        this.#entries.set(act.to, 'file')
        return [
          { event: 'delete', name: act.file },
          { event: 'add', name: act.to },
        ]
    }
  }
}

/** A SET: which pods in which version. Go's store is a map, so their order says nothing. */
function shown(pods: readonly Pod[] | null): readonly string[] {
  return (pods ?? [])
    .map(({ metadata }) => `${metadata.name} ${metadata.labels?.['v'] ?? ''}`)
    .toSorted()
}

await describeOracle(
  {
    name: 'manifest folder',
    subject: 'manifests',
    title: 'a folder of manifests',
    summary: () => `${acts} changes of folders, as the kubelet’s file source tells`,
  },
  (oracle) => {
    async function both(disk: Disk, sequence: readonly Act[]): Promise<void> {
      const sets: (readonly string[])[] = []
      const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
      const source = new ManifestFolderSource({
        path: disk.path,
        nodeName: 'node',
        hash: nodeHash,
        clock,
        trace: new FakeTrace(),
        log: new FakeLog(),
        watchFolder: new FakeFolderWatch().watchFolder,
        onPods: (pods) => sets.push(shown(pods.map(({ pod }) => pod))),
        onProblems: () => undefined,
      })
      const ask = async (
        question: string,
        values: object,
      ): Promise<readonly (readonly string[])[]> =>
        // Lists of the resulting SETs, in the format of overlay/nodescope/oracle/manifests.go.
        ((await oracle.ask(question, { node: 'node', ...values })) as (Pod[] | null)[]).map(shown)
      await oracle.ask('folder', { node: 'node', location: disk.path })
      source.start()
      await clock.advance(0)
      const start = { act: 'start', sets: sets.splice(0) }
      expect(start).toEqual({ act: 'start', sets: await ask('list', {}) })
      try {
        for (const act of sequence) {
          acts++
          const theirs: (readonly string[])[] = []
          if (act.kind === 'relist') {
            await clock.advance(relistMs)
            theirs.push(...(await ask('list', {})))
          } else {
            const events = await disk.change(act)
            if (events.length > 0) await source.readNow(events.map(({ name }) => name))
            // The kubelet does not look at an event of a hidden file; see produceWatchEvent.
            for (const { event, name } of events.filter((one) => !one.name.startsWith('.')))
              theirs.push(...(await ask('touched', { event, location: join(disk.path, name) })))
          }
          expect({ act, sets: sets.splice(0) }).toEqual({ act, sets: theirs })
        }
      } finally {
        source.stop()
      }
    }

    it('delivers the same pods after any changes', { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(sequences, async (sequence) => {
          const folder = await mkdtemp(join(tmpdir(), 'nodescope-folder-'))
          try {
            await both(new Disk(folder), sequence)
          } finally {
            await rm(folder, { recursive: true })
          }
        }),
        { ...oracleParameters<[readonly Act[]]>(150), examples: [[forgottenFile]] },
      )
    })
  },
)
