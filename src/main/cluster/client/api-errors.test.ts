import { describe, expect, it } from 'vitest'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import { apiErrorOfResponse, apiErrorOfThrown } from './api-errors.ts'
import { answer, refusal } from '../transport/fake-transport.ts'

describe('apiErrorOfResponse', () => {
  it.each([
    [400, 'BadRequest', 'invalid'],
    [401, 'Unauthorized', 'unauthorized'],
    [403, 'Forbidden', 'forbidden'],
    [404, 'NotFound', 'not-found'],
    [405, 'MethodNotAllowed', 'invalid'],
    [409, 'AlreadyExists', 'already-exists'],
    [409, 'Conflict', 'conflict'],
    [410, 'Gone', 'gone'],
    [410, 'Expired', 'gone'],
    [413, 'RequestEntityTooLarge', 'invalid'],
    [415, 'UnsupportedMediaType', 'invalid'],
    [422, 'Invalid', 'invalid'],
    [429, 'TooManyRequests', 'too-many-requests'],
    [500, 'InternalError', 'unavailable'],
    [500, 'ServerTimeout', 'timeout'],
    [503, 'ServiceUnavailable', 'unavailable'],
    [504, 'Timeout', 'timeout'],
    [418, '', 'unknown'],
    [302, '', 'unknown'],
  ] as const)('turns %i %s into %s, with the server’s own sentence', (code, reason, kind) => {
    expect(apiErrorOfResponse(refusal(code, reason, 'why'))).toEqual({
      kind,
      code,
      message: 'why',
      ...(reason === '' ? {} : { reason }),
    })
  })

  it('keeps 2,000 characters of a server’s message', () => {
    expect(apiErrorOfResponse(refusal(500, 'InternalError', 'x'.repeat(3_000)))?.message).toBe(
      `${'x'.repeat(2_000)}… (1000 more characters)`,
    )
  })

  it('prefers the retry delay of the Status to the header', () => {
    expect(apiErrorOfResponse(refusal(429, 'TooManyRequests', 'slow', 7))).toEqual({
      kind: 'too-many-requests',
      code: 429,
      reason: 'TooManyRequests',
      message: 'slow',
      retryAfterSeconds: 7,
    })
    const both = answer(
      503,
      { kind: 'Status', details: { retryAfterSeconds: 1 } },
      { 'retry-after': '9' },
    )
    expect(apiErrorOfResponse(both)).toMatchObject({ retryAfterSeconds: 1 })
    expect(apiErrorOfResponse(answer(503, {}, { 'retry-after': '9' }))).toEqual({
      kind: 'unavailable',
      code: 503,
      message: 'the server answered with HTTP status 503',
      retryAfterSeconds: 9,
    })
    expect(
      apiErrorOfResponse(answer(503, {}, { 'retry-after': 'Fri, 31 Dec' })),
    ).not.toHaveProperty('retryAfterSeconds')
  })

  it('quotes one short line of a text response, but no HTML page', () => {
    const text = (body: string | Uint8Array): unknown =>
      apiErrorOfResponse({ kind: 'text', status: 502, body, contentType: 'text/plain' })
    expect(text('no upstream\nsecond line')).toEqual({
      kind: 'unavailable',
      code: 502,
      message: 'no upstream',
    })
    expect(text(new TextEncoder().encode('gone fishing'))).toMatchObject({
      message: 'gone fishing',
    })
    expect(text('<html><body>Bad gateway')).toMatchObject({
      message: 'the server answered with HTTP status 502',
    })
  })

  it('finds no error in a success', () => {
    expect(apiErrorOfResponse(answer(201, {}))).toBeUndefined()
  })
})

describe('apiErrorOfThrown', () => {
  it('keeps the kind and the message of a TransportError', () => {
    expect(apiErrorOfThrown(new TransportError('timeout', 'too slow'))).toEqual({
      kind: 'timeout',
      message: 'too slow',
    })
  })

  it('rethrows other errors', () => {
    const bug = new TypeError('x is not a function')
    expect(() => apiErrorOfThrown(bug)).toThrow(bug)
  })
})
