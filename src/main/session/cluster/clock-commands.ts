import type { ActError, ClockReceipt } from '../../../shared/ipc/contract.ts'
import type { ClockView } from '../../../shared/model/cluster-view.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { VirtualClock } from '../../clock/virtual-clock.ts'
import { stepToEvent } from '../../nodes/control/clock-runs.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'

/** The commands of a page for a cluster's clock. Each answers with the clock after it. */
export interface ClockCommands {
  readonly pause: () => ClockAnswer
  readonly run: () => ClockAnswer
  readonly step: () => Promise<ClockAnswer>
  readonly setSpeed: (speed: number) => ClockAnswer
  /** Goes to a moment, ms on the cluster's clock; only a recording can. */
  readonly seek: (at: number) => ClockAnswer
  /** Moves the clock to the present, so that the effects of a request are stamped with its arrival. */
  readonly catchUp: () => void
}

type ClockAnswer = Result<ClockReceipt, ActError>

/** Commands over the virtual clock of the sandbox. */
export function virtualClockCommands(deps: {
  readonly clock: VirtualClock
  readonly trace: Pick<ClusterTrace, 'listen'>
  readonly onChange: () => void
}): ClockCommands {
  const { clock, trace, onChange } = deps
  const answer = (stepped: ClockReceipt['stepped'] = null): ClockAnswer => {
    onChange()
    return ok({ clock: clockView(clock), stepped })
  }
  const stepOnce = async (): Promise<ClockAnswer> => answer(await stepToEvent(clock, trace))
  // Two clicks are two steps; the second waits for the first.
  let last: Promise<unknown> = Promise.resolve()
  const step = (): Promise<ClockAnswer> => {
    clock.pause()
    const next = last.then(stepOnce)
    last = next.catch(() => undefined)
    return next
  }
  return {
    catchUp: () => {
      clock.catchUp()
    },
    pause: () => {
      clock.pause()
      return answer()
    },
    run: () => {
      clock.run()
      return answer()
    },
    step,
    setSpeed: (speed) => {
      clock.setSpeed(speed)
      return answer()
    },
    seek: () => err(seekError),
  }
}

const systemClockError: ActError = {
  kind: 'refused',
  message:
    'This cluster runs on the system clock, which cannot be paused. Only a sandbox has its own clock.',
}

const seekError: ActError = {
  kind: 'refused',
  message: 'Only a recording can go to another moment; this clock goes forward.',
}

/** Refuses all commands: a joined cluster runs on the system clock. */
export const systemClockCommands: ClockCommands = {
  pause: () => err(systemClockError),
  run: () => err(systemClockError),
  step: () => Promise.resolve(err(systemClockError)),
  setSpeed: () => err(systemClockError),
  seek: () => err(systemClockError),
  catchUp: () => undefined,
}

/** A virtual clock as pages see it. */
export function clockView(clock: VirtualClock): ClockView {
  const { present, isPaused, speed, achievedSpeed } = clock
  return {
    now: present,
    virtual: true,
    paused: isPaused,
    speed,
    // More digits would be noise.
    achieved: achievedSpeed === null ? null : Number(achievedSpeed.toPrecision(2)),
  }
}
