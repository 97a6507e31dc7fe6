import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyExampleManifests } from './example-manifests.ts'
import { shippedAssets } from './shipped-assets.ts'

let parent: string

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'examples-'))
  mkdirSync(join(parent, 'assets/manifests/static/older'), { recursive: true })
  writeFileSync(join(parent, 'assets/manifests/static/web.yaml'), 'kind: Pod # web\n')
  writeFileSync(join(parent, 'assets/manifests/static/a.yaml'), 'kind: Pod # a\n')
})
afterEach(() => {
  rmSync(parent, { recursive: true })
})

describe('shippedAssets', () => {
  it('lists the files of a folder in order and reads them', async () => {
    const assets = shippedAssets(join(parent, 'assets'))
    expect(await assets.list('manifests/static')).toEqual(['a.yaml', 'web.yaml'])
    expect(await assets.readText('manifests/static/web.yaml')).toBe('kind: Pod # web\n')
    await expect(assets.readText('manifests/none.yaml')).rejects.toThrow('ENOENT')
  })
})

describe('copyExampleManifests', () => {
  it('creates a missing folder, and leaves no temporary folder behind', async () => {
    const folder = join(parent, 'data/manifests')
    await copyExampleManifests(shippedAssets(join(parent, 'assets')), folder)
    expect(readdirSync(join(parent, 'data'))).toEqual(['manifests'])
    expect(readdirSync(folder).sort()).toEqual(['a.yaml', 'web.yaml'])
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe('kind: Pod # a\n')
  })

  it('does not change an existing folder, edited or empty', async () => {
    const folder = join(parent, 'manifests')
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.yaml'), 'edited')
    await copyExampleManifests(shippedAssets(join(parent, 'assets')), folder)
    expect(readdirSync(folder)).toEqual(['a.yaml'])
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe('edited')
    rmSync(join(folder, 'a.yaml'))
    await copyExampleManifests(shippedAssets(join(parent, 'assets')), folder)
    expect(readdirSync(folder)).toEqual([])
  })
})
