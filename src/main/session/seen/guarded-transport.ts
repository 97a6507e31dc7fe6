import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { KubeRequest, Transport } from '../../../shared/kubernetes/request.ts'
import type { Changes } from './changes.ts'

/** Reviews are created and change nothing. */
const reviewPattern = /^\/apis\/(authentication|authorization)\.k8s\.io\//

function isRead({ method, path }: KubeRequest): boolean {
  return method === 'GET' || reviewPattern.test(path)
}

/** Refuses every request that changes the cluster while changes are not allowed, wherever it comes from. */
export function guardedTransport(transport: Transport, changes: Changes): Transport {
  return {
    send: async (request) => {
      if (!isRead(request)) {
        if (!changes.areAllowed)
          throw new TransportError(
            'invalid',
            'This cluster is read-only here: allow changes first.',
          )
        changes.extend()
      }
      return transport.send(request)
    },
  }
}
