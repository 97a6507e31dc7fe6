import { Server, ServerCredentials, status } from '@grpc/grpc-js'
import type { sendUnaryData, ServerUnaryCall, ServiceDefinition } from '@grpc/grpc-js'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { ImageService, Log, RuntimeService } from '../kubelet/ports.ts'
import { decodeMessage, encodeMessage } from './cri-codec.ts'
import { imageMethods, runtimeMethods } from './cri-methods.ts'
import type { CriMethod, CriMethods } from './cri-methods.ts'
import { grpcStatusOf } from './grpc-errors.ts'

/** The kubelet's own limit for a message (cri-client remote_runtime.go). */
const maxMessageBytes = 16 * 1024 * 1024

type Handler = (
  call: ServerUnaryCall<unknown, object>,
  answer: sendUnaryData<object>,
) => Promise<void>

/** A runtime as CRI v1 on a Unix socket: RuntimeService and ImageService, without GetContainerEvents (evented PLEG). */
export class CriServer {
  readonly #server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  })
  readonly #log: Log

  constructor(deps: { readonly runtime: RuntimeService & ImageService; readonly log: Log }) {
    this.#log = deps.log
    this.#add('RuntimeService', runtimeMethods(deps.runtime))
    this.#add('ImageService', imageMethods(deps.runtime))
  }

  /** The error is what the operating system says. */
  listen(socketPath: string): Promise<Result<undefined, string>> {
    return new Promise((resolve) => {
      const credentials = ServerCredentials.createInsecure()
      this.#server.bindAsync(`unix:${socketPath}`, credentials, (error) => {
        resolve(error === null ? ok(undefined) : err(error.message))
      })
    })
  }

  /** Ends calls that are under way, and removes the socket. */
  stop(): void {
    this.#server.forceShutdown()
  }

  #add(service: string, methods: CriMethods): void {
    const entries = Object.entries(methods)
    const definition: ServiceDefinition = Object.fromEntries(
      entries.map(([name, { request, response }]) => [
        name,
        {
          path: `/runtime.v1.${service}/${name}`,
          requestStream: false,
          responseStream: false,
          requestSerialize: (message: object) => encodeMessage(request, message),
          requestDeserialize: (bytes: Buffer) => decodeMessage(request, bytes),
          responseSerialize: (message: object) => encodeMessage(response, message),
          responseDeserialize: (bytes: Buffer) => decodeMessage(response, bytes),
        },
      ]),
    )
    this.#server.addService(
      definition,
      Object.fromEntries(entries.map(([name, method]) => [name, this.#handler(name, method)])),
    )
  }

  #handler(name: string, { handle }: CriMethod): Handler {
    return async (call, answer) => {
      try {
        const result = await handle(call.request)
        if (result.ok) answer(null, result.value)
        else answer(grpcStatusOf(result.error))
      } catch (error) {
        this.#log.error('a call of CRI failed', { call: name, error })
        answer({ code: status.INTERNAL, details: 'the simulated runtime failed' })
      }
    }
  }
}
