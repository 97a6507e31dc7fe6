import { isJsonObject } from '../../../shared/json.ts'
import type { Container } from '../../../shared/kubernetes/objects.ts'
import { ExpansionTooLong, VariableExpander } from '../../kubelet/container/expansion.ts'
import { commandOf } from '../../kubelet/kuberuntime/container-config.ts'
import { hasKnownPrograms } from './process/image-programs.ts'
import type { CommandLine } from './shell/command-line.ts'
import { executedProgram, readCommand, shells } from './shell/command-line.ts'
import { scriptFileOf } from './shell/script-file.ts'

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

/** A script of a mounted folder, or of an image that is known, is read when the container starts. */
function isDecidedAtStart(
  { volumeMounts = [] }: Container,
  line: Pick<CommandLine, 'image' | 'command' | 'args'>,
): boolean {
  const path = scriptFileOf(line)?.path
  if (path === undefined) return false
  const isMounted = volumeMounts.some((mount) => {
    const mountPath = isJsonObject(mount) ? mount['mountPath'] : undefined
    return typeof mountPath === 'string' && path.startsWith(mountPath.replace(/\/*$/, '/'))
  })
  return isMounted || (hasKnownPrograms(line.image) && shells.test(executedProgram(line) ?? ''))
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
  const line = { image: container.image ?? '', ...command.value }
  if (isDecidedAtStart(container, line)) return undefined
  const read = readCommand({ ...line, environment })
  return read.kind === 'unreadable' ? read.why : undefined
}
