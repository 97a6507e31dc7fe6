import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { OpenedBefore } from './opened-before.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-opened-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const load = (): Promise<OpenedBefore> => OpenedBefore.load(folder, new FakeLog())

describe('the certificates of kubelets that the user accepted', () => {
  it('are kept for each cluster, in a file for this user alone, until they are revoked', async () => {
    const before = await load()
    expect(before.certificatesOf('c1').size).toBe(0)
    await before.accept('c1', 'n1', 'AA')
    await before.accept('c1', 'n2', 'BB')
    await before.accept('c2', 'n1', 'CC')
    const { mode } = await stat(join(folder, 'opened-kubeconfigs.json'))
    expect(mode & 0o777).toBe(0o600)
    const again = await load()
    expect([...again.certificatesOf('c1')]).toEqual([
      ['n1', 'AA'],
      ['n2', 'BB'],
    ])
    await again.accept('c1', 'n1', null)
    await again.accept('c2', 'n1', null)
    const last = await load()
    expect([...last.certificatesOf('c1')]).toEqual([['n2', 'BB']])
    expect(last.certificatesOf('c2').size).toBe(0)
  })

  it('stay when a context is opened or a kubeconfig is forgotten', async () => {
    const before = await load()
    await before.accept('c1', 'n1', 'AA')
    await before.note({
      kubeconfig: '/k',
      file: '/k',
      context: 'x',
      at: 1,
      cluster: 'c1',
      color: 1,
      plugin: undefined,
    })
    await before.forget('/k')
    expect([...(await load()).certificatesOf('c1')]).toEqual([['n1', 'AA']])
  })
})
