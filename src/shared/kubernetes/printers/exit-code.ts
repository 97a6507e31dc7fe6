const known: Readonly<Record<number, string>> = {
  1: 'the program reported an error',
  2: 'the program was called wrongly',
  126: 'the command cannot be executed',
  127: 'the command was not found',
  255: 'the program reported an error',
}

const signals: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
}

/** What an exit code says by the shells' custom: 128 and a signal's number where a signal ended the process. `''` where it is the program's own. */
export function exitCodeWords(code: number): string {
  const signal = signals[code - 128]
  return signal === undefined ? (known[code] ?? '') : `ended by ${signal}`
}
