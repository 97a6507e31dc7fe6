import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { serverError } from '../api-status.ts'

/** etcd's limit for one request (`--max-request-bytes`), and gRPC's for what is sent to it. */
const etcdRequestBytes = 1.5 * 1024 * 1024
const grpcMessageBytes = 2 * 1024 * 1024

/** Characters of all objects as JSON that the sandbox keeps, where etcd has its quota (`--quota-backend-bytes`). */
const storeSize = 512 * 1024 * 1024

const known = new WeakMap<KubeObject, number>()

/** Characters of a stored object as JSON: what it takes of memory, about. Counted once. */
export function sizeOf(object: KubeObject): number {
  const size = known.get(object) ?? JSON.stringify(object).length
  known.set(object, size)
  return size
}

/**
 * The answer to an object that etcd would not take, which kube-apiserver passes on as it is, with 500. Counted as
 * JSON, where kube-apiserver stores protobuf, which is shorter. `stored`: the size of all that is kept already.
 */
export function sizeRefusal(object: KubeObject, stored: number): KubeStatus | undefined {
  if (stored > storeSize) return serverError('etcdserver: mvcc: database space exceeded')
  const bytes = Buffer.byteLength(JSON.stringify(object))
  if (bytes <= etcdRequestBytes) return undefined
  return serverError(
    bytes <= grpcMessageBytes
      ? 'etcdserver: request is too large'
      : `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${bytes} vs. ${grpcMessageBytes})`,
  )
}
