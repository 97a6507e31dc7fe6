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

const kinds: ReadonlyMap<number, RuntimeError['kind']> = new Map([
  [status.NOT_FOUND, 'not-found'],
  [status.INVALID_ARGUMENT, 'invalid-argument'],
  [status.UNIMPLEMENTED, 'unimplemented'],
  [status.DEADLINE_EXCEEDED, 'deadline-exceeded'],
  [status.UNAVAILABLE, 'unavailable'],
])

/** The names that Go gives to the codes, in the order of their numbers. */
const codeNames = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
] as const

/** A call's error as gRPC sends it. A message that is a status written by Go is that status. */
export function grpcStatusOf({ kind, message }: RuntimeError): {
  readonly code: number
  readonly details: string
} {
  const [, name = '', details] = /^rpc error: code = (\w+) desc = ([^]*)$/.exec(message) ?? []
  if (details === undefined) return { code: codes[kind], details: message }
  const code = codeNames.findIndex((known) => known === name)
  return { code: code === -1 ? codes[kind] : code, details }
}

/** Go's name of a status code. */
export function grpcCodeName(code: number): string {
  return codeNames[code] ?? `Code(${code})`
}

/** An error that gRPC received, with the text that Go gives to it. */
export function runtimeErrorOf(received: {
  readonly code: number
  readonly details: string
}): RuntimeError {
  return {
    kind: kinds.get(received.code) ?? 'failed',
    message: `rpc error: code = ${grpcCodeName(received.code)} desc = ${received.details}`,
  }
}
