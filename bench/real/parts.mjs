import { join, resolve } from 'node:path'
import { runnerImport } from 'vite'

const root = resolve(import.meta.dirname, '..', '..')

/** What a module in TypeScript exports, its path from the project's root in parts. */
export async function load(...path) {
  const file = join(root, ...path)
  const { module } = await runnerImport(file, { configFile: false, logLevel: 'error' })
  return module
}

const { findParts, startControlPlane } = await load('test', 'kube', 'control-plane.ts')
export { startControlPlane }
export const overCri = await load('bench', 'real', 'over-cri.ts')

/** The files of etcd, kube-apiserver and `rivals`, by name; ends the process with a sentence if one is missing or cannot run here. */
export async function filesOf(rivals) {
  const obstacle = rivals.includes('kubelet') ? overCri.obstacle() : undefined
  if (obstacle !== undefined) {
    console.error(`No real kubelet: ${obstacle}.`)
    process.exit(2)
  }
  const found = await findParts(['etcd', 'kube-apiserver', ...rivals], process.env)
  if ('missing' in found) {
    console.error(`${found.missing.join(' and ')} not found; ${found.how} brings them.`)
    process.exit(2)
  }
  return found.files
}
