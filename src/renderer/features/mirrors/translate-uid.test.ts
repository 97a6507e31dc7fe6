import { describe, expect, it } from 'vitest'
import { fakeRow, fakeStaticRow } from '../../bridge/fake-views.ts'
import { logFolder, translateUid } from './translate-uid.ts'

const web = fakeStaticRow({
  name: 'web-scope-node-1',
  uid: '4db90dbbbce93ceba5f383ef323ded3f',
  mirrorUid: 'b0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b',
})
const hello = fakeRow({ name: 'hello', uid: 'ea03f05c-548a-4e40-a20c-58c2c8996764' })
const orphan = fakeRow({ name: 'old', uid: 'd1f7c3aa-2b1e-4a6c-9f0d-7b8e6a5c4d3e', kind: 'mirror' })
const rows = [web, hello, orphan]
const here = { cluster: 'sandbox', node: 'scope-node-1' }

describe('a UID', () => {
  it.each([
    ['4db90dbbbce93ceba5f383ef323ded3f', 'static', web],
    ['  B0C6F30E-3a0f-4a53-9a50-e9a7dd9d0d6b\n', 'mirror', web],
    ['b0c6f30e', 'mirror', web],
    ['ea03f05c-548a', 'regular', hello],
    ['d1f7c3aa', 'orphan', orphan],
  ] as const)('%j is found on its side', (typed, kind, row) => {
    expect(translateUid(typed, rows, here)).toMatchObject({ kind, row })
  })

  it.each([
    ['', 'empty'],
    ['b0c6f30', 'short'],
    ['00000000-0000', 'unknown'],
  ])('%j is %s', (typed, kind) => {
    expect(translateUid(typed, rows, here)).toEqual({ kind })
  })

  it('of another node is unknown on this node', () => {
    expect(translateUid('b0c6f30e', rows, { ...here, node: 'scope-node-2' })).toEqual({
      kind: 'unknown',
    })
  })

  it('with an ambiguous prefix is not resolved', () => {
    const twin = fakeRow({ name: 'twin', uid: 'ea03f05c-0000' })
    expect(translateUid('ea03f05c', [hello, twin], here)).toEqual({ kind: 'ambiguous', count: 2 })
    expect(translateUid('ea03f05c-0000', [hello, twin], here)).toMatchObject({ row: twin })
  })

  it('of a mirror leads to the edited static pod, to which the kubelet links it', () => {
    const old = { ...web, key: 'old', uid: 'old-uid', worker: 'TerminatingPod' as const }
    for (const order of [
      [old, web],
      [web, old],
    ])
      expect(translateUid(web.mirrorUid ?? '', order, here)).toMatchObject({
        kind: 'mirror',
        row: web,
      })
  })
})

describe('the log folder', () => {
  it('has the static UID', () => {
    expect(logFolder(web)).toBe(
      '/var/log/pods/default_web-scope-node-1_4db90dbbbce93ceba5f383ef323ded3f/',
    )
  })
})
