import { pathToFileURL } from 'node:url'
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron'
import type { Log } from '../../kubelet/ports.ts'

/** The page in the built program, as the URL that its frame has. */
export function pageUrl(indexPath: string): string {
  return pathToFileURL(indexPath).href
}

/** The only place that loads the page. */
export async function loadPage(
  window: Pick<BrowserWindow, 'loadFile'>,
  indexPath: string,
): Promise<void> {
  await window.loadFile(indexPath)
}

/** A window whose page has no Node, its own world, and the operating system's sandbox. A release has no developer tools. */
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
    // Shown once it is drawn; until then the dark ground of the page.
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

/** A page that crashes is loaded again, unless it crashes at once each time. */
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
