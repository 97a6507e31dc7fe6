import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { serverError } from '../api-status.ts'

/** etcd's limit of a request (`--max-request-bytes`), and gRPC's limit of a message to it. */
const etcdRequestBytes = 1.5 * 1024 * 1024
const grpcMessageBytes = 2 * 1024 * 1024

/** The sandbox's limit of all objects, in characters of JSON, in place of etcd's quota (`--quota-backend-bytes`). */
const storeSize = 512 * 1024 * 1024

const known = new WeakMap<KubeObject, number>()

/** The size of a stored object in characters of JSON, computed once. */
export function sizeOf(object: KubeObject): number {
  let size = known.get(object)
  if (size === undefined) {
    size = JSON.stringify(object).length
    known.set(object, size)
  }
  return size
}

/** Takes the size of an object that will be stored or was just read from its text. */
export function knowSize(object: KubeObject, size: number): void {
  known.set(object, size)
}

/**
 * etcd's error for an object that is too large, which kube-apiserver passes on with 500. The size is that of the JSON text;
 * kube-apiserver stores protobuf, which is shorter. `size`: that of the object; `stored`: that of all stored objects.
 */
export function sizeRefusal(
  object: KubeObject,
  size: number,
  stored: number,
): KubeStatus | undefined {
  if (stored > storeSize) return serverError('etcdserver: mvcc: database space exceeded')
  // UTF-8 has at most three bytes for a character of JavaScript.
  if (3 * size <= etcdRequestBytes) return undefined
  const bytes = Buffer.byteLength(JSON.stringify(object))
  if (bytes <= etcdRequestBytes) return undefined
  return serverError(
    bytes <= grpcMessageBytes
      ? 'etcdserver: request is too large'
      : `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${bytes} vs. ${grpcMessageBytes})`,
  )
}
