import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FakePage } from '../../app/fake-page.tsx'
import { openPage } from '../../app/fake-page.tsx'
import type { FakeBridgeStart } from '../../bridge/fake-bridge.ts'
import { fakeNodes } from '../../bridge/fake-nodes.ts'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import {
  fakeCluster,
  fakeDetail,
  fakeRow,
  fakeStaticRow,
  fakeNow,
} from '../../bridge/fake-views.ts'
import { err } from '../../../shared/result.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const web = fakeStaticRow({
  name: 'web-scope-node-1',
  mirrorUid: 'b0c6f30e-3a0f-4a53-9a50-e9a7dd9d0d6b',
})
const loud = fakeRow({ name: 'loud' })
const hello = fakeRow({ name: 'hello' })

interface Started extends FakePage {
  readonly bridge: FakeBridge
}

async function started(start: FakeBridgeStart): Promise<Started> {
  const bridge = new FakeBridge(start)
  return { bridge, ...(await openPage(bridge, { isFirst: true })) }
}

function lesson(title: string): HTMLElement {
  const found = screen
    .getAllByRole('listitem')
    .find((item) => within(item).queryByRole('heading', { name: new RegExp(title) }) !== null)
  if (found === undefined) throw new Error(`no lesson ${title}`)
  return found
}

describe('deleting a mirror', () => {
  it('happens at once, and shows both UIDs and the unchanged start time', async () => {
    const { bridge, user } = await started({ rows: [web] })
    const card = lesson('Delete a mirror pod')
    await user.click(within(card).getByRole('button', { name: 'Do it for me' }))
    expect(bridge.sentArgs('pod.deleteMirror')).toEqual([{ key: web.key, force: false }])
    expect(within(card).getByRole('status').textContent).toContain('b0c6f30e…0d6b')
    act(() => bridge.patch({ upserts: [{ ...web, mirror: 'missing', mirrorUid: null }] }))
    expect(within(card).queryByRole('button', { name: 'Again' })).toBeNull()
    await act(async () => {
      bridge.patch({ upserts: [{ ...web, mirrorUid: '52b9fd1c-5ad3-4f31-8a7e-0a7a3c2c93f7' }] })
      await Promise.resolve()
    })
    expect(within(card).getByRole('status').textContent).toBe(
      'b0c6f30e…0d6b→52b9fd1c…93f7container started 13:28:31, before and after',
    )
    expect(within(card).getByRole('button', { name: 'Again' })).toBeTruthy()
  })

  it('shows why it was refused', async () => {
    const { bridge, user } = await started({ rows: [web] })
    bridge.actAnswer = () => err({ kind: 'refused', message: 'The API server is away.' })
    const card = lesson('Delete a mirror pod')
    await user.click(within(card).getByRole('button', { name: 'Do it for me' }))
    expect(within(card).getByRole('status').textContent).toBe('The API server is away.')
  })

  it('opens the dialog on a real cluster', async () => {
    const clock = { now: fakeNow, virtual: false, paused: false, speed: 1, achieved: null }
    const cluster = fakeCluster({ kind: 'joined', clock })
    const { bridge, user } = await started({ rows: [web], clusters: [cluster] })
    const card = lesson('Delete a mirror pod')
    await user.click(within(card).getByRole('button', { name: 'Delete the mirror…' }))
    expect(await screen.findByRole('dialog')).toBeTruthy()
    expect(bridge.sentArgs('pod.deleteMirror')).toEqual([])
    expect(screen.queryByRole('heading', { name: /Stop the clock/ })).toBeNull()
    expect(screen.getByRole('heading', { name: /Edit a manifest/ })).toBeTruthy()
  })

  it('is refused in read-only mode, with the reason', async () => {
    const { bridge, user } = await started({ rows: [web], readOnly: true })
    const button = within(lesson('Delete a mirror pod')).getByRole('button', {
      name: 'Do it for me',
    })
    expect(button.title).toContain('--read-only')
    await user.click(button)
    expect(bridge.sentArgs('pod.deleteMirror')).toEqual([])
  })
})

