// `npm run licenses`: every package that ends up in the program, and every font, has a license
// that Apache-2.0 software may include. Reads the installed packages; writes nothing.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..')

const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Python-2.0',
  'PSF-2.0',
  'Unlicense',
])

/** Whether an SPDX expression can be met: one side of OR, both of AND. */
export function isAllowed(expression) {
  const text = expression.trim()
  const outer = /^\((.*)\)$/s.exec(text)
  if (outer !== null && isBalanced(outer[1])) return isAllowed(outer[1])
  const alternatives = splitTop(text, ' OR ')
  if (alternatives.length > 1) return alternatives.some(isAllowed)
  const parts = splitTop(text, ' AND ')
  if (parts.length > 1) return parts.every(isAllowed)
  return allowed.has(text)
}

/** Whether every bracket of the text closes within it. */
function isBalanced(text) {
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')' && --depth < 0) return false
  }
  return depth === 0
}

/** Splits at a word outside of all brackets. */
function splitTop(text, word) {
  const pieces = []
  for (const piece of text.split(word)) {
    const last = pieces.at(-1)
    if (last !== undefined && !isBalanced(last)) pieces[pieces.length - 1] = last + word + piece
    else pieces.push(piece)
  }
  return pieces
}

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The package that an import names; undefined for our own files and for Node's modules. */
export function packageOf(specifier) {
  if (/^[./]/.test(specifier) || specifier.startsWith('node:')) return undefined
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

const importPattern = /(?:from\s+|import\s*\(?\s*|@import\s+(?:url\()?)['"]([^'"]+)['"]/g

/** The packages that the program itself imports. */
function importedPackages() {
  const packages = new Set()
  for (const file of filesUnder(join(root, 'src'))) {
    if (!/\.(ts|tsx|css)$/.test(file) || /\.test\.tsx?$|[/\\]fake-[^/\\]+$/.test(file)) continue
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(importPattern)) {
      const name = packageOf(specifier)
      if (name !== undefined) packages.add(name)
    }
  }
  return packages
}

/** Node's own lookup: the package's folder nearest to the one that asks. */
function findPackage(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
    if (folder === dirname(folder)) return undefined
  }
}

/** The folders of the packages in the program: those it imports and all that they depend on. */
function bundledFolders() {
  const folders = new Map()
  const visit = (name, from) => {
    const folder = findPackage(name, from)
    // A type-only or optional package that is not installed ends up nowhere.
    if (folder === undefined || folders.has(folder)) return
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    folders.set(folder, manifest)
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies }
    for (const dependency of Object.keys(needed)) visit(dependency, folder)
  }
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of [...importedPackages(), ...Object.keys(dependencies)]) visit(name, root)
  return folders
}

function licenceOf(manifest) {
  const { license, licenses } = manifest
  if (typeof license === 'string') return license
  if (typeof license?.type === 'string') return license.type
  if (Array.isArray(licenses)) return licenses.map(({ type }) => type).join(' OR ')
  return ''
}

const fontTypes = new Set(['.woff2', '.woff', '.ttf', '.otf'])

/** Fonts in the repository have the text of their license next to them. */
function fontsWithoutLicence() {
  return filesUnder(join(root, 'src'))
    .filter((file) => fontTypes.has(extname(file)))
    .filter((file) => !readdirSync(dirname(file)).some((name) => /^(LICENSE|OFL)/i.test(name)))
}

function check() {
  const problems = []
  const bundled = bundledFolders()
  for (const manifest of bundled.values()) {
    const licence = licenceOf(manifest)
    if (!isAllowed(licence))
      problems.push(
        `${manifest.name}@${manifest.version}: ${licence === '' ? 'no licence' : licence}`,
      )
  }
  for (const font of fontsWithoutLicence()) problems.push(`${font}: no licence file beside it`)
  if (problems.length === 0) {
    console.log(`The licenses of all ${bundled.size} bundled packages are allowed.`)
    return 0
  }
  console.error('These licenses are not on the list of allowed licenses:')
  for (const problem of problems) console.error(`  ${problem}`)
  return 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(check())
