import { describe, expect, it } from 'vitest'
import { createToken, isOwnHost, isOwnOrigin, offersToken } from './access.ts'

describe('isOwnHost', () => {
  it.each([
    ['127.0.0.1:8080', true],
    ['127.0.0.1', true],
    ['localhost:1', true],
    ['LOCALHOST:1', true],
    ['[::1]:8080', true],
    [undefined, false],
    ['', false],
    ['evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['127.0.0.1:80@evil.example', false],
    ['localhost.evil.example:80', false],
    ['evil.example:127.0.0.1', false],
    ['127.0.0.1:', false],
    ['0.0.0.0:80', false],
    ['127.0.0.1:80\n', false],
  ])('of %j is %s', (host, expected) => {
    expect(isOwnHost(host)).toBe(expected)
  })
})

describe('isOwnOrigin', () => {
  it.each([
    ['http://127.0.0.1:80', '127.0.0.1:80', true],
    ['http://LocalHost:80', 'localhost:80', true],
    ['http://127.0.0.1:81', '127.0.0.1:80', false],
    ['http://localhost:80', '127.0.0.1:80', false],
    ['https://127.0.0.1:80', '127.0.0.1:80', false],
    ['http://evil.example', 'evil.example', false],
    ['null', '127.0.0.1:80', false],
    [undefined, '127.0.0.1:80', false],
    ['http://undefined', undefined, false],
  ])('of %j at %j is %s', (origin, host, expected) => {
    expect(isOwnOrigin(origin, host)).toBe(expected)
  })
})

describe('tokens', () => {
  const token = 'AbCdEfGhIjKlMnOpQrStUvWxYz012-_9'
  it.each([
    [`nodescope.v1, nodescope.token.${token}`, true],
    [`nodescope.token.${token}`, true],
    [`nodescope.token.${token}x`, false],
    [`nodescope.token.${token.slice(1)}`, false],
    [`nodescope.token.${token.toLowerCase()}`, false],
    ['nodescope.token.', false],
    [`nodescope.token.wrong, nodescope.token.${token}`, false],
    [token, false],
    ['', false],
    [undefined, false],
  ])('offered as %j are taken: %s', (protocols, expected) => {
    expect(offersToken(protocols, token)).toBe(expected)
  })

  it('are 24 random bytes in 32 characters that are valid in a URL and a subprotocol', () => {
    const tokens = Array.from({ length: 50 }, createToken)
    expect(tokens.every((each) => /^[A-Za-z0-9_-]{32}$/.test(each))).toBe(true)
    expect(new Set(tokens).size).toBe(50)
  })
})
