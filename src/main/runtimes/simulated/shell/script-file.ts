import { fileErrorText } from '../files/file-error.ts'
import type { WorkingFolder } from '../files/working-folder.ts'
import { hasKnownPrograms } from '../process/image-programs.ts'
import type { CommandLine } from './command-line.ts'
import { executedProgram, shells } from './command-line.ts'

interface ScriptFile {
  readonly path: string
  /** The shell and its options, of the command or of the first line of the file. */
  readonly shell: readonly string[] | undefined
  readonly operands: readonly string[]
}

/** The file that a command executes as a script, as far as the command tells; undefined: none. */
export function scriptFileOf(
  line: Pick<CommandLine, 'image' | 'command' | 'args'>,
): ScriptFile | undefined {
  const name = executedProgram(line)
  const [, ...operands] = [...line.command, ...line.args]
  if (name === undefined) return undefined
  if (!shells.test(name))
    return name.includes('/') ? { path: name, shell: undefined, operands } : undefined
  const firstOperand = operands.findIndex((one) => !/^-[a-z]+$/.test(one))
  const options = firstOperand === -1 ? operands : operands.slice(0, firstOperand)
  const [path, ...rest] = operands.slice(options.length)
  if (path === undefined || options.some((option) => option.includes('c'))) return undefined
  return { path, shell: [name, ...options], operands: rest }
}

/** The shell and its options in `#!/bin/sh -e`; undefined: no shell that is read. */
function shellOfFirstLine(text: string): readonly string[] | undefined {
  const [first = ''] = text.split('\n', 1)
  const [program = '', ...options] = /^#!(.*)$/.exec(first)?.[1]?.trim().split(/\s+/) ?? []
  const words = program === '/usr/bin/env' ? options : [program, ...options]
  return shells.test(words[0] ?? '') ? words : undefined
}

/** Prints what busybox's shell says of a script that it cannot open. */
function refusal(shell: readonly string[], text: string): readonly string[] {
  return [...shell, '-c', `echo "$1" >&2; exit 2`, 'sh', `sh: can't open ${text}`]
}

/** A command that executes a script file, as the command that runs its text; any other command as it is. */
export function withScriptFile(line: CommandLine, files: () => WorkingFolder): CommandLine {
  const script = scriptFileOf(line)
  if (script === undefined) return line
  const { path, operands } = script
  const text = files().text(path)
  if (!text.ok) {
    if (script.shell === undefined || !hasKnownPrograms(line.image)) return line
    const command = refusal(script.shell, `'${path}': ${fileErrorText(text.error)}`)
    return { ...line, command, args: [] }
  }
  const shell = script.shell ?? shellOfFirstLine(text.value)
  if (shell === undefined) return line
  // As busybox shows a script that is executed by its first line.
  const name = script.shell === undefined ? `{${path.replace(/^.*\//, '')}} ` : ''
  const shown = `${name}${[...shell, path, ...operands].join(' ')}`
  return { ...line, shown, command: [...shell, '-c', text.value, path, ...operands], args: [] }
}
