import type { RawData, WebSocket } from 'ws'
import type { ServerFrame } from '../../../shared/ipc/wire.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import type { SessionChannel, SessionConnection } from '../../session/session-channel.ts'
import { answerRequest } from '../answer-request.ts'
import { Outbox } from './outbox.ts'

interface Frame {
  readonly id: number
  readonly name: unknown
  readonly args: unknown
}

function parseFrame(data: RawData, isBinary: boolean): Result<Frame, string> {
  if (isBinary || !Buffer.isBuffer(data)) return err('A frame must be text.')
  let frame: unknown
  try {
    frame = JSON.parse(data.toString('utf8'))
  } catch {
    return err('A frame must be JSON.')
  }
  if (typeof frame !== 'object' || frame === null || !('id' in frame))
    return err('A frame needs an id.')
  const { id } = frame
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0)
    return err('The id of a frame must be a whole number.')
  return ok({
    id,
    name: 'name' in frame ? frame.name : undefined,
    args: 'args' in frame ? frame.args : undefined,
  })
}

interface PageConnectionDeps {
  readonly socket: WebSocket
  readonly channel: SessionChannel
  readonly clock: Clock
  readonly log: Log
}

/** One page on a WebSocket: passes its requests to the session, and the session's events to it. */
export class PageConnection {
  readonly #deps: PageConnectionDeps
  readonly #outbox: Outbox
  #isOpen = true

  constructor(deps: PageConnectionDeps) {
    this.#deps = deps
    this.#outbox = new Outbox({
      socket: deps.socket,
      clock: deps.clock,
      onOverflow: (bufferedBytes) => {
        deps.log.warn('page does not keep up', { bufferedBytes })
      },
    })
  }

  start(): void {
    this.#send({ accepted: true })
    const connection = this.#deps.channel.connect((event, payload) => {
      this.#send({ event, payload })
    })
    this.#deps.socket.on('message', (data, isBinary) => {
      void this.#receive(connection, data, isBinary)
    })
    this.#deps.socket.on('close', () => {
      this.#isOpen = false
      this.#outbox.close()
      connection.close()
    })
  }

  async #receive(connection: SessionConnection, data: RawData, isBinary: boolean): Promise<void> {
    const frame = parseFrame(data, isBinary)
    if (!frame.ok) {
      this.#deps.log.warn('frame refused', { reason: frame.error })
      this.#send({ id: null, error: frame.error })
      return
    }
    const { id, name, args } = frame.value
    const answer = await answerRequest(connection, name, args, this.#deps.log)
    this.#send(answer.ok ? { id, reply: answer.value } : { id, error: answer.error })
  }

  #send(frame: ServerFrame): void {
    if (this.#isOpen) this.#outbox.send(frame)
  }
}
