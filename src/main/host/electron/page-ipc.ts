import type { IpcMain, IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron'
import { connectChannel, eventChannel, requestChannel } from '../../../shared/ipc/channels.ts'
import type { MenuItem } from '../../../shared/ipc/contract.ts'
import { err } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Log } from '../../kubelet/ports.ts'
import type { SessionChannel, SessionConnection } from '../../session/session-channel.ts'
import { answerRequest } from '../answer-request.ts'
import { isOwnSender } from './hardening.ts'

interface PageIpcDeps {
  readonly ipcMain: Pick<IpcMain, 'on' | 'handle'>
  readonly contents: Pick<WebContents, 'id' | 'send' | 'isDestroyed'>
  readonly pageUrl: string
  readonly channel: SessionChannel
  readonly log: Log
}

/** Electron's IPC between the window's page and the session. */
export class PageIpc {
  readonly #deps: PageIpcDeps
  #connection: SessionConnection | undefined

  constructor(deps: PageIpcDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#deps.ipcMain.on(connectChannel, (event) => {
      if (this.#isOwn(event)) this.#connect()
    })
    this.#deps.ipcMain.handle(requestChannel, (event, name: unknown, args: unknown) =>
      this.#answer(event, name, args),
    )
  }

  /** Tells the page what was chosen in the menu. */
  choose(item: MenuItem): void {
    if (this.#connection === undefined || this.#deps.contents.isDestroyed()) return
    this.#deps.contents.send(eventChannel, 'menu.chosen', { item })
  }

  disconnect(): void {
    this.#connection?.close()
    this.#connection = undefined
  }

  /** The first message of a page, also after a reload: ends the connection of the page before it. */
  #connect(): void {
    this.disconnect()
    this.#connection = this.#deps.channel.connect((name, payload) => {
      if (!this.#deps.contents.isDestroyed()) this.#deps.contents.send(eventChannel, name, payload)
    })
  }

  async #answer(
    event: IpcMainInvokeEvent,
    name: unknown,
    args: unknown,
  ): Promise<Result<unknown, string>> {
    if (!this.#isOwn(event)) return err('Only the dashboard may send requests here.')
    if (this.#connection === undefined) return err('The page has not connected.')
    return answerRequest(this.#connection, name, args, this.#deps.log)
  }

  #isOwn(event: IpcMainEvent | IpcMainInvokeEvent): boolean {
    const isOwn = isOwnSender(
      { contentsId: event.sender.id, frame: event.senderFrame },
      { contentsId: this.#deps.contents.id, pageUrl: this.#deps.pageUrl },
    )
    if (!isOwn) this.#deps.log.warn('message refused', { url: event.senderFrame?.url ?? 'gone' })
    return isOwn
  }
}
