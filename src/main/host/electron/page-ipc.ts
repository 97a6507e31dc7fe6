import type { IpcMain, IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron'
import { connectChannel, eventChannel, requestChannel } from '../../../shared/ipc/channels.ts'
import { err } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Log } from '../../kubelet/ports.ts'
import type { SessionChannel, SessionConnection } from '../../session/session-channel.ts'
import { answerRequest } from '../request-door.ts'
import { isOwnSender } from './hardening.ts'

/** Electron's IPC between our one window's page and the session. */
export class PageIpc {
  readonly #ipcMain: Pick<IpcMain, 'on' | 'handle'>
  readonly #contents: Pick<WebContents, 'id' | 'send' | 'isDestroyed'>
  readonly #pageUrl: string
  readonly #channel: SessionChannel
  readonly #log: Log
  #connection: SessionConnection | undefined

  constructor(deps: {
    readonly ipcMain: Pick<IpcMain, 'on' | 'handle'>
    readonly contents: Pick<WebContents, 'id' | 'send' | 'isDestroyed'>
    readonly pageUrl: string
    readonly channel: SessionChannel
    readonly log: Log
  }) {
    this.#ipcMain = deps.ipcMain
    this.#contents = deps.contents
    this.#pageUrl = deps.pageUrl
    this.#channel = deps.channel
    this.#log = deps.log
  }

  start(): void {
    this.#ipcMain.on(connectChannel, (event) => {
      if (this.#isOwn(event)) this.#connect()
    })
    this.#ipcMain.handle(requestChannel, (event, name: unknown, args: unknown) =>
      this.#answer(event, name, args),
    )
  }

  /** The page is gone. */
  disconnect(): void {
    this.#connection?.close()
    this.#connection = undefined
  }

  /** A page says this first, also after a reload: what the page before it had subscribed to ends. */
  #connect(): void {
    this.disconnect()
    this.#connection = this.#channel.connect((name, payload) => {
      if (!this.#contents.isDestroyed()) this.#contents.send(eventChannel, name, payload)
    })
  }

  async #answer(
    event: IpcMainInvokeEvent,
    name: unknown,
    args: unknown,
  ): Promise<Result<unknown, string>> {
    if (!this.#isOwn(event)) return err('Only the dashboard may send requests here.')
    if (this.#connection === undefined) return err('The page has not connected.')
    return answerRequest(this.#connection, name, args, this.#log)
  }

  #isOwn(event: IpcMainEvent | IpcMainInvokeEvent): boolean {
    const isOwn = isOwnSender(
      { contentsId: event.sender.id, frame: event.senderFrame },
      { contentsId: this.#contents.id, pageUrl: this.#pageUrl },
    )
    if (!isOwn) this.#log.warn('message refused', { url: event.senderFrame?.url ?? 'gone' })
    return isOwn
  }
}
