import { ownField } from '../../../../shared/json.ts'
import type { FileNode } from '../files/file-node.ts'
import { sizeOf } from '../files/file-node.ts'
import type { WorkingFolder } from '../files/working-folder.ts'
import { known, Unreadable } from './unreadable.ts'

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '-eq': (left, right) => left === right,
  '-ne': (left, right) => left !== right,
  '-lt': (left, right) => left < right,
  '-le': (left, right) => left <= right,
  '-gt': (left, right) => left > right,
  '-ge': (left, right) => left >= right,
}

const fileTests: Readonly<Record<string, (node: FileNode) => boolean>> = {
  '-e': () => true,
  '-f': ({ kind }) => kind === 'file',
  '-d': ({ kind }) => kind === 'folder',
  '-s': (node) => sizeOf(node) > 0,
  '-r': () => true,
  '-w': () => true,
  '-x': ({ kind, mode }) => kind === 'folder' || (mode & 0o111) !== 0,
  '-c': ({ kind }) => kind === 'device',
  '-b': () => false,
  '-p': () => false,
  '-S': () => false,
}

type Status = 0 | 1 | 2

/**
 * The status of `[ … ]` and `test …` without the closing bracket: 0 true, 1 false, 2 for a number that is not one.
 * Without files, as while a script is checked, no file is there.
 */
export function testStatus(given: readonly string[], files: WorkingFolder | undefined): Status {
  const operands = given.map((operand) => known(operand, 'a test'))
  const [first = '', second = '', third = ''] = operands
  switch (operands.length) {
    case 0:
      return 1
    case 1:
      return first === '' ? 1 : 0
    case 2:
      return first === '!' ? negated(testStatus([second], files)) : unary(first, second, files)
    case 3:
      if (isBinary(second)) return binary(first, second, third)
      if (first === '!') return negated(testStatus([second, third], files))
      throw new Unreadable(`the test ${second}`)
    default:
      return manyStatus(operands, files)
  }
}

/** `-o` binds less than `-a`. Parentheses are not read. */
function manyStatus(operands: readonly string[], files: WorkingFolder | undefined): Status {
  if (operands.some((operand) => operand === '(' || operand === ')'))
    throw new Unreadable('a test with parentheses')
  for (const [operator, decides] of [
    ['-o', 0],
    ['-a', 1],
  ] as const) {
    const at = operands.indexOf(operator, 1)
    if (at < 0 || at === operands.length - 1) continue
    const left = testStatus(operands.slice(0, at), files)
    if (left === 2 || left === decides) return left
    return testStatus(operands.slice(at + 1), files)
  }
  if (operands[0] === '!') return negated(testStatus(operands.slice(1), files))
  throw new Unreadable('a test of more than one comparison')
}

function negated(status: Status): Status {
  return status === 2 ? 2 : status === 0 ? 1 : 0
}

function unary(operator: string, operand: string, files: WorkingFolder | undefined): 0 | 1 {
  if (operator === '-n') return operand === '' ? 1 : 0
  if (operator === '-z') return operand === '' ? 0 : 1
  // No simulated process has a terminal.
  if (operator === '-t') return 1
  const isLink = operator === '-L' || operator === '-h'
  const check = isLink ? ({ kind }: FileNode) => kind === 'symlink' : ownField(fileTests, operator)
  if (check === undefined) throw new Unreadable(`the test ${operator}`)
  const found = files?.node(operand, isLink)
  return found?.ok === true && check(found.value) ? 0 : 1
}

function isBinary(operator: string): boolean {
  return /^(==?|!=)$/.test(operator) || ownField(comparisons, operator) !== undefined
}

function binary(left: string, operator: string, right: string): Status {
  if (operator === '=' || operator === '==') return left === right ? 0 : 1
  if (operator === '!=') return left === right ? 1 : 0
  const compare = ownField(comparisons, operator)
  if (compare === undefined) throw new Unreadable(`the test ${operator}`)
  const isNumber = [left, right].every((text) => /^\s*[-+]?\d{1,15}\s*$/.test(text))
  if (!isNumber) return 2
  return compare(Number(left), Number(right)) ? 0 : 1
}
