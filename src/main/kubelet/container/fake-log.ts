import type { Log, LogFields } from '../ports.ts'

/** A log that keeps its lines. */
export class FakeLog implements Log {
  readonly lines: {
    readonly level: 'debug' | 'info' | 'warn' | 'error'
    readonly message: string
    readonly fields: LogFields
  }[] = []

  readonly debug = (message: string, fields: LogFields = {}): void => {
    this.lines.push({ level: 'debug', message, fields })
  }

  readonly info = (message: string, fields: LogFields = {}): void => {
    this.lines.push({ level: 'info', message, fields })
  }

  readonly warn = (message: string, fields: LogFields = {}): void => {
    this.lines.push({ level: 'warn', message, fields })
  }

  readonly error = (message: string, fields: LogFields = {}): void => {
    this.lines.push({ level: 'error', message, fields })
  }

  /** Messages of warnings and errors, in order. */
  get problems(): readonly string[] {
    return this.lines
      .filter(({ level }) => level === 'warn' || level === 'error')
      .map(({ message }) => message)
  }
}
