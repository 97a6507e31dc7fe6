// What kubectl waits for: `exec` of `echo`, by WebSocket over HTTPS on loopback, and `logs` of all lines that the sandbox keeps of a
// container. Server and client share this process, without kubectl itself.
import { WebSocket } from 'ws'
import { parse } from 'yaml'
import { startSandboxNode } from '../../test/kube/servers.ts'
import { report } from './quiet.ts'

const rounds = Number(process.argv[2] ?? 200)
/** As many as a container's log in memory has. */
const lines = 2000

const node = 'bench'
const server = await startSandboxNode(node)
const path = '/api/v1/namespaces/default/pods'
const json = { accept: 'application/json', 'content-type': 'application/json' }

// Our own kubeconfig.
const { clusters, users } = parse(server.kubeconfig) as {
  readonly clusters: readonly [{ readonly cluster: Readonly<Record<string, string>> }]
  readonly users: readonly [{ readonly user: { readonly token: string } }]
}
const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'] ?? '', 'base64')
const authorization = `Bearer ${users[0].user.token}`

async function text(url: string): Promise<string> {
  const { statusCode, body } = await server.send({ method: 'GET', path: url, headers: json })
  const answer = await body.text()
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${answer}`)
  return answer
}

/** One command, from the request to the end of the connection. */
function exec(): Promise<void> {
  const query = 'command=echo&command=hello&container=c&stdout=true&stderr=true'
  const url = `${server.url.replace(/^http/, 'ws')}${path}/printer/exec?${query}`
  const socket = new WebSocket(url, 'v5.channel.k8s.io', { ca, headers: { authorization } })
  let output = ''
  return new Promise((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      output += data.toString('utf8', 1)
    })
    socket.on('error', reject)
    socket.on('close', () => {
      if (/^hello\n.*"Success"/s.test(output)) resolve()
      else reject(new Error(`exec answered ${output}`))
    })
  })
}

async function msOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  for (let round = 0; round < count; round++) await work()
  return (performance.now() - startedAt) / count
}

const script = `i=0; while [ $i -lt ${lines} ]; do echo this is line number $i; i=$((i+1)); done; exec sleep 100000`
await server.send({
  method: 'POST',
  path,
  headers: json,
  body: JSON.stringify({
    metadata: { name: 'printer' },
    spec: {
      nodeName: node,
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', script] }],
    },
  }),
})
const log = `${path}/printer/log`
const isWhole = async (): Promise<boolean> => {
  const { statusCode, body } = await server.send({ method: 'GET', path: log, headers: json })
  return (await body.text()).includes(`number ${lines - 1}\n`) && statusCode === 200
}
while (!(await isWhole())) await new Promise((resolve) => setTimeout(resolve, 100))

await msOf(10, exec)
const execMs = await msOf(rounds, exec)
const kept = (await text(log)).split('\n').length - 1
const logsMs = await msOf(Math.ceil(rounds / 4), () => text(log))
report({ execMs, logsMs, keptLines: kept, linesPerSecond: (kept / logsMs) * 1000 })
process.exit(0)
