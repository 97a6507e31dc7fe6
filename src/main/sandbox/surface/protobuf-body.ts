import { err, ok } from '../../../shared/result.ts'
import { badRequest } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { decodeMessage, isMessage } from './protobuf-messages.ts'
import { ProtobufError, textOf, wireFields } from './protobuf-reader.ts'
import type { WireField } from './protobuf-reader.ts'

const magic = [0x6b, 0x38, 0x73, 0x00]

interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Uint8Array
}

/** runtime.Unknown: field 1 is the type, field 2 the bytes of the object. */
function openEnvelope(bytes: Uint8Array): Envelope {
  if (!magic.every((byte, index) => bytes[index] === byte)) {
    throw new ProtobufError('the body does not begin with the four bytes of the Kubernetes format')
  }
  let type: readonly WireField[] = []
  let raw = new Uint8Array(0)
  for (const field of wireFields(bytes.subarray(magic.length))) {
    if (field.kind !== 'bytes') continue
    if (field.number === 1) type = wireFields(field.value)
    if (field.number === 2) raw = new Uint8Array(field.value)
  }
  const word = (number: number): string => {
    const field = type.findLast((one) => one.number === number)
    return field === undefined ? '' : textOf(field)
  }
  return { apiVersion: word(1), kind: word(2), raw }
}

/**
 * Decodes an `application/vnd.kubernetes.protobuf` body. The object of an unknown kind stays bytes: the path of the request says
 * what the sandbox does not have. kubectl 1.32 and later send such bodies for commands that build an
 * object themselves (`kubectl create namespace x`, `kubectl debug --copy-to`); files are sent as JSON. The error is the answer.
 */
export function decodeProtobufBody(
  bytes: Uint8Array,
): ApiResult<Record<string, unknown> | Uint8Array> {
  try {
    const { apiVersion, kind, raw } = openEnvelope(bytes)
    if (isMessage(kind)) return ok({ apiVersion, kind, ...decodeMessage(raw, kind) })
    return ok(raw)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    return err(badRequest(`the body is not readable as protobuf: ${error.message}`))
  }
}
