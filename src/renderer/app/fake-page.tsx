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

/** happy-dom has no layout, and the table draws no rows without height. */
function giveBoxesASize(): void {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(700)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1400)
}

/** The whole page with a fake main, after its first snapshot, at `view`; `isFirst`: as at the first start. */
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
    /** Preferences stored by earlier starts. */
    readonly remembered?: readonly (readonly [string, string])[]
    /** Rendered instead of the whole page. */
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
      // The editor needs layout; the plain text area has the same accessible names.
      <CodeEngineContext value={null}>
        <StoreProvider value={store}>{shown}</StoreProvider>
      </CodeEngineContext>,
    )
    await Promise.resolve()
  })
  return { store, user, memory }
}
