import type { RequestHandlers, Snapshot } from '../../shared/ipc/contract.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { Log } from '../kubelet/ports.ts'
import type { Assets } from './assets.ts'
import type { RunningSession } from './session-channel.ts'
import type { SessionConfig } from './session-config.ts'

/** Why a session cannot start: one sentence, and the exit code of the program. */
export interface StartError {
  readonly exitCode: number
  readonly message: string
}

/** An empty session: no cluster yet. */
export function startSession(
  config: SessionConfig,
  ports: { readonly log: Log; readonly assets: Assets; readonly host: 'electron' | 'web' },
): Promise<Result<RunningSession, StartError>> {
  const snapshot: Snapshot = {
    epoch: 'empty',
    number: 0,
    program: { version: config.version, host: ports.host, readOnly: config.readOnly },
    clusters: [],
    rows: [],
  }
  const noPod = () => Promise.resolve(err({ kind: 'not-found' as const, message: 'No such pod.' }))
  const handlers: RequestHandlers<undefined> = {
    'view.open': () => Promise.resolve(snapshot),
    'view.acknowledge': () => Promise.resolve(null),
    'pod.watch': () => Promise.resolve(null),
    'pod.describe': () => Promise.resolve(null),
    'uid.translate': () => Promise.resolve(null),
    'pod.kill': noPod,
    'pod.evictByKubelet': noPod,
    'pod.evictThroughApi': noPod,
    'log.write': ({ level, message, detail }) => {
      ports.log[level]('page', { message, detail })
      return Promise.resolve(null)
    },
  }
  const connection = {
    request: ((name, args) => handlers[name](args, undefined)) as ReturnType<
      RunningSession['channel']['connect']
    >['request'],
    close: () => undefined,
  }
  return Promise.resolve(
    ok({
      channel: { connect: () => connection },
      facts: [],
      stop: () => Promise.resolve(),
    }),
  )
}
