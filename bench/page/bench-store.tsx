import { createRoot } from 'react-dom/client'
import { App } from '../../src/renderer/app/App.tsx'
import type { FakeBridge } from '../../src/renderer/bridge/fake-bridge.ts'
import { afterPaint } from '../../src/renderer/store/feeds/after-paint.ts'
import type { Store } from '../../src/renderer/store/create-store.ts'
import { createStore } from '../../src/renderer/store/create-store.ts'
import { StoreProvider } from '../../src/renderer/store/store-context.ts'
import '../../src/renderer/styles/base.css'
import '../../src/renderer/styles/tokens.css'

/** How often the hub sends patches. */
export const patchMs = 33

/** Shows the program's page with a main process in memory, at the table of pods. */
export function showPage(bridge: FakeBridge): Store {
  const store = createStore({
    bridge,
    storage: { getItem: () => null, setItem: () => undefined },
    afterPaint,
    monotonic: () => performance.now(),
    wallClock: () => Date.now(),
  })
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no #root')
  store.start()
  store.state.getState().show('pods')
  createRoot(root).render(
    <StoreProvider value={store}>
      <App />
    </StoreProvider>,
  )
  return store
}
