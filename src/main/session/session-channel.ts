import type { EventName, Events, RequestName, Requests } from '../../shared/ipc/contract.ts'
import type { StartError } from './start-error.ts'

export type SendEvent = <K extends EventName>(name: K, payload: Events[K]) => void

/** All access to the session: values are structured-cloneable, so that it can move to a utility process. */
export interface SessionChannel {
  /** Returns the connection of a new page. `send` is called with the page's events. */
  readonly connect: (send: SendEvent) => SessionConnection
}

/** One page's connection. After `close` no event is sent; closing twice does nothing. */
export interface SessionConnection {
  /** guardRequest has checked `args`. Rejects only on a bug. */
  readonly request: <K extends RequestName>(
    name: K,
    args: Requests[K]['args'],
  ) => Promise<Requests[K]['reply']>
  readonly close: () => void
}

/** A running session. `facts` are for the terminal, one line each: `kubeconfig PATH`. */
export interface RunningSession {
  readonly channel: SessionChannel
  readonly facts: readonly { readonly name: string; readonly value: string }[]
  /** Settles if the start turns out to be forbidden: the program exits with this sentence and exit code. */
  readonly refused: Promise<StartError> | undefined
  readonly stop: () => Promise<void>
}
