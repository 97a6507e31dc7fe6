import type { FileNode } from '../files/file-node.ts'
import { entriesOf } from '../files/file-node.ts'
import type { Running } from '../process/running.ts'
import { patternExpression } from '../shell/pattern.ts'
import { known, Unreadable } from '../shell/unreadable.ts'
import type { ProgramIo } from './program.ts'
import { complain, programOf } from './program.ts'

interface Wanted {
  readonly maxDepth: number
  readonly minDepth: number
  readonly tests: readonly ((path: string, node: FileNode) => boolean)[]
}

const kinds: Readonly<Record<string, FileNode['kind']>> = {
  f: 'file',
  d: 'folder',
  l: 'symlink',
  c: 'device',
}

function depthOf(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new Unreadable(`find to the depth ${text}`)
  return Number(text)
}

/** The last part of a path; that of `/` is itself. */
function lastPart(path: string): string {
  return path.replace(/(?<=.)\/+$/, '').replace(/^.*\/(?=.)/, '')
}

function matcher(pattern: string, ofPath: boolean): Wanted['tests'][number] {
  const expression = patternExpression(pattern)
  return (path) => expression.test(ofPath ? path : lastPart(path))
}

function wantedOf(operands: readonly string[]): Wanted {
  const tests: Wanted['tests'][number][] = []
  let [maxDepth, minDepth] = [Number.POSITIVE_INFINITY, 0]
  const left = [...operands]
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (name === '-print') continue
    const isNegated = name === '!' || name === '-not'
    const test = isNegated ? (left.shift() ?? '') : name
    const value = test === '-empty' ? '' : known(left.shift() ?? '', 'find')
    if (test === '-maxdepth' && !isNegated) maxDepth = depthOf(value)
    else if (test === '-mindepth' && !isNegated) minDepth = depthOf(value)
    else {
      const holds = testOf(test, value)
      tests.push(isNegated ? (path, node) => !holds(path, node) : holds)
    }
  }
  return { maxDepth, minDepth, tests }
}

function testOf(name: string, value: string): Wanted['tests'][number] {
  const kind = kinds[value]
  if (name === '-name' && value !== '') return matcher(value, false)
  if (name === '-path' && value !== '') return matcher(value, true)
  if (name === '-type' && kind !== undefined) return (_, node) => node.kind === kind
  throw new Unreadable(`find ${name} ${value}`.trim())
}

/** `find` with `-name`, `-path`, `-type`, `-maxdepth`, `-mindepth`, `!` and `-print`. */
export const find = programOf((operands) => {
  const first = operands.findIndex((operand) => /^[-!(]/.test(operand))
  const paths = (first === -1 ? operands : operands.slice(0, first)).map((one) =>
    known(one, 'find'),
  )
  const wanted = wantedOf(first === -1 ? [] : operands.slice(first))
  return function* run(io) {
    let status = 0
    for (const path of paths.length === 0 ? ['.'] : paths) {
      const found = io.files.node(path, true)
      if (found.ok) yield* walk(io, path, found.value, 0, wanted)
      else {
        status = 1
        yield* complain(io, `find: ${path}`, found.error)
      }
    }
    return status
  }
})

function* walk(
  io: ProgramIo,
  path: string,
  node: FileNode,
  depth: number,
  wanted: Wanted,
): Running<void> {
  if (depth >= wanted.minDepth && wanted.tests.every((holds) => holds(path, node)))
    yield* io.write(`${path}\n`)
  if (node.kind !== 'folder' || depth >= wanted.maxDepth) return
  for (const [name, entry] of entriesOf(node))
    yield* walk(io, path.endsWith('/') ? path + name : `${path}/${name}`, entry, depth + 1, wanted)
}
