import type { Log, LogFields } from '../kubelet/ports.ts'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
}

/** A log that keeps its lines. */
export class FakeLog implements Log {
  readonly lines: LogLine[] = []

  readonly debug = this.#writer('debug')
  readonly info = this.#writer('info')
  readonly warn = this.#writer('warn')
  readonly error = this.#writer('error')

  /** Messages of one level, in order. */
  at(level: LogLine['level']): readonly string[] {
    return this.lines.filter((line) => line.level === level).map(({ message }) => message)
  }

  #writer(level: LogLine['level']): (message: string, fields?: LogFields) => void {
    return (message, fields = {}) => {
      this.lines.push({ level, message, fields })
    }
  }
}
