import { createServer } from 'node:https'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'

export interface TestCertificates {
  readonly ca: string
  readonly server: { readonly cert: string; readonly key: string }
  readonly client: { readonly cert: string; readonly key: string }
}

const options = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const

async function signed(
  name: string,
  ca: { readonly private: string; readonly cert: string },
): Promise<{ readonly cert: string; readonly key: string }> {
  const made = await generate([{ name: 'commonName', value: name }], {
    ...options,
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
  return { cert: made.cert, key: made.private }
}

/** A new CA, a certificate for 127.0.0.1 and one for a client. */
export async function makeCertificates(): Promise<TestCertificates> {
  const ca = await generate([{ name: 'commonName', value: 'test CA' }], {
    ...options,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  })
  return { ca: ca.cert, server: await signed('server', ca), client: await signed('client', ca) }
}

export type TestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** An HTTPS server on a free port of 127.0.0.1 whose handler the test may exchange. Counts its connections. */
export class TestHttpsServer {
  readonly #server: Server
  connections = 0
  handler: TestHandler = (_request, response) => {
    response.writeHead(404).end()
  }

  constructor(certificates: TestCertificates) {
    this.#server = createServer(
      { ...certificates.server, ca: certificates.ca, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        this.handler(request, response)
      },
    )
    this.#server.on('secureConnection', () => this.connections++)
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
  }

  get port(): number {
    // A TCP server's address is an object once it listens.
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`
  }

  dropConnections(): void {
    this.#server.closeAllConnections()
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve()
      })
    })
  }
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The whole body of a request as text. */
export async function bodyText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
