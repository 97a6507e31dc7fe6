import type { Input } from '../process/byte-streams.ts'
import type { Running } from '../process/running.ts'
import { nextLine } from '../programs/text-input.ts'
import { readOperands } from './builtin-operands.ts'
import type { ShellState } from './shell-state.ts'
import { Unreadable } from './unreadable.ts'

/** The builtin `read`. */
export function* readLine(
  operands: readonly string[],
  state: ShellState,
  stdin: Input,
  separators: string | undefined,
): Running<void> {
  const { names, isRaw } = readOperands(operands)
  const line = yield* nextLine(stdin)
  // The rest without a newline is read too, with status 1.
  state.status = line?.endsWith('\n') === true ? 0 : 1
  const text = (line ?? '').replace(/\n$/, '')
  if (!isRaw && text.includes('\\')) throw new Unreadable('read of a backslash without -r')
  for (const [name, value] of valuesOf(text, names, separators)) state.variables.set(name, value)
}

function valuesOf(
  text: string,
  names: readonly string[],
  separators = ' \t\n',
): readonly (readonly [name: string, value: string])[] {
  if (!/^[ \t\n]*$/.test(separators) && !/^[^\s\\\]^-]$/.test(separators))
    throw new Unreadable('read with such an IFS')
  const isBlank = /^[ \t\n]*$/.test(separators)
  let rest = isBlank && separators !== '' ? text.replace(/^[ \t]+|[ \t]+$/g, '') : text
  return names.map((name, index) => {
    const isLast = index === names.length - 1
    if (separators === '') return [name, index === 0 ? rest : ''] as const
    if (isLast) return [name, rest] as const
    const match = (isBlank ? /^([^ \t]*)[ \t]*([^]*)$/ : untilFirst(separators)).exec(rest)
    rest = match?.[2] ?? ''
    return [name, match?.[1] ?? ''] as const
  })
}

function untilFirst(separator: string): RegExp {
  const one = separator.replaceAll(/[$()*+.?[\]\\^{|}/]/g, '\\$&')
  return new RegExp(`^([^${one}]*)(?:${one}([^]*))?$`)
}
