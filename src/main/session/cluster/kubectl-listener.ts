import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { VirtualClock } from '../../clock/virtual-clock.ts'
import { streamServer } from '../../cri/streaming/upgrade.ts'
import type { StreamUrls } from '../../cri/streaming/stream-urls.ts'
import type { Log } from '../../kubelet/ports.ts'
import { sandboxAdmin } from '../../nodes/sandbox.ts'
import type { SandboxAccess } from '../../nodes/listener/sandbox-access.ts'
import type { ParseText } from '../../parsing/kubernetes-text.ts'
import type { ExternalServer } from '../../nodes/external-server.ts'
import { startHttpsListener } from '../../sandbox/surface/https-listener.ts'
import { sandboxKubeconfig, writeKubeconfig } from '../../sandbox/surface/kubeconfig-file.ts'

/** The HTTPS listener of the sandbox's API server, for kubectl. */
export interface KubectlListener {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts the HTTPS listener, and writes the kubeconfig. Error: one sentence, nothing left running. */
export async function startKubectlListener(deps: {
  readonly server: ExternalServer
  readonly streams: StreamUrls
  readonly access: SandboxAccess
  readonly clock: VirtualClock
  readonly log: Log
  /** Of the bodies of requests. */
  readonly parse: ParseText
  /** 0 takes any free port. */
  readonly port: number
  readonly kubeconfigPath: string
}): Promise<Result<KubectlListener, string>> {
  const { token, clientCertificate: certificate, credentials, certificates } = deps.access
  const serveStream = streamServer(deps.streams)
  const listener = await startHttpsListener({ ...deps, credentials, certificates, serveStream })
  if (!listener.ok) return err(listener.error.message)
  const { url, caPem } = listener.value
  const certificateUser = certificate && { name: sandboxAdmin.user, certificate }
  const written = await writeKubeconfig(
    deps.kubeconfigPath,
    sandboxKubeconfig({ url, caPem, token, clusterName: 'nodescope-sandbox', certificateUser }),
  )
  if (written.ok) return ok(listener.value)
  await listener.value.stop()
  return err(written.error.message)
}
