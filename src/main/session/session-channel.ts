import type { EventName, Events, RequestName, Requests } from '../../shared/ipc/contract.ts'

/** The only way into the session: structured-clone values, so that it can move to a utility process. */
export interface SessionChannel {
  /** A page connected: returns its connection. `send` is called with the events that are for it. */
  readonly connect: (
    send: <K extends EventName>(name: K, payload: Events[K]) => void,
  ) => SessionConnection
}

/** One page's connection. After `close` nothing is sent to it any more; closing twice does nothing. */
export interface SessionConnection {
  /** `args` have passed guardRequest. Rejects only where an invariant broke. */
  readonly request: <K extends RequestName>(
    name: K,
    args: Requests[K]['args'],
  ) => Promise<Requests[K]['reply']>
  readonly close: () => void
}

/** A session that runs. `facts` are for the terminal, one line each: `kubeconfig PATH`. */
export interface RunningSession {
  readonly channel: SessionChannel
  readonly facts: readonly { readonly name: string; readonly value: string }[]
  /** Settles where it is found out after the start that it may not be: the program ends with this sentence and exit code. */
  readonly refused: Promise<{ readonly exitCode: number; readonly message: string }> | undefined
  readonly stop: () => Promise<void>
}
