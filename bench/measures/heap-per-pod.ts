// Heap after garbage collection, without pods, with half of them and with all. It runs without compilers (measures.mjs): compiled
// code is the same for any number of pods, and still grows in the second half. Use: [pods] [probes], with two probes each. The kubelet has its simulated runtime, its
// session and its trace with it, as in the program; the sandbox is in another process.
import { makeAgent } from './bench-agent.ts'
import { createPods, untilReady } from './bench-pods.ts'
import { ServerProcess, collectedHeap, serve } from './bench-server.ts'
import { report } from './quiet.ts'

/**
 * Time to collect the garbage of the start, and until the kubelet, each ten seconds, finds the statuses on the server equal to its own:
 * until then it holds them twice.
 */
const settleMs = 15_000

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, settleMs)
  })
}

async function measure(count: number, hasProbes: boolean): Promise<void> {
  // V8 keeps where the lines of a program begin (0.6 MB of this one) from the first stack that is asked for: now, not among the pods.
  if (new Error('the first').stack === undefined) throw new Error('no stack')
  const server = await ServerProcess.start(process.argv[1] ?? '')
  const agent = makeAgent(server.transport('node'), server.url)
  agent.start()
  await settled()
  const agentIdleBytes = collectedHeap()
  const sandboxIdleBytes = await server.heap()
  const admin = server.transport('admin')
  const half = Math.floor(count / 2)
  await createPods(admin, half, 16, { hasProbes })
  await untilReady(admin, half)
  await settled()
  const agentHalfBytes = collectedHeap()
  await createPods(admin, count, 16, { from: half, hasProbes })
  await untilReady(admin, count)
  await admin.close()
  await settled()
  const agentBytes = collectedHeap()
  report({
    agentBytesPerPod: (agentBytes - agentIdleBytes) / count,
    furtherBytesPerPod: (agentBytes - agentHalfBytes) / (count - half),
    sandboxBytesPerPod: ((await server.heap()) - sandboxIdleBytes) / count,
    agentIdleBytes,
  })
  agent.stop()
  server.stop()
  process.exit(0)
}

if (process.argv[2] === 'serve') await serve()
else await measure(Number(process.argv[2] ?? 2000), process.argv[3] === 'probes')
