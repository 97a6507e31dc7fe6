/** What a socket calls. `onClose` is the last call. */
export interface SocketListeners {
  readonly onText: (text: string) => void
  /** `code` and `reason` as the server sent them; 1006 if the connection broke or failed. */
  readonly onClose: (code: number, reason: string) => void
}

export interface PageSocket {
  readonly send: (text: string) => void
}

export type OpenSocket = (listeners: SocketListeners) => PageSocket

/** Opens the browser's WebSocket. */
export function browserSocket(url: string, protocols: readonly string[]): OpenSocket {
  return (listeners) => {
    const socket = new WebSocket(url, [...protocols])
    socket.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (typeof event.data === 'string') listeners.onText(event.data)
    })
    socket.addEventListener('close', (event) => listeners.onClose(event.code, event.reason))
    return { send: (text) => socket.send(text) }
  }
}
