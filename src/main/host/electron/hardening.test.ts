import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { App, Session, WebContents } from 'electron'
import { confineEveryPage, confinePage, denyPermissions, isOwnSender } from './hardening.ts'
import { windowOptions } from './window.ts'

type RequestHandler = Parameters<Session['setPermissionRequestHandler']>[0]
type CheckHandler = Parameters<Session['setPermissionCheckHandler']>[0]

/** Whether a listener prevents the event. */
function prevents(emitter: EventEmitter, name: string): boolean {
  let isPrevented = false
  emitter.emit(name, {
    preventDefault: () => {
      isPrevented = true
    },
  })
  return isPrevented
}

describe('denyPermissions', () => {
  it.each([
    ['media', false],
    ['notifications', false],
    ['clipboard-read', false],
    ['openExternal', false],
    ['fileSystem', false],
    ['clipboard-sanitized-write', true],
  ])(
    'answers a permission request and a permission check for %s with %s',
    (permission, expected) => {
      let onRequest: RequestHandler = null
      let onCheck: CheckHandler = null
      denyPermissions({
        setPermissionRequestHandler: (handler) => {
          onRequest = handler
        },
        setPermissionCheckHandler: (handler) => {
          onCheck = handler
        },
      })
      // Called as Electron calls them; only the permission matters to the handlers.
      const request = onRequest as unknown as (
        contents: null,
        permission: string,
        answer: (isGranted: boolean) => void,
      ) => void
      const check = onCheck as unknown as (contents: null, permission: string) => boolean
      const answers: boolean[] = []
      request(null, permission, (isGranted) => answers.push(isGranted))
      answers.push(check(null, permission))
      expect(answers).toEqual([expected, expected])
    },
  )
})

describe('confinePage', () => {
  it('prevents navigation and webviews, and opens no window', () => {
    const emitter = new EventEmitter()
    let open: Parameters<WebContents['setWindowOpenHandler']>[0] | undefined
    const contents = Object.assign(emitter, {
      setWindowOpenHandler: (handler: Parameters<WebContents['setWindowOpenHandler']>[0]) => {
        open = handler
      },
    })
    // The emitter has every overload of `on` that Electron declares.
    confinePage(contents as unknown as WebContents)
    const events = ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview']
    expect(events.filter((name) => prevents(emitter, name))).toEqual(events)
    const details = { url: 'https://example.com' } as Parameters<NonNullable<typeof open>>[0]
    expect(open?.(details)).toEqual({ action: 'deny' })
  })
})

describe('confineEveryPage', () => {
  it('confines each new page, and blocks its downloads', () => {
    const app = new EventEmitter()
    confineEveryPage(app as unknown as App)
    const session = new EventEmitter()
    const contents = Object.assign(new EventEmitter(), {
      session,
      setWindowOpenHandler: () => undefined,
    })
    app.emit('web-contents-created', {}, contents)
    expect(prevents(contents, 'will-navigate')).toBe(true)
    expect(prevents(session, 'will-download')).toBe(true)
  })
})

describe('isOwnSender', () => {
  const own = { contentsId: 1, pageUrl: 'file:///app/out/renderer/index.html' }
  const frame = { url: own.pageUrl, parent: null }
  it.each([
    ['our page', { contentsId: 1, frame }, true],
    [
      'our page at a fragment',
      { contentsId: 1, frame: { ...frame, url: `${own.pageUrl}#/pods` } },
      true,
    ],
    [
      'our page with a query',
      { contentsId: 1, frame: { ...frame, url: `${own.pageUrl}?a=1` } },
      true,
    ],
    ['another window', { contentsId: 2, frame }, false],
    ['a frame inside our page', { contentsId: 1, frame: { ...frame, parent: frame } }, false],
    ['another page', { contentsId: 1, frame: { ...frame, url: 'https://example.com/' } }, false],
    [
      'a page that begins like ours',
      { contentsId: 1, frame: { ...frame, url: `${own.pageUrl}.evil` } },
      false,
    ],
    ['a frame that is gone', { contentsId: 1, frame: null }, false],
  ])('for %s', (_what, sender, expected) => {
    expect(isOwnSender(sender, own)).toBe(expected)
  })
})

describe('windowOptions', () => {
  it.each([
    ['a release: no developer tools', true, false],
    ['development', false, true],
  ])('isolate and sandbox the page, without Node, in %s', (_, isRelease, devTools) => {
    expect(windowOptions('/preload.cjs', { isRelease }).webPreferences).toEqual({
      devTools,
      preload: '/preload.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    })
  })
})
