import type { ServerFrame } from '../../shared/ipc/wire.ts'
import type { OpenSocket, SocketListeners } from './page-socket.ts'

/** The server's end of every socket that the bridge opens, newest last. */
export class FakeServer {
  readonly sockets: { readonly listeners: SocketListeners; readonly sent: unknown[] }[] = []

  readonly openSocket: OpenSocket = (listeners) => {
    const sent: unknown[] = []
    this.sockets.push({ listeners, sent })
    return {
      send: (text) => {
        sent.push(JSON.parse(text))
      },
    }
  }

  /** What the page sent over its newest socket. */
  get sent(): readonly unknown[] {
    return this.sockets.at(-1)?.sent ?? []
  }

  send(frame: ServerFrame): void {
    this.sockets.at(-1)?.listeners.onText(JSON.stringify(frame))
  }

  close(code: number, reason = ''): void {
    this.sockets.at(-1)?.listeners.onClose(code, reason)
  }
}