it('lessons use the pods of another node when the shown one has none', async () => {
  const elsewhere = { ...web, node: 'scope-node-2', key: `sandbox/scope-node-2/${web.uid}` }
  await started({ rows: [elsewhere], clusters: [fakeNodes(3)] })
  expect(within(lesson('Delete a mirror pod')).getByText(/web-scope-node-1/)).toBeTruthy()
})

describe('counting down a grace period', () => {
  async function begun(): Promise<Started> {
    const page = await started({ rows: [loud, hello] })
    const card = lesson('Count down a grace period')
    await page.user.click(within(card).getByRole('button', { name: 'Do it for me' }))
    const grace = { seconds: 5, startedAt: fakeNow, killAt: fakeNow + 5000 }
    act(() => page.bridge.patch({ upserts: [{ ...loud, worker: 'TerminatingPod', grace }] }))
    return page
  }

  it('counts from SIGTERM to SIGKILL', async () => {
    const { bridge } = await begun()
    expect(bridge.sentArgs('pod.delete')).toEqual([{ key: loud.key, gracePeriodSeconds: 5 }])
    const card = lesson('Count down a grace period')
    expect(within(card).getByRole('status').textContent).toBe('5 sto SIGKILL')
    act(() => bridge.patch({ now: { sandbox: fakeNow + 3000 } }))
    expect(within(card).getByRole('status').textContent).toBe('2 sto SIGKILL')
    expect(within(card).getByText(/loud ignores SIGTERM/)).toBeTruthy()
  })

  it('shows the exit code and how to recreate loud, and offers another pod', async () => {
    const { bridge, user } = await begun()
    const subject = { kind: 'pod', uid: loud.uid, namespace: 'default', name: 'loud' } as const
    const grace = { seconds: 5, startedAt: fakeNow, killAt: fakeNow + 5000 }
    act(() =>
      bridge.tell(
        fakeDetail(
          { ...loud, grace },
          {
            trace: [
              {
                subject,
                seq: 9,
                at: fakeNow + 5000,
                cluster: 'sandbox',
                node: 'scope-node-1',
                causes: [],
                kind: 'container.exited',
                data: { container: 'loud', containerId: 'c', exitCode: 137, reason: 'Error' },
              },
            ],
          },
        ),
      ),
    )
    act(() => bridge.patch({ removed: [loud.key] }))
    const card = lesson('Count down a grace period')
    expect(within(card).getByRole('status').textContent).toBe(
      'loud exited with code 137: SIGKILL. Its object is gone.',
    )
    expect(card.textContent).toContain('kubectl run loud --image=busybox:1.36')
    await user.click(within(card).getByRole('button', { name: 'Try it with hello' }))
    expect(bridge.sentArgs('pod.delete').at(-1)).toEqual({
      key: hello.key,
      gracePeriodSeconds: 5,
    })
  })

  it('shows no exit code that was not observed', async () => {
    const { bridge } = await begun()
    act(() => bridge.patch({ removed: [loud.key] }))
    expect(within(lesson('Count down a grace period')).getByRole('status').textContent).toBe(
      'loud has stopped, and its object is gone.',
    )
  })
})

describe('stopping the clock', () => {
  it('uses the clock’s buttons, and keeps the outcome', async () => {
    const { bridge, user } = await started({ rows: [web] })
    const card = lesson('Stop the clock')
    await user.click(within(card).getByRole('button', { name: 'Pause it' }))
    await user.click(within(card).getByRole('button', { name: 'Step on' }))
    expect(bridge.sentArgs('clock.step').length).toBe(1)
    expect(within(card).getByRole('status').textContent).toBe('No event: no timer is due.')
    await user.click(within(card).getByRole('button', { name: 'Run it' }))
    expect(within(card).getByRole('status').textContent).toBe(
      '1 step taken, and the clock runs again.',
    )
  })

  it('keeps its outcome while another view is shown', async () => {
    const { user } = await started({ rows: [web] })
    await user.click(within(lesson('Stop the clock')).getByRole('button', { name: 'Step on' }))
    await user.click(screen.getByRole('button', { name: 'Pods' }))
    await user.click(screen.getByRole('button', { name: 'kubectl access' }))
    expect(within(lesson('Stop the clock')).getByRole('status').textContent).toContain('No event')
  })
})
