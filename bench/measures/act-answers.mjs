// From a page's request to main's answer, over the web host's WebSocket: one of each act, on the pods that a new
// sandbox has. The effects of an action are not included.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import WebSocket from 'ws'

const root = resolve(import.meta.dirname, '..', '..')
const program = spawn(process.execPath, ['out/main/host.js', '--ephemeral'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
})
let address
for await (const line of createInterface({ input: program.stdout })) {
  if (!line.startsWith('dashboard ')) continue
  address = new URL(line.slice('dashboard '.length))
  break
}
const socket = new WebSocket(
  `ws://${address.host}/ws`,
  ['nodescope.v1', `nodescope.token.${address.hash.slice(1)}`],
  { origin: address.origin },
)
const waiting = new Map()
socket.on('message', (data) => {
  const frame = JSON.parse(Buffer.from(data).toString('utf8'))
  waiting.get(frame.id)?.(frame)
  waiting.delete(frame.id)
})
await new Promise((opened) => socket.once('open', opened))

let id = 0
async function request(name, args) {
  const startedAt = performance.now()
  const frame = await new Promise((answered) => {
    waiting.set(++id, answered)
    socket.send(JSON.stringify({ id, name, args }))
  })
  if (frame.error !== undefined) throw new Error(frame.error)
  return { reply: frame.reply, ms: performance.now() - startedAt }
}

async function rowsRunning() {
  for (;;) {
    const { reply } = await request('view.open', {})
    const rows = reply.rows.filter((row) => row.worker === 'SyncPod' && row.status === 'Running')
    if (rows.length === 4 && rows.every((row) => row.mirror === null || row.mirror === 'matched'))
      return new Map(rows.map((row) => [row.name, row.key]))
    await new Promise((later) => setTimeout(later, 200))
  }
}

const keys = await rowsRunning()
const cluster = 'sandbox'
const figures = {}
/** @type {readonly (readonly [string, string, object])[]} */
const acts = [
  ['deleteMirrorMs', 'pod.deleteMirror', { key: keys.get('web-scope-node-1'), force: false }],
  ['killMs', 'pod.kill', { key: keys.get('heartbeat-scope-node-1'), gracePeriodSeconds: 5 }],
  ['deleteMs', 'pod.delete', { key: keys.get('loud'), gracePeriodSeconds: 5 }],
  ['evictByKubeletMs', 'pod.evictByKubelet', { key: keys.get('hello') }],
  [
    'evictThroughApiMs',
    'pod.evictThroughApi',
    { key: keys.get('hello'), gracePeriodSeconds: null },
  ],
  ['pauseMs', 'clock.pause', { cluster }],
  ['stepMs', 'clock.step', { cluster }],
]
for (const [figure, name, args] of acts) {
  const { reply, ms } = await request(name, args)
  if (!reply.ok) throw new Error(`${figure}: ${reply.error.message}`)
  figures[figure] = ms
}
const node = { cluster, node: 'scope-node-1' }
const read = await request('manifests.read', { ...node, name: 'web.yaml' })
const text = `${read.reply.value.text}\n# again\n`
const written = await request('manifests.write', { ...node, name: 'web.yaml', text, create: false })
if (!written.reply.ok) throw new Error(written.reply.error.message)
figures.saveManifestMs = written.ms
figures.slowestMs = Math.max(...Object.values(figures))
socket.close()
program.kill('SIGTERM')
await new Promise((exited) => program.once('exit', exited))
console.log(JSON.stringify(figures))
process.exit(0)
