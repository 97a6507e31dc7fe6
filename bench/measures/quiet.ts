import type { Log } from '../../src/main/kubelet/ports.ts'

/** A log for programs that print figures: only errors. */
export const quietLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (message, fields) => {
    process.stderr.write(`${message} ${JSON.stringify(fields ?? {})}\n`)
  },
}

/** One line for bench/run.mjs. */
export function report(figures: Readonly<Record<string, number>>): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}
