import type { Container } from '../../../shared/kubernetes/objects.ts'
import { ExpansionTooLong, VariableExpander } from '../../kubelet/container/expansion.ts'
import { commandOf } from '../../kubelet/kuberuntime/container-config.ts'
import { readCommand } from './shell/command-line.ts'

/** The variables whose values are in the spec; `undefined` if they are too long. */
function literalVariables({ env = [] }: Container): ReadonlyMap<string, string> | undefined {
  const variables = new Map<string, string>()
  const { expand } = new VariableExpander(variables)
  try {
    for (const { name, value } of env) if (value) variables.set(name, expand(value))
    return variables
  } catch (error) {
    if (error instanceof ExpansionTooLong) return undefined
    throw error
  }
}

/**
 * Why the command of a container is unreadable; `undefined` if it is readable as far as is known before the start. Pure.
 */
export function unreadableCommand(container: Container): string | undefined {
  const environment = literalVariables(container)
  // The kubelet reports that such a container does not start.
  if (environment === undefined) return undefined
  const envs = [...environment].map(([key, value]) => ({ key, value }))
  const command = commandOf(container, envs)
  if (!command.ok) return undefined
  const read = readCommand({ image: container.image ?? '', ...command.value, environment })
  return read.kind === 'unreadable' ? read.why : undefined
}
