import { Agent, request, type Dispatcher } from 'undici'
import { startControlPlane } from './control-plane.ts'
import { startSimulatedMachine } from './cri/simulated-machine.ts'
import type { SimulatedMachine } from './cri/simulated-machine.ts'
import { serverOf } from './servers.ts'
import type { ServerUnderTest } from './servers.ts'

/** The answer of a kubelet. */
export interface KubeletAnswer {
  readonly status: number
  readonly type: string
  readonly allow: string
  readonly body: string
}

export type AskKubelet = (path: string, method?: 'GET' | 'POST') => Promise<KubeletAnswer>

export async function answerOf(asked: Promise<Dispatcher.ResponseData>): Promise<KubeletAnswer> {
  const { statusCode: status, headers, body } = await asked
  const header = (name: string): string => String(headers[name] ?? '')
  return { status, type: header('content-type'), allow: header('allow'), body: await body.text() }
}

/** A real kubelet on simulated containers behind a real kube-apiserver. */
export interface RealNode extends ServerUnderTest {
  readonly machine: SimulatedMachine
  /** As an administrator, at the kubelet's own address. */
  readonly ask: AskKubelet
}

/** `nodeName` leads to this machine. Everything is in the folder. */
export async function startRealNode(nodeName: string, folder: string): Promise<RealNode> {
  const environment = process.env
  const plane = await startControlPlane({ environment, nodes: [nodeName], asksKubelets: true })
  const machine = await startSimulatedMachine({
    plane,
    nodeName,
    folder,
    nodeIp: 'own',
    environment,
  })
  const server = await serverOf(plane)
  const { certificatePem: cert, keyPem: key } = plane.admin
  // Its certificate is its own.
  const dispatcher = new Agent({ connect: { cert, key, rejectUnauthorized: false } })
  return {
    ...server,
    machine,
    ask: (path, method = 'GET') =>
      answerOf(request(`https://127.0.0.1:${machine.port}${path}`, { dispatcher, method })),
    stop: async () => {
      await dispatcher.destroy()
      await machine.stop()
      await server.stop()
    },
  }
}
