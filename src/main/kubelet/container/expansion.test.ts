import { describe, expect, it } from 'vitest'
import { expandVariables } from './expansion.ts'

const values = new Map([
  ['VAR_A', 'A'],
  ['VAR_B', 'B'],
  ['VAR_REF', '$(VAR_A)'],
  ['VAR_EMPTY', ''],
])

// Cases after third_party/forked/golang/expansion/expand_test.go.
describe('expandVariables', () => {
  it.each([
    ['$(VAR_A)', 'A'],
    ['___$(VAR_B)___', '___B___'],
    ['$(VAR_A)-1', 'A-1'],
    ['$(VAR_A)$(VAR_B)', 'AB'],
    ['$(VAR_REF)', '$(VAR_A)'],
    ['foo-$(VAR_EMPTY)-bar', 'foo--bar'],
    ['$(VAR_DNE)', '$(VAR_DNE)'],
    ['$$(VAR_A)', '$(VAR_A)'],
    ['$$$(VAR_A)', '$A'],
    ['$$$$(VAR_A)', '$$(VAR_A)'],
    ['$$', '$'],
    ['$', '$'],
    ['$VAR_A', '$VAR_A'],
    ['${VAR_A}', '${VAR_A}'],
    ['$(VAR_A', '$(VAR_A'],
    ['foo$(VAR_A', 'foo$(VAR_A'],
    ['$()', '$()'],
    ['$(VAR_A))', 'A)'],
    ['\n$(VAR_A)\t', '\nA\t'],
    ['plain', 'plain'],
  ])('makes %j to %j', (text, expanded) => {
    expect(expandVariables(text, values)).toBe(expanded)
  })
})
