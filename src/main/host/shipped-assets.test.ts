import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shippedAssets } from './shipped-assets.ts'

let parent: string

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'assets-'))
  mkdirSync(join(parent, 'scenarios/restarts'), { recursive: true })
  writeFileSync(join(parent, 'scenarios/b.yaml'), 'kind: Scenario # b\n')
  writeFileSync(join(parent, 'scenarios/a.yaml'), 'kind: Scenario # a\n')
})
afterEach(() => {
  rmSync(parent, { recursive: true })
})

describe('shippedAssets', () => {
  it('lists the files of a folder in order and reads them', async () => {
    const assets = shippedAssets(parent)
    expect(await assets.list('scenarios')).toEqual(['a.yaml', 'b.yaml'])
    expect(await assets.readText('scenarios/b.yaml')).toBe('kind: Scenario # b\n')
    await expect(assets.readText('scenarios/none.yaml')).rejects.toThrow('ENOENT')
  })
})
