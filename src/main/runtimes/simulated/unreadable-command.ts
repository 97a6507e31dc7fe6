import type { Container } from '../../../shared/kubernetes/objects.ts'
import { commandOf } from '../../kubelet/kuberuntime/container-config.ts'
import { readCommand } from './shell/command-line.ts'

/**
 * Why the runtime cannot read what a container is to run; `undefined` when it can, as far as that is known before the
 * container starts. Pure.
 */
export function unreadableCommand(container: Container): string | undefined {
  const expanded = commandOf(container)
  // Such a container does not start at all, which the kubelet says.
  if (!expanded.ok) return undefined
  const { command, args, envs } = expanded.value
  const read = readCommand({
    image: container.image ?? '',
    command,
    args,
    environment: new Map(envs.map(({ key, value }) => [key, value])),
  })
  return read.kind === 'unreadable' ? read.why : undefined
}
