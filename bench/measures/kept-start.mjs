// From the spawn of the built web host, on a state with 10,000 objects of 1.5 kB, to its API server listening.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'nodescope-kept-'))
const objects = 10_000

/** Starts the program and stops it when its API server listens. Resolves with the ms until then. */
async function start(...options) {
  const startedAt = Date.now()
  const program = spawn(
    process.execPath,
    ['out/main/host.js', '--web', '--data-dir', join(folder, 'data'), ...options],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  for await (const line of createInterface({ input: program.stdout }))
    if (line.startsWith('kubeconfig ')) break
  const listeningMs = Date.now() - startedAt
  program.kill('SIGTERM')
  await new Promise((resolveExit) => program.once('exit', resolveExit))
  return listeningMs
}

function stateFile() {
  const meta = { format: 1, program: '', seed: 1, starts: 1, now: 1_800_000_000_000 }
  const spec = { ...meta, resourceVersion: 20_000, nodes: ['scope-node-1'] }
  const documents = [{ apiVersion: 'nodescope.dev/v1alpha1', kind: 'State', spec }]
  for (let index = 0; index < objects; index++) {
    const names = { name: `map-${index}`, namespace: 'default', uid: `uid-${index}` }
    const metadata = { ...names, resourceVersion: String(index + 1) }
    documents.push({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { text: 'x'.repeat(1500) },
    })
  }
  return documents.map((one) => JSON.stringify(one)).join('\n---\n')
}

writeFileSync(join(folder, 'state.yaml'), stateFile())
await start('--import', join(folder, 'state.yaml'))
const listeningMs = await start()
rmSync(folder, { recursive: true, force: true })
console.log(JSON.stringify({ listeningMs }))
