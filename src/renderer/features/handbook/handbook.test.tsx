import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { anchors, pages } from '../../../shared/handbook/anchors.ts'
import type { Anchor } from '../../../shared/handbook/anchors.ts'
import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { openPage } from '../../app/fake-page.tsx'
import type { FakePage } from '../../app/fake-page.tsx'
import { FakeBridge } from '../../bridge/fake-bridge.ts'
import { fakeDetail, fakeRow, fakeNow } from '../../bridge/fake-views.ts'
// The page loads them lazily; imported here, no test waits for their transformation.
import './HandbookPanel.tsx'
import './HandbookView.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const hello = fakeRow({ name: 'hello' })
const loop: Anchor = 'pod-workers#worker-loop'
const order = Object.keys(anchors)

const signalled: TraceEvent = {
  seq: 7,
  at: fakeNow - 4000,
  kind: 'container.signalled',
  cluster: 'sandbox',
  node: 'scope-node-1',
  subject: { kind: 'pod', uid: hello.uid, namespace: 'default', name: 'hello' },
  causes: [],
  data: { container: 'main', containerId: 'containerd://1', signal: 'SIGTERM' },
}

async function withPod(detail: Partial<PodDetail> = {}): Promise<FakePage> {
  const bridge = new FakeBridge({ rows: [hello] })
  bridge.tell(fakeDetail(hello, detail))
  const page = await openPage(bridge)
  await act(async () => {
    page.store.state.getState().openDrawer(hello.key)
    await Promise.resolve()
  })
  return page
}

/** By a selector: a query by role would search the whole page at every change. */
async function panel(): Promise<HTMLElement> {
  return await waitFor(() => {
    const field = document.querySelector('aside[aria-label="Handbook"] input')
    const found = field?.closest('aside')
    if (!(found instanceof HTMLElement)) throw new Error('the handbook is not open')
    return found
  })
}

describe('the handbook panel', () => {
  it('opens from a badge, which stays marked; Esc closes it and restores the focus', async () => {
    const { user, store } = await withPod()
    const badge = screen.getByRole('link', { name: 'Queries, handbook' })
    expect(badge.title).toBe('Open the handbook: Pod workers: Queries')
    await user.click(badge)
    const handbook = await panel()
    const article = within(handbook).getByLabelText('Queries')
    await waitFor(() => {
      expect(document.activeElement).toBe(article)
    })
    expect(badge.getAttribute('aria-current')).toBe('true')
    expect(store.state.getState()).toMatchObject({ isDrawerOpen: true, view: 'pods' })
    await user.keyboard('{Escape}')
    expect(handbook.isConnected).toBe(false)
    expect(document.activeElement).toBe(badge)
    expect(store.state.getState().isDrawerOpen).toBe(true)
  })

  it('leaves the search when a section is opened, even the same section again', async () => {
    const { user } = await withPod()
    const badge = screen.getByRole('link', { name: 'Queries, handbook' })
    await user.click(badge)
    await panel()
    await user.keyboard('/pleg')
    expect(screen.queryByLabelText('Queries')).toBeNull()
    await user.click(badge)
    expect(screen.getByLabelText('Queries')).toBeTruthy()
  })

  it('opens and closes with H, first at the contents and then at the last section', async () => {
    const { user, store } = await withPod()
    await user.keyboard('h')
    const contents = await screen.findByLabelText('Contents of the handbook')
    const titles = [...Object.values(pages), ...Object.values(anchors)]
    expect([...contents.querySelectorAll('a')].length).toBe(titles.length)
    for (const title of titles) expect(contents.textContent).toContain(title)
    await user.click(within(contents).getByText(anchors[loop]))
    await screen.findByLabelText(anchors[loop])
    await user.keyboard('h')
    expect(screen.queryByLabelText('Handbook', { selector: 'aside' })).toBeNull()
    await user.keyboard('h')
    expect(await screen.findByLabelText(anchors[loop])).toBeTruthy()
    expect(store.state.getState().section).toBe(loop)
  })

  it('opens the previous and the next section, and Back returns', async () => {
    const { user, store } = await withPod()
    act(() => store.state.getState().openSection(loop))
    await panel()
    await user.keyboard(']')
    expect(store.state.getState().section).toBe(order[order.indexOf(loop) + 1])
    await user.keyboard('[[[[')
    expect(store.state.getState().section).toBe(order[order.indexOf(loop) - 1])
    const back = screen.getByLabelText('Back to the section before')
    await user.click(back)
    expect(store.state.getState().section).toBe(loop)
    await user.click(back)
    expect(back.getAttribute('aria-disabled')).toBe('true')
  })

  it('lists the events of the selected pod that its section explains, and shows one in the history', async () => {
    const { user } = await withPod({ trace: [{ ...signalled, seq: 8, at: fakeNow }, signalled] })
    await user.keyboard('h')
    await panel()
    await user.click(await screen.findByText('Stopping containers'))
    const seen = await screen.findByLabelText('Seen in hello')
    expect(
      within(seen)
        .getAllByRole('listitem')
        .map((line) => line.textContent?.slice(0, 12)),
    ).toEqual(['14:02:27.480', '14:02:31.480'])
    expect(seen.textContent).toContain('2 trace events')
    await user.click(within(seen).getByRole('button', { name: 'Show event 7 in the history' }))
    const history = await screen.findByLabelText('History', { selector: 'section' })
    const event = await within(history).findByRole('button', { name: 'Event 7', current: true })
    expect(document.activeElement).toBe(event)
  })

  it('marks the sections that describe the selected pod', async () => {
    const { user, store } = await withPod()
    await user.keyboard('h')
    const contents = await screen.findByLabelText('Contents of the handbook')
    const marked = [...contents.querySelectorAll('a')]
      .filter(({ textContent }) => textContent.includes('hello is here'))
      .map(({ textContent }) => textContent.replace('hello is here', ''))
    expect(marked).toEqual(['API source', 'Sync functions', 'Runtime sync'])
    act(() => store.state.getState().openSection('containers#runtime-sync'))
    expect((await panel()).querySelector('article')?.textContent).toContain('hello is here')
  })

  it('says if no event belongs to its section, and if no pod is selected', async () => {
    const { store } = await withPod({ trace: [signalled] })
    act(() => store.state.getState().openSection('images#pulling'))
    expect(await screen.findByText(/None of this pod’s recorded events/)).toBeTruthy()
    act(() => {
      store.state.getState().closeDrawer()
      store.state.getState().moveCursor(null)
    })
    expect(screen.getByText(/Choose a pod/)).toBeTruthy()
  })
})

