import { FitAddon } from '@xterm/addon-fit'
import type { ITheme } from '@xterm/xterm'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { pageForXterm } from './page-for-xterm.ts'
import type { OpenScreen } from './terminal-session.ts'

/** The page's tokens (styles/tokens.css) as xterm.js wants them. */
function themeOf(element: Element): ITheme {
  const style = getComputedStyle(element)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  return {
    background: token('well'),
    foreground: token('text'),
    cursor: token('accent'),
    cursorAccent: token('well'),
    selectionBackground: token('line-2'),
    black: token('surface-3'),
    red: token('error'),
    green: token('ok'),
    yellow: token('terminating'),
    blue: token('waiting'),
    magenta: token('recreated'),
    cyan: token('sync'),
    white: token('text-2'),
    brightBlack: token('text-3'),
    brightRed: token('error'),
    brightGreen: token('ok'),
    brightYellow: token('warn'),
    brightBlue: token('waiting'),
    brightMagenta: token('recreated'),
    brightCyan: token('sync'),
    brightWhite: token('text'),
  }
}

/** How long Escape waits for a second one, in ms. */
const escapeMs = 300

/** The keys that leave a terminal: Escape twice, of which the program gets none, and Shift+Tab. */
function leavingKeys(deps: {
  readonly onInput: (input: string) => void
  readonly onLeave: () => void
}): {
  /** Whether the terminal takes the key. */
  readonly press: (event: KeyboardEvent) => boolean
  readonly stop: () => void
} {
  let held: number | undefined
  const stop = (): void => {
    clearTimeout(held)
    held = undefined
  }
  const release = (): void => {
    if (held === undefined) return
    stop()
    deps.onInput('\u001B')
  }
  const press = (event: KeyboardEvent): boolean => {
    const { type, key, shiftKey, ctrlKey, altKey, metaKey } = event
    if (type !== 'keydown') return true
    if (key !== 'Escape' || shiftKey || ctrlKey || altKey || metaKey) {
      release()
      return key !== 'Tab' || !shiftKey
    }
    event.preventDefault()
    if (held === undefined) held = window.setTimeout(release, escapeMs)
    else {
      stop()
      deps.onLeave()
    }
    return false
  }
  return { press, stop }
}

/** A terminal of xterm.js in the element: as large as it, in the page's theme. */
export const openXterm: OpenScreen = (host, { label, describedBy, onInput, onResize, onLeave }) => {
  const page = pageForXterm(host.ownerDocument)
  const terminal = new Terminal({
    documentOverride: page.document,
    fontFamily: getComputedStyle(host).getPropertyValue('--mono'),
    fontSize: 12.5,
    lineHeight: 1.35,
    scrollback: 5000,
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    theme: themeOf(host),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(host)
  fit.fit()
  terminal.textarea?.setAttribute('aria-label', label)
  terminal.textarea?.setAttribute('aria-describedby', describedBy)
  const keys = leavingKeys({ onInput, onLeave })
  terminal.attachCustomKeyEventHandler(keys.press)
  terminal.onData(onInput)
  terminal.onResize(({ cols: columns, rows }) => onResize({ columns, rows }))
  const sizes = new ResizeObserver(() => fit.fit())
  sizes.observe(host)
  const themes = new MutationObserver(() => {
    terminal.options.theme = themeOf(host)
  })
  themes.observe(host.ownerDocument.documentElement, { attributeFilter: ['data-theme'] })
  return {
    size: () => ({ columns: terminal.cols, rows: terminal.rows }),
    print: (text) => terminal.write(text),
    end: () => {
      terminal.options.disableStdin = true
      terminal.options.cursorBlink = false
    },
    focus: () => terminal.focus(),
    dispose: () => {
      keys.stop()
      sizes.disconnect()
      themes.disconnect()
      terminal.dispose()
      page.release()
    },
  }
}
