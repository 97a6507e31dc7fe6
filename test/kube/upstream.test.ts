/** What is cited of Kubernetes, in the sources of the version that this is about: in the handbook (docs/kubelet) and in names of tests. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { upstreamCitations } from '../handbook/handbook.ts'
import type { Upstream } from '../handbook/handbook.ts'
import { runGo } from './build.ts'
import { reportComparison, reportMissing } from './comparison.ts'
import { casesHere, evictionTests, testsIn } from './upstream-eviction-tests.ts'

const staging = /^staging\/src\/(k8s\.io\/[\w-]+)\/(.+)$/

/** The module that has the file, and its path there. */
function placeOf(file: string): readonly [module: string, path: string] {
  const [, module = 'k8s.io/kubernetes', path = file] = staging.exec(file) ?? []
  return [module, path]
}

/** The folders of the modules, by name; undefined: Go or a module is not here. */
async function moduleFolders(
  modules: readonly string[],
): Promise<ReadonlyMap<string, string> | undefined> {
  const args = ['list', '-m', '-f', '{{.Path}} {{.Dir}}', ...modules]
  const listed = await runGo(args, { cwd: resolve(import.meta.dirname), environment: process.env })
  const folders = new Map(
    listed.output.split('\n').flatMap((line) => {
      const [module = '', folder = ''] = line.split(' ')
      return folder === '' ? [] : [[module, folder] as const]
    }),
  )
  return listed.code === 0 && folders.size === modules.length ? folders : undefined
}

/** A function, a method, or a name in a declaration of types, constants, variables or fields of an interface. */
function declares(source: string, name: string): boolean {
  return new RegExp(
    String.raw`^(?:func (?:\([^)]*\) )?${name}[(\[]|(?:type|var|const) ${name}\b|\t${name}\b.*(?:=|struct|\())`,
    'm',
  ).test(source)
}

const citations = upstreamCitations()
const modules = [...new Set(citations.map(({ file }) => placeOf(file)[0]))]
const folders = await moduleFolders(modules)

function missing({ anchor, file, names }: Upstream): readonly string[] {
  const [module, path] = placeOf(file)
  const source = readFileSync(join(folders?.get(module) ?? '', path), 'utf8')
  return names.filter((name) => !declares(source, name)).map((name) => `${anchor}: ${file} ${name}`)
}

describe.skipIf(folders === undefined)('the handbook', () => {
  it('cites existing files and names of Kubernetes', () => {
    expect(citations.flatMap(missing)).toEqual([])
    const names = citations.reduce((sum, citation) => sum + citation.names.length, 0)
    reportComparison('handbook', `${names} names of Kubernetes in ${citations.length} citations`)
  })
})

describe.skipIf(folders === undefined)('the tests of the eviction manager', () => {
  it.each([...evictionTests])('$ours has a case for each test of $file', (tests) => {
    const upstream = testsIn(folders?.get('k8s.io/kubernetes') ?? '', tests)
    const told = [...casesHere(tests), ...Object.keys(tests.notApplicable)]
    expect(told.toSorted()).toEqual(upstream.toSorted())
    const without = Object.keys(tests.notApplicable).length
    reportComparison(
      `eviction: ${tests.ours}`,
      `${upstream.length - without} of ${upstream.length} tests of Kubernetes have a case of their name`,
    )
  })
})

if (folders === undefined) reportMissing('handbook', ['oracle'])
