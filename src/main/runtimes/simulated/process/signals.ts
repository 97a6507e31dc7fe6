/** The signals that scripts name, by their Linux numbers. */
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

/** `TERM`, `SIGTERM`, `term` and `15` are one signal, as busybox and bash have it. */
export function signalNamed(text: string): Signal | undefined {
  const name = text.toUpperCase().replace(/^SIG/, '')
  if (isSignal(name)) return name
  const number = Number(text)
  return Object.keys(signalNumbers)
    .filter(isSignal)
    .find((signal) => text !== '' && signalNumbers[signal] === number)
}

/** What a shell reports for a process that a signal ended. */
export function statusOf(signal: Signal): number {
  return 128 + signalNumbers[signal]
}
