/** What the shell itself does, as against programs. Static checks and the interpreter share the list. */
export const builtinNames = [
  'break',
  'continue',
  'exec',
  'exit',
  'export',
  'kill',
  'return',
  'set',
  'trap',
  'wait',
] as const

export type BuiltinName = (typeof builtinNames)[number]

export function isBuiltin(name: string): name is BuiltinName {
  return builtinNames.some((builtin) => builtin === name)
}
