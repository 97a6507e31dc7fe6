import { duplexPair } from 'node:stream'
import type { Duplex } from 'node:stream'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { takeConnection } from '../pod-ports/port-server.ts'
import { protocolsOf } from '../pod-ports/pod-ports.ts'
import type { PendingStream } from './stream-urls.ts'

type Connect = (PendingStream & { readonly kind: 'port-forward' })['connect']

/** A connection to what listens on a port of a pod. The error is why it is refused. */
export function connectTo(connect: Connect, port: number): Result<Duplex, string> {
  const listener = connect(port)
  if (!listener.ok) return err(listener.error)
  const [client, server] = duplexPair()
  takeConnection(server, protocolsOf(listener.value))
  return ok(client)
}
