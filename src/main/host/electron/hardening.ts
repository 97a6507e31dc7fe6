import type { App, Session, WebContents } from 'electron'

/** Copying text after a click. Reading the clipboard and everything else is denied. */
const allowedPermissions: readonly string[] = ['clipboard-sanitized-write']

/** Denies a page's permissions: camera, notifications, devices, files, … */
export function denyPermissions(
  session: Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler'>,
): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    answer(allowedPermissions.includes(permission))
  })
  session.setPermissionCheckHandler((_contents, permission) =>
    allowedPermissions.includes(permission),
  )
}

/** Blocks navigation (also in frames and by redirects), webviews and new windows. */
export function confinePage(contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>): void {
  const prevent = (event: { readonly preventDefault: () => void }): void => {
    event.preventDefault()
  }
  contents.on('will-navigate', prevent)
  contents.on('will-frame-navigate', prevent)
  contents.on('will-redirect', prevent)
  contents.on('will-attach-webview', prevent)
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** Applies `confinePage` to every page, and blocks downloads. */
export function confineEveryPage(app: Pick<App, 'on'>): void {
  app.on('web-contents-created', (_event, contents) => {
    confinePage(contents)
    contents.session.on('will-download', (event) => {
      event.preventDefault()
    })
  })
}

/** The frame that sent an IPC message. */
export interface Sender {
  readonly contentsId: number
  /** Null if the frame no longer exists. */
  readonly frame: { readonly url: string; readonly parent: unknown } | null
}

/** Whether a message comes from the top frame of Nodescope's window, showing its page. */
export function isOwnSender(
  sender: Sender,
  own: { readonly contentsId: number; readonly pageUrl: string },
): boolean {
  return (
    sender.contentsId === own.contentsId &&
    sender.frame !== null &&
    sender.frame.parent === null &&
    sender.frame.url.split(/[?#]/)[0] === own.pageUrl
  )
}
