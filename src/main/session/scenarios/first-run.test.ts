import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { repositoryAssets } from './fake-operator.ts'
import { writeFirstManifests } from './first-run.ts'

let parent: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'first-run-'))
})
afterEach(async () => {
  await rm(parent, { recursive: true })
})

it('creates a missing folder, and leaves no temporary folder behind', async () => {
  const folder = join(parent, 'data/manifests')
  await writeFirstManifests(repositoryAssets, folder)
  expect(await readdir(join(parent, 'data'))).toEqual(['manifests'])
  expect((await readdir(folder)).toSorted()).toEqual(['heartbeat.yaml', 'web.yaml'])
  const text = await readFile(join(folder, 'web.yaml'), 'utf8')
  expect(text.startsWith('# A static pod: the kubelet runs it from this file.')).toBe(true)
})

it('does not change an existing folder, edited or empty', async () => {
  await writeFile(join(parent, 'web.yaml'), 'edited')
  await writeFirstManifests(repositoryAssets, parent)
  expect(await readdir(parent)).toEqual(['web.yaml'])
  await rm(join(parent, 'web.yaml'))
  await writeFirstManifests(repositoryAssets, parent)
  expect(await readdir(parent)).toEqual([])
})
