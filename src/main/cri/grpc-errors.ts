import { status } from '@grpc/grpc-js'
import type { RuntimeError } from '../kubelet/ports.ts'

const codes: Readonly<Record<RuntimeError['kind'], number>> = {
  'not-found': status.NOT_FOUND,
  'invalid-argument': status.INVALID_ARGUMENT,
  unimplemented: status.UNIMPLEMENTED,
  'deadline-exceeded': status.DEADLINE_EXCEEDED,
  unavailable: status.UNAVAILABLE,
  failed: status.UNKNOWN,
}

/** The names that Go gives to the codes. */
const namedCodes: ReadonlyMap<string, number> = new Map([
  ['NotFound', status.NOT_FOUND],
  ['InvalidArgument', status.INVALID_ARGUMENT],
  ['Unimplemented', status.UNIMPLEMENTED],
  ['DeadlineExceeded', status.DEADLINE_EXCEEDED],
  ['Unavailable', status.UNAVAILABLE],
  ['Unknown', status.UNKNOWN],
])

/** A call's error as gRPC sends it. A message that is a status written by Go is that status. */
export function grpcStatusOf({ kind, message }: RuntimeError): {
  readonly code: number
  readonly details: string
} {
  const [, name = '', details] = /^rpc error: code = (\w+) desc = ([^]*)$/.exec(message) ?? []
  return details === undefined
    ? { code: codes[kind], details: message }
    : { code: namedCodes.get(name) ?? codes[kind], details }
}
