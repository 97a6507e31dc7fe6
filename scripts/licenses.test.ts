import { describe, expect, it } from 'vitest'
import { isAllowed, packageOf } from './licenses.mjs'

describe('isAllowed', () => {
  it.each([
    ['MIT', true],
    ['OFL-1.1', true],
    ['(MIT OR GPL-3.0)', true],
    ['GPL-3.0 OR AGPL-3.0', false],
    ['MIT AND CC0-1.0', true],
    ['MIT AND GPL-2.0', false],
    ['(MIT AND ISC) OR GPL-2.0', true],
    ['(MIT OR GPL-2.0) AND (ISC OR GPL-2.0)', true],
    ['(MIT OR ISC) AND GPL-2.0', false],
    ['MIT*', false],
    ['SEE LICENSE IN LICENSE', false],
    ['', false],
  ])('of %j is %s', (expression, expected) => {
    expect(isAllowed(expression)).toBe(expected)
  })
})

describe('packageOf', () => {
  it.each([
    ['react', 'react'],
    ['react-dom/client', 'react-dom'],
    ['@kubernetes/client-node/dist/config.js', '@kubernetes/client-node'],
    ['./own.ts', undefined],
    ['../own.css', undefined],
    ['node:fs', undefined],
  ])('of %s is %s', (specifier, expected) => {
    expect(packageOf(specifier)).toBe(expected)
  })
})
