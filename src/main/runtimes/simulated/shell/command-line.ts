import type { LinuxContainerUser } from '../../../kubelet/cri-types.ts'
import { isBuiltin } from '../process/command-names.ts'
import { isVishStress, vishStressScript } from '../programs/stress.ts'
import type { Script } from './script.ts'
import { readScript, scriptOf } from './script.ts'
import { quotedWord } from './syntax/syntax.ts'
import { Unreadable } from './unreadable.ts'

/** The command of a container, as its spec has it. */
export interface CommandLine {
  readonly image: string
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly environment: ReadonlyMap<string, string>
  /** What a process shows of it; absent: the command and its args. */
  readonly shown?: string
  /** Undefined: not known. */
  readonly user?: LinuxContainerUser | undefined
}

/** A script to run, or why the command is unreadable: then the container runs until SIGTERM and exits 0. */
export type ReadCommand =
  | { readonly kind: 'script'; readonly script: Script }
  | { readonly kind: 'unreadable'; readonly why: string }

/** The shells that are read. */
export const shells = /^(?:(?:\/usr)?\/bin\/)?(sh|ash|dash|bash)$/

/** Images whose command is a shell: without input it ends at once. */
const shellOfImages: readonly (readonly [images: RegExp, shell: string])[] = [
  [/(^|\/)(alpine|busybox)(:[^/]*)?(@.*)?$/, 'sh'],
  [/(^|\/)(centos|debian|fedora|ubuntu)(:[^/]*)?(@.*)?$/, 'bash'],
]

/** Images without an entrypoint: args alone are the whole command. */
const imagesWithoutEntrypoint = /(^|\/)(alpine|busybox|centos|debian|fedora|ubuntu)(:[^/]*)?(@.*)?$/

/** The program that a container executes; undefined if it is that of the image, which is not known. */
export function executedProgram({
  image,
  command,
  args,
}: Pick<CommandLine, 'image' | 'command' | 'args'>): string | undefined {
  if (command.length > 0) return command[0]
  if (args.length > 0) return imagesWithoutEntrypoint.test(image) ? args[0] : undefined
  return shellOf(image)
}

/** Reads the command of a container. Never throws for its content. */
export function readCommand(line: CommandLine): ReadCommand {
  try {
    return { kind: 'script', script: scriptOfLine(line) }
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'unreadable', why: error.message }
    throw error
  }
}

function scriptOfLine(line: CommandLine): Script {
  const { image, command, args, environment, user } = line
  const given = [...command, ...args]
  if (command.length === 0 && isVishStress(image))
    return readScript(vishStressScript, { dialect: 'sh', image, environment, positions: [], user })
  const own = given.length === 0 ? shellOf(image) : undefined
  if (command.length === 0 && own === undefined) refuseEntrypoint(image, args)
  const [name = '', ...operands] = own === undefined ? given : [own]
  const shell = shells.exec(name)?.[1]
  const dialect = shell === 'bash' ? 'bash' : 'sh'
  const isShell = shell !== undefined
  const commandLine = line.shown ?? [name, ...operands].join(' ')
  const context = {
    dialect,
    image,
    environment,
    positions: [],
    user,
    isShell,
    commandLine,
  } as const
  if (isShell) return scriptOfShell(operands, context)
  // A bare `exit` is accepted, although a real container has no program of that name.
  if (isBuiltin(name) && name !== 'exit') throw new Unreadable(`${name} without a shell`)
  const words = [name, ...operands].map(quotedWord)
  const simple = { kind: 'simple', assignments: [], words } as const
  const item = { first: { isNegated: false, command: simple }, rest: [], isBackground: false }
  return scriptOf([item], context)
}

function shellOf(image: string): string | undefined {
  return shellOfImages.find(([images]) => images.test(image))?.[1]
}

function refuseEntrypoint(image: string, args: readonly string[]): void {
  const [first] = args
  if (first === undefined) throw new Unreadable('no command: what the image runs is not known')
  // An entrypoint whose args start with a shell is assumed to run its args.
  if (imagesWithoutEntrypoint.test(image) || shells.test(first)) return
  throw new Unreadable('args without a command: what the image runs them with is not known')
}

/** Reads `sh -c SCRIPT [name [position …]]`, or `sh` alone. Of the options only -e and -u have an effect. */
function scriptOfShell(
  operands: readonly string[],
  context: Parameters<typeof scriptOf>[1],
): Script {
  const rest = [...operands]
  let letters = ''
  while (/^-[a-z]/.test(rest[0] ?? '')) letters += (rest.shift() ?? '').slice(1)
  if (rest[0] === '--') rest.shift()
  const [text, , ...positions] = rest
  if (/^[il]*$/.test(letters) && text === undefined)
    return { ...scriptOf([], context), readsInput: true }
  const unread = letters.replaceAll(/[celuvx]/g, '')
  if (unread !== '') throw new Unreadable(`the shell's option -${unread}`)
  if (!letters.includes('c') || text === undefined) throw new Unreadable('a shell without -c')
  const options = letters.replaceAll(/[^eu]/g, '')
  const prologue = options === '' ? '' : `set -${options}\n`
  return readScript(prologue + text, { ...context, positions })
}
