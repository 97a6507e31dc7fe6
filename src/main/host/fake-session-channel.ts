import type { EventName, Events } from '../../shared/ipc/contract.ts'
import type { SessionChannel, SessionConnection } from '../session/session-channel.ts'

/** A page's connection as the session sees it, and what came over it. */
export interface FakeConnection {
  readonly requests: { readonly name: string; readonly args: unknown }[]
  readonly send: <K extends EventName>(name: K, payload: Events[K]) => void
  isClosed: boolean
}

/** A session that records its requests and gives configured replies. */
export class FakeSessionChannel implements SessionChannel {
  readonly connections: FakeConnection[] = []
  answer: (name: string, args: unknown) => Promise<unknown> = () => Promise.resolve(null)

  readonly connect: SessionChannel['connect'] = (send) => {
    const connection: FakeConnection = { requests: [], send, isClosed: false }
    this.connections.push(connection)
    const request = (name: string, args: unknown): Promise<unknown> => {
      connection.requests.push({ name, args })
      return this.answer(name, args)
    }
    return {
      request: request as SessionConnection['request'], // the test chooses the answer
      close: () => {
        connection.isClosed = true
      },
    }
  }
}
