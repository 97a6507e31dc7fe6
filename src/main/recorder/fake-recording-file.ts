import type { RecordingFile } from './recording-file.ts'

/** A file in memory, which a test can slow down or break. */
export class FakeRecordingFile implements RecordingFile {
  readonly path = '/recording'
  readonly note = ''
  text = ''
  state: 'untouched' | 'begun' | 'closed' | 'abandoned' = 'untouched'
  /** What the next write waits for. */
  held: Promise<void> = Promise.resolve()
  /** What the next write throws. */
  failure: Error | undefined

  readonly begin: RecordingFile['begin'] = () => {
    this.state = 'begun'
    return Promise.resolve({
      append: async (text) => {
        await this.held
        if (this.failure !== undefined) throw this.failure
        this.text += text
      },
      close: () => {
        this.state = 'closed'
        return Promise.resolve()
      },
    })
  }

  readonly abandon = (): Promise<void> => {
    this.state = 'abandoned'
    return Promise.resolve()
  }
}
