// `npm run kube:up`: a temporary control plane of real Kubernetes on loopback; Ctrl-C removes it.
// Use: npm run kube:up -- [--audit] [--controllers] [--scheduler] [--node NAME]… [--kubelet]
// --kubelet runs a real kubelet (node `localhost`) on simulated containers, with controllers and scheduler; docs/cri.md.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
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
        kubelet: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}

const { node, kubelet: wantsKubelet, ...given } = parse()
// The name leads the API server to its kubelet.
const realNode = 'localhost'
const nodes = wantsKubelet ? [...new Set([...node, realNode])] : node
const rest = wantsKubelet ? { ...given, controllers: true, scheduler: true } : given

async function load(...path) {
  const file = resolve(import.meta.dirname, '..', 'test', 'kube', ...path)
  const { module } = await runnerImport(file, { configFile: false, logLevel: 'error' })
  return module
}

const asked = new Promise((done) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, done)
})

/** The real kubelet of the plane's node, with its files in the plane's folder. */
async function startKubelet(plane) {
  const { startSimulatedMachine } = await load('cri', 'simulated-machine.ts')
  const folder = join(plane.folder, realNode)
  await mkdir(folder)
  const options = { plane, nodeName: realNode, nodeIp: 'own', folder, environment: process.env }
  const machine = await startSimulatedMachine(options)
  console.log(`manifests   ${machine.kubelet.manifests}`)
  console.log(`cri         unix://${machine.socketPath}`)
  return machine
}

async function main() {
  const { canUnshare, cannotUnshare } = await load('cri', 'real-kubelet.ts')
  if (wantsKubelet && !canUnshare()) throw new Error(`No real kubelet: ${cannotUnshare}.`)
  const { startControlPlane } = await load('control-plane.ts')
  const started = performance.now()
  const options = { ...rest, nodes, asksKubelets: wantsKubelet, environment: process.env }
  const plane = await startControlPlane(options)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`server      ${plane.url} (ready after ${seconds} s)`)
  console.log(`kubeconfig  ${plane.adminKubeconfig}`)
  for (const [node, path] of plane.nodeKubeconfigs) console.log(`node ${node}  ${path}`)
  if (plane.auditLog !== undefined) console.log(`audit       ${plane.auditLog}`)
  console.log(`logs        ${plane.folder}`)
  let machine
  try {
    if (wantsKubelet) machine = await startKubelet(plane)
    await Promise.race([asked, plane.failed])
  } finally {
    await machine?.stop()
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
