import type { ShownProcess } from '../process/running.ts'
import { hasKnownPrograms } from '../process/image-programs.ts'
import { Unreadable, unknownText } from '../shell/unreadable.ts'
import type { Program } from './program.ts'

interface Column {
  readonly title: string
  readonly width: number
  readonly isRight?: true
  readonly textOf: (process: ShownProcess, user: string) => string
}

function programName({ command }: ShownProcess): string {
  return (command.replace(/^\{(.*?)\} .*$/, '$1').split(' ')[0] ?? '').replace(/^.*\//, '')
}

/** Control characters are spaces. */
function plain(command: string): string {
  return command.replaceAll(/\p{Cc}/gu, ' ')
}

/** Those of busybox, which has them by these names. */
const columns: Readonly<Record<string, Column>> = {
  pid: { title: 'PID', width: 5, isRight: true, textOf: ({ pid }) => String(pid) },
  user: { title: 'USER', width: 8, textOf: (_, user) => user },
  // What a process has used is not known.
  time: { title: 'TIME', width: 5, isRight: true, textOf: () => '0:00' },
  comm: { title: 'COMMAND', width: 16, textOf: programName },
  args: { title: 'COMMAND', width: 256, textOf: ({ command }) => plain(command) },
}

const usual = 'pid,user,time,args'

/** The names of the columns. `ps aux`, `ps -ef` and `ps w` are as `ps` in busybox. */
function columnsOf(operands: readonly string[]): readonly Column[] {
  const [first = '', second] = operands
  const isUsual = operands.length < 2 && /^-?[aefuxwlA]*$/.test(first)
  const [, wanted = isUsual ? usual : undefined] = /^-o(.+)$/.exec(first) ?? ['', undefined]
  const names = first === '-o' && operands.length === 2 ? second : wanted
  const found = names?.split(',').map((name) => columns[name])
  if (found === undefined || found.includes(undefined))
    throw new Unreadable(`ps ${operands.join(' ')}`)
  return found.filter((column) => column !== undefined)
}

/** `ps` of busybox: shells, what runs in the background, and pipelines. */
export const ps: Program = {
  run: (operands, { shell }) => {
    const shown = columnsOf(operands)
    if (shell !== undefined && !hasKnownPrograms(shell.script.image))
      throw new Unreadable('ps of another image than busybox and alpine')
    const uid = shell?.script.user?.uid
    const user = uid === 0 ? 'root' : uid === undefined || uid < 1000 ? unknownText : String(uid)
    const line = (textOf: (column: Column) => string): string =>
      `${shown
        .map((column, at) => {
          const text = textOf(column)
          if (at === shown.length - 1) return text
          return text === column.title || column.isRight !== true
            ? text.slice(0, column.width).padEnd(column.width)
            : text.padStart(column.width)
        })
        .join(' ')}\n`
    return {
      kind: 'runs',
      *run(io) {
        yield* io.write(line(({ title }) => title))
        for (const process of io.processes())
          yield* io.write(line(({ textOf }) => textOf(process, user)))
        return 0
      },
    }
  },
}
