import { ownField } from '../../../../shared/json.ts'
import { known, Unreadable } from './unreadable.ts'

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '-eq': (left, right) => left === right,
  '-ne': (left, right) => left !== right,
  '-lt': (left, right) => left < right,
  '-le': (left, right) => left <= right,
  '-gt': (left, right) => left > right,
  '-ge': (left, right) => left >= right,
}

/**
 * The status of `[ … ]` and `test …` without the closing bracket: 0 true, 1 false, 2 for a number
 * that is not one. Only strings and numbers: tests on files throw Unreadable, because the files are unknown.
 */
export function testStatus(given: readonly string[]): 0 | 1 | 2 {
  const operands = given.map((operand) => known(operand, 'a test'))
  if (operands[0] === '!' && operands.length > 1) {
    const status = testStatus(operands.slice(1))
    return status === 2 ? 2 : status === 0 ? 1 : 0
  }
  const [first = '', second = '', third = ''] = operands
  switch (operands.length) {
    case 0:
      return 1
    case 1:
      return first === '' ? 1 : 0
    case 2:
      return unary(first, second)
    case 3:
      return binary(first, second, third)
    default:
      throw new Unreadable('a test of more than one comparison')
  }
}

function unary(operator: string, operand: string): 0 | 1 {
  if (operator === '-n') return operand === '' ? 1 : 0
  if (operator === '-z') return operand === '' ? 0 : 1
  throw new Unreadable(`the test ${operator}`)
}

function binary(left: string, operator: string, right: string): 0 | 1 | 2 {
  if (operator === '=' || operator === '==') return left === right ? 0 : 1
  if (operator === '!=') return left === right ? 1 : 0
  const compare = ownField(comparisons, operator)
  if (compare === undefined) throw new Unreadable(`the test ${operator}`)
  const isNumber = [left, right].every((text) => /^\s*[-+]?\d{1,15}\s*$/.test(text))
  if (!isNumber) return 2
  return compare(Number(left), Number(right)) ? 0 : 1
}
