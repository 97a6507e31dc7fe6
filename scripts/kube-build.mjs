// `npm run kube:build`: brings the real parts of Kubernetes that the suites in test/kube are held against.
// Use: npm run kube:build                          all of them, about ten minutes the first time
//      npm run kube:build kube-apiserver etcd      what the two-server suite needs
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

const { parts, partNames, isPartName } = await load('parts.ts')
const { bringPart } = await load('build.ts')

const names = process.argv.slice(2)
const unknown = names.filter((name) => !isPartName(name))
if (unknown.length > 0) {
  console.error(`There is no part named ${unknown.join(', ')}. Parts are: ${partNames.join(', ')}.`)
  process.exit(2)
}
const wanted = parts.filter(({ name }) => names.length === 0 || names.includes(name))
let areAllThere = true
for (const part of wanted) {
  const file = await bringPart(part, { environment: process.env, say: console.log })
  areAllThere &&= file !== undefined
}
process.exit(areAllThere ? 0 : 1)
