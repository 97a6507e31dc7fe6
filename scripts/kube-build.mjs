// `npm run kube:build`: builds the parts of Kubernetes for the suites in test/kube.
// Use: npm run kube:build                          all of them, about ten minutes the first time
//      npm run kube:build kube-apiserver etcd      for the suites with two servers
//      npm run kube:build oracle                   the kubelet's own code, for test/kube/oracle
import { join, resolve } from 'node:path'
import { runnerImport } from 'vite'

const folder = resolve(import.meta.dirname, '..', 'test', 'kube')

async function load(name) {
  const { module } = await runnerImport(join(folder, name), {
    configFile: false,
    logLevel: 'error',
  })
  return module
}

const { parts } = await load('parts.ts')
const { bringPart } = await load('build.ts')
const { bringOracle } = await load('build-oracle.ts')

const options = { environment: process.env, say: console.log }
const builds = new Map([
  ...parts.map((part) => [part.name, () => bringPart(part, options)]),
  ['oracle', () => bringOracle(options)],
])

const names = process.argv.slice(2)
const unknown = names.filter((name) => !builds.has(name))
if (unknown.length > 0) {
  const known = [...builds.keys()].join(', ')
  console.error(`Unknown part: ${unknown.join(', ')}. Parts are: ${known}.`)
  process.exit(2)
}
let areAllThere = true
for (const [name, build] of builds) {
  if (names.length > 0 && !names.includes(name)) continue
  areAllThere &&= (await build()) !== undefined
}
process.exit(areAllThere ? 0 : 1)
