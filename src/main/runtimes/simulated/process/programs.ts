import { evaluateArithmetic } from '../shell/arithmetic.ts'
import { dateText } from './date-text.ts'
import { sleepMs } from './duration.ts'
import { echoText } from './echo-text.ts'
import { hasKnownPrograms, nameInPath } from './image-programs.ts'
import { printfText } from './printf-text.ts'
import { testStatus } from '../shell/test-expression.ts'
import { known, Unreadable, unknownText } from '../shell/unreadable.ts'
import { awk } from '../programs/awk/awk.ts'
import { filePrograms } from '../programs/file-programs.ts'
import { find } from '../programs/find.ts'
import { grep } from '../programs/grep.ts'
import { ls } from '../programs/ls.ts'
import { identityPrograms } from '../programs/identity-programs.ts'
import { ends } from '../programs/program.ts'
import type { Program, ProgramContext } from '../programs/program.ts'
import { networkPrograms } from '../programs/network-programs.ts'
import { stress } from '../programs/stress.ts'
import { ps } from '../programs/ps.ts'
import { sed } from '../programs/sed/sed.ts'
import { tar } from '../programs/tar/tar.ts'
import { textPrograms } from '../programs/text-programs.ts'

function linesText(lines: readonly unknown[]): string {
  return lines.map((line) => `${String(line)}\n`).join('')
}

const succeeds: Program = { run: () => ends(0), onlyPrints: true }
const fails: Program = { run: () => ends(1) }

function isBusyboxOrBash(shell: ProgramContext['shell']): boolean {
  return (
    shell !== undefined && (shell.script.dialect === 'bash' || hasKnownPrograms(shell.script.image))
  )
}

const echo: Program = {
  run: (operands, { shell }) => {
    const [options = ''] = operands
    const hasOptions = /^-[neE]+$/.test(options)
    const text = (hasOptions ? operands.slice(1) : operands).join(' ')
    const end = hasOptions && options.includes('n') ? '' : '\n'
    if (!text.includes('\\')) return ends(0, text + end)
    // dash treats backslashes differently.
    if (!isBusyboxOrBash(shell)) return ends(0, unknownText + end)
    if (!hasOptions || options.lastIndexOf('e') <= options.lastIndexOf('E'))
      return ends(0, text + end)
    const shown = echoText(text)
    return ends(0, shown.text + (shown.isCut ? '' : end))
  },
  onlyPrints: true,
}

const printf: Program = {
  run: ([format = '', ...operands]) => ends(0, printfText(format, operands) ?? unknownText),
  onlyPrints: true,
}

const sleep: Program = {
  run: (operands) => {
    const ms = sleepMs(operands)
    return ms === undefined ? ends(1) : { kind: 'sleeps', ms }
  },
}

const date: Program = {
  run: (operands, { now, environment }) => {
    const text = environment('TZ') === undefined ? dateText(now, operands) : undefined
    return ends(0, `${text ?? unknownText}\n`)
  },
  onlyPrints: true,
}

const hostname: Program = {
  run: (_operands, { environment }) => ends(0, `${environment('HOSTNAME') ?? unknownText}\n`),
  onlyPrints: true,
}

function seqRange(numbers: readonly number[]): readonly [from: number, step: number, to: number] {
  const [first, second, third] = numbers
  if (first === undefined || numbers.length > 3 || (third !== undefined && second === 0)) {
    throw new Unreadable('seq takes one to three numbers')
  }
  if (second === undefined) return [1, 1, first]
  return third === undefined ? [first, 1, second] : [first, second, third]
}

const seq: Program = {
  run: (operands) => {
    const numbers = operands.map((operand) => {
      if (!/^-?\d{1,9}$/.test(known(operand, 'seq'))) throw new Unreadable(`seq ${operand}`)
      return Number(operand)
    })
    const [from, step, to] = seqRange(numbers)
    const count = Math.max(0, Math.floor((to - from) / step) + 1)
    if (count > 10_000) throw new Unreadable('seq of more than 10000 numbers')
    return ends(0, linesText(Array.from({ length: count }, (_, index) => from + index * step)))
  },
}

const expr: Program = {
  run: (operands) => {
    const [left = '', operator = '', right = ''] = operands
    const isCalculation =
      operands.length === 3 &&
      /^[-+*/%]$/.test(operator) &&
      [left, right].every((operand) => /^-?\d{1,15}$/.test(operand))
    if (!isCalculation) throw new Unreadable('expr with anything but two numbers')
    // Leading zeros are octal in $((…)), but not in expr.
    const value = evaluateArithmetic(`(${Number(left)}) ${operator} (${Number(right)})`, () => '')
    return ends(value === 0 ? 1 : 0, `${value}\n`)
  },
}

function bracketed(closing: string): Program {
  return {
    run: (operands, { files }) => {
      if (operands.at(-1) !== closing) throw new Unreadable(`${closing} is missing`)
      return ends(testStatus(operands.slice(0, -1), files))
    },
  }
}

const test: Program = { run: (operands, { files }) => ends(testStatus(operands, files)) }

const pwd: Program = {
  run: (operands, { files }) => {
    if (operands.length > 0) throw new Unreadable('pwd with operands')
    return ends(0, `${files?.path ?? unknownText}\n`)
  },
  onlyPrints: true,
}

const pathPrograms: readonly (readonly [string, Program])[] = [
  ['basename', textOfPath((path) => path.replace(/(?<=.)\/+$/, '').replace(/^.*\/(?=.)/, ''))],
  [
    'dirname',
    textOfPath((path) => /^(.*?)\/+[^/]*\/*$/.exec(path)?.[1]?.replace(/^$/, '/') ?? '.'),
  ],
]

function textOfPath(change: (path: string) => string): Program {
  return {
    run: ([path, ...others], _surroundings) => {
      if (path === undefined || others.length > 0) throw new Unreadable('a path and a suffix')
      return ends(0, `${change(path)}\n`)
    },
  }
}

const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  [':', succeeds],
  ['true', succeeds],
  ['false', fails],
  ['echo', echo],
  ['printf', printf],
  ['sleep', sleep],
  ['date', date],
  ['hostname', hostname],
  ['seq', seq],
  ['expr', expr],
  ['test', test],
  ['[', bracketed(']')],
  ['[[', bracketed(']]')],
  ['pwd', pwd],
  ['ls', ls],
  ['find', find],
  ['grep', grep],
  ['awk', awk],
  ['sed', sed],
  ['ps', ps],
  ['tar', tar],
  ['stress', stress],
  ...filePrograms,
  ...textPrograms,
  ...networkPrograms,
  ...pathPrograms,
  ...identityPrograms,
])

/** The program of that name, also by its path in a folder of the PATH; undefined for all others. */
export function programNamed(name: string): Program | undefined {
  return programs.get(nameInPath(name))
}
