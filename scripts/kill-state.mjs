// `node scripts/kill-state.mjs [--rounds 10] [--seed N]`: kills the built program (-9) at random moments while clients write, starts
// it again on the same data folder, and checks that every write that was acknowledged is there. Prints a line for each loss.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
})
const rounds = Number(values.rounds)
let state = Number(values.seed) >>> 0

/** mulberry32, as in src/main/clock/seeded-random.ts. */
function random() {
  state = (state + 0x6d2b79f5) >>> 0
  let t = state
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

const folder = mkdtempSync(join(tmpdir(), 'nodescope-kill-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Starts the program; resolves with it and a client of its API server when it listens. */
async function start() {
  const child = spawn(
    process.execPath,
    [join(root, 'out/main/host.js'), '--web', '--data-dir', folder, '--seed', '7'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let printed = ''
  await new Promise((resolveStart, reject) => {
    const take = (text) => {
      printed += text
      if (/^kubeconfig /m.test(printed)) resolveStart()
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('exit', (code) => reject(new Error(`the program ended (${code}): ${printed}`)))
  })
  if (/damaged|cannot/.test(printed)) throw new Error(printed)
  return { child, send: client() }
}

function client() {
  const config = parse(readFileSync(join(folder, 'sandbox.kubeconfig'), 'utf8'))
  const { server, 'certificate-authority-data': ca } = config.clusters[0].cluster
  const { token } = config.users[0].user
  const agent = new Agent({ keepAlive: true, ca: Buffer.from(ca, 'base64') })
  return (method, path, body) =>
    new Promise((resolveAnswer, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      }
      const sent = request(new URL(path, server), { method, agent, headers }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += chunk))
        answer.on('end', () => resolveAnswer({ status: answer.statusCode, body: JSON.parse(text) }))
        answer.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
}

const path = '/api/v1/namespaces/default/configmaps'
/** By name, what the last acknowledged write left, and what a write without an answer may have left. */
const known = new Map()
let acknowledged = 0

/** Writes to objects of its own until the program is killed. */
async function write(send, writer) {
  for (;;) {
    const name = `w${writer}-${Math.floor(random() * 40)}`
    const old = known.get(name)?.at(-1)
    const value = String(acknowledged) + '-' + 'x'.repeat(Math.floor(random() * 3000))
    const isDelete = old !== undefined && random() < 0.3
    const next = isDelete ? undefined : value
    // Until it is answered, either may be there.
    known.set(name, [next, old])
    const body = { metadata: { name }, data: { value } }
    const answer =
      old === undefined
        ? await send('POST', path, body)
        : isDelete
          ? await send('DELETE', `${path}/${name}`)
          : await send('PATCH', `${path}/${name}`, { data: { value } })
    if (answer.status >= 300) throw new Error(`${name}: ${JSON.stringify(answer.body)}`)
    known.set(name, [next])
    acknowledged++
  }
}

/** The losses, as sentences. */
async function losses(send) {
  const { body } = await send('GET', path)
  const stored = new Map(body.items.map(({ metadata, data }) => [metadata.name, data?.value]))
  const lost = []
  for (const [name, possible] of known) {
    const value = stored.get(name)
    if (!possible.includes(value)) lost.push(`${name} is ${String(value).slice(0, 20)}`)
    known.set(name, [value])
  }
  return lost
}

let lost = 0
let programs = await start()
for (let round = 1; round <= rounds; round++) {
  const { child, send } = programs
  child.removeAllListeners('exit')
  const killed = new Promise((resolveExit) => child.on('exit', resolveExit))
  const writers = Array.from({ length: 4 }, (_, writer) =>
    write(send, writer).catch((error) => {
      if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code)) throw error
    }),
  )
  setTimeout(() => child.kill('SIGKILL'), 5 + Math.floor(random() * 400))
  await Promise.all([...writers, killed])
  programs = await start()
  for (const loss of await losses(programs.send)) {
    lost++
    console.log(`round ${round}: ${loss}`)
  }
}
programs.child.kill('SIGKILL')
console.log(`${rounds} kills, ${acknowledged} acknowledged writes, ${lost} lost.`)
process.exit(lost === 0 ? 0 : 1)
