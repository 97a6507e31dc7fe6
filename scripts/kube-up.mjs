// `npm run kube:up`: a temporary control plane of real Kubernetes on loopback; Ctrl-C removes it.
// Use: npm run kube:up -- [--audit] [--controllers] [--scheduler] [--node NAME]…
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

function parse() {
  try {
    return parseArgs({
      options: {
        audit: { type: 'boolean', default: false },
        controllers: { type: 'boolean', default: false },
        scheduler: { type: 'boolean', default: false },
        node: { type: 'string', multiple: true, default: [] },
      },
    }).values
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}

const { node: nodes, ...rest } = parse()
const file = resolve(import.meta.dirname, '..', 'test', 'kube', 'control-plane.ts')
const { module } = await runnerImport(file, { configFile: false, logLevel: 'error' })

const asked = new Promise((done) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, done)
})

async function main() {
  const started = performance.now()
  const starting = module.startControlPlane({ ...rest, nodes, environment: process.env })
  const plane = await starting
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`server      ${plane.url} (ready after ${seconds} s)`)
  console.log(`kubeconfig  ${plane.adminKubeconfig}`)
  for (const [node, path] of plane.nodeKubeconfigs) console.log(`node ${node}  ${path}`)
  if (plane.auditLog !== undefined) console.log(`audit       ${plane.auditLog}`)
  console.log(`logs        ${plane.folder}`)
  try {
    await Promise.race([asked, plane.failed])
  } finally {
    await plane.stop()
  }
}

try {
  await main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
// Imported modules may keep the event loop busy.
process.exit()
