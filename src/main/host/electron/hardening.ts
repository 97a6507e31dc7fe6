import type { App, Session, WebContents } from 'electron'

/** The least a page needs: copying text after a click. Reading the clipboard and all else is denied. */
const allowedPermissions: readonly string[] = ['clipboard-sanitized-write']

/** Denies what a page may ask of the machine: camera, notifications, devices, files, … */
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

/** Keeps a page where it is: it navigates nowhere, in no frame and by no redirect, and opens nothing. */
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

/** The same for every page that there will ever be, whoever makes it; none of them downloads anything. */
export function confineEveryPage(app: Pick<App, 'on'>): void {
  app.on('web-contents-created', (_event, contents) => {
    confinePage(contents)
    contents.session.on('will-download', (event) => {
      event.preventDefault()
    })
  })
}

/** What is known of the frame that sent an IPC message. */
export interface Sender {
  readonly contentsId: number
  /** Null when the frame has gone meanwhile. */
  readonly frame: { readonly url: string; readonly parent: unknown } | null
}

/** Whether a message comes from the top frame of our window, showing our page. */
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
