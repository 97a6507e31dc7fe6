/** Signals that scripts use, with their Linux numbers. */
export const signalNumbers = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ABRT: 6,
  KILL: 9,
  USR1: 10,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
} as const

export type Signal = keyof typeof signalNumbers

function isSignal(name: string): name is Signal {
  return Object.hasOwn(signalNumbers, name)
}

/** The signal of a name or number: `TERM`, `SIGTERM`, `term` and `15` are the same, as in busybox and bash. */
export function signalNamed(text: string): Signal | undefined {
  const name = text.toUpperCase().replace(/^SIG/, '')
  if (isSignal(name)) return name
  const number = Number(text)
  return Object.keys(signalNumbers)
    .filter(isSignal)
    .find((signal) => text !== '' && signalNumbers[signal] === number)
}

/** The exit status of a process that was killed by the signal. */
export function statusOf(signal: Signal): number {
  return 128 + signalNumbers[signal]
}
