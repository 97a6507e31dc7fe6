import { Server as GrpcServer, ServerCredentials, status } from '@grpc/grpc-js'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { makeCertificates } from '../../src/main/cluster/transport/fake-https-server.ts'

/** A server on 127.0.0.1. */
export interface TestServer {
  readonly port: number
  readonly close: () => void
}

async function listening(server: Server, more: () => void = () => undefined): Promise<TestServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    // A TCP server's address is an object once it listens.
    port: (server.address() as AddressInfo).port,
    close: () => {
      more()
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

export type Answer = (request: IncomingMessage, response: ServerResponse, port: number) => void

export function httpServer(answer: Answer): Promise<TestServer> {
  const server = createHttpServer((request, response) => {
    answer(request, response, request.socket.localPort ?? 0)
  })
  return listening(server)
}

export async function httpsServer(answer: Answer): Promise<TestServer> {
  const { server: pair } = await makeCertificates()
  const server = createHttpsServer(pair, (request, response) => {
    answer(request, response, request.socket.localPort ?? 0)
  })
  return listening(server)
}

/** `answer` gets each connection, once the client has sent something unless it is told to answer at once. */
export function tcpServer(answer: (socket: Socket) => void, atOnce = false): Promise<TestServer> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (atOnce) answer(socket)
    else {
      socket.once('data', () => {
        answer(socket)
      })
    }
  })
  return listening(server)
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<TestServer> {
  const server = await tcpServer(() => undefined)
  server.close()
  return server
}

const health = {
  requestStream: false,
  responseStream: false,
  requestSerialize: (bytes: Buffer) => bytes,
  requestDeserialize: (bytes: Buffer) => bytes,
  responseSerialize: (bytes: Buffer) => bytes,
  responseDeserialize: (bytes: Buffer) => bytes,
}

/** A gRPC server. `answer`: the status of a service by number, a gRPC code to refuse with, or nothing at all. */
export async function grpcServer(
  answer:
    | ((service: string) => { readonly status: number } | { readonly code: number } | 'never')
    | undefined,
): Promise<TestServer> {
  const server = new GrpcServer()
  if (answer !== undefined) {
    const path = '/grpc.health.v1.Health/Check'
    server.addService(
      { check: { ...health, path } },
      {
        check: (
          call: { readonly request: Buffer },
          done: (error: object | null, bytes?: Buffer) => void,
        ) => {
          const told = answer(call.request.subarray(2).toString())
          if (told === 'never') return
          if ('code' in told) done({ code: told.code, details: `code ${told.code}` })
          else done(null, told.status === 0 ? Buffer.alloc(0) : Buffer.from([8, told.status]))
        },
      },
    )
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound)
      else reject(error)
    })
  })
  return {
    port,
    close: () => {
      server.forceShutdown()
    },
  }
}

export const grpcNotFound = status.NOT_FOUND
