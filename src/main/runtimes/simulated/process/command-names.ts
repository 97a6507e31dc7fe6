/** The shell's builtins. The static checks and the interpreter share this list. */
export const builtinNames = [
  'break',
  'cd',
  'continue',
  'exec',
  'exit',
  'export',
  'kill',
  'local',
  'read',
  'return',
  'set',
  'shift',
  'trap',
  'unset',
  'wait',
] as const

export type BuiltinName = (typeof builtinNames)[number]

export function isBuiltin(name: string): name is BuiltinName {
  return builtinNames.some((builtin) => builtin === name)
}
