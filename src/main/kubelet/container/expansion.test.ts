import { describe, expect, it } from 'vitest'
import { ExpansionTooLong, maxExpandedLength, VariableExpander } from './expansion.ts'

const values = new Map([
  ['VAR_A', 'A'],
  ['VAR_B', 'B'],
  ['VAR_REF', '$(VAR_A)'],
  ['VAR_EMPTY', ''],
])

// Cases after third_party/forked/golang/expansion/expand_test.go.
describe('VariableExpander', () => {
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
    ['$(VAR_DNE$(VAR_A)', '$(VAR_DNE$(VAR_A)'],
    ['$(a$$b', '$(a$b'],
  ])('makes %j to %j', (text, expanded) => {
    expect(new VariableExpander(values).expand(text)).toBe(expanded)
  })

  it('stops where variables double without end', () => {
    const environment = new Map([['E0', 'x'.repeat(100)]])
    const expander = new VariableExpander(environment)
    const doubled = (): void => {
      for (let index = 0; index < 40; index++)
        environment.set(`E${index + 1}`, expander.expand(`$(E${index})$(E${index})`))
    }
    expect(doubled).toThrow(ExpansionTooLong)
    const lengths = [...environment.values()].map(({ length }) => length)
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(maxExpandedLength)
  })

  // Each looked for its end in all that follows: this took minutes.
  it('reads a million openings that nothing closes in time', () => {
    const text = '$('.repeat(maxExpandedLength / 2)
    expect(new VariableExpander(values).expand(text)).toBe(text)
  })
})
