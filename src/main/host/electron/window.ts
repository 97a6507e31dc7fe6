import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron'
import type { Log } from '../../kubelet/ports.ts'

/** A window whose page is isolated and sandboxed, without Node. A release has no developer tools. */
export function windowOptions(
  preloadPath: string,
  { isRelease }: { readonly isRelease: boolean },
): BrowserWindowConstructorOptions {
  return {
    title: 'Nodescope',
    width: 1360,
    height: 860,
    minWidth: 640,
    minHeight: 420,
    // Shown after the first paint.
    show: false,
    backgroundColor: '#0b0e0f',
    autoHideMenuBar: true,
    webPreferences: {
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      devTools: !isRelease,
    },
  }
}

/** Brings the window to the front, for a second start. */
export function focusWindow(
  window: Pick<BrowserWindow, 'isDestroyed' | 'isMinimized' | 'restore' | 'show' | 'focus'>,
): void {
  if (window.isDestroyed()) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** A crashed page is reloaded, unless it crashed again within this time. */
const crashLoopMs = 10_000

export function reloadAfterCrash(
  contents: Pick<BrowserWindow['webContents'], 'on' | 'reload'>,
  log: Log,
  now: () => number,
): void {
  let lastCrash = Number.NEGATIVE_INFINITY
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.error('page crashed', { reason, exitCode })
    const isLoop = now() - lastCrash < crashLoopMs
    lastCrash = now()
    if (!isLoop && reason !== 'clean-exit') contents.reload()
  })
}
