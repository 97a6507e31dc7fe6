import { isJsonObject, numberAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import { cutText } from '../../../shared/untrusted-text.ts'
import type { KubeResponse } from '../../../shared/kubernetes/request.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { ApiError, ApiErrorKind } from '../../kubelet/ports.ts'

/** A server may send any number of causes. */
const causesKept = 5

const kindsOfReasons: ReadonlyMap<string, ApiErrorKind> = new Map([
  ['AlreadyExists', 'already-exists'],
  ['Timeout', 'timeout'],
  ['ServerTimeout', 'timeout'],
  ['Expired', 'gone'],
  ['Gone', 'gone'],
])

const kindsOfCodes: Readonly<Record<number, ApiErrorKind>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'invalid',
  406: 'invalid',
  408: 'timeout',
  409: 'conflict',
  410: 'gone',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  429: 'too-many-requests',
  504: 'timeout',
}

/** The reason is more precise than the code (apimachinery pkg/api/errors). */
function errorKind(code: number, reason: string): ApiErrorKind {
  const kind = kindsOfReasons.get(reason) ?? kindsOfCodes[code]
  return kind ?? (code >= 500 ? 'unavailable' : 'unknown')
}

/** Seconds. API servers do not send the form with a date. */
export function retryAfterHeader(
  headers: Readonly<Record<string, string>> | undefined,
): number | undefined {
  const text = headers?.['retry-after']
  if (text === undefined || !/^\d{1,6}$/.test(text)) return undefined
  return Number(text)
}

function responseMessage(response: Exclude<KubeResponse, { kind: 'watch' }>): string {
  const text =
    response.kind === 'object'
      ? ''
      : typeof response.body === 'string'
        ? response.body
        : new TextDecoder().decode(response.body)
  const firstLine = text.trim().split('\n', 1)[0] ?? ''
  const isReadable = firstLine !== '' && firstLine.length <= 200 && !firstLine.startsWith('<')
  return isReadable ? firstLine : `the server answered with HTTP status ${response.status}`
}

/**
 * The error of a metav1.Status: the body of a refusal, or the object of an ERROR watch event. Any field may be missing,
 * because a proxy may have answered.
 */
export function apiErrorOfStatus(
  body: unknown,
  fallback: {
    readonly code: number
    readonly message: string
    readonly retryAfter?: number | undefined
  },
): ApiError {
  const status = isJsonObject(body) && body['kind'] === 'Status' ? body : {}
  const details = objectAt(status, 'details')
  const code = numberAt(status, 'code') ?? fallback.code
  const reason = textAt(status, 'reason')
  const causes = objectsAt(details, 'causes')
    .map((cause) => cutText(textAt(cause, 'message')))
    .filter((text) => text !== '')
    .slice(0, causesKept)
  const retryAfterSeconds = numberAt(details, 'retryAfterSeconds') ?? fallback.retryAfter
  return {
    kind: errorKind(code, reason),
    message: cutText(textAt(status, 'message') || fallback.message),
    code,
    ...(reason === '' ? {} : { reason: cutText(reason) }),
    ...(causes.length === 0 ? {} : { causes }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

/** The error of an HTTP response; undefined for a success. */
export function apiErrorOfResponse(response: KubeResponse): ApiError | undefined {
  if (response.kind === 'watch') return undefined
  if (response.status >= 200 && response.status < 300) return undefined
  const retryAfter = retryAfterHeader(response.headers)
  const fallback = { code: response.status, message: responseMessage(response), retryAfter }
  return apiErrorOfStatus(response.kind === 'object' ? response.body : undefined, fallback)
}

/** The error of a call without a response. Rethrows anything but a `TransportError`: it is a bug. */
export function apiErrorOfThrown(error: unknown): ApiError {
  if (!(error instanceof TransportError)) throw error
  const { kind, message, isUnsent } = error
  return { kind, message: cutText(message), ...(isUnsent ? { isUnsent } : {}) }
}
