import { err } from '../../../shared/result.ts'
import type { RunningCommand } from './streams.ts'

/** As the streaming library says it that runtimes use (k8s.io/kubelet/pkg/cri/streaming/remotecommand). */
export function failingAs(what: string, { ended, ...command }: RunningCommand): RunningCommand {
  const said = ended.then((result) =>
    result.ok ? result : err({ ...result.error, message: `${what}: ${result.error.message}` }),
  )
  return { ...command, ended: said }
}

/** Of that library (portforward/httpstream.go), around what containerd says (internal/cri/server/sandbox_portforward_linux.go). */
export function forwardFailure(sandboxId: string, port: number): string {
  const [four, six] = [`tcp4 127.0.0.1:${port}`, `tcp6 [::1]:${port}`].map(
    (address) => `dial ${address}: connect: connection refused`,
  )
  return [
    `error forwarding port ${port} to pod ${sandboxId}, uid : `,
    `failed to execute portforward in network namespace "/var/run/netns/cni-${sandboxId.slice(0, 8)}": `,
    `failed to connect to localhost:${port} inside namespace "${sandboxId}", IPv4: ${four} IPv6 ${six} `,
  ].join('')
}