describe('the Handbook view', () => {
  it('opens from the rail, with a key and from the palette', async () => {
    const { user, store } = await openPage(new FakeBridge())
    const views = screen.getByRole('navigation', { name: 'Views' })
    await user.click(within(views).getByRole('button', { name: 'Handbook' }))
    expect(store.state.getState().view).toBe('handbook')
    expect(await screen.findByLabelText('Search the handbook')).toBeTruthy()
    await user.keyboard('19')
    expect(store.state.getState().view).toBe('handbook')
    await user.keyboard('1{Control>}k{/Control}go to handb{Enter}')
    expect(store.state.getState().view).toBe('handbook')
  })

  it('shows the section that was open in the panel', async () => {
    const { user, store } = await withPod()
    act(() => store.state.getState().openSection(loop))
    await user.click(await screen.findByLabelText('Show the handbook in full'))
    expect(await screen.findByLabelText(anchors[loop])).toBeTruthy()
    expect(store.state.getState()).toMatchObject({ view: 'handbook', isHandbookOpen: false })
  })

  it('is searched with / and the arrows; Enter opens a result, Shift+Enter opens it next to the pods', async () => {
    const { user, store } = await openPage(new FakeBridge(), { view: 'handbook' })
    const field = await screen.findByLabelText('Search the handbook')
    await user.keyboard('/worker loop')
    expect(document.activeElement).toBe(field)
    const [first] = within(screen.getByLabelText('Results')).getAllByRole('option')
    expect(first?.textContent).toContain(`Pod workers › ${anchors[loop]}`)
    expect(field.getAttribute('aria-activedescendant')).toBe(first?.id)
    await user.keyboard('{ArrowDown}{ArrowUp}{Enter}')
    expect(store.state.getState()).toMatchObject({ view: 'handbook', section: loop })
    expect(screen.queryByLabelText('Results')).toBeNull()
    await user.type(field, 'pleg{Shift>}{Enter}{/Shift}')
    expect(store.state.getState()).toMatchObject({
      view: 'pods',
      isHandbookOpen: true,
      section: 'containers#pleg',
    })
  })

  it('reports no matches; Esc clears the search', async () => {
    const { user } = await openPage(new FakeBridge(), { view: 'handbook' })
    const field = await screen.findByLabelText('Search the handbook')
    await user.type(field, 'qqqq')
    expect(screen.getByText('No section has all of these words.')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(screen.getByLabelText('Pages')).toBeTruthy()
  })
})
