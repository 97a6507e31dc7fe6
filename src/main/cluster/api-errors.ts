import { isJsonObject, numberAt, objectAt, objectsAt, textAt } from '../../shared/json.ts'
import { cutText } from '../../shared/outside-text.ts'
import type { KubeResponse } from '../../shared/kubernetes/request.ts'
import { TransportError } from '../../shared/kubernetes/request.ts'
import type { ApiError, ApiErrorKind } from '../kubelet/ports.ts'

/** A server may send any number of causes; the first say enough. */
const causesKept = 5

/** What of a metav1.Status counts here; all optional, since a proxy on the way may have answered. */
interface StatusFields {
  readonly code?: number | undefined
  readonly message?: string
  readonly reason?: string
  readonly causes?: readonly string[]
  readonly retryAfterSeconds?: number | undefined
}

function statusFields(body: unknown): StatusFields {
  if (!isJsonObject(body) || body['kind'] !== 'Status') return {}
  return {
    code: numberAt(body, 'code'),
    message: textAt(body, 'message'),
    reason: textAt(body, 'reason'),
    causes: objectsAt(objectAt(body, 'details'), 'causes')
      .map((cause) => cutText(textAt(cause, 'message')))
      .filter((text) => text !== '')
      .slice(0, causesKept),
    retryAfterSeconds: numberAt(objectAt(body, 'details'), 'retryAfterSeconds'),
  }
}

function errorKind(code: number, reason: string | undefined): ApiErrorKind {
  // The reason is finer than the code, where both are there: apimachinery pkg/api/errors.
  if (reason === 'AlreadyExists') return 'already-exists'
  if (reason === 'Timeout' || reason === 'ServerTimeout') return 'timeout'
  if (reason === 'Expired' || reason === 'Gone') return 'gone'
  switch (code) {
    case 401:
      return 'unauthorized'
    case 403:
      return 'forbidden'
    case 404:
      return 'not-found'
    case 408:
    case 504:
      return 'timeout'
    case 409:
      return 'conflict'
    case 410:
      return 'gone'
    case 400:
    case 405:
    case 406:
    case 413:
    case 415:
    case 422:
      return 'invalid'
    case 429:
      return 'too-many-requests'
    default:
      return code >= 500 ? 'unavailable' : 'unknown'
  }
}

/** Seconds. Only the form with their number; the one with a date is not sent by API servers. */
export function retryAfterHeader(
  headers: Readonly<Record<string, string>> | undefined,
): number | undefined {
  const text = headers?.['retry-after']
  if (text === undefined || !/^\d{1,6}$/.test(text)) return undefined
  return Number(text)
}

function sentenceOf(response: Exclude<KubeResponse, { kind: 'watch' }>): string {
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

/** The error of a Status object, as a refusal's body or as the object of an ERROR watch event carries it. */
export function apiErrorOfStatus(
  body: unknown,
  fallback: { readonly code: number; readonly message: string; readonly retryAfter?: number },
): ApiError {
  const status = statusFields(body)
  const code = status.code ?? fallback.code
  const retryAfterSeconds = status.retryAfterSeconds ?? fallback.retryAfter
  return {
    kind: errorKind(code, status.reason),
    message: cutText(status.message || fallback.message),
    code,
    ...(status.reason ? { reason: cutText(status.reason) } : {}),
    ...(status.causes?.length ? { causes: status.causes } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

/** The one place where an HTTP answer becomes an error. `undefined`: it was a success. */
export function apiErrorOfResponse(response: KubeResponse): ApiError | undefined {
  if (response.kind === 'watch') return undefined
  if (response.status >= 200 && response.status < 300) return undefined
  const retryAfter = retryAfterHeader(response.headers)
  return apiErrorOfStatus(response.kind === 'object' ? response.body : undefined, {
    code: response.status,
    message: sentenceOf(response),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

/** The error of a call that got no answer. Anything but a `TransportError` is a broken invariant and is thrown on. */
export function apiErrorOfThrown(error: unknown): ApiError {
  if (!(error instanceof TransportError)) throw error
  return { kind: error.kind, message: cutText(error.message) }
}
