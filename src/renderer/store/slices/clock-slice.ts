import type { ClockCommand, ClockSlice } from './clock-state.ts'
import type { ActError, Bridge, ClockReceipt } from '../../../shared/ipc/contract.ts'
import type { ClockView, ClusterView } from '../../../shared/model/cluster-view.ts'
import type { Result } from '../../../shared/result.ts'
import { requestResult } from '../request-result.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import { stepText } from '../../words/step-text.ts'
import type { PreferenceStorage } from '../preferences.ts'
import { readPreferences, savePreference } from '../preferences.ts'
import { shownCluster } from '../shown-node.ts'
import type { GetState, SetState } from '../state.ts'
import { text } from '../../text/text.ts'

/** The speeds of the bar; main takes any from 0.1 to 1000. */
export const speeds: readonly number[] = [0.1, 1, 10, 60, 1000]

/** The next of the bar's speeds; the same speed if there is none. */
export function nextSpeed(speed: number, direction: 'faster' | 'slower'): number {
  return direction === 'faster'
    ? (speeds.find((candidate) => candidate > speed) ?? speed)
    : (speeds.findLast((candidate) => candidate < speed) ?? speed)
}

export function clockSlice(
  set: SetState,
  get: GetState,
  bridge: Bridge,
  memory: PreferenceStorage,
): ClockSlice {
  const request = (
    command: ClockCommand,
    view: ClusterView,
  ): Promise<Result<ClockReceipt, ActError>> => {
    const cluster = view.id
    switch (command.kind) {
      case 'pause':
      case 'run':
      case 'step':
        return bridge.request(`clock.${command.kind}`, { cluster })
      case 'toggle':
        return bridge.request(view.clock.paused ? 'clock.run' : 'clock.pause', { cluster })
      case 'setSpeed':
        return bridge.request('clock.setSpeed', { cluster, speed: command.speed })
      case 'seek':
        return bridge.request('clock.seek', { cluster, at: command.at })
      case 'faster':
      case 'slower':
        return bridge.request('clock.setSpeed', {
          cluster,
          speed: nextSpeed(view.clock.speed, command.kind),
        })
      default:
        return assertNever(command, 'clock command')
    }
  }
  const describeStep = async (cluster: string, stepped: ClockReceipt['stepped']): Promise<void> => {
    set({ steps: get().steps + 1, lastStep: stepText(stepped, undefined) })
    if (stepped === null) return
    const asked = get().steps
    const chain = await bridge.request('trace.related', { cluster, seq: stepped.seq })
    const event = chain?.events.find(({ seq }) => seq === stepped.seq)
    // Not after another step, or once the clock runs.
    if (get().steps === asked && get().lastStep !== '') set({ lastStep: stepText(stepped, event) })
  }
  const take = (cluster: string, clock: ClockView): void => {
    // The next patch has the same clock; a key pressed before it arrives must use the new state.
    const clusters = get().clusters.map((view) => (view.id === cluster ? { ...view, clock } : view))
    set({ clusters, ...(clock.paused ? {} : { lastStep: '' }) })
  }
  const perform = async (command: ClockCommand): Promise<void> => {
    const view = shownCluster(get())
    if (view === undefined) {
      get().addToast(text.frame.connection.noCluster)
      return
    }
    set({ isClockBusy: true })
    const result = await requestResult(request(command, view))
    set({ isClockBusy: false })
    if (!result.ok) {
      get().addToast(result.error.message)
      return
    }
    take(view.id, result.value.clock)
    // The line at the bottom of the window is the shown cluster's.
    if (command.kind === 'step' && shownCluster(get())?.id === view.id)
      await describeStep(view.id, result.value.stepped).catch(() => undefined)
  }
  let last: Promise<void> = Promise.resolve()
  let sought: ClockCommand | undefined
  return {
    isClockBusy: false,
    lastStep: '',
    steps: 0,
    isClockNoteWanted: !readPreferences(memory).isClockNoteDismissed,
    showClockNote: () => set({ isClockNoteWanted: true }),
    dismissClockNote: () => {
      savePreference(memory, 'clockNote', 'yes')
      set({ isClockNoteWanted: false })
    },
    commandClock: (command) => {
      // A held key must not queue steps.
      if (command.kind === 'step' && get().isClockBusy) return Promise.resolve()
      if (command.kind === 'seek') sought = command
      last = last.then(() => {
        // While one moment is on its way, only the last of the later ones counts.
        if (command.kind === 'seek' && command !== sought) return undefined
        return perform(command)
      })
      return last
    },
  }
}
