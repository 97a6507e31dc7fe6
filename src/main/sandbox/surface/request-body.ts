import type { IncomingMessage } from 'node:http'
import { assertNever } from '../../../shared/assert-never.ts'
import { err, ok } from '../../../shared/result.ts'
import { parseJson } from '../../parsing/bounded-json.ts'
import { fieldsIfRepeated } from '../../parsing/json-fields.ts'
import type { ParseText } from '../../parsing/kubernetes-text.ts'
import { badRequest, unsupportedBody } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { decodeProtobufBody } from './protobuf-body.ts'

/** kube-apiserver's limit for the body of a request. */
export const bodyLimitBytes = 3 * 1024 * 1024

/** A decoded body; `fields` as in `KubeRequest.bodyFields`. */
export interface DecodedBody {
  /** `undefined` for an empty body. */
  readonly value: unknown
  readonly fields?: readonly string[]
}

type Decoded = ApiResult<DecodedBody>

/** The bytes of a body; `undefined` if there are more than the limit allows. The rest is then read and dropped. */
export async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes: Buffer = chunk
    size += bytes.length
    if (size <= bodyLimitBytes) chunks.push(bytes)
    else chunks.length = 0
  }
  return size > bodyLimitBytes ? undefined : Buffer.concat(chunks, size)
}

type BodyFormat = 'json' | 'yaml' | 'protobuf' | 'unknown'

function formatOf(contentType: string): BodyFormat {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (mediaType === '' || mediaType === 'application/json' || mediaType.endsWith('+json')) {
    return 'json'
  }
  if (mediaType === 'application/yaml' || mediaType.endsWith('+yaml')) return 'yaml'
  return mediaType === 'application/vnd.kubernetes.protobuf' ? 'protobuf' : 'unknown'
}

function malformed(message: string): Decoded {
  return err(badRequest(message))
}

/** `undefined` if the bytes are not UTF-8. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const notUtf8 = malformed('the body of the request is not UTF-8 text')

function decodeJson(bytes: Uint8Array): Decoded {
  const text = utf8(bytes)
  if (text === undefined) return notUtf8
  const parsed = parseJson(text)
  if (parsed.ok) {
    const { value } = parsed
    const fields = fieldsIfRepeated(text, value)
    return ok({ value, ...(fields === undefined ? {} : { fields }) })
  }
  return malformed(`the body of the request is not readable as JSON: ${parsed.error.message}`)
}

async function decodeYaml(bytes: Uint8Array, parse: ParseText): Promise<Decoded> {
  const text = utf8(bytes)
  if (text === undefined) return notUtf8
  const parsed = await parse(text)
  const problem = parsed.ok ? parsed.value.warnings[0] : parsed.error
  if (parsed.ok && problem === undefined) return ok({ value: parsed.value.value })
  return malformed(`the body of the request is not readable as YAML: ${problem?.message ?? ''}`)
}

function decodeProtobuf(bytes: Uint8Array): Decoded {
  const decoded = decodeProtobufBody(bytes)
  return decoded.ok ? ok({ value: decoded.value }) : decoded
}

/** Decodes a body. An empty one is accepted with any content type. */
export async function decodeBody(
  bytes: Uint8Array,
  contentType: string,
  parse: ParseText,
): Promise<Decoded> {
  if (bytes.length === 0) return ok({ value: undefined })
  const format = formatOf(contentType)
  switch (format) {
    case 'json':
      return decodeJson(bytes)
    case 'yaml':
      return decodeYaml(bytes, parse)
    case 'protobuf':
      return decodeProtobuf(bytes)
    case 'unknown':
      return err(
        unsupportedBody(
          'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
        ),
      )
    default:
      return assertNever(format, 'body format')
  }
}
