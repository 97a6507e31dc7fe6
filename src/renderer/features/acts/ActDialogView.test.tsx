import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeRow, fakeStaticRow } from '../../bridge/fake-views.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const loud = fakeRow({ name: 'loud' })
const web = fakeStaticRow({ name: 'web-scope-node-1' })

async function openPods(bridge: FakeBridge): Promise<Awaited<ReturnType<typeof openPage>>> {
  const page = await openPage(bridge)
  page.store.state.getState().show('pods')
  await screen.findByRole('grid', { name: 'Pods' })
  return page
}

describe('the deletion dialogs', () => {
  it('delete with the chosen grace, opened by D', async () => {
    const bridge = new FakeBridge({ rows: [loud] })
    const { user } = await openPods(bridge)
    await user.keyboard('jd')
    const dialog = await screen.findByRole('dialog', { name: 'Delete' })
    expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(
      await within(dialog).findByRole('figure', { name: /SIGTERM at 0 s, SIGKILL at 30 s/ }),
    ).toBeTruthy()
    await user.click(within(dialog).getByRole('radio', { name: '5' }))
    await user.click(within(dialog).getByRole('button', { name: 'Delete, 5 s grace' }))
    expect(bridge.sentArgs('pod.delete')).toEqual([{ key: loud.key, gracePeriodSeconds: 5 }])
  })

  it('delete by force, opened by Shift+D', async () => {
    const bridge = new FakeBridge({ rows: [loud] })
    const { user } = await openPods(bridge)
    await user.keyboard('j{Shift>}d{/Shift}')
    const dialog = await screen.findByRole('dialog', { name: 'Delete by force' })
    await user.click(await within(dialog).findByRole('button', { name: 'Delete by force' }))
    expect(bridge.sentArgs('pod.forceDelete')).toEqual([{ key: loud.key }])
  })

  it('delete a static pod’s mirror, which the kubelet recreates, with the focus on Cancel', async () => {
    const bridge = new FakeBridge({ rows: [web] })
    const { user } = await openPods(bridge)
    await user.keyboard('jd')
    const dialog = await screen.findByRole('dialog', { name: 'Delete the mirror pod' })
    const act = await within(dialog).findByRole('button', { name: 'Delete mirror' })
    expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(within(dialog).getByText('The kubelet recreates it.')).toBeTruthy()
    expect(
      within(dialog).getByRole('figure', { name: /new mirror: new UID, same hash/ }),
    ).toBeTruthy()
    await user.click(act)
    expect(bridge.sentArgs('pod.deleteMirror')).toEqual([{ key: web.key, force: false }])
  })

  it('delete a mirror by force after showing how long it is missing', async () => {
    const bridge = new FakeBridge({ rows: [web] })
    const { user } = await openPods(bridge)
    await user.keyboard('jd')
    const dialog = await screen.findByRole('dialog', { name: 'Delete the mirror pod' })
    await user.click(await within(dialog).findByRole('radio', { name: 'Force, grace 0' }))
    expect(within(dialog).getByText(/for up to 91 s the pod runs/)).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Delete mirror by force' }))
    expect(bridge.sentArgs('pod.deleteMirror')).toEqual([{ key: web.key, force: true }])
  })
})
