import type { Result } from '../../../shared/result.ts'
import type { Listener } from './network/listener.ts'
import type { RuntimeError } from '../../kubelet/ports.ts'
import type { OutputStreams } from './process/running.ts'
import type { InputReceiver } from './process/terminal.ts'

/** A command under way in a container. */
export interface RunningCommand {
  /** Its exit code; or why the runtime cannot run it. */
  readonly ended: Promise<Result<number, RuntimeError>>
  /** SIGKILL. */
  readonly kill: () => void
  /** What the client sends; dropped where none is read. */
  readonly input: InputReceiver
}

/** What a client receives of a command or container. */
export interface StreamRequest {
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly tty: boolean
}

/** Gives out URLs of streams. Each one can be opened once, and soon. */
export interface Streaming {
  /** `run` is called when the client has opened the streams; its exit code goes to the client. */
  readonly command: (
    request: StreamRequest,
    run: (streams: OutputStreams) => RunningCommand,
  ) => string
  /** `connect` returns what listens on the port, or why it refuses the connection. */
  readonly portForward: (connect: (port: number) => Result<Listener, string>) => string
}
