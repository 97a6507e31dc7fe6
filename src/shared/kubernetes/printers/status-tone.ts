import type { StatusTone } from '../../model/pod-row.ts'

const toneByWord: ReadonlyMap<string, StatusTone> = new Map<string, StatusTone>([
  ['Running', 'plain'],
  ['Completed', 'done'],
  ['Succeeded', 'done'],
  // Exit code 0 without a reason: an old runtime's way to say Completed.
  ['ExitCode:0', 'done'],
  ['Terminating', 'term'],
  ['', 'wait'],
  ['Pending', 'wait'],
  ['ContainerCreating', 'wait'],
  ['PodInitializing', 'wait'],
  ['SchedulingGated', 'wait'],
  ['NotReady', 'wait'],
  ['Unknown', 'wait'],
])

/**
 * How kubectl's STATUS word is to be taken. Words not known here are reasons of waiting or ended containers
 * or of a failed pod (`CrashLoopBackOff`, `Evicted`, `OutOfcpu`, `Init:Error`, `Signal:9`): all bad.
 */
export function statusTone(statusWord: string): StatusTone {
  const known = toneByWord.get(statusWord)
  if (known !== undefined) return known
  return /^Init:\d+\/\d+$/.test(statusWord) ? 'wait' : 'bad'
}
