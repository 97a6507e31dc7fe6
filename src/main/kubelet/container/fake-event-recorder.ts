import type { EventRecorder } from '../ports.ts'

/** Keeps events as `Type Reason message` lines, and whole. */
export class FakeEventRecorder implements EventRecorder {
  readonly events: {
    readonly subject: Parameters<EventRecorder['event']>[0]
    readonly type: 'Normal' | 'Warning'
    readonly reason: string
    readonly message: string
    readonly causes: readonly number[]
    readonly annotations?: Readonly<Record<string, string>>
  }[] = []

  readonly event: EventRecorder['event'] = (
    subject,
    type,
    reason,
    message,
    causes = [],
    annotations,
  ) => {
    const annotated = annotations === undefined ? {} : { annotations }
    this.events.push({ subject, type, reason, message, causes, ...annotated })
  }

  get lines(): readonly string[] {
    return this.events.map(({ type, reason, message }) => `${type} ${reason} ${message}`)
  }

  /** The lines since the last call, which are forgotten. */
  take(): readonly string[] {
    const { lines } = this
    this.events.length = 0
    return lines
  }
}
