import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { yamlProblem } from './yaml-problem.ts'

/** Every complaint that the parser makes about a text. */
function complaintsOf(text: string): readonly string[] {
  const options = { version: '1.1', prettyErrors: false, logLevel: 'silent' } as const
  return parseAllDocuments(text, options).flatMap((document) => {
    const said = document.errors.map(({ message }) => message)
    try {
      document.toJS()
      return said
    } catch (error) {
      return [...said, error instanceof Error ? error.message : String(error)]
    }
  })
}

describe('yamlProblem', () => {
  it.each([
    'a: *pa55w0rd',
    'a: |pa55w0rd\n x',
    'a: >pa55w0rd',
    'a: ]pa55w0rd',
    'a: !e!pa55w0rd x',
    'a: !<pa55w0rd x',
    'a: "\\upa55w0rd"',
    '%YAML pa55w0rd\n---\na: 1',
    'a: "x" pa55w0rd',
    'a: @pa55w0rd',
    'a: !!omap [pa55w0rd: 1, pa55w0rd: 2]',
  ])('reports the problem without quoting the text: %j', (text) => {
    const said = complaintsOf(text)
    expect(said).not.toEqual([])
    expect(said.map(yamlProblem).join()).not.toMatch(/pa55/)
  })

  it('keeps messages without quotes', () => {
    for (const message of [
      'Nested mappings are not allowed in compact mappings',
      'Missing space after : in flow map',
      'Plain value cannot start with reserved character @',
    ])
      expect(yamlProblem(message)).toBe(message)
    expect(yamlProblem('Block scalar header includes extra characters: |x')).toBe(
      'Block scalar header includes extra characters',
    )
  })
})
