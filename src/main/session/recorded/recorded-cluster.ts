import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { recordingIsPast } from '../../../shared/model/forecast/read-only.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { fileErrorText, isMissing } from '../../files/file-error.ts'
import { readRecording } from '../../recorder/read-recording.ts'
import { virtualClockCommands } from '../cluster/clock-commands.ts'
import type { ClockCommands } from '../cluster/clock-commands.ts'
import { clusterIdOf } from '../cluster/cluster-id.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'
import { tracedEvents } from '../rows/cluster-events.ts'
import { pastCluster } from '../trace/past-cluster.ts'
import { causalChain } from '../explanations/causal-chain.ts'
import type { StartError } from '../start-error.ts'
import { RecordedSession } from './recorded-session.ts'

/** A recording is held in memory, several times its size. */
const maxRecordingBytes = 256 * 1024 * 1024

const recordedOnly = 'Only the events that the recorded kubelet recorded itself, up to this moment.'

async function read(path: string): Promise<Result<string, string>> {
  try {
    const bytes = await readFile(path)
    return bytes.length > maxRecordingBytes
      ? err(
          `The recording ${path} has ${Math.ceil(bytes.length / 1024 / 1024)} MiB; at most 256 MiB are opened.`,
        )
      : ok(bytes.toString())
  } catch (error) {
    const reason = isMissing(error) ? 'it does not exist' : fileErrorText(error)
    return err(`The recording ${path} cannot be opened: ${reason}.`)
  }
}

/** Opens a recording as a cluster whose clock goes to any of its moments. Error: one sentence. */
export async function openRecording(
  path: string,
  { isPageOpened = false } = {},
): Promise<Result<OpenCluster, StartError>> {
  const failed = (message: string) => err({ exitCode: 2, message } as const)
  const text = await read(path)
  if (!text.ok) return failed(text.error)
  const recording = readRecording(text.value)
  if (!recording.ok) return failed(`${path} cannot be opened as a recording. ${recording.error}`)
  const file = basename(path)
  const session = new RecordedSession({
    id: `recording ${clusterIdOf(file)}`,
    file,
    recording: recording.value,
    isPageOpened,
    host: nodeClockHost,
  })
  return ok({
    ...pastCluster({
      source: session,
      refusal: recordingIsPast,
      notKept: 'A recording has no objects of the API.',
      clock: recordedClock(session),
      events: (query) =>
        tracedEvents(session.trace.newest(Number.MAX_SAFE_INTEGER), query, recordedOnly),
      related: (seq) =>
        causalChain(seq, session.trace.newest(Number.MAX_SAFE_INTEGER).toReversed()),
      facts: [{ name: 'recording', value: path }],
      stop: () => {
        session.clock.pause()
        return Promise.resolve()
      },
    }),
    inspected: { watch: session.watchInspection, accept: () => undefined },
    workloads: { watch: session.watchWorkloads },
  })
}

/** Seeking makes a new clock, and the commands go to the present one. */
function recordedClock(session: RecordedSession): ClockCommands {
  const onChange = (): void => {
    session.touchView()
  }
  let of = session.clock
  let commands = virtualClockCommands({ clock: of, trace: session, onChange })
  const present = (): ClockCommands => {
    if (of !== session.clock) {
      of = session.clock
      commands = virtualClockCommands({ clock: of, trace: session, onChange })
    }
    return commands
  }
  return {
    pause: () => present().pause(),
    run: () => {
      // Played to its end, it begins again.
      if (session.now() >= session.to) session.seek(session.from)
      return present().run()
    },
    step: () => present().step(),
    setSpeed: (speed) => present().setSpeed(speed),
    seek: (at) => {
      session.seek(at)
      return present().pause()
    },
    catchUp: () => undefined,
  }
}
