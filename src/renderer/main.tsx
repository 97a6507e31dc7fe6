import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { ErrorBoundary } from './app/ErrorBoundary.tsx'
import { followTheme } from './app/follow-theme.ts'
import { followVisibility } from './app/follow-visibility.ts'
import { reportErrors } from './app/report-errors.ts'
import { connectBridge } from './bridge/bridge.ts'
import { browserAddress } from './routing/address.ts'
import { followAddress } from './routing/follow-address.ts'
import { afterPaint } from './store/feeds/after-paint.ts'
import { createStore } from './store/create-store.ts'
import { openStorage } from './store/preferences.ts'
import { StoreProvider } from './store/store-context.ts'
import './styles/tokens.css'
import './styles/base.css'

const bridge = connectBridge()
const report = reportErrors(bridge, window)
const store = createStore({
  bridge,
  storage: openStorage(() => localStorage),
  afterPaint,
  monotonic: () => performance.now(),
  wallClock: () => Date.now(),
})
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

followTheme(store.state, document.documentElement, (query) => matchMedia(query))
followVisibility(store.requests, document)
followAddress(store, browserAddress(window))
store.start()
createRoot(root, { onUncaughtError: report.error, onCaughtError: report.error }).render(
  <ErrorBoundary>
    <StoreProvider value={store}>
      <App />
    </StoreProvider>
  </ErrorBoundary>,
)
