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

const stages: Stage[] = []

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.end()
})

function manifest(name: string, more = '', image = 'nginx:1.27'): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}${more}}\nspec:\n  terminationGracePeriodSeconds: 7\n  containers: [{name: c, image: "${image}"}]\n`
}

const broken = 'a: b: c\n'

/** A folder, its source and its desk; the watch says nothing unless the test does. The clock stands. */
class Stage {
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
  readonly desk: ManifestEditor
  /** The pods of the last SET. */
  pods: readonly string[] = []

  readonly nodeName = 'n1'
  isRunning = true
  /** Why no kubelet was started yet. */
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
    this.desk = new ManifestEditor({
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
  ): Promise<Stage> {
    const root = await mkdtemp(join(tmpdir(), 'manifest-desk-'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
    const stage = new Stage(root, single === undefined ? root : join(root, single), readOnly)
    stages.push(stage)
    stage.source.start()
    await stage.clock.advance(0)
    return stage
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

  /** As somebody with an editor: the source reads it when its folder is next read. */
  async edit(name: string, text: string): Promise<void> {
    await writeFile(this.at(name), text)
    await this.clock.advance(20_000)
  }

  async file(name: string): Promise<ManifestFile> {
    const found = (await this.desk.list()).files.find((file) => file.name === name)
    if (found === undefined) throw new Error(`${name} is not listed`)
    return found
  }

  async undoNewest(): Promise<string> {
    const { undo } = await this.desk.list()
    if (undo === null) throw new Error('nothing to undo')
    const done = await this.desk.undo(undo.id)
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
  it('says how each entry of the folder stands', async () => {
    const stage = await Stage.make({
      'a.yaml': manifest('web'),
      'b.yaml.bak': manifest('web', '', 'nginx:2'),
      'c.yaml': broken,
      '.hidden': manifest('hidden'),
    })
    await mkdir(stage.at('d'))
    await stage.clock.advance(20_000)
    const view = await stage.desk.list()
    expect(view).toMatchObject({
      cluster: 'c',
      node: 'n1',
      folder: stage.root,
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
    expect(await stage.file('c.yaml')).toMatchObject({
      problem: { where: stage.at('c.yaml'), line: 1, column: 4 },
      modifiedAt: (await stat(stage.at('c.yaml'))).mtimeMs,
      hasGoodVersion: false,
    })
    expect((await stage.file('b.yaml.bak')).uid).toMatch(/^[0-9a-f]{32}$/)
  })

  it('shows a pod as waiting that another file took away with it', async () => {
    const stage = await Stage.make({ 'a.yaml': manifest('web'), 'b.yaml': manifest('web') })
    await stage.desk.remove('b.yaml')
    expect(await stage.file('a.yaml')).toMatchObject({ state: 'waiting', podName: 'web-n1' })
    await stage.clock.advance(20_000)
    expect(await stage.file('a.yaml')).toMatchObject({ state: 'running' })
  })
})

describe('a check', () => {
  it('says that a new file starts its pod, with the identity that it will have', async () => {
    const stage = await Stage.make()
    const checked = await stage.desk.check('x.yaml', manifest('x', ', namespace: shop'))
    await stage.desk.write('x.yaml', manifest('x', ', namespace: shop'), { create: true })
    const { uid } = await stage.file('x.yaml')
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

  it('names what of the pod is not simulated', async () => {
    const stage = await Stage.make()
    const text = manifest('x').replace('"}]', '", livenessProbe: {tcpSocket: {port: 80}}}]')
    expect(await stage.desk.check('x.yaml', text)).toMatchObject({
      value: {
        ok: true,
        notSimulated: [{ id: 'liveness-probe', field: 'spec.containers[0].livenessProbe' }],
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
    const stage = await Stage.make({
      'a.yaml': manifest('a'),
      'b.yaml': manifest('b', ', uid: "77"'),
    })
    const checked = await stage.desk.check(name, text)
    expect(checked.ok && checked.value.effect).toBe(effect)
  })

  it('names line and column of what is wrong, and the name as its place', async () => {
    const stage = await Stage.make()
    expect(await stage.desk.check('x.yaml', broken)).toMatchObject({
      ok: true,
      value: { ok: false, pod: null, problems: [{ where: 'x.yaml', line: 1, column: 4 }] },
    })
  })

  it('lets a valid manifest pass with what a kubelet passes over in silence', async () => {
    const stage = await Stage.make()
    expect(await stage.desk.check('x', `${manifest('x')}---\nkind: Pod\n`)).toMatchObject({
      ok: true,
      value: { ok: true, problems: [{ where: 'x', line: 7 }] },
    })
  })

  it('says that a single file that is not valid changes nothing', async () => {
    const stage = await Stage.make({ 'a.yaml': manifest('a') }, { single: 'a.yaml' })
    const checked = await stage.desk.check('a.yaml', broken)
    expect(checked.ok && checked.value.effect).toBe(
      'Invalid manifest: default/a-n1 keeps running unchanged.',
    )
  })
})

describe('a change', () => {
  it('is with the kubelet when the answer comes, though the clock stands', async () => {
    const stage = await Stage.make()
    expect(await message(stage.desk.write('x.yaml', manifest('x'), { create: true }))).toBe(
      'Wrote x.yaml. Starts default/x-n1.',
    )
    expect(stage.pods).toEqual(['x-n1'])
    expect(stage.trace.newest(1)).toMatchObject([{ kind: 'manifest.changed', at: 1000 }])
    expect(await message(stage.desk.remove('x.yaml'))).toBe(
      'Removed x.yaml. default/x-n1 is stopped with 7 s grace.',
    )
    expect(stage.pods).toEqual([])
    expect(stage.clock.now()).toBe(1000)
  })

  it('holds the time of the cluster while it is written', async () => {
    const stage = await Stage.make()
    stage.clock.setSpeed(1000)
    stage.clock.run()
    let isWritten = false
    let firedBefore = 0
    const tick = (): void => {
      if (!isWritten) firedBefore++
      if (firedBefore < 1000) stage.clock.after(100, tick)
    }
    stage.clock.after(100, tick)
    await stage.desk.write('x.yaml', manifest('x'), { create: true })
    isWritten = true
    stage.clock.pause()
    // One timer may have been on its way when the change was asked for.
    expect(firedBefore).toBeLessThanOrEqual(1)
  })

  it('leaves nothing but the file, with the rights that it had', async () => {
    const stage = await Stage.make({ 'a.yaml': manifest('a') })
    await chmod(stage.at('a.yaml'), 0o640)
    await stage.desk.write('a.yaml', broken, { create: false })
    expect(await readdir(stage.root)).toEqual(['a.yaml'])
    expect(await stage.text('a.yaml')).toBe(broken)
    expect((await stat(stage.at('a.yaml'))).mode & 0o777).toBe(0o640)
  })

  it('is not made where the file is there already, is not there, or says so already', async () => {
    const stage = await Stage.make({ 'a.yaml': manifest('a') })
    expect(await message(stage.desk.write('a.yaml', 'x', { create: true }))).toBe(
      'refused: a.yaml exists already; choose another name.',
    )
    expect(await message(stage.desk.write('b.yaml', 'x', { create: false }))).toBe(
      'not-found: There is no b.yaml in the manifest folder.',
    )
    expect(await message(stage.desk.remove('b.yaml'))).toBe(
      'not-found: There is no b.yaml in the manifest folder.',
    )
    expect(await message(stage.desk.write('a.yaml', manifest('a'), { create: false }))).toBe(
      'a.yaml already has exactly this text; nothing was written.',
    )
    expect((await stage.desk.list()).undo).toBeNull()
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
  it.each(badNames)('takes no name like %j', async (name, sentence) => {
    const stage = await Stage.make()
    for (const answer of [
      stage.desk.write(name, 'x', { create: true }),
      stage.desk.remove(name),
      stage.desk.restore(name),
      stage.desk.read(name),
      stage.desk.check(name, 'x'),
    ])
      expect(await answer).toEqual({ ok: false, error: { kind: 'refused', message: sentence } })
    expect(await readdir(stage.root)).toEqual([])
  })

  it('touches neither folders nor links, so that nothing outside is written', async () => {
    const stage = await Stage.make()
    const outside = await mkdtemp(join(tmpdir(), 'manifest-desk-outside-'))
    try {
      await writeFile(join(outside, 'secret'), 'keep')
      await symlink(join(outside, 'secret'), stage.at('link'))
      await mkdir(stage.at('folder'))
      expect(await message(stage.desk.write('link', 'x', { create: false }))).toBe(
        'refused: link is a symbolic link: change or remove its target.',
      )
      expect(await message(stage.desk.remove('folder'))).toBe(
        'refused: folder is a folder, not a manifest.',
      )
      expect(await stage.desk.read('link')).toMatchObject({ ok: false })
      expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('keep')
    } finally {
      await rm(outside, { recursive: true })
    }
  })

  it('goes into no other file where the source is a single one', async () => {
    const stage = await Stage.make({ 'a.yaml': manifest('a') }, { single: 'a.yaml' })
    expect(await stage.desk.list()).toMatchObject({
      folder: stage.at('a.yaml'),
      isSingleFile: true,
    })
    expect(await message(stage.desk.write('b.yaml', 'x', { create: true }))).toBe(
      'refused: The kubelet reads only the file a.yaml.',
    )
    await stage.desk.write('a.yaml', manifest('b'), { create: false })
    expect((await stage.file('a.yaml')).podName).toBe('b-n1')
  })

  it('is refused with the reason while the folder is not read yet', async () => {
    const stage = await Stage.make({ 'a.yaml': manifest('a') })
    stage.isRunning = false
    stage.waiting = 'The lease is watched.'
    expect((await stage.desk.list()).readOnlyBecause).toBe('The lease is watched.')
    expect(await message(stage.desk.remove('a.yaml'))).toBe('refused: The lease is watched.')
    stage.waiting = ''
    expect(await message(stage.desk.remove('a.yaml'))).toBe(
      'refused: The kubelet of n1 is stopped and does not read it.',
    )
    stage.isRunning = true
    expect(await message(stage.desk.remove('a.yaml'))).toMatch(/^Removed a.yaml/)
  })

  it('is refused with the reason where Nodescope may only read', async () => {
    const stage = await Stage.make({ 'a.yaml': manifest('a') }, { readOnly: true })
    expect((await stage.desk.list()).readOnlyBecause).toBe(
      'Nodescope was started with --read-only.',
    )
    for (const answer of [
      stage.desk.write('a.yaml', 'x', { create: false }),
      stage.desk.remove('a.yaml'),
      stage.desk.restore('a.yaml'),
    ])
      expect(await message(answer)).toBe('read-only: Nodescope was started with --read-only.')
    expect(await stage.text('a.yaml')).toBe(manifest('a'))
  })

  it('fails in a sentence where the folder is gone', async () => {
    const stage = await Stage.make({}, { single: 'none/folder' })
    expect((await stage.desk.list()).readOnlyBecause).toBe(
      `${stage.at('none/folder')} cannot be written: it does not exist.`,
    )
    expect(await message(stage.desk.write('a.yaml', 'x', { create: true }))).toBe(
      'failed: a.yaml cannot be written: it does not exist.',
    )
  })
})

describe('undo', () => {
  it('takes back what was added, changed and removed, newest first', async () => {
    const stage = await Stage.make({ 'a.yaml': manifest('a') })
    await stage.desk.write('b.yaml', manifest('b'), { create: true })
    await stage.desk.write('a.yaml', broken, { create: false })
    await stage.desk.remove('b.yaml')
    expect((await stage.desk.list()).undo).toMatchObject({ text: 'removed b.yaml' })
    expect(await stage.undoNewest()).toBe('Restored b.yaml. Starts default/b-n1.')
    expect(stage.pods).toEqual(['a-n1', 'b-n1'])
    expect((await stage.desk.list()).undo).toMatchObject({ text: 'changed a.yaml' })
    expect(await stage.undoNewest()).toBe(
      'Restored a.yaml. No change: default/a-n1 has the same content hash.',
    )
    expect(await stage.text('a.yaml')).toBe(manifest('a'))
    expect((await stage.desk.list()).undo).toMatchObject({ text: 'added b.yaml' })
    expect(await stage.undoNewest()).toBe('Removed b.yaml. default/b-n1 is stopped with 7 s grace.')
    expect(await readdir(stage.root)).toEqual(['a.yaml'])
    expect((await stage.desk.list()).undo).toBeNull()
  })

  it('leaves a file alone that somebody else has changed since', async () => {
    const stage = await Stage.make({ 'a.yaml': manifest('a') })
    await stage.desk.write('a.yaml', manifest('a', '', 'x:2'), { create: false })
    await stage.edit('a.yaml', manifest('a', '', 'x:3'))
    expect(await stage.undoNewest()).toBe('a.yaml has changed since, so the change is not undone.')
    expect(await stage.text('a.yaml')).toBe(manifest('a', '', 'x:3'))
  })

  it('goes on with the change before, once one cannot be taken back any more', async () => {
    const stage = await Stage.make({ 'a.yaml': manifest('a'), 'b.yaml': manifest('b') })
    await stage.desk.remove('b.yaml')
    await stage.desk.write('a.yaml', manifest('a', '', 'x:2'), { create: false })
    await stage.edit('a.yaml', manifest('a', '', 'x:3'))
    await stage.undoNewest()
    expect(await stage.undoNewest()).toBe('Restored b.yaml. Starts default/b-n1.')
  })

  it('happens once, however often it is asked for', async () => {
    const stage = await Stage.make()
    await stage.desk.write('a.yaml', manifest('a'), { create: true })
    const { undo } = await stage.desk.list()
    const id = undo?.id ?? 0
    const answers = await Promise.all([stage.desk.undo(id), stage.desk.undo(id)])
    expect(answers.map((answer) => answer.ok)).toEqual([true, false])
    expect(await message(stage.desk.undo(id))).toBe('not-found: This change was already undone.')
  })
})

describe('the version that was last good', () => {
  it('is kept while the file is broken, and put back', async () => {
    const stage = await Stage.make({ 'a.yaml': manifest('a') })
    await stage.edit('a.yaml', broken)
    expect(stage.pods).toEqual([])
    expect(await stage.file('a.yaml')).toMatchObject({ state: 'rejected', hasGoodVersion: true })
    expect(await stage.desk.read('a.yaml')).toEqual({
      ok: true,
      value: { name: 'a.yaml', text: broken, goodText: manifest('a') },
    })
    expect(await message(stage.desk.restore('a.yaml'))).toBe(
      'Restored a.yaml. Starts default/a-n1.',
    )
    expect(stage.pods).toEqual(['a-n1'])
    expect(await stage.desk.read('a.yaml')).toMatchObject({ ok: true, value: { goodText: null } })
    expect(await stage.undoNewest()).toMatch(/^Restored a.yaml\. Invalid manifest:/)
    expect(await stage.text('a.yaml')).toBe(broken)
  })

  it('is not known of a file that never was valid, nor of one that was removed and came again', async () => {
    const stage = await Stage.make({ 'a.yaml': broken })
    const sentence = 'refused: No valid version of a.yaml has been read since Nodescope started.'
    expect(await message(stage.desk.restore('a.yaml'))).toBe(sentence)
    await stage.desk.write('a.yaml', manifest('a'), { create: false })
    await stage.desk.remove('a.yaml')
    await stage.desk.write('a.yaml', broken, { create: true })
    expect(await message(stage.desk.restore('a.yaml'))).toBe(sentence)
  })

  it('is not offered for what is no text', async () => {
    const stage = await Stage.make()
    await writeFile(stage.at('a'), Buffer.from([0xff, 0xfe, 0]))
    expect(await stage.desk.read('a')).toEqual({
      ok: false,
      error: { kind: 'refused', message: 'a is not UTF-8 text.' },
    })
  })
})
