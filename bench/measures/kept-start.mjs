// From the spawn of the built web host, on a state with 10,000 objects of 2 kB, to its API server listening, to its answer
// to kubectl's first request of a list and then to a list of all pods. The host has run on this state before, and ended.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { runnerImport } from 'vite'
import { parse } from 'yaml'

const root = resolve(import.meta.dirname, '..', '..')
const { module } = await runnerImport(join(import.meta.dirname, 'stored-objects.ts'), {
  configFile: false,
  logLevel: 'error',
})
const folder = mkdtempSync(join(tmpdir(), 'nodescope-kept-'))

/** Lists pods of the sandbox of this kubeconfig. */
function lister(kubeconfig) {
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8'))
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster
  const { token } = users[0].user
  const agent = new Agent({ ca: Buffer.from(ca, 'base64') })
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  return async (query) => {
    const answer = await new Promise((done, failed) => {
      get(`${server}/api/v1/pods?${query}`, { agent, headers }, done).once('error', failed)
    })
    return (await json(answer)).items
  }
}

/** Starts the program and stops it when its API server has answered. Resolves with the ms until then. */
async function start(...options) {
  const startedAt = Date.now()
  const program = spawn(
    process.execPath,
    ['out/main/host.js', '--web', '--data-dir', join(folder, 'data'), ...options],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: program.stdout })
  let kubeconfig = ''
  for await (const line of lines) {
    if (!line.startsWith('kubeconfig ')) continue
    kubeconfig = line.slice('kubeconfig '.length)
    break
  }
  const listeningMs = Date.now() - startedAt
  const list = lister(kubeconfig)
  if ((await list('limit=500')).length !== 500) throw new Error('no page of pods')
  const answeredMs = Date.now() - startedAt
  const pods = await list('')
  const listedMs = Date.now() - startedAt
  if (pods.length < module.replicaSets * module.podsPerSet) throw new Error('pods are missing')
  program.kill('SIGTERM')
  await new Promise((resolveExit) => program.once('exit', resolveExit))
  return { listeningMs, answeredMs, listedMs }
}

writeFileSync(join(folder, 'state.yaml'), module.stateText())
await start('--import', join(folder, 'state.yaml'))
const figures = await start()
rmSync(folder, { recursive: true, force: true })
console.log(JSON.stringify(figures))
