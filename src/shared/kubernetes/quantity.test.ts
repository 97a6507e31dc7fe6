import { describe, expect, it } from 'vitest'
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
} from './quantity.ts'

function canonical(text: unknown): string | undefined {
  const quantity = parseQuantity(text)
  return quantity === undefined ? undefined : formatQuantity(quantity)
}

describe('a quantity', () => {
  // As kube-apiserver v1.34 stores them, and apimachinery pkg/api/resource/quantity_test.go.
  it.each([
    ['0', '0'],
    ['0Mi', '0'],
    [1, '1'],
    [0.5, '500m'],
    ['0.5', '500m'],
    ['1500m', '1500m'],
    ['1000m', '1'],
    ['100000', '100k'],
    ['1024Ki', '1Mi'],
    ['1.5Gi', '1536Mi'],
    ['1023Ki', '1023Ki'],
    ['512', '512'],
    ['0.5Ki', '512'],
    ['0.1Ki', '102400m'],
    ['1e3', '1e3'],
    ['1E3', '1e3'],
    ['10e3', '10e3'],
    ['1E', '1E'],
    ['1Ei', '1Ei'],
    ['.5', '500m'],
    ['5.', '5'],
    ['+1', '1'],
    ['-1', '-1'],
    ['-1Gi', '-1Gi'],
    ['100u', '100u'],
    ['0.0000000001', '1n'],
    [' 2 ', '2'],
  ])('%s is written back as %s', (text, expected) => {
    expect(canonical(text)).toBe(expected)
  })

  it.each([
    '',
    ' ',
    'x',
    '1x',
    '1 Gi',
    '1iK',
    '.',
    '-',
    '1.2.3',
    '1mi',
    '1KI',
    'e3',
    '1e',
    true,
    null,
  ])('%s is none', (text) => {
    expect(parseQuantity(text)).toBeUndefined()
  })

  it('does not fill the memory for an absurd exponent', () => {
    expect(parseQuantity('1e999999999')).toBeUndefined()
  })

  it.each([
    ['1', '1000m', 0],
    ['1Gi', '1G', 1],
    ['999m', '1', -1],
    ['-1', '0', -1],
  ])('%s against %s is %i', (a, b, order) => {
    const [left, right] = [parseQuantity(a), parseQuantity(b)]
    if (left === undefined || right === undefined) throw new Error('not a quantity')
    expect(compareQuantities(left, right)).toBe(order)
  })

  it.each([
    ['1', 1n, 1000n],
    ['1500m', 2n, 1500n],
    ['100u', 1n, 1n],
    ['-1500m', -1n, -1500n],
    ['1Ki', 1024n, 1024000n],
  ])('%s rounds up to %i units and %i thousandths', (text, units, millis) => {
    const quantity = parseQuantity(text)
    if (quantity === undefined) throw new Error('not a quantity')
    expect([quantityValue(quantity), quantityMilliValue(quantity)]).toEqual([units, millis])
  })

  it('is added exactly', () => {
    const [a, b] = [parseQuantity('1Gi'), parseQuantity('512Mi')]
    if (a === undefined || b === undefined) throw new Error('not a quantity')
    expect(formatQuantity(addQuantities(a, b))).toBe('1536Mi')
  })

  it('is added to nothing as itself', () => {
    const [a, b] = [parseQuantity('0'), parseQuantity('512Mi')]
    if (a === undefined || b === undefined) throw new Error('not a quantity')
    expect(formatQuantity(addQuantities(a, b))).toBe('512Mi')
  })
})
