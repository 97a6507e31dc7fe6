import type { Bridge, EventName, Events, RequestName, Requests } from '../../shared/ipc/contract.ts'
import type { RequestFrame, ServerFrame } from '../../shared/ipc/wire.ts'
import { refusedCloseCode } from '../../shared/ipc/wire.ts'
import { text } from '../text/text.ts'
import type { OpenSocket, PageSocket } from './page-socket.ts'

const firstRetryMs = 250
const longestRetryMs = 5_000

interface Pending {
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: Error) => void
}

type State = 'connecting' | 'connected' | 'lost' | 'refused'

type Listener = (payload: unknown) => void

export interface WebSocketBridgeDeps {
  readonly openSocket: OpenSocket
  /** Called whenever main has accepted this page. */
  readonly onAccepted: () => void
}

function connectionLost(): Error {
  return new Error(text.frame.connection.lost)
}

/**
 * The bridge over a WebSocket. Requests before the first connection wait for it; after the connection is lost,
 * they reject, and the bridge reconnects with back-off until main refuses its token.
 */
export class WebSocketBridge implements Bridge {
  readonly #deps: WebSocketBridgeDeps
  #socket: PageSocket | undefined
  #state: State = 'connecting'
  #refusal = ''
  #lastId = 0
  #retryMs = firstRetryMs
  readonly #pending = new Map<number, Pending>()
  readonly #waiting: RequestFrame[] = []
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #connectionListeners = new Set<(state: 'connected' | 'lost') => void>()
  readonly #refusalListeners = new Set<(message: string) => void>()

  constructor(deps: WebSocketBridgeDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#socket = this.#deps.openSocket({
      onText: (json) => {
        this.#received(JSON.parse(json) as ServerFrame) // written by our own host, of this very type
      },
      onClose: (code, reason) => {
        if (code === refusedCloseCode) this.refuse(reason)
        else this.#lost()
      },
    })
  }

  /** Refuses a page without a token; it does not connect. */
  refuse(message: string): void {
    this.#state = 'refused'
    this.#refusal = message
    this.#rejectAll(new Error(message))
    for (const listener of this.#refusalListeners) listener(message)
  }

  readonly request = <K extends RequestName>(
    name: K,
    args: Requests[K]['args'],
  ): Promise<Requests[K]['reply']> =>
    new Promise<Requests[K]['reply']>((resolve, reject) => {
      if (this.#state === 'lost' || this.#state === 'refused') {
        reject(this.#state === 'lost' ? connectionLost() : new Error(this.#refusal))
        return
      }
      const frame = { id: ++this.#lastId, name, args }
      // The contract types the reply to this id, as it types main's handlers.
      this.#pending.set(frame.id, { resolve: resolve as (reply: unknown) => void, reject })
      if (this.#state === 'connecting') this.#waiting.push(frame)
      else this.#send(frame)
    })

  readonly subscribe = <K extends EventName>(
    name: K,
    listener: (payload: Events[K]) => void,
  ): (() => void) => {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    // A new function each time, so that the same listener can subscribe twice.
    const own: Listener = (payload) => {
      listener(payload as Events[K]) // main sends this name only with this payload
    }
    listeners.add(own)
    return () => listeners.delete(own)
  }

  readonly onConnection = (listener: (state: 'connected' | 'lost') => void): (() => void) => {
    this.#connectionListeners.add(listener)
    return () => this.#connectionListeners.delete(listener)
  }

  readonly onRefused = (listener: (message: string) => void): (() => void) => {
    this.#refusalListeners.add(listener)
    if (this.#state === 'refused') listener(this.#refusal)
    return () => this.#refusalListeners.delete(listener)
  }

  #received(frame: ServerFrame): void {
    if ('accepted' in frame) {
      this.#accepted()
    } else if ('event' in frame) {
      for (const listener of this.#listeners.get(frame.event) ?? []) listener(frame.payload)
    } else if (frame.id !== null) {
      const pending = this.#pending.get(frame.id)
      this.#pending.delete(frame.id)
      if ('error' in frame) pending?.reject(new Error(frame.error))
      else pending?.resolve(frame.reply)
    }
  }

  #accepted(): void {
    const wasLost = this.#state === 'lost'
    this.#state = 'connected'
    this.#retryMs = firstRetryMs
    this.#deps.onAccepted()
    for (const frame of this.#waiting.splice(0)) this.#send(frame)
    if (wasLost) this.#tell('connected')
  }

  #lost(): void {
    const wasLost = this.#state === 'lost'
    this.#state = 'lost'
    this.#rejectAll(connectionLost())
    setTimeout(() => this.start(), this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, longestRetryMs)
    if (!wasLost) this.#tell('lost')
  }

  #rejectAll(error: Error): void {
    this.#waiting.length = 0
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const each of pending) each.reject(error)
  }

  #tell(state: 'connected' | 'lost'): void {
    for (const listener of this.#connectionListeners) listener(state)
  }

  #send(frame: RequestFrame): void {
    this.#socket?.send(JSON.stringify(frame))
  }
}
