import type { Container } from '../../../shared/kubernetes/objects.ts'
import { commandOf } from '../../kubelet/kuberuntime/container-config.ts'
import { readCommand } from './shell/command-line.ts'

/**
 * Why the command of a container is unreadable; `undefined` if it is readable as far as is known before the start. Pure.
 */
export function unreadableCommand(container: Container): string | undefined {
  const expanded = commandOf(container)
  // The kubelet reports that such a container does not start.
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
