// Pods that are bound already, from the agent's first ADD to the last status Running in the API server. One
// process, no network: measures the kubelet with the sandbox's server, without TLS.
import type { KubeRequest, Transport } from '../../src/shared/kubernetes/request.ts'
import { makeAgent } from './bench-agent.ts'
import { createPods, untilRunning } from './bench-pods.ts'
import { admin, makeServer, node } from './bench-server.ts'
import { report } from './quiet.ts'

const count = Number(process.argv[2] ?? 1000)
const server = makeServer()
const adminTransport: Transport = { send: (request) => server.handle(request, admin) }
await createPods(adminTransport, count, 1)

let requests = 0
const agent = makeAgent(
  {
    send: (request: KubeRequest) => {
      requests++
      return server.handle(request, node)
    },
  },
  'in process',
)
let firstAdd: number | undefined
let cpuAtAdd = process.cpuUsage()
agent.trace.listen((event) => {
  if (firstAdd !== undefined || event.kind !== 'config.merged' || event.data.op !== 'ADD') return
  firstAdd = performance.now()
  cpuAtAdd = process.cpuUsage()
})
agent.start()
await untilRunning(adminTransport, count)
const seconds = (performance.now() - (firstAdd ?? Number.NaN)) / 1000
const cpu = process.cpuUsage(cpuAtAdd)
report({
  seconds,
  podsPerSecond: count / seconds,
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
  requests,
})
agent.stop()
process.exit(0)
