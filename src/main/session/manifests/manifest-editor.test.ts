import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ManifestFile } from '../../../shared/model/manifests.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { nodeHash } from '../../clock/node-hash.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { ClusterTrace } from '../../kubelet/trace.ts'
import { FakeFolderWatch } from '../../sources/fake-folder-watch.ts'
import { ManifestFolderSource } from '../../sources/manifest-folder.ts'
import { ManifestEditor } from './manifest-editor.ts'

const edited: EditedFolder[] = []

afterEach(async () => {
  for (const setup of edited.splice(0)) await setup.end()
})

function manifest(name: string, more = '', image = 'nginx:1.27'): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}${more}}\nspec:\n  terminationGracePeriodSeconds: 7\n  containers: [{name: c, image: "${image}"}]\n`
}

const broken = 'a: b: c\n'

/** A folder with its source and its editor; the watch reports only what the test reports. The clock is paused. */
class EditedFolder {
  readonly root: string
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 1000 })
  readonly trace = new ClusterTrace({
    cluster: 'c',
    clock: this.clock,
    onError: (error) => {
      throw error
    },
  })
  readonly source: ManifestFolderSource
  readonly editor: ManifestEditor
  /** The pods of the last SET. */
  pods: readonly string[] = []

  readonly nodeName = 'n1'
  isRunning = true
  /** Why no kubelet has started yet. */
  waiting = ''

  get sources() {
    return { file: this.source, url: undefined }
  }

  private constructor(root: string, path: string, readOnly: boolean) {
    this.root = root
    this.source = new ManifestFolderSource({
      path,
      nodeName: 'n1',
      hash: nodeHash,
      clock: this.clock,
      trace: this.trace.forNode('n1'),
      log: new FakeLog(),
      watchFolder: new FakeFolderWatch().watchFolder,
      onPods: (pods) => {
        this.pods = pods.map(({ pod }) => pod.metadata.name)
      },
      onProblems: () => undefined,
    })
    this.editor = new ManifestEditor({
      cluster: 'c',
      node: this,
      clock: this.clock,
      readOnly,
      waitsFor: () => this.waiting,
    })
  }

  static async make(
    files: Readonly<Record<string, string>> = {},
    { single, readOnly = false }: { readonly single?: string; readonly readOnly?: boolean } = {},
  ): Promise<EditedFolder> {
    const root = await mkdtemp(join(tmpdir(), 'manifest-editor-'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
    const setup = new EditedFolder(root, single === undefined ? root : join(root, single), readOnly)
    edited.push(setup)
    setup.source.start()
    await setup.clock.advance(0)
    return setup
  }

  async end(): Promise<void> {
    this.source.stop()
    await this.clock.advance(0)
    await rm(this.root, { recursive: true })
  }

  at(name: string): string {
    return join(this.root, name)
  }

  text(name: string): Promise<string> {
    return readFile(this.at(name), 'utf8')
  }

  /** Writes the file without the manifest editor: the source reads it with its next scan of the folder. */
  async edit(name: string, text: string): Promise<void> {
    await writeFile(this.at(name), text)
    await this.clock.advance(20_000)
  }

  async file(name: string): Promise<ManifestFile> {
    const found = (await this.editor.list()).files.find((file) => file.name === name)
    if (found === undefined) throw new Error(`${name} is not listed`)
    return found
  }

  async undoNewest(): Promise<string> {
    const { undo } = await this.editor.list()
    if (undo === null) throw new Error('nothing to undo')
    const done = await this.editor.undo(undo.id)
    return done.ok ? done.value.message : done.error.message
  }
}

async function message(
  answer: Promise<
    | { readonly ok: true; readonly value: { readonly message: string } }
    | { readonly ok: false; readonly error: { readonly kind: string; readonly message: string } }
  >,
): Promise<string> {
  const done = await answer
  return done.ok ? done.value.message : `${done.error.kind}: ${done.error.message}`
}

describe('the list', () => {
  it('shows the state of each entry of the folder', async () => {
    const setup = await EditedFolder.make({
      'a.yaml': manifest('web'),
      'b.yaml.bak': manifest('web', '', 'nginx:2'),
      'c.yaml': broken,
      '.hidden': manifest('hidden'),
    })
    await mkdir(setup.at('d'))
    await setup.clock.advance(20_000)
    const view = await setup.editor.list()
    expect(view).toMatchObject({
      cluster: 'c',
      node: 'n1',
      folder: setup.root,
      isSingleFile: false,
      readOnlyBecause: '',
      undo: null,
      url: null,
    })
    expect(
      view.files.map(({ name, state, podName, note }) => [name, state, podName, note]),
    ).toEqual([
      [
        'a.yaml',
        'shadowed',
        'web-n1',
        'Pod default/web-n1 is also defined by b.yaml.bak, which takes precedence.',
      ],
      ['b.yaml.bak', 'running', 'web-n1', ''],
      ['c.yaml', 'rejected', '', ''],
      ['d', 'skipped', '', 'd is a folder and is not read.'],
    ])
    expect(await setup.file('c.yaml')).toMatchObject({
      problem: { where: setup.at('c.yaml'), line: 1, column: 4 },
      modifiedAt: (await stat(setup.at('c.yaml'))).mtimeMs,
      hasGoodVersion: false,
    })
    expect((await setup.file('b.yaml.bak')).uid).toMatch(/^[0-9a-f]{32}$/)
  })

  it('shows a file as waiting while another defines the same pod', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': manifest('web'), 'b.yaml': manifest('web') })
    await setup.editor.remove('b.yaml')
    expect(await setup.file('a.yaml')).toMatchObject({ state: 'waiting', podName: 'web-n1' })
    await setup.clock.advance(20_000)
    expect(await setup.file('a.yaml')).toMatchObject({ state: 'running' })
  })
})

describe('a check', () => {
  it('says that a new file starts its pod, with the pod’s identity', async () => {
    const setup = await EditedFolder.make()
    const checked = await setup.editor.check('x.yaml', manifest('x', ', namespace: shop'))
    await setup.editor.write('x.yaml', manifest('x', ', namespace: shop'), { create: true })
    const { uid } = await setup.file('x.yaml')
    expect(checked).toEqual({
      ok: true,
      value: {
        ok: true,
        problems: [],
        notSimulated: [],
        pod: { namespace: 'shop', name: 'x-n1', uid },
        effect: 'Starts shop/x-n1.',
      },
    })
  })

  it('names the fields that are not simulated', async () => {
    const setup = await EditedFolder.make()
    const text = manifest('x').replace('"}]', '", lifecycle: {stopSignal: SIGUSR1}}]')
    expect(await setup.editor.check('x.yaml', text)).toMatchObject({
      value: {
        ok: true,
        notSimulated: [{ id: 'stop-signal', field: 'spec.containers[0].lifecycle.stopSignal' }],
      },
    })
  })

  const effects: readonly (readonly [string, string, string, string])[] = [
    [
      'another content makes another pod',
      'a.yaml',
      manifest('a', '', 'nginx:2'),
      'default/a-n1 is stopped with 7 s grace and recreated with a new UID.',
    ],
    [
      'a comment changes nothing',
      'a.yaml',
      `# says nothing\n${manifest('a')}`,
      'No change: default/a-n1 has the same content hash.',
    ],
    [
      'a pod that sets its own UID is updated in place',
      'b.yaml',
      manifest('b', ', uid: "77"', 'nginx:2'),
      'default/b-n1 is updated in place, because the manifest sets the UID; its mirror pod keeps showing the old version.',
    ],
    [
      'what is not valid stops the pod later',
      'a.yaml',
      broken,
      'Invalid manifest: default/a-n1 keeps running until the next full scan of the folder, within 20 s, and is then stopped with 7 s grace.',
    ],
    [
      'what is not valid and new does nothing',
      'x.yaml',
      broken,
      'Invalid manifest: the kubelet will ignore it.',
    ],
    [
      'another name starts one pod and stops the other later',
      'a.yaml',
      manifest('c'),
      'Starts default/c-n1. default/a-n1 is stopped with 7 s grace at the next full scan of the folder, within 20 s.',
    ],
    [
      'a file that sorts before another with the same pod wins for a moment',
      'a-copy.yaml',
      manifest('b'),
      'default/b-n1 is stopped with 7 s grace and recreated with a new UID. b.yaml defines the same pod and takes precedence again at the next full scan of the folder, within 20 s.',
    ],
    [
      'a file that sorts after another with the same pod wins',
      'b.yaml.bak',
      manifest('b'),
      'default/b-n1 is stopped with 7 s grace and recreated with a new UID. b.yaml defines the same pod and has no effect then.',
    ],
  ]
  it.each(effects)('says that %s', async (_title, name, text, effect) => {
    const setup = await EditedFolder.make({
      'a.yaml': manifest('a'),
      'b.yaml': manifest('b', ', uid: "77"'),
    })
    const checked = await setup.editor.check(name, text)
    expect(checked.ok && checked.value.effect).toBe(effect)
  })

  it('names the line and column of a problem, and the file', async () => {
    const setup = await EditedFolder.make()
    expect(await setup.editor.check('x.yaml', broken)).toMatchObject({
      ok: true,
      value: { ok: false, pod: null, problems: [{ where: 'x.yaml', line: 1, column: 4 }] },
    })
  })

  it('accepts a valid manifest, with warnings about what the kubelet ignores', async () => {
    const setup = await EditedFolder.make()
    expect(await setup.editor.check('x', `${manifest('x')}---\nkind: Pod\n`)).toMatchObject({
      ok: true,
      value: { ok: true, problems: [{ where: 'x', line: 7 }] },
    })
  })

  it('says that an invalid single file changes nothing', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': manifest('a') }, { single: 'a.yaml' })
    const checked = await setup.editor.check('a.yaml', broken)
    expect(checked.ok && checked.value.effect).toBe(
      'Invalid manifest: default/a-n1 keeps running unchanged.',
    )
  })
})

