import { useState } from 'react'
import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import type { Answer } from '../../../store/requests/keyed-request.ts'
import { useAnswer } from '../../../store/requests/use-answer.ts'
import { useTicking } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { LogFollower } from './log-follower.ts'
import type { LogKey, LogView } from './log-follower.ts'

interface LogsOptions {
  readonly cluster: string
  readonly detail: PodDetail | null
  readonly isFollowing: boolean
}

/** The log; while followed, read on with each tick of the cluster's clock and when the pod changes. */
export function useLogs(
  key: LogKey,
  { cluster, detail, isFollowing }: LogsOptions,
): Answer<LogView> {
  const [follower] = useState(() => new LogFollower())
  const tick = useTicking(cluster, (now) => (isFollowing ? Math.floor(now / 1000) : 0), 0)
  const version = isFollowing ? `${detail?.trace[0]?.seq ?? ''} ${tick}` : ''
  return useAnswer(text.pod.logs.asked, key, follower.ask, version)
}
