import { ByteDecoder } from '../../files/byte-text.ts'
import type { OutputStreams } from '../../runtimes/simulated/process/running.ts'
import type { RunningCommand } from '../../runtimes/simulated/streams.ts'
import { maxUnreadBytes } from './spdy-connection.ts'
import type { StreamReceiver } from './spdy-connection.ts'

/** The streams of a command, whatever carries them. */
export interface CommandStreams {
  /** Undefined: the client does not receive it. */
  readonly stdout: ((text: string) => void) | undefined
  readonly stderr: ((text: string) => void) | undefined
  /** Sends the Status that ends the command, and closes everything. */
  readonly end: (status: object) => void
  /** Closes the connection at once. */
  readonly drop: () => void
  /** Called when the client is gone. */
  readonly onClose: (listener: () => void) => void
}

/** Input of a command, which may come before the command runs. */
export class CommandInput implements StreamReceiver {
  readonly #decoder = new ByteDecoder()
  #text = ''
  #hasEnded = false
  #input: RunningCommand['input'] | undefined
  #drop = (): void => undefined

  readonly receive = (data: Uint8Array): void => {
    this.#send(this.#decoder.take(data))
  }

  readonly end = (): void => {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#send(this.#decoder.takeRest())
    this.#input?.end()
  }

  /** `drop`: called when more input waits than is kept. */
  passTo(input: RunningCommand['input'], drop: () => void): void {
    this.#input = input
    this.#drop = drop
    if (this.#text !== '') input.receive(this.#text)
    if (this.#hasEnded) input.end()
  }

  #send(text: string): void {
    if (text === '') return
    if (this.#input === undefined) this.#text += text
    else this.#input.receive(text)
    if ((this.#input?.unread?.() ?? this.#text.length) > maxUnreadBytes) this.#drop()
  }
}

/** How a failure that is no exit code is said. */
export type SayFailure = (message: string) => object

/** Runs a command with the streams of a client, and ends it when the client is gone. */
export function runCommand(
  run: (output: OutputStreams) => RunningCommand,
  streams: CommandStreams,
  input: CommandInput,
  sayFailure: SayFailure = internalError,
): void {
  const { stdout, stderr, onClose, end, drop } = streams
  // A terminal has one stream for both.
  const running = run({ stdout, stderr: stderr ?? stdout })
  input.passTo(running.input, drop)
  onClose(running.kill)
  void running.ended.then((result) => {
    end(statusOf(result, sayFailure))
  })
}

/** Why there is no command, in the words of kube-apiserver's errors. */
export function internalError(message: string): object {
  return {
    metadata: {},
    status: 'Failure',
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
    code: 500,
  }
}

/** A failure that kube-apiserver passes on to a WebSocket client: it makes a Status of the kubelet's (streamtranslator.go). */
export function translatedError(message: string): object {
  return internalError(`Internal error occurred: ${message}`)
}

/** The Status that ends a command (apimachinery/pkg/util/remotecommand). */
function statusOf(result: Awaited<RunningCommand['ended']>, sayFailure: SayFailure): object {
  if (!result.ok) return sayFailure(result.error.message)
  if (result.value === 0) return { metadata: {}, status: 'Success' }
  return {
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with non-zero exit code: exit status ${result.value}`,
    details: { causes: [{ reason: 'ExitCode', message: String(result.value) }] },
  }
}