describe('a change', () => {
  it('has reached the kubelet before the answer, even with a paused clock', async () => {
    const setup = await EditedFolder.make()
    expect(await message(setup.editor.write('x.yaml', manifest('x'), { create: true }))).toBe(
      'Wrote x.yaml. Starts default/x-n1.',
    )
    expect(setup.pods).toEqual(['x-n1'])
    expect(setup.trace.newest(1)).toMatchObject([{ kind: 'manifest.changed', at: 1000 }])
    expect(await message(setup.editor.remove('x.yaml'))).toBe(
      'Removed x.yaml. default/x-n1 is stopped with 7 s grace.',
    )
    expect(setup.pods).toEqual([])
    expect(setup.clock.now()).toBe(1000)
  })

  it('holds the cluster’s clock while it is written', async () => {
    const setup = await EditedFolder.make()
    setup.clock.setSpeed(1000)
    setup.clock.run()
    let isWritten = false
    let firedBefore = 0
    const tick = (): void => {
      if (!isWritten) firedBefore++
      if (firedBefore < 1000) setup.clock.after(100, tick)
    }
    setup.clock.after(100, tick)
    await setup.editor.write('x.yaml', manifest('x'), { create: true })
    isWritten = true
    setup.clock.pause()
    // One timer may have been due before the change.
    expect(firedBefore).toBeLessThanOrEqual(1)
  })

  it('leaves only the file, with its previous mode', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': manifest('a') })
    await chmod(setup.at('a.yaml'), 0o640)
    await setup.editor.write('a.yaml', broken, { create: false })
    expect(await readdir(setup.root)).toEqual(['a.yaml'])
    expect(await setup.text('a.yaml')).toBe(broken)
    expect((await stat(setup.at('a.yaml'))).mode & 0o777).toBe(0o640)
  })

  it('is refused if the file exists already or does not exist, and skipped if the text is the same', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': manifest('a') })
    expect(await message(setup.editor.write('a.yaml', 'x', { create: true }))).toBe(
      'refused: a.yaml exists already; choose another name.',
    )
    expect(await message(setup.editor.write('b.yaml', 'x', { create: false }))).toBe(
      'not-found: There is no b.yaml in the manifest folder.',
    )
    expect(await message(setup.editor.remove('b.yaml'))).toBe(
      'not-found: There is no b.yaml in the manifest folder.',
    )
    expect(await message(setup.editor.write('a.yaml', manifest('a'), { create: false }))).toBe(
      'a.yaml already has exactly this text; nothing was written.',
    )
    expect((await setup.editor.list()).undo).toBeNull()
  })

  const badNames: readonly (readonly [string, string])[] = [
    [
      '../x',
      '"../x" is not a plain file name: a manifest must be directly in the manifest folder.',
    ],
    [
      'a\\b',
      '"a\\\\b" is not a plain file name: a manifest must be directly in the manifest folder.',
    ],
    [
      'a\u0000',
      '"a\\u0000" is not a plain file name: a manifest must be directly in the manifest folder.',
    ],
    ['..', 'A manifest’s name must not begin with a dot: the kubelet ignores "..".'],
    ['.x', 'A manifest’s name must not begin with a dot: the kubelet ignores ".x".'],
    ['', 'A manifest needs a file name.'],
    ['ä'.repeat(128), 'A file name can have at most 255 bytes.'],
  ]
  it.each(badNames)('refuses the name %j', async (name, sentence) => {
    const setup = await EditedFolder.make()
    for (const answer of [
      setup.editor.write(name, 'x', { create: true }),
      setup.editor.remove(name),
      setup.editor.restore(name),
      setup.editor.read(name),
      setup.editor.check(name, 'x'),
    ])
      expect(await answer).toEqual({ ok: false, error: { kind: 'refused', message: sentence } })
    expect(await readdir(setup.root)).toEqual([])
  })

  it('changes neither folders nor links, so that nothing outside is written', async () => {
    const setup = await EditedFolder.make()
    const outside = await mkdtemp(join(tmpdir(), 'manifest-editor-outside-'))
    try {
      await writeFile(join(outside, 'secret'), 'keep')
      await symlink(join(outside, 'secret'), setup.at('link'))
      await mkdir(setup.at('folder'))
      expect(await message(setup.editor.write('link', 'x', { create: false }))).toBe(
        'refused: link is a symbolic link: change or remove its target.',
      )
      expect(await message(setup.editor.remove('folder'))).toBe(
        'refused: folder is a folder, not a manifest.',
      )
      expect(await setup.editor.read('link')).toMatchObject({ ok: false })
      expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('keep')
    } finally {
      await rm(outside, { recursive: true })
    }
  })

  it('changes only the file if the source is a single file', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': manifest('a') }, { single: 'a.yaml' })
    expect(await setup.editor.list()).toMatchObject({
      folder: setup.at('a.yaml'),
      isSingleFile: true,
    })
    expect(await message(setup.editor.write('b.yaml', 'x', { create: true }))).toBe(
      'refused: The kubelet reads only the file a.yaml.',
    )
    await setup.editor.write('a.yaml', manifest('b'), { create: false })
    expect((await setup.file('a.yaml')).podName).toBe('b-n1')
  })

  it('is refused with the reason while no kubelet reads the folder', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': manifest('a') })
    setup.isRunning = false
    setup.waiting = 'The lease is watched.'
    expect((await setup.editor.list()).readOnlyBecause).toBe('The lease is watched.')
    expect(await message(setup.editor.remove('a.yaml'))).toBe('refused: The lease is watched.')
    setup.waiting = ''
    expect(await message(setup.editor.remove('a.yaml'))).toBe(
      'refused: The kubelet of n1 is stopped and does not read it.',
    )
    setup.isRunning = true
    expect(await message(setup.editor.remove('a.yaml'))).toMatch(/^Removed a.yaml/)
  })

  it('is refused with the reason with --read-only', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': manifest('a') }, { readOnly: true })
    expect((await setup.editor.list()).readOnlyBecause).toBe(
      'Nodescope was started with --read-only.',
    )
    for (const answer of [
      setup.editor.write('a.yaml', 'x', { create: false }),
      setup.editor.remove('a.yaml'),
      setup.editor.restore('a.yaml'),
    ])
      expect(await message(answer)).toBe('read-only: Nodescope was started with --read-only.')
    expect(await setup.text('a.yaml')).toBe(manifest('a'))
  })

  it('fails with a sentence if the folder is gone', async () => {
    const setup = await EditedFolder.make({}, { single: 'none/folder' })
    expect((await setup.editor.list()).readOnlyBecause).toBe(
      `${setup.at('none/folder')} cannot be written: it does not exist.`,
    )
    expect(await message(setup.editor.write('a.yaml', 'x', { create: true }))).toBe(
      'failed: a.yaml cannot be written: it does not exist.',
    )
  })
})

