import type { IncomingMessage } from 'node:http'
import { parse } from 'yaml'
import { assertNever } from '../../../shared/assert-never.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { decodeProtobufBody } from './protobuf-namespace.ts'
import type { Refusal } from './refusal.ts'

/** kube-apiserver's own limit for a request's body. */
export const bodyLimitBytes = 3 * 1024 * 1024

type Decoded = Result<unknown, Refusal>

/** A body's bytes; `undefined` when there are more than the limit allows. The rest is then read and dropped. */
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
  return err({ kind: 'malformed', message })
}

function attempt(what: string, decode: () => unknown): Decoded {
  try {
    return ok(decode())
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return malformed(`the body of the request is not readable as ${what}: ${reason}`)
  }
}

function utf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

function decodeProtobuf(bytes: Uint8Array): Decoded {
  const decoded = decodeProtobufBody(bytes)
  if (decoded.ok) return decoded
  const { kind, message } = decoded.error
  return err({ kind: kind === 'unsupported' ? 'unsupported-media-type' : 'malformed', message })
}

/** A body as the value it stands for; `undefined` for an empty one, whatever its type. */
export function decodeBody(bytes: Uint8Array, contentType: string): Decoded {
  if (bytes.length === 0) return ok(undefined)
  const format = formatOf(contentType)
  switch (format) {
    case 'json':
      return attempt('JSON', (): unknown => JSON.parse(utf8(bytes)))
    case 'yaml':
      return attempt('YAML', (): unknown => parse(utf8(bytes), { prettyErrors: false }))
    case 'protobuf':
      return decodeProtobuf(bytes)
    case 'unknown':
      return err({
        kind: 'unsupported-media-type',
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      })
    default:
      return assertNever(format, 'body format')
  }
}
