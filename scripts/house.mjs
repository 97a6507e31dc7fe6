// `npm run house`: the size of the shipped code, to compare two commits.
// Use: npm run house            of the work tree
//      npm run house -- REV     of a commit
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseAst } from 'vite'

const root = resolve(import.meta.dirname, '..')
const [revision] = process.argv.slice(2)

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
}

const isShipped = (path) =>
  /^src\/.*\.tsx?$/.test(path) &&
  !/\.test\.tsx?$|\/preview\/|fake-|testing-library-setup/.test(path)

function shippedFiles() {
  const listing =
    revision === undefined
      ? git('ls-files', '--cached', '--others', '--exclude-standard', 'src')
      : git('ls-tree', '-r', '--name-only', revision, 'src')
  return new Map(
    listing
      .split('\n')
      .filter(isShipped)
      .map((path) => [
        path,
        revision === undefined
          ? readFileSync(join(root, path), 'utf8')
          : git('show', `${revision}:${path}`),
      ]),
  )
}

const isFunction = ({ type }) =>
  type === 'FunctionDeclaration' ||
  type === 'FunctionExpression' ||
  type === 'ArrowFunctionExpression'

/** Lines from the first to the last of every function. */
function functionLengths(path, text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const lineOf = (offset) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
  const lengths = []
  const visit = (node) => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each)
      return
    }
    if (node === null || typeof node !== 'object') return
    if (isFunction(node)) lengths.push(lineOf(node.end) - lineOf(node.start) + 1)
    for (const value of Object.values(node)) visit(value)
  }
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body)
  return lengths
}

/** Files that a file imports; `types`: also those of which it needs only types. */
function importsOf(path, text, files, types) {
  const found = []
  for (const [, onlyTypes, specifier] of text.matchAll(
    /^(?:import|export) (type )?(?:[^'";]*? from )?'(\.[^']+)'/gm,
  )) {
    const target = join(dirname(path), specifier)
    if (files.has(target) && (types || onlyTypes === undefined)) found.push(target)
  }
  return found
}

/** Files in import cycles: strongly connected components of more than one file (Tarjan). */
function filesInRings(files, types) {
  const state = new Map()
  const stack = []
  let count = 0
  let inRings = 0
  const visit = (path) => {
    const own = { index: count, low: count, onStack: true }
    count++
    state.set(path, own)
    stack.push(path)
    for (const next of importsOf(path, files.get(path), files, types)) {
      const known = state.get(next)
      if (known === undefined) own.low = Math.min(own.low, visit(next).low)
      else if (known.onStack) own.low = Math.min(own.low, known.index)
    }
    if (own.low === own.index) {
      const ring = stack.splice(stack.indexOf(path))
      for (const each of ring) state.get(each).onStack = false
      if (ring.length > 1) inRings += ring.length
    }
    return own
  }
  for (const path of files.keys()) if (!state.has(path)) visit(path)
  return inRings
}

const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]

const files = shippedFiles()
const lines = (text) => text.split('\n').length - 1
const rooms = new Map()
const folders = new Map()
let total = 0
for (const [path, text] of files) {
  const room = path.split('/').slice(0, 3).join('/')
  const size = lines(text)
  total += size
  rooms.set(room, (rooms.get(room) ?? 0) + size)
  folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1)
}
const lengths = [...files]
  .flatMap(([path, text]) => functionLengths(path, text))
  .toSorted((left, right) => left - right)
const large = [...folders].filter(([, count]) => count > 25)

console.log(`production lines  ${total}`)
console.log(`files             ${files.size}`)
console.log(
  `functions         ${lengths.length}; lines: median ${quantile(lengths, 0.5)}, p90 ${quantile(lengths, 0.9)}, p99 ${quantile(lengths, 0.99)}, longest ${lengths.at(-1)}`,
)
console.log(
  `files in rings    ${filesInRings(files, false)} by values, ${filesInRings(files, true)} by values and types`,
)
console.log(
  `folders over 25   ${large.length === 0 ? 'none' : large.map(([folder, count]) => `${folder} ${count}`).join(', ')}`,
)
for (const [room, size] of [...rooms].toSorted((left, right) => right[1] - left[1]))
  console.log(`  ${String(size).padStart(6)}  ${room}`)