describe('undo', () => {
  it('undoes additions, changes and removals, newest first', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': manifest('a') })
    await setup.editor.write('b.yaml', manifest('b'), { create: true })
    await setup.editor.write('a.yaml', broken, { create: false })
    await setup.editor.remove('b.yaml')
    expect((await setup.editor.list()).undo).toMatchObject({ text: 'removed b.yaml' })
    expect(await setup.undoNewest()).toBe('Restored b.yaml. Starts default/b-n1.')
    expect(setup.pods).toEqual(['a-n1', 'b-n1'])
    expect((await setup.editor.list()).undo).toMatchObject({ text: 'changed a.yaml' })
    expect(await setup.undoNewest()).toBe(
      'Restored a.yaml. No change: default/a-n1 has the same content hash.',
    )
    expect(await setup.text('a.yaml')).toBe(manifest('a'))
    expect((await setup.editor.list()).undo).toMatchObject({ text: 'added b.yaml' })
    expect(await setup.undoNewest()).toBe('Removed b.yaml. default/b-n1 is stopped with 7 s grace.')
    expect(await readdir(setup.root)).toEqual(['a.yaml'])
    expect((await setup.editor.list()).undo).toBeNull()
  })

  it('does not undo a change if the file has changed since', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': manifest('a') })
    await setup.editor.write('a.yaml', manifest('a', '', 'x:2'), { create: false })
    await setup.edit('a.yaml', manifest('a', '', 'x:3'))
    expect(await setup.undoNewest()).toBe('a.yaml has changed since, so the change is not undone.')
    expect(await setup.text('a.yaml')).toBe(manifest('a', '', 'x:3'))
  })

  it('continues with the previous change if one cannot be undone any more', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': manifest('a'), 'b.yaml': manifest('b') })
    await setup.editor.remove('b.yaml')
    await setup.editor.write('a.yaml', manifest('a', '', 'x:2'), { create: false })
    await setup.edit('a.yaml', manifest('a', '', 'x:3'))
    await setup.undoNewest()
    expect(await setup.undoNewest()).toBe('Restored b.yaml. Starts default/b-n1.')
  })

  it('undoes a change only once', async () => {
    const setup = await EditedFolder.make()
    await setup.editor.write('a.yaml', manifest('a'), { create: true })
    const { undo } = await setup.editor.list()
    const id = undo?.id ?? 0
    const answers = await Promise.all([setup.editor.undo(id), setup.editor.undo(id)])
    expect(answers.map((answer) => answer.ok)).toEqual([true, false])
    expect(await message(setup.editor.undo(id))).toBe('not-found: This change was already undone.')
  })
})

