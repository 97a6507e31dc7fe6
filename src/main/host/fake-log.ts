import type { Log, LogFields } from '../kubelet/ports.ts'

/** Keeps what is logged, for tests. */
export class FakeLog implements Log {
  readonly entries: {
    readonly level: keyof Log
    readonly message: string
    readonly fields: LogFields
  }[] = []

  readonly debug = this.#writer('debug')
  readonly info = this.#writer('info')
  readonly warn = this.#writer('warn')
  readonly error = this.#writer('error')

  #writer(level: keyof Log) {
    return (message: string, fields: LogFields = {}): void => {
      this.entries.push({ level, message, fields })
    }
  }
}
