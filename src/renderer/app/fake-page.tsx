import { act, render } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { userEvent } from '@testing-library/user-event'
import { vi } from 'vitest'
import type { ReactNode } from 'react'
import type { FakeBridge } from '../bridge/fake-bridge.ts'
import { fakeNow } from '../bridge/fake-views.ts'
import type { Store } from '../store/create-store.ts'
import { createStore } from '../store/create-store.ts'
import type { ViewName } from '../store/view-name.ts'
import { StoreProvider } from '../store/store-context.ts'
import { CodeEngineContext } from '../ui/editor/code-engine.ts'
import { App } from './App.tsx'

export interface FakePage {
  readonly store: Store
  readonly user: UserEvent
  readonly memory: Map<string, string>
}

/** happy-dom lays nothing out; the table draws no row into a box without height. */
function giveBoxesASize(): void {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(700)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1400)
}

/** The whole page over a main in memory, after its first snapshot, at `view`; `isFirst`: as a first start shows it. */
export async function openPage(
  bridge: FakeBridge,
  {
    isFirst = false,
    view = 'pods',
    now = fakeNow,
    remembered = [],
    shown = <App />,
  }: {
    readonly isFirst?: boolean
    readonly view?: ViewName
    readonly now?: number
    /** What the page's memory holds from earlier starts. */
    readonly remembered?: readonly (readonly [string, string])[]
    /** In the place of the whole page. */
    readonly shown?: ReactNode
  } = {},
): Promise<FakePage> {
  giveBoxesASize()
  const memory = new Map<string, string>([
    ...(isFirst ? [] : ([['nodescope.seen-start', 'yes']] as const)),
    ...remembered,
  ])
  const store = createStore({
    bridge,
    storage: {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => memory.set(key, value),
    },
    afterPaint: (callback) => queueMicrotask(callback),
    monotonic: () => 0,
    wallClock: () => now,
  })
  const user = userEvent.setup()
  await act(async () => {
    store.start()
    if (!isFirst) store.state.getState().show(view)
    render(
      // The editor wants a browser that lays out; the plain text is read and typed into by the same names.
      <CodeEngineContext value={null}>
        <StoreProvider value={store}>{shown}</StoreProvider>
      </CodeEngineContext>,
    )
    await Promise.resolve()
  })
  return { store, user, memory }
}
