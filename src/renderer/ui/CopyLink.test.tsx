import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../app/fake-page.tsx'
import { FakeBridge } from '../bridge/fake-bridge.ts'
import { fakeRow } from '../bridge/fake-views.ts'
import { linkTo } from './CopyLink.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const loud = fakeRow({ name: 'loud', uid: 'u-1' })

describe('the link to a pod', () => {
  it('is its address without open tabs and without the token', () => {
    expect(linkTo(loud, 'web', 'http://127.0.0.1:1234/?x#token')).toBe(
      'http://127.0.0.1:1234/?x#/pods/sandbox/scope-node-1/u-1',
    )
  })

  it('is the command that opens it if the page has no address', () => {
    expect(linkTo(loud, 'electron', 'file:///x/index.html')).toBe('npm start -- --pod default/loud')
  })

  it('is copied from the pod’s panel', async () => {
    const { user } = await openPage(new FakeBridge({ rows: [loud] }))
    await user.click(screen.getByRole('row', { name: 'default/loud' }))
    await user.click(await screen.findByRole('button', { name: 'Copy link' }))
    expect(await screen.findByText('Copied')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toMatch(/#\/pods\/sandbox\/scope-node-1\/u-1$/)
  })
})