describe('the last valid version', () => {
  it('is kept while the file is invalid, and can be restored', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': manifest('a') })
    await setup.edit('a.yaml', broken)
    expect(setup.pods).toEqual([])
    expect(await setup.file('a.yaml')).toMatchObject({ state: 'rejected', hasGoodVersion: true })
    expect(await setup.editor.read('a.yaml')).toEqual({
      ok: true,
      value: { name: 'a.yaml', text: broken, goodText: manifest('a') },
    })
    expect(await message(setup.editor.restore('a.yaml'))).toBe(
      'Restored a.yaml. Starts default/a-n1.',
    )
    expect(setup.pods).toEqual(['a-n1'])
    expect(await setup.editor.read('a.yaml')).toMatchObject({ ok: true, value: { goodText: null } })
    expect(await setup.undoNewest()).toMatch(/^Restored a.yaml\. Invalid manifest:/)
    expect(await setup.text('a.yaml')).toBe(broken)
  })

  it('does not exist for a file that was never valid, or was removed and added again', async () => {
    const setup = await EditedFolder.make({ 'a.yaml': broken })
    const sentence = 'refused: No valid version of a.yaml has been read since Nodescope started.'
    expect(await message(setup.editor.restore('a.yaml'))).toBe(sentence)
    await setup.editor.write('a.yaml', manifest('a'), { create: false })
    await setup.editor.remove('a.yaml')
    await setup.editor.write('a.yaml', broken, { create: true })
    expect(await message(setup.editor.restore('a.yaml'))).toBe(sentence)
  })

  it('is not offered for a file that is not text', async () => {
    const setup = await EditedFolder.make()
    await writeFile(setup.at('a'), Buffer.from([0xff, 0xfe, 0]))
    expect(await setup.editor.read('a')).toEqual({
      ok: false,
      error: { kind: 'refused', message: 'a is not UTF-8 text.' },
    })
  })
})
