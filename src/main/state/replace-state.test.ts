import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../kubelet/container/fake-log.ts'
import { openState } from './open-state.ts'
import { exportState, importState, resetState } from './replace-state.ts'
import type { StatePlaces } from './replace-state.ts'

let folder: string
let places: StatePlaces

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-state-file-'))
  places = {
    path: join(folder, 'state'),
    version: '1.0.0',
    log: new FakeLog(),
    manifestFolder: (node) => join(folder, `manifests-${node}`),
  }
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const map = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', uid: 'u1', resourceVersion: '12' },
  data: { text: 'one\n---\ntwo\n' },
}

async function keep(): Promise<void> {
  const state = await openState(places)
  if (!state.ok) throw new Error(state.error)
  const writer = state.value.writer({ seed: 3, nodes: ['n1', 'n2'], now: 1234 })
  writer.record({ resource: 'configmaps', object: map, change: 'ADDED', resourceVersion: 12 })
  await writer.close()
  await mkdir(join(folder, 'manifests-n1'))
  await writeFile(join(folder, 'manifests-n1', 'web.yaml'), 'kind: Pod\n')
}

async function exported(): Promise<string> {
  const text = await exportState(places)
  if (!text.ok) throw new Error(text.error)
  return text.value
}

describe('a state file', () => {
  it('brings everything back', async () => {
    await keep()
    const text = await exported()
    await rm(join(folder, 'state'), { recursive: true })
    await rm(join(folder, 'manifests-n1'), { recursive: true })
    expect(await importState(places, 'f.yaml', text)).toEqual({
      ok: true,
      value: "The sandbox's state was replaced by f.yaml.",
    })
    expect(await exported()).toBe(text)
    expect(await readFile(join(folder, 'manifests-n1', 'web.yaml'), 'utf8')).toBe('kind: Pod\n')
    const state = await openState(places)
    if (!state.ok) throw new Error(state.error)
    await state.value.close()
    expect(state.value.kept?.meta).toMatchObject({ seed: 3, nodes: ['n1', 'n2'], now: 1234 })
    expect(state.value.kept?.objects).toEqual([{ resource: 'configmaps', object: map }])
  })

  it('moves aside what was there', async () => {
    await keep()
    const imported = await importState(places, 'f.yaml', await exported())
    expect(imported).toEqual({
      ok: true,
      value: `The sandbox's state was replaced by f.yaml. What was there before is in ${places.path}-before-1, ${folder}/manifests-n1-before-1.`,
    })
    expect(await readdir(join(folder, 'manifests-n1-before-1'))).toEqual(['web.yaml'])
  })

  it('says that there is no state yet', async () => {
    expect(await exportState(places)).toEqual({
      ok: false,
      error: `There is no state in ${places.path} yet: start a sandbox first.`,
    })
  })

  const broken: readonly (readonly [string, (text: string) => string, string])[] = [
    [
      'a scenario',
      () => 'apiVersion: nodescope.dev/v1alpha1\nkind: Scenario\n',
      'f.yaml:1: This is no state file: it does not begin with kind: State of nodescope.dev/v1alpha1. A scenario is opened with --scenario.',
    ],
    ['nothing', () => '', 'This is no state file'],
    [
      'a later format',
      (text) => text.replace('format: 1', 'format: 7'),
      'f.yaml:1:1: This file was written by Nodescope 1.0.0 (format 7); this version reads format 1.',
    ],
    [
      'a time that is none',
      (text) => text.replace('now: 1234', 'now: noon'),
      'f.yaml:12:8: spec.now needs a number of at least 0.',
    ],
    [
      'an unknown kind',
      (text) => text.replace('kind: ConfigMap', 'kind: Widget'),
      'f.yaml:22:1: Widget a: The sandbox has no objects of kind v1 Widget.',
    ],
    [
      'an object without UID',
      (text) => text.replace('  uid: u1\n', ''),
      'f.yaml:25:3: ConfigMap a: metadata.uid is missing.',
    ],
    [
      'an unknown field',
      (text) => text.replace('\ndata:', '\ndate:'),
      'f.yaml:22:1: ConfigMap a: ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "date".',
    ],
    [
      'an object twice',
      (text) => `${text}---\n${text.slice(text.indexOf('apiVersion: v1\n'))}`,
      'ConfigMap default/a is there twice.',
    ],
    [
      'a manifest outside of its folder',
      (text) => text.replace('file: web.yaml', 'file: ../web.yaml'),
      'spec.file needs a file name.',
    ],
    ['broken YAML', (text) => text.replace('kind: ConfigMap', 'kind: [ConfigMap'), 'f.yaml:2'],
  ]

  it.each(broken)('with %s is refused, and nothing changes', async (_name, change, sentence) => {
    await keep()
    const text = await exported()
    const imported = await importState(places, 'f.yaml', change(text))
    expect(imported).toMatchObject({ ok: false, error: expect.stringContaining(sentence) })
    expect((await readdir(folder)).toSorted()).toEqual(['manifests-n1', 'state'])
    expect(await exported()).toBe(text)
  })
})

describe('resetState', () => {
  it('moves the state aside', async () => {
    expect(await resetState(places)).toBe('There was no state to reset.')
    await keep()
    expect(await resetState(places)).toBe(
      `A new sandbox starts. The old state is in ${places.path}-before-1.`,
    )
    expect((await readdir(folder)).toSorted()).toEqual(['manifests-n1', 'state-before-1'])
  })
})
