import { err, ok } from '../../../shared/result.ts'
import { badRequest, unsupportedBody } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { missingKindMessage } from '../registry/missing-kinds.ts'
import { resourceTypes } from '../registry/resource-types.ts'
import { decodeMessage, ProtobufError, wireFields, type MessageShape } from './protobuf-reader.ts'
import { shapeByKind } from './protobuf-shapes.ts'

const typeMeta: MessageShape = new Map([
  [1, ['apiVersion', 'string']],
  [2, ['kind', 'string']],
])

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
  let type: Record<string, unknown> = {}
  let raw = new Uint8Array(0)
  for (const field of wireFields(bytes.subarray(magic.length))) {
    if (field.kind !== 'bytes') continue
    if (field.number === 1) type = decodeMessage(field.value, typeMeta)
    if (field.number === 2) raw = new Uint8Array(field.value)
  }
  const word = (name: string): string => {
    const value = type[name]
    return typeof value === 'string' ? value : ''
  }
  return { apiVersion: word('apiVersion'), kind: word('kind'), raw }
}

function unsupportedMessage(kind: string): string {
  return resourceTypes.some((type) => type.kind === kind)
    ? `the sandbox cannot decode a ${kind} in protobuf: write it to a file (--dry-run=client -o yaml) and send that with kubectl apply -f`
    : missingKindMessage(kind === '' ? 'of this object' : kind, { isCreate: true })
}

/**
 * Decodes an `application/vnd.kubernetes.protobuf` body. kubectl 1.32 and later send such bodies for commands that build an
 * object themselves (`kubectl create namespace x`); files are sent as JSON. Only the kinds of such commands are decoded. The
 * error is the answer, and says what to do instead.
 */
export function decodeProtobufBody(bytes: Uint8Array): ApiResult<Record<string, unknown>> {
  try {
    const { apiVersion, kind, raw } = openEnvelope(bytes)
    const shape = shapeByKind.get(kind)
    if (shape === undefined) return err(unsupportedBody(unsupportedMessage(kind)))
    return ok({ apiVersion, kind, ...decodeMessage(raw, shape) })
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    return err(badRequest(`the body is not readable as protobuf: ${error.message}`))
  }
}
