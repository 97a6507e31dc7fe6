import { createServer } from 'node:net'
import { join } from 'node:path'
import { serveCri } from '../../../src/main/cri/serve-cri.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { findParts, type ControlPlane } from '../control-plane.ts'
import { RealKubelet } from './real-kubelet.ts'

/** A node of a control plane: a real kubelet on a simulated container runtime. */
export interface SimulatedMachine {
  readonly kubelet: RealKubelet
  readonly socketPath: string
  /** Of the kubelet, on 127.0.0.1. */
  readonly port: number
  readonly stop: () => Promise<void>
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => {
        resolve(port)
      })
    })
  })
}

/** Starts one; `nodeName` is one of the plane's nodes. Everything that it writes is in `folder`. */
export async function startSimulatedMachine(options: {
  readonly plane: ControlPlane
  readonly nodeName: string
  readonly folder: string
  /** Default: a loopback address, which no Node has. `own`: as the kubelet finds it. */
  readonly nodeIp?: 'own'
  readonly environment: NodeJS.ProcessEnv
}): Promise<SimulatedMachine> {
  const { plane, nodeName, folder, environment } = options
  const found = await findParts(['kubelet'], environment)
  if ('missing' in found) throw new Error(`The kubelet is missing: ${found.how} builds it.`)
  const socketPath = join(folder, 'cri.sock')
  const server = await serveCri({ socketPath, seed: 1, log: new FakeLog() })
  if (!server.ok) throw new Error(server.error)
  const port = await freePort()
  const kubelet = new RealKubelet({
    file: found.files.get('kubelet') ?? '',
    nodeName,
    kubeconfig: plane.nodeKubeconfigs.get(nodeName) ?? '',
    caFile: join(plane.folder, 'ca.crt'),
    socketPath,
    folder,
    ...(options.nodeIp === 'own' ? {} : { nodeIp: '127.0.0.1' }),
    port,
  })
  await kubelet.start()
  const stop = async (): Promise<void> => {
    await kubelet.stop()
    server.value.stop()
  }
  return { kubelet, socketPath, port, stop }
}
