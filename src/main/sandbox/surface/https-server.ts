import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Server, ServerOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import type { SecureContextOptions } from 'node:tls'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'

/** A request for another protocol on its connection. */
export interface UpgradeRequest {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** What answers. `closing` is aborted when the server stops. */
export interface HttpsHandler {
  readonly serve: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly upgrade: (upgrade: UpgradeRequest) => Promise<void>
  /** A connection failed, or the server did. */
  readonly failed: (level: 'debug' | 'error', error: Error) => void
}

export interface HttpsServer {
  readonly port: number
  /** For connections from now on: another certificate, other client CAs. What is left out is unset. */
  readonly setSecureContext: (options: SecureContextOptions) => void
  /** Ends watches, requests and connections. Can be called twice. */
  readonly stop: () => Promise<void>
}

function listen(
  server: Server,
  host: string,
  port: number,
): Promise<Result<number, NodeJS.ErrnoException>> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      resolve(err(error))
    }
    server.once('error', onError)
    try {
      server.listen(port, host, () => {
        server.off('error', onError)
        const address = server.address()
        resolve(ok(typeof address === 'object' && address !== null ? address.port : port))
      })
    } catch (error) {
      // A number that is not a port throws instead of an error event.
      onError(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/** Real ms: longer than the 90 s after which Go's clients close idle connections, so that none is closed as it is used. */
const keepAliveTimeout = 120_000

/** Open responses get this long to end before their connections are closed. */
const closeTimeoutMs = 200

function stopServer(server: Server, closing: AbortController): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      server.closeAllConnections()
    }, closeTimeoutMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    closing.abort()
  })
}

/** Asks each client for a certificate of this CA. Whoever has none, or another, is let in unauthorized. */
export function acceptedClients(caPem: string): ServerOptions {
  return { ca: caPem, requestCert: true, rejectUnauthorized: false }
}

/** An HTTPS server. Port 0 takes any free one. The error is what the operating system says. */
export async function startHttpsServer(
  address: { readonly host: string; readonly port: number },
  options: ServerOptions,
  handlerFor: (closing: AbortSignal) => HttpsHandler,
): Promise<Result<HttpsServer, NodeJS.ErrnoException>> {
  const closing = new AbortController()
  // Each open watch adds a listener.
  setMaxListeners(0, closing.signal)
  const handler = handlerFor(closing.signal)
  const server = createServer({ keepAliveTimeout, ...options }, (incoming, response) => {
    void handler.serve(incoming, response)
  })
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket)
    socket.on('close', () => upgraded.delete(socket))
    handler.upgrade({ request, socket, head }).catch((error: unknown) => {
      handler.failed('error', error instanceof Error ? error : new Error(String(error)))
      socket.destroy()
    })
  })
  closing.signal.addEventListener('abort', () => {
    for (const socket of upgraded) socket.destroy()
  })
  server.on('tlsClientError', (error) => {
    handler.failed('debug', error)
  })
  const listening = await listen(server, address.host, address.port)
  if (!listening.ok) return listening
  server.on('error', (error) => {
    handler.failed('error', error)
  })
  let stopped: Promise<void> | undefined
  return ok({
    port: listening.value,
    setSecureContext: (context) => {
      server.setSecureContext(context)
    },
    stop: () => (stopped ??= stopServer(server, closing)),
  })
}
