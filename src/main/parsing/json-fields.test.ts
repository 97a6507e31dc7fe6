import { describe, expect, it } from 'vitest'
import { fieldsIfRepeated } from './json-fields.ts'

function fields(text: string): readonly string[] | undefined {
  return fieldsIfRepeated(text, JSON.parse(text))
}

describe('the fields of a JSON text', () => {
  it.each([
    '{}',
    '[]',
    '"a:b"',
    '{"a":{"b":[1,{"c":":"}]},"d":null}',
    '{"a":"\\"b\\":1","b":2}',
    '{"__proto__":1,"constructor":{"x":2}}',
  ])('are not listed without repeated fields: %s', (text) => {
    expect(fields(text)).toBeUndefined()
  })

  it('are listed with their paths, in the order of the text, if one is repeated', () => {
    const text =
      '{"a":1,"spec":{"list":[{"x":1,"x":2},["y",{"z":"}"}]],"list":null},"b\\u0063":{"d":[]},"a":2}'
    expect(fields(text)).toEqual([
      'a',
      'spec',
      'spec.list',
      'spec.list[0].x',
      'spec.list[0].x',
      'spec.list[1][1].z',
      'spec.list',
      'bc',
      'bc.d',
      'a',
    ])
    expect(fields('[{"op":1,"op":2}]')).toEqual(['[0].op', '[0].op'])
  })

  it('are bounded in number and length', () => {
    const long = 'k'.repeat(1000)
    const many = Array.from({ length: 20_000 }, () => '"a":1').join(',')
    expect(fields(`{"${long}":{"a":1},"b":1,"b":2}`)).toEqual(['b', 'b'])
    expect(fields(`{${many}}`)).toHaveLength(10_000)
  })
})
